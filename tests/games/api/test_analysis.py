"""A program asks for hints and reviews, by the rules of the table, and reads what was found."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.bots.adviser import find_advice
from games.models import Advice, Game, Review
from games.rules import Position
from tests.games import recorded
from tests.games.api.conftest import Program
from tests.games.bots.fakes import FirstFew
from tests.games.tables import play_out, running

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]


@pytest.fixture(autouse=True)
def quick_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is found come from an engine that answers at once."""
    monkeypatch.setattr("games.bots.adviser.strong_engine", FirstFew)
    monkeypatch.setattr("games.bots.reviewer.strong_engine", FirstFew)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game of duo that was played to its end by chance."""
    return recorded.finished(alice, bob, variant="duo")


def think() -> None:
    """Let a worker find what was asked for."""
    advice = Advice.objects.get()
    assert find_advice(advice.player_id, advice.number)


def test_hints_are_asked_for_and_read_once_they_are_found(alice: User, bob: User, program: MakeProgram) -> None:
    game, mine = running(alice, bob, variant="duo", allows_advice=True), program(alice)
    path = f"games/{game.slug}/advice"
    assert mine.get(path).json()["state"] == "idle"
    asked = mine.post(path).json()
    assert (asked["state"], asked["number"], asked["choices"]) == ("thinking", 1, [])
    think()
    found = mine.get(path).json()
    assert (found["state"], len(found["choices"])) == ("ready", 3)
    best, position = found["choices"][0], Position.start("duo")
    assert best["placement"] == str(position.legal_placements()[0])
    assert mine.post(f"games/{game.slug}/place", number=found["number"], id=best["id"]).status_code == 200
    assert mine.get(path).json()["state"] == "waiting"


def test_at_a_table_without_hints_there_are_none(alice: User, bob: User, program: MakeProgram) -> None:
    game = running(alice, bob, variant="duo")
    for answer in (program(alice).get(f"games/{game.slug}/advice"), program(alice).post(f"games/{game.slug}/advice")):
        assert (answer.status_code, answer.json()["code"]) == (403, "no-hints")
    assert not Advice.objects.exists()


def test_hints_are_for_the_player_who_is_to_move(alice: User, bob: User, carol: User, program: MakeProgram) -> None:
    game = running(alice, bob, variant="duo", allows_advice=True)
    answers = [program(user).post(f"games/{game.slug}/advice") for user in (bob, carol)]
    assert [answer.json()["code"] for answer in answers] == ["not-your-turn", "not-seated"]


def test_hints_are_counted_with_those_of_the_pages(
    alice: User, bob: User, program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.ADVICE_AN_HOUR", 1)
    game, mine = running(alice, bob, allows_advice=True), program(alice)
    assert [mine.post(f"games/{game.slug}/advice").status_code for _ in range(2)] == [200, 429]


def test_a_review_is_asked_for_and_read_by_everybody(
    alice: User, bob: User, carol: User, game: Game, program: MakeProgram
) -> None:
    path = f"games/{game.slug}/review"
    assert Program().get(path).json()["state"] == "none"
    asked = program(carol).post(path).json()
    assert (asked["state"], asked["done"], asked["can_cancel"]) == ("waiting", 0, True)
    assert (asked["total"], asked["findings"]) == (game.moves.filter(kind="place").count(), [])
    assert program(bob).get(path).json()["can_cancel"]


def test_a_complete_review_tells_what_was_found_of_every_placement(
    alice: User, game: Game, program: MakeProgram
) -> None:
    recorded.reviewed(alice, game)
    told = Program().get(f"games/{game.slug}/review").json()
    assert (told["state"], told["done"]) == ("done", told["total"])
    kept = Review.objects.get().findings
    assert [finding["number"] for finding in told["findings"]] == [finding["number"] for finding in kept]
    first = told["findings"][0]
    assert first["played"]["placement"] == game.moves.get(number=1).placement
    assert first["best"][0]["placement"] == str(Position.start("duo").legal_placements()[0])
    assert first["best"][0]["id"] == Position.start("duo").legal_ids()[0]
    assert len([finding for finding in told["findings"] if finding["turning"]]) <= 3


def test_a_review_that_is_under_way_is_cancelled(
    alice: User, bob: User, carol: User, game: Game, program: MakeProgram
) -> None:
    path = f"games/{game.slug}/review"
    program(alice).post(path)
    answer = program(carol).post(f"{path}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (403, "not-asker")
    assert program(bob).post(f"{path}/cancel").json()["state"] == "cancelled"
    answer = program(bob).post(f"{path}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "no-review")


def test_a_game_that_goes_on_is_not_reviewed(alice: User, bob: User, program: MakeProgram) -> None:
    game = play_out(running(alice, bob), turns=2)
    answers = [program(alice).get(f"games/{game.slug}/review"), program(alice).post(f"games/{game.slug}/review")]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(409, "not-over")] * 2
