"""Plans among everything else that happens at one instant, and among crashes: a planned turn is played once, or not."""

import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from signal import SIGKILL
from threading import Event
from typing import Any

import pytest
from django.utils import timezone

from games.actions.moves.play_placement import play_placement
from games.actions.plans.clear_plan import clear_plan
from games.actions.plans.play_plan import play_plan
from games.actions.plans.set_plan import set_plan
from games.audit import checks as audit
from games.background.sweep import sweep
from games.base import positions
from games.base.plans import PLAN_KEY, PlannedMove, PlannedTurn, TurnPlan
from games.errors import NotYourTurn, Refused, StaleGame, WrongStatus
from games.models import Game, Move, Player
from games.rules import Placement, Position
from games.table import lifecycle
from games.table.lifecycle import Outcome
from tests.conftest import known_person, person
from tests.games.actions.test_races import at_once
from tests.games.tables import any_placement, due, fresh, key, place, running
from tests.games.tasks.workers import forget_jobs, make_due, run_jobs, wait_until, worker
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("rounds", [12, *proof(300)])
def test_of_a_plan_a_hand_and_a_change_of_mind_at_one_instant_one_counts(rounds: int) -> None:
    rng, alice, bob = random.Random(4), person("alice"), person("bob")
    seen: set[bool] = set()
    game = running(alice, bob, variant="duo")
    for _ in range(rounds):
        if fresh(game).move_count > 16:
            game = running(alice, bob, variant="duo")
        mover, planner = (alice, bob) if fresh(game).turn_seat == 0 else (bob, alice)
        seat = 0 if planner == alice else 1
        position = positions.position_of(fresh(game))
        own = position.seats[seat][0]
        wanted, other = rng.sample([str(each) for each in position.legal_placements(own)], 2)
        edition = TurnPlan.from_data(Player.objects.get(game=game, user=planner).plan).edition
        set_plan(
            planner, game.slug, [PlannedTurn(own, (PlannedMove(wanted),))], number=due(fresh(game)), edition=edition
        )
        place(game, any_placement(position, rng), mover)
        number = due(fresh(game))
        calls: list[Callable[[], object]] = [
            *[partial(play_plan, game.slug, number=number)] * 3,
            partial(play_placement, planner, game.slug, placement=other, number=number, key=key()),
            partial(clear_plan, planner, game.slug),
            partial(
                set_plan,
                planner,
                game.slug,
                [PlannedTurn(own, (PlannedMove(other),))],
                number=number,
                edition=edition + 1,
            ),
        ]
        rng.shuffle(calls)
        answers = at_once(calls)
        game = fresh(game)
        made = [answer for answer in answers if isinstance(answer, Outcome)]
        refused = [answer for answer in answers if isinstance(answer, Exception)]
        assert all(isinstance(one, StaleGame | WrongStatus | Refused | NotYourTurn) for one in refused), answers
        assert len(made) <= 1
        moved = Move.objects.filter(game=game, number=number).first()
        assert (moved is not None) == bool(made)
        if moved is not None:
            is_planned = (moved.client_key or "").startswith(PLAN_KEY)
            assert moved.placement == (wanted if is_planned else other)
            seen.add(is_planned)
        else:
            # It was cleared, and the hand came to a cell that is taken.
            place(game, any_placement(positions.position_of(game), rng), planner)
    assert list(audit.faults(fresh(game))) == []
    assert seen


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
    assert list(Move.objects.filter(game=game).values_list("placement", flat=True)) == line
    assert list(audit.faults(fresh(game))) == []
    assert not Player.objects.filter(is_planning=True).exists()


def test_a_game_by_chance_has_no_pass() -> None:
    assert len(a_game(random.Random(1), "blockyou-4", 20)) == 20
    assert Game.objects.count() == 0


#: So often a worker is killed in each of the five games and more of the proof: fifty times, on either database.
KILLS = 10


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(5))
def test_workers_killed_ten_times_between_planned_turns_lose_and_double_none(seed: int) -> None:
    rng, kills = random.Random(100 + seed), 0
    while kills < KILLS:
        game, line = chain(rng)
        place(game, line[0])
        make_due()
        while (begun := fresh(game).move_count) < len(line):
            if kills == KILLS:
                run_jobs()
                continue
            process = worker()
            wait_until(lambda game=game, begun=begun: fresh(game).move_count > begun)  # type: ignore[misc]
            # Often before the next planned move is due, at times while it is made.
            Event().wait(rng.uniform(0, 0.7))
            process.kill()
            assert process.wait() == -SIGKILL
            kills += 1
            sweep(timezone.now() + timedelta(minutes=4))
            make_due()
        assert list(Move.objects.filter(game=game).values_list("placement", flat=True)) == line
        assert list(audit.faults(fresh(game))) == []
        assert not Player.objects.filter(is_planning=True).exists()
