"""Plans among everything else that happens at one instant: a planned turn is played once, or not."""

import random
from collections.abc import Callable
from functools import partial

import pytest

from games.actions.moves.play_placement import play_placement
from games.actions.plans.clear_plan import clear_plan
from games.actions.plans.play_plan import play_plan
from games.actions.plans.set_plan import set_plan
from games.audit import checks as audit
from games.base import positions
from games.base.plans import PLAN_KEY, PlannedMove, PlannedTurn, TurnPlan
from games.errors import NotYourTurn, Refused, StaleGame, WrongStatus
from games.models import Move, Player
from games.table.lifecycle import Outcome
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.tables import any_placement, due, fresh, key, place, running
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
