"""Plans among crashes: whatever is killed, within a turn or between two, a planned turn is played once."""

import random
from datetime import timedelta
from signal import SIGKILL
from threading import Event
from typing import Any

import pytest
from django.utils import timezone

from games.actions.plans.play_plan import play_plan
from games.actions.plans.set_plan import set_plan
from games.audit import checks as audit
from games.background.sweep import sweep
from games.base.plans import PLAN_KEY, PlannedMove, PlannedTurn
from games.models import Game, Move, Player
from games.rules import Placement, Position
from games.table import lifecycle
from games.table.lifecycle import Outcome
from tests.conftest import known_person
from tests.games.tables import any_placement, due, fresh, place, running
from tests.games.tasks.workers import forget_jobs, make_due, run_jobs, wait_until, worker
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)


def a_game(rng: random.Random, variant: str, turns: int) -> list[str]:
    """Return the placements of a game by chance in which nobody has to pass."""
    position = Position.start(variant)
    made: list[str] = []
    while len(made) < turns:
        move = any_placement(position, rng)
        made.append(move)
        position = position.play(Placement.parse(move, position.variant))
    return made


def chain(rng: random.Random) -> tuple[Game, list[str]]:
    """Return a game of four whose first twenty moves are all planned but the first, and these moves."""
    people = list(map(known_person, ("alice", "bob", "carol", "dave")))
    game, line = running(*people), a_game(rng, "blockyou-4", 20)
    for seat, user in enumerate(people):
        turns = [PlannedTurn("", (PlannedMove(move),)) for move in line[seat or 4 :: 4]]
        set_plan(user, game.slug, turns, number=1, edition=0)
    return game, line


class Killed(BaseException):
    """Ends what is under way, as a process that is killed does: nothing catches it."""


@pytest.mark.parametrize("seed", [0, 1, *proof(*range(2, 40))])
def test_chains_of_four_plans_killed_between_and_within_turns_lose_and_double_nothing(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    game, line = chain(rng)
    plain = lifecycle.play

    def play(*arguments: Any) -> Outcome:
        if rng.random() < 0.2:
            raise Killed
        outcome = plain(*arguments)
        if rng.random() < 0.2:
            raise Killed
        return outcome

    place(game, line[0])
    monkeypatch.setattr(lifecycle, "play", play)
    for _round in range(200):
        if fresh(game).move_count >= 20:
            break
        if rng.random() < 0.3:
            forget_jobs()
        try:
            if rng.random() < 0.3:
                play_plan(game.slug, number=due(fresh(game)))
            else:
                run_jobs()
        except Killed:
            forget_jobs()
        sweep(timezone.now() + timedelta(seconds=5))
    check(game, line)


def test_a_game_by_chance_has_no_pass() -> None:
    assert len(a_game(random.Random(1), "blockyou-4", 20)) == 20
    assert Game.objects.count() == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "kills"), [(99, 2), *(pytest.param(100 + each, 10, marks=pytest.mark.proof) for each in range(5))]
)
def test_workers_killed_between_planned_turns_lose_and_double_none(seed: int, kills: int) -> None:
    rng, killed = random.Random(seed), 0
    while killed < kills:
        game, line = chain(rng)
        place(game, line[0])
        make_due()
        while (begun := fresh(game).move_count) < len(line):
            if killed == kills:
                run_jobs()
                continue
            process = worker()
            wait_until(lambda game=game, begun=begun: fresh(game).move_count > begun)  # type: ignore[misc]
            # Often before the next planned move is due, at times while it is made.
            Event().wait(rng.uniform(0, 0.7))
            process.kill()
            # It may have done all that was to be done by then, and have ended by itself.
            killed += process.wait() == -SIGKILL
            sweep(timezone.now() + timedelta(minutes=4))
            make_due()
        check(game, line)


def check(game: Game, line: list[str]) -> None:
    """Every planned move was made once, by its plan, and no plan is left."""
    moves = Move.objects.filter(game=game).order_by("number")
    assert [move.placement for move in moves] == line
    assert [(move.client_key or "").startswith(PLAN_KEY) for move in moves] == [False] + [True] * (len(line) - 1)
    assert list(audit.faults(fresh(game))) == []
    assert not Player.objects.filter(game=game, is_planning=True).exists()
