"""The first server of PostgreSQL is lost under moves at two hosts: nothing acknowledged is lost, and play goes on."""

import shutil
import subprocess
import sys

import pytest

from tests.browser.site import ROOT
from tests.reliability.hosts.network import reason_against
from tests.reliability.hosts.servers import tool

PROGRAMS = (tool("initdb"), "redis-server", "ip", "setpriv", "curl")

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(
        bool(reason_against()) or not all(map(shutil.which, PROGRAMS)), reason="needs root, TAP devices and the servers"
    ),
]


def check_loss(*options: str) -> None:
    """Lose the server in a process of its own: tests themselves reach no other host."""
    command = [sys.executable, "-m", "tests.reliability.hosts", "--before", "10", "--after", "5", *options]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)
    print(ran.stdout)  # noqa: T201
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("loss", ["kill", "power"])
def test_the_second_server_takes_over_by_itself_and_has_every_acknowledged_move(loss: str) -> None:
    check_loss("--loss", loss)


@pytest.mark.skipif(not shutil.which("pgbouncer"), reason="needs PgBouncer as well")
def test_it_takes_over_behind_pgbouncer_too() -> None:
    check_loss("--pooler")
