"""What the documents of thinking ahead weigh on the wire, in the middle of a game of four, compressed as they are sent.

The game's own page is weighed in a browser, with all that it fetches (`tests/browser/test_page_budget.py`).
"""

import gzip
import random
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.plans.set_plan import set_plan
from games.actions.studies.add_variation import add_variation
from games.actions.studies.create_study import create_study
from games.base import positions
from games.base.plans import PlannedMove, PlannedTurn
from games.models import Game, Mistake, Study
from games.rules.records import GameRecord
from tests.conftest import LogIn, person
from tests.games.tables import any_placement, due, fresh, large_first, play_out, running

pytestmark = pytest.mark.django_db

KB = 1000
#: In kilobytes, each a tenth above what it weighed when it was set.
BUDGETS = {
    "analysis/": 10.1,
    "analysis/?node=4": 10.9,
    "analysis/branches/": 4.5,
    "analysis/compare/": 4.9,
    "away/": 6.2,
    "plan/": 4.7,
    "the board of a study": 10.2,
    "mistakes": 2.4,
}


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game of four with three rounds and more, in which alice has tried five moves and planned a turn."""
    then = timezone.now() - timedelta(hours=30)
    game = running(alice, bob, person("carol"), person("dave"), now=then)
    game = play_out(game, 1, large_first, turns=30, now=then)
    position = positions.position_of(game)
    node = 0
    for number in range(5):
        text = any_placement(position, random.Random(number))
        node, position = extend_branch(alice, game.slug, move=text, node=node).node, position.play(text)
    position = positions.position_of(game)
    own = position.seats[0][0]
    wanted = str(position.legal_placements(own)[0])
    set_plan(alice, game.slug, [PlannedTurn(own, (PlannedMove(wanted),))], number=due(fresh(game)), edition=0)
    return fresh(game)


@pytest.fixture
def study(alice: User, game: Game) -> Study:
    position = positions.position_of(game)
    study = create_study(alice, GameRecord.of(position))
    for number in range(5):
        study.refresh_from_db()
        text = any_placement(position, random.Random(number))
        add_variation(alice, study.slug, move=position.move_count, placement=text, edition=study.edition)
    return study


@pytest.mark.parametrize("page", BUDGETS)
def test_a_page_keeps_to_its_budget(alice: User, game: Game, study: Study, log_in: LogIn, page: str) -> None:
    for number in range(1, 4):
        Mistake.objects.create(game=game, user=alice, number=number, cost=30, due_at=timezone.now())
    elsewhere = {"the board of a study": f"/studies/{study.slug}/board/", "mistakes": "/mistakes/"}
    answer = log_in(alice).get(elsewhere.get(page, f"/games/{game.slug}/{page}"))
    assert answer.status_code == 200
    weight = len(gzip.compress(answer.content))
    assert 0.6 * BUDGETS[page] * KB < weight <= BUDGETS[page] * KB
