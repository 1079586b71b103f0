"""A season in small: what `benchmarks.season` plays at full size, and whether its judge sees a broken promise."""

import subprocess
import sys
from datetime import timedelta

import pytest

from accounts.models import User
from benchmarks.season.judge import Judge
from games.clock import TimeControl
from games.models import Game, Move
from tests.games.tables import NOON, fresh, play_out, running

DAY = timedelta(days=1)


@pytest.fixture
def missed(alice: User, bob: User, carol: User, dave: User) -> Game:
    """Return a game for four in which the first turn has a day."""
    return running(alice, bob, carol, dave, time=TimeControl.days_a_move(1))


def judged(judge: Judge, game: Game, after: timedelta) -> Judge:
    """Have a bot make a person's first move so long after it began, and the judge see that."""
    judge.see(fresh(game), NOON)
    game = play_out(game, turns=1, now=NOON + after)
    Move.objects.filter(game=game).update(bot="greedy", played_at=NOON + after)
    judge.see(fresh(game), NOON + after)
    return judge


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("after", "early", "late"),
    [(DAY - timedelta(seconds=1), 1, 0), (DAY, 0, 0), (DAY + timedelta(minutes=2), 0, 1)],
)
def test_the_judge_sees_a_turn_that_was_ended_before_or_long_after_its_time(
    missed: Game, after: timedelta, early: int, late: int
) -> None:
    judge = judged(Judge([]), missed, after)
    assert (len(judge.ended_early), len(judge.ended_late)) == (early, late)


@pytest.mark.django_db
def test_the_judge_adds_the_length_of_an_outage_to_a_time_that_ends_in_it(missed: Game) -> None:
    outage = NOON + timedelta(hours=20), NOON + timedelta(hours=25)
    judge = judged(Judge([outage]), missed, timedelta(hours=29))
    assert len(judge.ended_early) == 1


@pytest.mark.proof
def test_every_promise_of_a_season_is_kept() -> None:
    command = [sys.executable, "-m", "benchmarks.season", "--games", "2", "--days", "8", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
