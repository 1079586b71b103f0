"""A program opens tables, sits down, leaves and asks for another game, by the limits of the site."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.models import Game
from games.roster.sides import pair_named_by
from tests.games.api.conftest import Program
from tests.games.tables import ME, OPEN, fresh, open_table, running

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]
SEATS = [{"kind": "me"}, {"kind": "bot", "name": "greedy", "seed": 7}]


def test_a_table_against_a_bot_begins_at_once(alice: User, program: MakeProgram) -> None:
    clock = {"initial": 86400, "increment": 3600, "cap": 172800}
    shown = program(alice).post("games", variant="duo", seats=SEATS, clock=clock, name="a trial", drawn=False).json()
    assert (shown["status"], shown["name"], shown["may"]["place"]) == ("running", "a trial", True)
    assert [seat["occupant"]["name"] for seat in shown["seats"]] == ["alice", "greedy"]
    assert shown["clock"] == {**clock, "rests_weekends": False}
    game = Game.objects.get(slug=shown["slug"])
    assert game.players.get(seat=1).bot_seed == 7


def test_a_bot_is_told_how_many_games_to_simulate(alice: User, program: MakeProgram) -> None:
    told: dict[str, object] = {"kind": "bot", "name": "sage-5", "simulations": 60}
    shown = program(alice).post("games", variant="duo", seats=[{"kind": "me"}, told]).json()
    assert Game.objects.get(slug=shown["slug"]).players.get(bot="sage-5").bot_simulations == 60
    told["simulations"] = 9
    assert program(alice).post("games", variant="duo", seats=[{"kind": "me"}, told]).status_code == 400


def test_a_bot_is_told_how_long_to_think_and_its_seat_says_what_it_was_opened_with(
    alice: User, program: MakeProgram
) -> None:
    bots = [{"kind": "bot", "name": "sage-5", "seed": 7, "seconds": 2}, {"kind": "bot", "name": "greedy", "seed": 8}]
    shown = program(alice).post("games", variant="duo", seats=[{"kind": "me"}, bots[0]], drawn=False).json()
    assert Game.objects.get(slug=shown["slug"]).players.get(bot="sage-5").bot_seconds == 2
    assert [seat["bot"] for seat in shown["seats"]] == [None, {"seed": 7, "simulations": None, "seconds": 2}]
    refused = program(alice).post("games", variant="duo", seats=[{"kind": "me"}, {**bots[0], "seconds": 3}])
    assert (refused.status_code, refused.json()["field"]) == (400, "seats-1")


def test_a_program_is_not_told_a_bots_seed_before_it_may_be(alice: User, program: MakeProgram) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "name": "sage-5", "seed": 7}]
    shown = program(alice).post("games", variant="duo", seats=seats, explanations=False).json()
    assert [seat["bot"] for seat in shown["seats"]] == [None, None]


def test_a_table_waits_in_the_lobby_until_somebody_sits_down(alice: User, bob: User, program: MakeProgram) -> None:
    host, guest = program(alice), program(bob)
    shown = host.post("games", variant="duo", seats=[{"kind": "me"}, {"kind": "open"}]).json()
    [line] = guest.get("lobby").json()
    assert (line["slug"], line["host"], line["seats"], line["free"]) == (shown["slug"], "alice", 2, 1)
    assert guest.get(f"games/{shown['slug']}").json()["may"]["join"]
    joined = guest.post(f"games/{shown['slug']}/join").json()
    assert (joined["status"], guest.get("lobby").json()) == ("running", [])


def test_a_fourth_invitation_that_waits_for_one_person_is_refused_with_a_code(
    alice: User, bob: User, program: MakeProgram
) -> None:
    table = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "named", "name": "bob"}]}
    answers = [program(alice).post("games", **table) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 409]
    problem = answers[-1].json()
    assert (problem["code"], problem["field"]) == ("invited-enough", "seats-1")
    assert problem["detail"].startswith("bob has 3 invitations from you to answer already.")


def test_an_invitation_is_accepted_or_declined(alice: User, bob: User, program: MakeProgram) -> None:
    host, guest = program(alice), program(bob)
    slugs = [
        host.post("games", variant="duo", seats=[{"kind": "me"}, {"kind": "named", "name": "bob"}]).json()["slug"]
        for _ in range(2)
    ]
    assert {line["slug"] for line in guest.get("games").json()["invited"]} == {*slugs}
    assert guest.post(f"games/{slugs[0]}/join").json()["status"] == "running"
    assert guest.post(f"games/{slugs[1]}/decline").status_code == 204
    assert guest.get("games").json()["invited"] == []


@pytest.mark.parametrize(
    ("seats", "is_public"),
    [
        (["named"], False),
        (["link"], False),
        (["named", "link", "bot"], False),
        (["named", "open"], True),
        (["bot"], True),
    ],
)
def test_a_table_of_friends_with_no_seat_open_to_anyone_is_for_its_players_unless_the_program_says_otherwise(
    seats: list[str], is_public: bool, alice: User, bob: User, program: MakeProgram
) -> None:
    names = {"named": {"name": "bob"}, "bot": {"name": "greedy"}}
    others = [{"kind": kind, **names.get(kind, {})} for kind in seats]
    table = {"variant": f"blockyou-{1 + len(seats)}", "seats": [{"kind": "me"}, *others]}
    shown = [program(alice).post("games", **table, **more).json() for more in ({}, {"public": None}, {"public": True})]
    usual, is_rated = (is_public, is_public and seats != ["bot"]), seats != ["bot"]
    assert [(game["public"], game["rated"]) for game in shown] == [usual, usual, (True, is_rated)]


def test_a_seat_is_left_and_a_table_cancelled(alice: User, bob: User, program: MakeProgram) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    guest = program(bob)
    guest.post(f"games/{table.slug}/join")
    assert guest.get(f"games/{table.slug}").json()["may"]["leave"]
    assert guest.post(f"games/{table.slug}/leave").status_code == 204
    assert program(alice).post(f"games/{table.slug}/cancel").status_code == 204
    assert fresh(table).status == "cancelled"


def test_a_colour_that_is_taken_is_refused(alice: User, bob: User, program: MakeProgram) -> None:
    table = open_table(alice, ME, OPEN, OPEN, lets_choose=True)
    program(alice).post(f"games/{table.slug}/seat", colour="green")
    answer = program(bob).post(f"games/{table.slug}/join", colour="green")
    assert (answer.status_code, answer.json()["code"]) == (409, "seat-taken")
    assert program(bob).post(f"games/{table.slug}/join", colour="red").status_code == 200


def test_a_rematch_is_one_table_whoever_asks(alice: User, bob: User, program: MakeProgram) -> None:
    game = running(alice, bob, variant="duo")
    programs = [program(alice), program(bob)]
    programs[0].post(f"games/{game.slug}/resign")
    first, second = (each.post(f"games/{game.slug}/rematch").json() for each in programs)
    assert first["slug"] == second["slug"] != game.slug
    assert (first["status"], second["status"]) == ("open", "running")


def test_the_group_of_any_finished_game_meets_again(alice: User, bob: User, program: MakeProgram) -> None:
    game = running(alice, bob, variant="duo")
    programs = [program(alice), program(bob)]
    programs[0].post(f"games/{game.slug}/resign")
    rematch = programs[0].post(f"games/{game.slug}/rematch").json()
    programs[1].post(f"games/{rematch['slug']}/join")
    programs[1].post(f"games/{rematch['slug']}/resign")
    first, second = (each.post(f"games/{game.slug}/again").json() for each in programs)
    assert first["slug"] == second["slug"] not in (game.slug, rematch["slug"])
    assert (first["status"], second["status"]) == ("open", "running")
    assert programs[0].post(f"games/{first['slug']}/again").json()["code"] == "not-over"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"variant": "chess"}, "variant"),
        ({"seats": []}, "seats"),
        ({"seats": [{"kind": "me"}]}, "seats"),
        ({"seats": [{"kind": "queen"}, {"kind": "open"}]}, "seats.0.kind"),
        ({"seats": [{"kind": "me"}, {"kind": "named", "name": "nobody"}]}, "seats-1"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "name": "deep blue"}]}, "seats-1"),
        ({"clock": {"initial": 1, "increment": 1, "cap": 1}}, "time"),
        ({"clock": {"initial": 86400}}, "clock.increment"),
        ({"name": "x" * 41}, "name"),
        ({"scoring": "luck"}, "scoring"),
    ],
)
def test_a_table_that_makes_no_sense_is_not_opened(
    alice: User, program: MakeProgram, change: dict[str, object], field: str
) -> None:
    asked: dict[str, object] = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "open"}], **change}
    answer = program(alice).post("games", **asked)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert not Game.objects.exists()


def test_tables_are_counted_with_those_of_the_site(
    alice: User, program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 1)
    mine = program(alice)
    answers = [mine.post("games", variant="duo", seats=SEATS) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]
    assert int(answers[1]["Retry-After"]) > 0


def test_a_program_names_the_opening_pieces_and_another_chooses_the_side(
    alice: User, bob: User, program: MakeProgram
) -> None:
    host, guest = program(alice), program(bob)
    seats = [{"kind": "me"}, {"kind": "open"}]
    shown = host.post("games", variant="duo:N:W", seats=seats).json()
    board = guest.get("variants/duo:N:W").json()
    assert (board["id"], board["openers"]) == ("duo:N:W", {"purple": ["N"], "orange": ["W"]})
    joined = guest.post(f"games/{shown['slug']}/join", colour="purple").json()
    assert [seat["occupant"]["name"] for seat in joined["seats"]] == ["bob", "alice"]
    refused = host.post("games", variant="duo:N:Q", seats=seats)
    assert (refused.status_code, refused.json()["field"]) == (400, "variant")


def test_a_bot_names_the_opening_pieces_and_the_program_chooses_the_side(alice: User, program: MakeProgram) -> None:
    mine = program(alice)
    shown = mine.post("games", variant="duo", seats=SEATS, bot_names_pieces=True).json()
    named = "duo:" + ":".join(pair_named_by("duo", 7))
    assert (shown["status"], shown["variant"], shown["may"]["join"]) == ("open", named, True)
    assert [line["slug"] for line in mine.get("games").json()["open"]] == [shown["slug"]]
    joined = mine.post(f"games/{shown['slug']}/join", colour="orange").json()
    assert (joined["status"], [seat["occupant"]["name"] for seat in joined["seats"]]) == (
        "running",
        ["greedy", "alice"],
    )
    wrong = mine.post("games", variant=named, seats=SEATS, bot_names_pieces=True)
    assert (wrong.status_code, wrong.json()["field"]) == (400, "bot_names_pieces")
    assert mine.post("games", variant="duo", seats=SEATS, bot_names_pieces="N:W").status_code in (400, 422)
