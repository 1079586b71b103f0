"""A bot account plays by the API what a person plays on the page, within the limits of its operator."""

import random
from collections.abc import Callable

import pytest

from accounts.bots.keeping import make_bot
from accounts.erasure import close_account
from accounts.models import User
from games.models import Game
from games.rules.placement import table_for
from games.rules.variants import get_variant
from games.table.counting import INVITATIONS_AN_HOUR, TABLES_AN_HOUR
from tests.conftest import LogIn
from tests.games.api.conftest import Program
from tests.games.tables import ME, due, fresh, invited, key, open_table, place, running

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]
TABLE = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "open"}], "drawn": False}


@pytest.fixture
def fred(bob: User) -> User:
    return make_bot(bob, "Fred")


def test_it_is_invited_by_name_and_plays_a_whole_game_against_a_page(
    alice: User, fred: User, log_in: LogIn, program: MakeProgram
) -> None:
    game, browser, mine = open_table(alice, ME, invited("fred"), variant="duo"), log_in(alice), program(fred)
    assert [line["slug"] for line in mine.get("games").json()["invited"]] == [game.slug]
    assert mine.post(f"games/{game.slug}/join").status_code == 200
    rng, variant = random.Random(1), table_for(get_variant("duo"))
    while (turn := mine.get(f"games/{game.slug}").json()["turn"]) is not None:
        number = rng.choice(mine.get(f"games/{game.slug}/placements").json()["ids"])
        if turn["seat"] == 1:
            answer = mine.post(f"games/{game.slug}/place", number=turn["number"], id=number)
            assert answer.status_code == 200
        else:
            form = {"number": due(fresh(game)), "placement": str(variant.placement(number)), "key": key()}
            assert browser.post(f"/games/{game.slug}/place/", form).status_code == 302
    game = fresh(game)
    assert (game.status, game.reason) == ("finished", "played-out")
    assert "Fred (bot)" in browser.get(f"/games/{game.slug}/").content.decode()


def test_what_it_is_refused_takes_nothing_from_its_operator(
    bob: User, fred: User, program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 2)
    monkeypatch.setattr("games.table.counting.TRIES_AN_HOUR", 5)
    wrong = {**TABLE, "seats": [{"kind": "me"}, {"kind": "named", "name": "nobody"}]}
    assert [program(fred).post("games", **wrong).status_code for _ in range(6)] == [400] * 5 + [429]
    assert [program(bob).post("games", **TABLE).status_code for _ in range(3)] == [200, 200, 429]


def test_its_own_turn_is_nobody_elses(bob: User, fred: User, alice: User, program: MakeProgram) -> None:
    game = running(fred, alice, variant="duo")
    assert program(bob).post(f"games/{game.slug}/place", number=1, id=0).json()["code"] == "not-seated"
    assert fresh(game).move_count == 0


def test_programs_are_told_that_it_is_a_bot_account(alice: User, bob: User, fred: User, program: MakeProgram) -> None:
    seated, kept = running(alice, fred), open_table(alice, ME, invited("Fred"))
    asker = program(alice)
    for game, is_invited in ((seated, False), (kept, True)):
        people = [seat["occupant"] for seat in asker.get(f"games/{game.slug}").json()["seats"]]
        assert people == [
            {"kind": "person", "name": "alice", "invited": False, "program": False},
            {"kind": "person", "name": "Fred", "invited": is_invited, "program": True},
        ]
    program(fred).post("games", **TABLE)
    program(bob).post("games", **TABLE)
    assert [(line["host"], line["program"]) for line in asker.get("lobby").json()] == [("bob", False), ("Fred", True)]


def test_tables_that_it_opens_count_for_its_operator(bob: User, fred: User, program: MakeProgram) -> None:
    programs = [program(user) for user in (fred, bob, make_bot(bob, "Frida"))]
    alone = TABLE | {"seats": [{"kind": "me"}, {"kind": "link"}]}
    slugs = [programs[number % 3].post("games", **alone).json()["slug"] for number in range(TABLES_AN_HOUR)]
    assert len(set(slugs)) == TABLES_AN_HOUR
    for each in programs:
        assert each.post("games", **alone).status_code == 429
    assert Game.objects.count() == TABLES_AN_HOUR


def test_invitations_that_it_sends_count_for_its_operator(
    alice: User, bob: User, fred: User, program: MakeProgram
) -> None:
    named = TABLE | {"seats": [{"kind": "me"}, {"kind": "named", "name": "alice"}]}
    programs = program(fred), program(bob)
    for _ in range(INVITATIONS_AN_HOUR):
        made = programs[0].post("games", **named)
        assert made.status_code == 200
        # Of one person few may wait for an answer.
        programs[0].post(f"games/{made.json()['slug']}/cancel")
    for each in programs:
        assert each.post("games", **named).status_code == 429


def test_its_tables_in_the_lobby_are_those_of_its_operator(
    alice: User, bob: User, fred: User, program: MakeProgram
) -> None:
    for user in (bob, fred, bob):
        assert program(user).post("games", **TABLE).status_code == 200
    for user in (bob, fred):
        refused = program(user).post("games", **TABLE)
        assert (refused.status_code, "already waiting in the lobby" in refused.json()["detail"]) == (429, True)
    assert program(alice).post("games", **TABLE).status_code == 200


def test_its_games_end_when_it_is_closed(alice: User, fred: User, program: MakeProgram, log_in: LogIn) -> None:
    game, kept = running(alice, fred, variant="duo"), open_table(alice, ME, invited("Fred"))
    place(game, "1:e10")
    mine = program(fred)
    close_account(fred)
    assert mine.get("me").status_code == 401
    shown = program(alice).get(f"games/{game.slug}").json()
    assert (shown["status"], shown["seats"][1]["retired"]) == ("finished", "resigned")
    assert shown["seats"][1]["occupant"]["name"].startswith("deleted-")
    assert "Fred" not in log_in(alice).get(f"/games/{game.slug}/").content.decode()
    assert program(alice).get(f"games/{kept.slug}").json()["seats"][1]["occupant"]["kind"] == "nobody"


def test_its_games_end_with_the_account_of_its_operator(alice: User, bob: User, fred: User) -> None:
    # Older and younger games of both, so that no order of locks would be right for all in one transaction.
    games = [running(alice, user, variant="duo") for user in (bob, fred, bob, fred)]
    close_account(bob)
    assert [fresh(game).status for game in games] == ["finished"] * 4
    assert not User.objects.filter(username="Fred").exists()
