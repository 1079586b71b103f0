"""A program changes the tables that it has opened, and conducts games of bots."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.models import Game
from games.rules import Position
from tests.games.api.conftest import Program
from tests.games.tables import ME, OPEN, fresh, open_table, rows, running

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]
CLOCK = {"initial": 86400, "increment": 3600, "cap": 172800, "rests_weekends": True}


@pytest.fixture
def table(alice: User) -> Game:
    return open_table(alice, ME, OPEN, OPEN)


def test_what_is_left_out_stays_as_it_was_agreed(alice: User, table: Game, program: MakeProgram) -> None:
    mine = program(alice)
    assert mine.post(f"games/{table.slug}/edit", name="a trial", clock=CLOCK).json()["clock"] == CLOCK
    changed = mine.post(f"games/{table.slug}/edit", public=False, stand_in="greedy").json()
    assert (changed["name"], changed["clock"], changed["public"]) == ("a trial", CLOCK, False)
    assert fresh(table).stand_in == "greedy"
    assert mine.post(f"games/{table.slug}/edit", clock=None).json()["clock"] is None


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("edit", {"clock": {"initial": 1, "increment": 1, "cap": 1}}, "time"),
        ("edit", {"stand_in": "deep blue"}, "stand_in"),
        ("edit", {"fill_after": 5}, "fill_after"),
        ("edit", {"name": "x" * 41}, "name"),
        ("swap", {"one": 0, "other": 9}, "seat"),
        ("swap", {"one": 0}, "other"),
        ("remove", {"seat": -1}, "seat"),
        ("remove", {"seat": 1, "reason": "bored"}, "reason"),
        ("fill", {"bot": "deep blue"}, "fill_bot"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    alice: User, table: Game, program: MakeProgram, path: str, body: dict[str, Any], field: str
) -> None:
    before = rows()
    answer = program(alice).post(f"games/{table.slug}/{path}", **body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert rows() == before


def test_seats_are_exchanged_and_emptied_and_filled(alice: User, bob: User, table: Game, program: MakeProgram) -> None:
    mine = program(alice)
    program(bob).post(f"games/{table.slug}/join", seat=1)
    swapped = mine.post(f"games/{table.slug}/swap", one=0, other=1).json()
    assert [seat["occupant"]["name"] for seat in swapped["seats"]] == ["bob", "alice", ""]
    removed = mine.post(f"games/{table.slug}/remove", seat=0, reason="plans").json()
    assert [seat["occupant"]["name"] for seat in removed["seats"]] == ["", "alice", ""]
    assert program(bob).post(f"games/{table.slug}/join").status_code in (403, 409)
    filled = mine.post(f"games/{table.slug}/fill", bot="greedy").json()
    assert (filled["status"], [seat["occupant"]["name"] for seat in filled["seats"]]) == (
        "running",
        ["greedy", "alice", "greedy"],
    )


def test_only_the_host_changes_a_table(alice: User, bob: User, table: Game, program: MakeProgram) -> None:
    program(bob).post(f"games/{table.slug}/join")
    shown = [program(user).get(f"games/{table.slug}").json() for user in (alice, bob)]
    assert [each["may"]["edit"] for each in shown] == [True, False]
    answer = program(bob).post(f"games/{table.slug}/edit", name="mine")
    assert (answer.status_code, answer.json()["code"]) == (403, "not-creator")


def test_those_who_sit_at_a_table_know_its_link(
    alice: User, bob: User, carol: User, table: Game, program: MakeProgram
) -> None:
    secret = program(alice).get(f"games/{table.slug}").json()["token"]
    assert secret == table.invite_token
    assert program(carol).get(f"games/{table.slug}").json()["token"] == ""
    program(alice).post(f"games/{table.slug}/edit", public=False)
    assert program(bob).post(f"games/{table.slug}/join").status_code == 404
    assert program(bob).post(f"games/{table.slug}/join", token=secret).status_code == 200


def test_a_game_of_bots_is_paused_stepped_and_resumed(alice: User, program: MakeProgram) -> None:
    mine = program(alice)
    bots = [{"kind": "bot", "name": "greedy"}] * 2
    shown = mine.post("games", variant="duo", seats=bots, paused=True, bot_pause=2).json()
    path, version = f"games/{shown['slug']}", shown["pause"]["version"]
    assert (shown["paused"], shown["may"]["control_bots"]) == (True, True)
    assert mine.post(f"{path}/bots/step", number=1, version=version).status_code == 200
    going = mine.post(f"{path}/bots/resume", version=version).json()
    assert not going["paused"]
    late = mine.post(f"{path}/bots/pause", version=version)
    assert (late.status_code, late.json()["code"]) == (409, "stale-game")
    paused = mine.post(f"{path}/bots/pause", version=going["pause"]["version"]).json()
    assert paused["paused"]


def test_a_game_of_people_is_not_paused_so(alice: User, bob: User, program: MakeProgram) -> None:
    answer = program(alice).post(f"games/{running(alice, bob).slug}/bots/pause", version=0)
    assert (answer.status_code, answer.json()["code"]) == (409, "people-play")


def test_a_table_is_opened_with_all_that_the_page_offers(alice: User, program: MakeProgram) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "name": "sage-2", "opening": "barasona"}]
    asked = {"advice": False, "explanations": False, "bot_pause": 5, "stand_in": ""}
    game = Game.objects.get(
        slug=program(alice).post("games", variant="blockyou-2", seats=seats, **asked).json()["slug"]
    )
    assert (game.allows_advice, game.allows_explanations, game.bot_pause, game.stand_in) == (False, False, 5, "")
    assert "barasona" in game.players.values_list("bot_opening", flat=True)


def test_a_placement_is_tried_without_being_made(alice: User, bob: User, program: MakeProgram) -> None:
    game, mine = running(alice, bob, variant="duo"), program(alice)
    first, before = Position.start("duo").legal_ids()[0], rows()
    tried = mine.post(f"games/{game.slug}/try", number=1, id=first).json()
    assert tried == {"placement": str(Position.start("duo").legal_placements()[0]), "id": first}
    [one, *_] = [str(each) for each in Position.start("duo").legal_placements() if each.piece == "1"]
    short = mine.post(f"games/{game.slug}/try", number=1, placement=one.replace(":", " at ")).json()
    assert short["placement"] == one
    refused = mine.post(f"games/{game.slug}/try", number=1, placement="1:a1")
    assert (refused.status_code, refused.json()["reasons"]) == (422, ["start-cell"])
    assert refused.json()["cells"]["start-cell"]
    assert rows() == before
