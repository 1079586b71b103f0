"""No page, request or job touches more than three times as much of a large database as of a small one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATABASE_URL = os.environ.get("DATABASE_URL", "")
IS_POSTGRES = DATABASE_URL.startswith("postgres")
# Steps of SQLite are counted one by one, which takes longer.
LARGE = 30_000 if IS_POSTGRES else 10_000
pytestmark = [pytest.mark.proof, pytest.mark.database]


def test_what_a_page_touches_does_not_grow_with_the_site() -> None:
    command = [sys.executable, "-m", "benchmarks.growth", "--large", str(LARGE), "--explain"]
    server = ["--database", DATABASE_URL] if IS_POSTGRES else []
    done = subprocess.run([*command, *server], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-2000:]}"
