"""A release replaces process after process while people visit and play, and goes back, and nobody notices."""

import os
from pathlib import Path

import pytest

from tests.reliability.rolling import change, check_out, roll, surroundings

pytestmark = [
    pytest.mark.proof,
    pytest.mark.database,
    pytest.mark.skipif(
        not (os.environ.get("DATABASE_URL", "").startswith("postgres") and os.environ.get("REDIS_URL")),
        reason="needs PostgreSQL and Redis (.ci/run starts them)",
    ),
]


def test_a_rolling_release_there_and_back_loses_no_request_no_style_and_no_move(tmp_path: Path) -> None:
    old, new = check_out("", tmp_path / "old"), change(check_out("", tmp_path / "new"))
    report = roll(old, new, surroundings(tmp_path / "var"))
    assert report.failures == []
    assert min(report.requests, report.pages) > 50
    assert report.moves > 0
