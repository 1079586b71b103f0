"""The first server of PostgreSQL is lost under moves at two hosts: nothing acknowledged is lost, and play goes on."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.reliability.hosts.__main__ import LONGEST, Outcome, drill, report
from tests.reliability.hosts.network import reason_against
from tests.reliability.hosts.servers import open_folder, tool

PROGRAMS = (tool("initdb"), "redis-server", "ip", "setpriv", "curl")


def held(outcome: Outcome) -> None:
    """Check what is promised of a site with two servers of PostgreSQL."""
    print(*report(outcome), sep="\n")  # noqa: T201
    assert outcome.faults == ()
    assert (outcome.lost, outcome.doubled) == (0, 0)
    assert min(outcome.before, outcome.after) > 10
    assert outcome.last_table < LONGEST


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that who runs PostgreSQL may look into."""
    with open_folder() as made:
        yield made


@pytest.mark.proof
@pytest.mark.skipif(
    bool(reason_against()) or not all(map(shutil.which, PROGRAMS)), reason="needs root, TAP devices and the servers"
)
@pytest.mark.parametrize("loss", ["kill", "power"])
def test_the_second_server_takes_over_by_itself_and_has_every_acknowledged_move(folder: Path, loss: str) -> None:
    held(drill(folder, loss, milliseconds=2.0, before=10.0, after=5.0, has_pooler=False))


@pytest.mark.proof
@pytest.mark.skipif(
    bool(reason_against()) or not all(map(shutil.which, (*PROGRAMS, "pgbouncer"))), reason="needs PgBouncer as well"
)
def test_it_takes_over_behind_pgbouncer_too(folder: Path) -> None:
    held(drill(folder, "kill", milliseconds=2.0, before=10.0, after=5.0, has_pooler=True))
