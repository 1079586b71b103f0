"""A program plays by the API what a person plays on the page, by the same laws."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Scope, User
from games.clock import TimeControl
from games.models import Game, Move
from games.rules import Position
from tests.games.api.conftest import Program
from tests.games.queries.test_forecast import turns
from tests.games.tables import due, fresh, play_out, rows, running

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return running(alice, bob, variant="duo", time=TimeControl.days_a_move(3))


def test_two_programs_play_a_game_to_its_end(alice: User, bob: User, game: Game, program: MakeProgram) -> None:
    programs, rng = [program(alice), program(bob)], random.Random(1)
    for _ in range(60):
        shown = programs[0].get(f"games/{game.slug}").json()
        if shown["turn"] is None:
            break
        mover = programs[shown["turn"]["seat"]]
        legal = mover.get(f"games/{game.slug}/placements").json()
        assert (legal["number"], legal["colour"]) == (shown["number"], shown["turn"]["colour"])
        answer = mover.post(f"games/{game.slug}/place", number=legal["number"], id=rng.choice(legal["ids"]))
        assert answer.status_code == 200
        assert answer.json()["number"] == legal["number"]
    shown = programs[0].get(f"games/{game.slug}").json()
    assert (shown["status"], shown["reason"], shown["turn"]) == ("finished", "played-out", None)
    assert [seat["winner"] for seat in shown["seats"]].count(True) in (1, 2)
    assert fresh(game).status == "finished"


def test_what_is_shown_is_the_game(alice: User, game: Game, program: MakeProgram) -> None:
    game = play_out(game, turns=3)
    shown = program(alice).get(f"games/{game.slug}").json()
    assert (shown["version"], shown["number"], shown["variant"]) == (game.version, 4, "duo")
    assert shown["board"] == game.board
    assert [move["placement"] for move in shown["moves"]] == [move.placement for move in game.moves.all()]
    assert [(seat["occupant"]["name"], seat["me"]) for seat in shown["seats"]] == [("alice", True), ("bob", False)]
    assert shown["may"] == {
        "place": False,
        "pass_turn": False,
        "resign": True,
        "come_back": False,
        "ask_for_pause": True,
        "agree_to_pause": False,
        "end_pause": False,
        "ask_for_takeback": False,
        "agree_to_takeback": False,
        "give_day": False,
        "rematch": False,
        "join": False,
        "leave": False,
        "edit": False,
        "ask_for_hints": False,
        "control_bots": False,
    }
    assert shown["clock"] == {"initial": 259200, "increment": 259200, "cap": 259200, "rests_weekends": False}


def test_legal_placements_are_those_of_the_rules(alice: User, game: Game, program: MakeProgram) -> None:
    shown = program(alice).get(f"games/{game.slug}/placements?texts=true").json()
    legal = Position.start("duo").legal_placements()
    assert shown["placements"] == [str(placement) for placement in legal]
    assert shown["ids"] == list(Position.start("duo").legal_ids())
    only = program(alice).get(f"games/{game.slug}/placements?piece=V3&texts=true").json()
    assert only["placements"] == [str(placement) for placement in legal if placement.piece == "V3"]


def test_a_placement_may_be_sent_as_text(alice: User, game: Game, program: MakeProgram) -> None:
    text = str(Position.start("duo").legal_placements()[0])
    assert program(alice).post(f"games/{game.slug}/place", number=1, placement=text).status_code == 200
    assert Move.objects.get().placement == text


def test_the_same_request_sent_twice_is_one_move(alice: User, game: Game, program: MakeProgram) -> None:
    mine, text = program(alice), str(Position.start("duo").legal_placements()[0])
    answers = [mine.post(f"games/{game.slug}/place", number=1, placement=text).json() for _ in range(2)]
    assert [answer.pop("repeated") for answer in answers] == [False, True]
    assert answers[0] == answers[1]
    assert Move.objects.count() == 1


def test_a_refused_placement_says_why_and_where(alice: User, game: Game, program: MakeProgram) -> None:
    before = rows()
    answer = program(alice).post(f"games/{game.slug}/place", number=1, placement="1:a1")
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    told = answer.json()
    assert (told["code"], told["reasons"]) == ("illegal-placement", ["start-cell"])
    assert told["cells"]["start-cell"]
    assert told["detail"].endswith(".")
    assert rows() == before


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({"number": 2, "placement": "1:a1"}, 409, "stale-game", None),
        ({"number": 1, "placement": "nonsense"}, 400, "bad-request", "placement"),
        ({"number": 1, "id": 10**30}, 400, "bad-request", "id"),
        ({"number": 1, "id": -1}, 400, "bad-request", "id"),
        ({"placement": "1:a1"}, 400, "bad-request", "number"),
        ({"number": "many", "placement": "1:a1"}, 400, "bad-request", "number"),
        ({"number": 1, "placement": "1:a1", "key": "short"}, 400, "bad-request", "key"),
    ],
)
def test_a_request_that_cannot_be_used_says_which_part_is_at_fault(
    alice: User, game: Game, program: MakeProgram, body: dict[str, object], status: int, code: str, field: str | None
) -> None:
    before = rows()
    answer = program(alice).post(f"games/{game.slug}/place", **body)
    told = answer.json()
    assert (answer.status_code, told["code"], told.get("field")) == (status, code, field)
    assert answer["X-Error-Code"] == code
    assert rows() == before


@pytest.mark.parametrize("path", ["try", "place"])
@pytest.mark.parametrize("name", ["id", "placement"])
def test_a_game_is_read_once_to_place_in_it(
    alice: User, game: Game, program: MakeProgram, path: str, name: str
) -> None:
    first, mine = Position.start("duo").legal_placements()[0], program(alice)
    with CaptureQueriesContext(connection) as asked:
        answer = mine.post(f"games/{game.slug}/{path}", number=1, **{name: first.id if name == "id" else str(first)})
    assert answer.status_code == 200
    assert sum('FROM "games_game"' in each["sql"] for each in asked.captured_queries) == 1


def test_what_is_tried_is_told_as_text_and_as_an_id(alice: User, game: Game, program: MakeProgram) -> None:
    first, mine = Position.start("duo").legal_placements()[0], program(alice)
    for asked in ({"id": first.id}, {"placement": str(first)}):
        answer = mine.post(f"games/{game.slug}/try", number=1, **asked)
        assert answer.json() == {"placement": str(first), "id": first.id}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'"text"', b"null", b"[" * 100_000])
def test_a_body_that_cannot_be_read_is_a_problem(alice: User, game: Game, program: MakeProgram, body: bytes) -> None:
    answer = program(alice).send(f"games/{game.slug}/place", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-request")


def test_it_is_not_the_other_players_turn(bob: User, game: Game, program: MakeProgram) -> None:
    text = str(Position.start("duo").legal_placements()[0])
    answer = program(bob).post(f"games/{game.slug}/place", number=1, placement=text)
    assert (answer.status_code, answer.json()["code"]) == (409, "not-your-turn")


def test_a_request_for_another_move_hears_which_is_due(
    alice: User, bob: User, game: Game, program: MakeProgram
) -> None:
    game = play_out(game, turns=2)
    answer = program(alice).post(f"games/{game.slug}/place", number=1, placement="1:a1", key="a-new-key")
    told = answer.json()
    assert (told["code"], told["number"], told["version"]) == ("stale-game", due(game), game.version)


def test_resigning_twice_is_resigning_once(alice: User, game: Game, program: MakeProgram) -> None:
    mine = program(alice)
    answers = [mine.post(f"games/{game.slug}/resign") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert [answer.json()["repeated"] for answer in answers] == [False, True]
    assert fresh(game).status == "finished"


def test_a_game_that_is_known_is_not_sent_again(alice: User, game: Game, program: MakeProgram) -> None:
    mine = program(alice)
    tag = mine.get(f"games/{game.slug}")["ETag"]
    known = mine.get(f"games/{game.slug}", **{"If-None-Match": tag})
    assert (known.status_code, known.content) == (304, b"")
    play_out(game, turns=1)
    assert mine.get(f"games/{game.slug}", **{"If-None-Match": tag}).status_code == 200


def test_sentences_are_in_the_language_that_is_asked_for(alice: User, game: Game, program: MakeProgram) -> None:
    mine = program(alice, **{"Accept-Language": "fr"})
    told = mine.post(f"games/{game.slug}/place", number=1, placement="1:a1").json()
    english = program(alice).post(f"games/{game.slug}/place", number=1, placement="1:a1").json()
    assert told["code"] == english["code"]
    assert told["detail"] != english["detail"]


def test_my_games_are_sorted_by_who_is_to_move(alice: User, bob: User, game: Game, program: MakeProgram) -> None:
    other = play_out(running(alice, bob), turns=1)
    mine = program(alice).get("games").json()
    assert [line["slug"] for line in mine["turn"]] == [game.slug]
    assert [line["slug"] for line in mine["waiting"]] == [other.slug]
    assert (mine["turn"][0]["me"], mine["turn"][0]["number"]) == (0, 1)
    assert program(bob, [Scope.READ]).get("me").json()["name"] == "bob"


def test_a_running_game_says_when_it_will_probably_end(alice: User, bob: User, program: MakeProgram) -> None:
    began = timezone.now() - timedelta(hours=9)
    game = running(alice, bob, variant="duo", time=TimeControl.days_a_move(3), now=began)
    mine = program(alice)
    assert mine.get(f"games/{game.slug}").json()["ends"] is None
    turns(game, 8, timedelta(hours=1))
    ends = mine.get(f"games/{game.slug}").json()["ends"]
    first, last = (datetime.fromisoformat(ends[name]) for name in ("first", "last"))
    assert began < first < last < began + timedelta(days=8)
