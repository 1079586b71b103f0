"""D2 and D8: each person is notified once of each event by each channel, though jobs come twice and workers die.

Only a courier that is killed sends again what a lane of it had handed over and not yet written down as sent.

`BLOCKYOU_NOTICES` (1,000 in full) makes the trials longer.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db.models import Sum
from django.utils import timezone

from accounts.models import User
from games import events
from games.actions.tables.create_game import create_game
from games.base.setup import GameSetup, SeatSetup
from games.jobs import enqueue
from games.jobs.courier import LANES
from games.models import Delivery, Game, Notification
from games.notifications.announce import announce_game
from games.table import seats
from games.tasks import DELIVERIES, announce_notices, on_notices
from tests.games.tables import ME
from tests.games.tasks.queues import job_queue as job_queue
from tests.games.tasks.workers import count_lost, jobs, manage, pool, wait_until
from tests.reliability.doomed import DEATHS, NOTICE_STEPS

NOTICES = int(os.environ.get("BLOCKYOU_NOTICES", "80"))
PATIENCE = 90.0 + NOTICES

#: How many mails go out twice for each process that dies at a step, at least and at most. Workers send nothing. A
#: courier takes its other lanes along; the one that comes to `send` has handed nothing over, the one at `sent` has.
TWICE_A_DEATH = {"announce": (0, 0), "ask": (0, 0), "send": (0, LANES - 1), "sent": (1, LANES)}

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]


@pytest.fixture(autouse=True)
def no_limit_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one person invite more often than people may."""
    monkeypatch.setattr(seats, "MAX_GAMES", NOTICES + 1)
    for bound in ("MOST_OF_ONE", "MOST_OF_STRANGERS"):
        monkeypatch.setattr(f"games.actions.tables.create_game.{bound}", NOTICES + 1)


@pytest.fixture
def games(alice: User, bob: User, carol: User, dave: User) -> list[Game]:
    """Return tables to which Alice invites the others in turn, each invitation a notice that a job is to announce.

    As if the process that served Alice had died each time before it did so itself.
    """
    guests = [SeatSetup(kind="named", username=guest.username) for guest in (bob, carol, dave)]
    setups = [GameSetup(variant="blockyou-2", seats=(ME, guests[number % 3])) for number in range(NOTICES)]
    events.unsubscribe(events.NoticesRecorded, on_notices)
    try:
        tables = [create_game(alice, setup) for setup in setups]
    finally:
        events.subscribe(events.NoticesRecorded, on_notices)
    for table in tables:
        enqueue(announce_notices, table.pk, 0)
    return tables


@contextmanager
def at_work(folder: Path, **doom: str) -> Iterator[None]:
    """Let workers and the sweep run meanwhile; they write their mails into the folder."""
    processes: list[subprocess.Popen[bytes]] = [pool(DOOM_MAILS=str(folder), **doom), manage("sweep", "--every=0.5")]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(30)


def are_sent() -> bool:
    waiting = (
        Delivery.objects.filter(due_at__isnull=False).exists() or Notification.objects.filter(is_due=True).exists()
    )
    return not waiting and not jobs("READY") and not jobs("RUNNING")


def keys_of_mails(folder: Path) -> list[str]:
    """Return the key of every mail that was sent. Workers that send in the same second may share a file."""
    written = "".join(path.read_text() for path in folder.glob("*.log"))
    return re.findall(r"^Message-ID: (\S+)", written, re.MULTILINE)


def check_once() -> None:
    """Each notice is announced, counted and written down as sent once."""
    assert Delivery.objects.filter(sent_at__isnull=False).count() == Delivery.objects.count() == NOTICES
    assert User.objects.aggregate(all=Sum("unread_notices"))["all"] == NOTICES


def test_four_workers_with_every_job_twice_send_each_notice_once(games: list[Game], tmp_path: Path) -> None:
    for game in games[::2]:
        enqueue(announce_notices, game.pk, 0)
    for game in games[1::2]:
        for delivery in announce_game(game.pk, now=timezone.now()) * 2:
            DELIVERIES.ask(delivery)
    with at_work(tmp_path, DOOM_WORKERS="4"):
        wait_until(are_sent, PATIENCE)
    assert jobs("FAILED") == []
    keys = keys_of_mails(tmp_path)
    assert len(keys) == len({*keys}) == NOTICES
    check_once()


@pytest.mark.parametrize("step", NOTICE_STEPS)
def test_who_dies_at_a_step_loses_no_notice_and_doubles_at_most_what_its_lanes_had_handed_over(
    games: list[Game], tmp_path: Path, step: str
) -> None:
    with at_work(tmp_path, DOOM_WORKERS="2", DOOM_STEP=step):
        wait_until(are_sent, PATIENCE)
    assert count_lost()
    keys, deaths = keys_of_mails(tmp_path), len((tmp_path / DEATHS).read_text().split())
    assert len({*keys}) == NOTICES
    # Each mail that a lane had handed over and not yet written down as sent goes out again, under the same key.
    fewest, most = TWICE_A_DEATH[step]
    assert deaths * fewest <= len(keys) - NOTICES <= deaths * most
    check_once()
