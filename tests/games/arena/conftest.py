"""What tests of the arena share."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("other_program.py")
ROOT = Path(__file__).parents[3]


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Return how a player is written that is another program, with the faults asked for."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return lambda *faults: "gtp:" + shlex.join([sys.executable, str(PROGRAM), *faults])
