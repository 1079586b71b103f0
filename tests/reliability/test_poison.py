"""D4: a job that fails whenever it is tried is parked after five tries with growing pauses, and others do not wait."""

from datetime import datetime, timedelta
from threading import Event

import pytest
from django.utils import timezone

from accounts.models import User
from games.background.sweep import PARKED_AFTER, sweep
from games.bots.turns import play_turn
from games.jobs import find_jobs
from games.management.commands.sweep import keep_sweeping
from games.models import Game, Lease, Status
from tests.games.tables import ME, bot, open_table
from tests.games.tasks.queues import job_queue as job_queue
from tests.games.tasks.workers import jobs, longest_wait_of_jobs, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def in_seconds(seconds: float) -> datetime:
    return timezone.now() + timedelta(seconds=seconds)


@pytest.fixture
def poison(alice: User, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game whose turn fails whenever a worker tries to play it."""
    game = open_table(alice, bot(), ME, now=in_seconds(-10))

    def play(game_id: int, number: int, *, tries: int = 0) -> bool:
        if game_id == game.pk:
            raise ZeroDivisionError
        return play_turn(game_id, number, tries=tries)

    monkeypatch.setattr("games.tasks.play_turn", play)
    return game


def fail_for_good() -> None:
    """Let the poisoned job fail until it is parked, each time as soon as it may be tried again."""
    run_jobs()
    for failed in range(1, PARKED_AFTER):
        tried_at = max(job.started_at for job in find_jobs("FAILED") if job.started_at)
        pause = timedelta(seconds=2**failed)
        assert sweep(tried_at + 0.9 * pause).bot_turns == 0
        assert sweep(tried_at + pause).bot_turns == 1
        run_jobs()
        assert len(jobs("FAILED")) == failed + 1


def test_a_job_that_always_fails_is_tried_five_times_with_pauses_that_double(poison: Game) -> None:
    fail_for_good()
    late = sweep(in_seconds(3600))
    assert (late.bot_turns, late.parked) == (0, ((poison.pk, 1),))
    assert [job[1][2:] for job in jobs("FAILED")] == [[], [1], [2], [3], [4]]


def test_others_play_on_beside_it_at_once(poison: Game, alice: User) -> None:
    others = [open_table(alice, bot("random", seed), bot("random", seed), variant="duo") for seed in range(3)]
    fail_for_good()
    assert set(Game.objects.filter(pk__in=[game.pk for game in others]).values_list("status", flat=True)) == {
        Status.FINISHED
    }
    assert longest_wait_of_jobs() <= timedelta(seconds=30)


def test_what_is_parked_is_told_once_and_tried_again_when_the_sweep_starts_anew(
    poison: Game, caplog: pytest.LogCaptureFixture
) -> None:
    fail_for_good()
    told = f"Parked: a job about {poison.pk}, move 1"

    class Rounds(Event):
        left = 3

        def wait(self, timeout: float | None = None) -> bool:
            self.left -= 1
            if not self.left:
                self.set()
            return self.is_set()

    keep_sweeping("me", 5, Rounds(), since=in_seconds(-3600))
    assert caplog.text.count(told) == 1
    assert jobs() == []
    Lease.objects.all().delete()
    keep_sweeping("another", 5, Rounds())
    assert jobs() == [("play_bot_turn", [poison.pk, 1])]


def test_a_day_later_it_is_tried_again(poison: Game) -> None:
    fail_for_good()
    assert sweep(in_seconds(24 * 3600 + 60)).bot_turns == 1
