"""What tests of advice share."""

import pytest

from tests.games.bots.fakes import FirstFew


@pytest.fixture(autouse=True)
def quick_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the advice come from an engine that answers at once."""
    monkeypatch.setattr("games.bots.adviser.strong_engine", FirstFew)
