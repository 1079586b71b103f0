"""Workers give way to pages: as processes, and as sessions where the system shares its processors by session."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

STEP_BACK = "import os; from games.bots.thinker import step_back; step_back({}); print(os.nice(0))"
TELL = "; print(open('/proc/self/autogroup').read())"


def said(code: str) -> list[str]:
    """Return what the code prints in a session of its own."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, start_new_session=True, capture_output=True, text=True, check=True).stdout.split()


def test_a_worker_is_nice() -> None:
    assert said(STEP_BACK.format(19)) == ["19"]
    assert said(STEP_BACK.format(0)) == [str(os.nice(0))]


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="this system does not group sessions")
def test_the_session_of_a_worker_is_nice_too() -> None:
    assert said(STEP_BACK.format(19) + TELL)[-2:] == ["nice", "19"]
