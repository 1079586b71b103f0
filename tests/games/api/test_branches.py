"""A program tries moves on the analysis board of its person, and reads what is to be tried again."""

import random
from collections.abc import Callable

import pytest

from accounts.models import Scope, User
from games.base import positions
from games.models import Analysis, Game, Mistake
from tests.conftest import known_person
from tests.games.api.conftest import Program
from tests.games.tables import NOON, advance, fresh, running

pytestmark = pytest.mark.django_db

MakeProgram = Callable[..., Program]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return advance(running(alice, bob), random.Random(1))


def some(game: Game, number: int = 0) -> str:
    return str(positions.position_of(game).legal_placements()[number])


def test_moves_are_tried_named_removed_and_undone_and_the_game_does_not_hear_of_it(
    alice: User, bob: User, game: Game, program: MakeProgram
) -> None:
    mine, path, before = program(alice), f"games/{game.slug}/branches", fresh(game).version
    assert mine.get(path).json() == {"edition": 0, "moves": []}
    tried = mine.post(path, move=some(game)).json()
    assert (tried["number"], tried["edition"], tried["moves"][0]["after"]) == (1, 1, 1)
    assert mine.post(path, move=some(game)).json() == tried
    named = mine.post(f"{path}/name", node=1, name="Idea", edition=1).json()
    assert [one["name"] for one in named["moves"]] == ["Idea"]
    stale = mine.post(f"{path}/remove", node=1, edition=1)
    assert (stale.status_code, stale.json()["code"]) == (409, "analysis-changed")
    assert mine.post(f"{path}/remove", node=1, edition=2).json()["moves"] == []
    assert [one["number"] for one in mine.post(f"{path}/undo", edition=3).json()["moves"]] == [1]
    assert mine.post(f"{path}/undo", edition=4, redo=True).json()["moves"] == []
    assert program(bob).get(path).json()["moves"] == []
    assert fresh(game).version == before
    assert Analysis.objects.count() == 1


def test_what_the_rules_or_the_tree_refuse_is_said(
    alice: User, bob: User, carol: User, game: Game, program: MakeProgram
) -> None:
    mine, path = program(alice), f"games/{game.slug}/branches"
    assert mine.post(path, move="1:a1").status_code == 422
    assert mine.post(path, move="nonsense").json()["field"] == "placement"
    assert mine.post(path, move=some(game), node=7).json()["code"] == "no-such-branch"
    # Until it is over only its players try moves there.
    assert program(carol).get(path).status_code == 403
    assert program(carol).post(path, move=some(game)).status_code == 403
    reader = program(alice, (Scope.READ,))
    assert (reader.get(path).status_code, reader.post(path, move=some(game)).status_code) == (200, 403)
    assert mine.get("games/nothing/branches").status_code == 404


def test_mistakes_are_ones_own(alice: User, bob: User, game: Game, program: MakeProgram) -> None:
    Mistake.objects.create(user=alice, game=game, number=1, cost=25, due_at=NOON)
    assert program(bob).get("mistakes").json() == []
    [mistake] = program(alice).get("mistakes").json()
    assert (mistake["slug"], mistake["number"], mistake["cost"]) == (game.slug, 1, 25)
    assert mistake["due_at"].startswith("2026-03-01T12:00")


def test_ones_own_file_of_the_game_has_what_one_has_tried(alice: User, game: Game, program: MakeProgram) -> None:
    mine = program(alice)
    mine.post(f"games/{game.slug}/branches", move=some(game))
    path = f"games/{game.slug}/record"
    tried = mine.get(f"{path}?branches=true").json()["variations"]
    assert tried == [{"after": 1, "move": some(game)}]
    assert "variations" not in mine.get(path).json()
    for nobody in (program(known_person("eve")), Program()):
        assert nobody.get(f"{path}?branches=true").status_code == 403
