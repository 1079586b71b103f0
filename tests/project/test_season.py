"""A season in small: what `benchmarks.season` plays at full size, and whether its judge sees a broken promise."""

import subprocess
import sys
from datetime import timedelta

import pytest

from accounts.models import User
from benchmarks.season.judge import Judge, Kept, untrue_forecasts
from games.actions.moves.resign import resign
from games.clock import TimeControl
from games.models import Game, Move
from games.queries.play.forecast import Forecast
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


def foretold(games: int, true: int, moves: int = 12) -> Kept:
    """Return that so many games ended when they should, of the others half earlier and half later."""
    early = (games - true) // 2
    return Kept(moves, games, early, games - true - early)


@pytest.mark.parametrize(
    ("kept", "is_broken"),
    [
        # 79 of a hundred, and 79.9: no game of forty less, none of a thousand more.
        (foretold(100, 79), True),
        (foretold(1000, 799), True),
        (foretold(40, 31), True),
        (foretold(40, 32), False),
        (foretold(100, 80), False),
        # Of fewer games chance decides.
        (foretold(39, 0), False),
        (foretold(0, 0), False),
    ],
)
def test_a_season_fails_where_fewer_than_eighty_of_a_hundred_games_end_when_their_pages_had_said(
    kept: Kept, is_broken: bool
) -> None:
    assert untrue_forecasts([kept]) == ([str(kept)] if is_broken else [])
    # Not the mean of all numbers of moves counts.
    assert untrue_forecasts([foretold(100, 100, 24), kept]) == ([str(kept)] if is_broken else [])


@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "early", "late"), [(-1, 1, 0), (1, 0, 0), (49, 0, 1)])
def test_the_judge_counts_whether_a_game_ended_in_its_band(
    alice: User, bob: User, hours: int, early: int, late: int
) -> None:
    game, judge = running(alice, bob), Judge([])
    judge.foretold[12][game.pk] = Forecast(NOON, NOON + 2 * DAY)
    resign(bob, game.slug)
    Game.objects.filter(pk=game.pk).update(finished_at=NOON + timedelta(hours=hours))
    assert judge.forecasts()[0] == Kept(12, 1, early, late)


@pytest.mark.proof
def test_every_promise_of_a_season_is_kept() -> None:
    command = [sys.executable, "-m", "benchmarks.season", "--games", "2", "--days", "8", "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
