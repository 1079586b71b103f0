"""Programs in a process of their own: what could crash must not take the tests with it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def printed(program: str, *arguments: str, limit: float = 500) -> str:
    """Return what a program printed, which has to end well: not by a signal, and with nothing uncaught."""
    ended = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=limit,
        check=False,
    )
    assert ended.returncode == 0, (ended.returncode, ended.stderr[-3000:])
    return ended.stdout
