"""Moves taken back on the pages: how it is asked for, what the others read, and what is said of it afterwards."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.models import Game, Takeback
from games.rules.records import read as read_record
from tests.conftest import LogIn, person
from tests.games.play.pages import Element, read
from tests.games.spoken.words import HTMX, news, see, spoken
from tests.games.tables import ME, bot, due, fresh, open_table, place, play_out, running
from tests.games.views.conftest import QueryCount, query_count

__all__ = ["query_count"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game in which alice has moved and bob has answered."""
    game = running(alice, bob, variant="duo", allows_takebacks=True)
    place(game, "X:e9,d10,e10,f10,e11")
    place(game, "F:j4,i5,j5,j6,k6")
    return fresh(game)


@pytest.fixture
def with_bots(alice: User) -> Game:
    return play_out(open_table(alice, ME, bot(), variant="duo"), turns=2)


def forms(page: Element) -> dict[str, Element]:
    """Return the forms about moves taken back by what they do."""
    found = page.find_all("form", method="post")
    return {form["action"].split("/takeback/")[1].strip("/"): form for form in found if "/takeback/" in form["action"]}


def press(client: Client, game: Game, what: str, *, is_plain: bool = True) -> Any:
    """Send the form that the present page has for it."""
    form = forms(see(client, game, "?takeback=yes"))[what]
    fields = {field["name"]: field["value"] for field in form.find_all("input", type="hidden")}
    return client.post(form["action"], fields, headers={} if is_plain else HTMX)


def told(page: Element) -> str:
    found = page.find_all(id="takeback")
    return " ".join(line.text for one in found for line in one.find_all("p"))


def ways(page: Element) -> list[str]:
    return [link.text for link in page.find_all("a") if "?takeback=yes" in link["href"]]


@pytest.fixture(params=["board", "words"])
def as_client(request: pytest.FixtureRequest, log_in: LogIn) -> Any:
    """Return what logs a person in, who plays on the board or in words."""
    return log_in if request.param == "board" else lambda user: spoken(log_in(user))


def test_a_page_against_bots_takes_back_in_two_steps(with_bots: Game, alice: User, as_client: Any) -> None:
    client = as_client(alice)
    assert ways(see(client, with_bots)) == ["Take a move back"]
    page = see(client, with_bots, "?takeback=yes")
    assert "comes back to you. 1 later move is taken back with it." in told(page)
    assert [button.text for button in forms(page)["ask"].find_all("button")] == ["Take back"]
    assert press(client, with_bots, "ask").status_code == 302
    assert fresh(with_bots).move_count == 0
    page = see(client, with_bots)
    assert (ways(page), told(page)) == ([], "")
    assert "You took back moves 1 to 2, from your" in page.text


def test_people_read_what_is_asked_and_agree(game: Game, alice: User, bob: User, as_client: Any) -> None:
    hers, his = as_client(alice), as_client(bob)
    assert "The others at the table have to agree. The clocks go back too." in told(see(hers, game, "?takeback=yes"))
    press(hers, game, "ask")
    mine, page = see(hers, game), see(his, game)
    later = "1 later move is taken back with it."
    assert told(mine) == f"You asked to take back move 1, X. {later} bob has to agree."
    assert list(forms(mine)) == ["drop"]
    assert told(page) == f"alice asks to take back move 1, X. {later} Agree, decline, or simply go on playing."
    assert list(forms(page)) == ["agree", "drop"]
    assert press(his, game, "agree", is_plain=False).status_code == 200
    assert fresh(game).move_count == 0
    assert "alice took back moves 1 to 2, from their X on." in see(his, game).text


def test_a_decline_leaves_everything(game: Game, alice: User, bob: User, as_client: Any) -> None:
    press(as_client(alice), game, "ask")
    press(as_client(bob), game, "drop")
    assert (fresh(game).move_count, told(see(as_client(bob), game))) == (2, "")


def test_those_who_look_see_no_way_to_it(game: Game, alice: User, log_in: LogIn) -> None:
    ask_for_takeback(alice, game.slug, number=due(game))
    page = see(log_in(person("carol")), game)
    assert told(page).startswith("alice asks to take back move 1, X.")
    assert (forms(page), ways(page)) == ({}, [])


def test_an_old_page_is_refused_in_words(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    page = client.post(f"/games/{game.slug}/takeback/ask/", {"number": due(game) - 1})
    assert (page.status_code, "The game has moved on" in page.content.decode()) == (409, True)


def test_it_is_said_aloud(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    hers, his = log_in(alice), log_in(bob)
    before = fresh(game).version
    press(hers, game, "ask")
    assert news(see(his, game, f"board/?since={before}", **HTMX)) == "alice asks to take a move back."
    before = fresh(game).version
    press(his, game, "agree")
    assert (
        news(see(hers, game, f"board/?since={before}", **HTMX))
        == "You took back moves 1 to 2, from your X on. It is your turn."
    )


def test_the_replay_and_the_records_know_it(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    hers, his = log_in(alice), log_in(bob)
    press(hers, game, "ask")
    press(his, game, "agree")
    place(game, "W:e10,e9,f9,f8,g8")
    page = read(hers.get(f"/games/{game.slug}/replay/"))
    assert "You took back moves 1 to 2, from your X on." in page.text
    record = read_record(hers.get(f"/games/{game.slug}/record.json").content)
    [gone] = record.taken_back
    assert (gone.back_to, gone.seat, gone.turns) == (1, 0, ("X:e9,d10,e10,f10,e11", "F:j4,i5,j5,j6,k6"))
    assert record.comments[0] == "alice took back moves 1 to 2, from their X on."
    text = hers.get(f"/games/{game.slug}/record.blksgf").content.decode()
    assert "alice took back moves 1 to 2, from their X on." in text
    assert read_record(text).comments[0] == record.comments[0]


def test_only_games_in_which_moves_were_taken_back_ask_for_them(
    game: Game, alice: User, bob: User, log_in: LogIn, query_count: QueryCount
) -> None:
    hers, his = log_in(alice), log_in(bob)
    usual = query_count(hers, f"/games/{game.slug}/")
    press(hers, game, "ask")
    assert query_count(hers, f"/games/{game.slug}/") == usual
    press(his, game, "agree")
    assert query_count(hers, f"/games/{game.slug}/") <= usual + 1


@pytest.fixture
def just_played(game: Game, bob: User) -> Game:
    """Return the game in which bob has answered this very second."""
    Game.objects.filter(pk=game.pk).update(alone_until=timezone.now() + timedelta(seconds=9))
    return game


def alone(page: Element) -> list[str]:
    """Return what the button says by which a move is taken back without asking anyone."""
    return [form.find("button").text for form in page.find_all("form", data_behaviour="alone")]


def test_who_has_just_placed_reads_for_how_many_seconds_nobody_has_to_agree(
    just_played: Game, bob: User, as_client: Any
) -> None:
    client = as_client(bob)
    page = see(client, just_played)
    assert alone(page) in ([f"Take back ( {seconds} s)"] for seconds in (9, 8, 7))
    assert press(client, just_played, "ask").status_code == 302
    assert (fresh(just_played).move_count, Takeback.objects.get().request) == (1, 0)
    assert alone(see(client, just_played)) == []


def test_the_others_read_nothing_of_it_and_end_it(
    just_played: Game, alice: User, bob: User, as_client: Any, log_in: LogIn
) -> None:
    his, hers = as_client(bob), log_in(alice)
    form = forms(see(his, just_played))["ask"]
    assert alone(see(hers, just_played)) == []
    fields = {field["name"]: field["value"] for field in form.find_all("input", type="hidden")}
    answer = his.post(form["action"], fields)
    assert (answer.status_code, answer["X-Error-Code"]) == (409, "move-shown")
    assert "You can still ask the others to agree." in answer.content.decode()
    assert (fresh(just_played).move_count, fresh(just_played).asked_takeback) == (2, None)
    assert alone(see(his, just_played)) == []


def test_the_part_of_the_page_is_another_once_the_seconds_are_over(just_played: Game, bob: User, log_in: LogIn) -> None:
    client, address = log_in(bob), f"/games/{just_played.slug}/board/"
    tag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    Game.objects.update(alone_until=None)
    later = client.get(address, headers={"If-None-Match": tag})
    assert (later.status_code, "alone" in later.content.decode()) == (200, False)


def test_whoever_may_not_see_the_game_ends_nothing(just_played: Game, log_in: LogIn) -> None:
    Game.objects.update(is_public=False)
    assert log_in(person("eve")).get(f"/games/{just_played.slug}/").status_code == 404
    assert fresh(just_played).alone_until is not None


def test_it_is_noted_with_one_query_and_once(just_played: Game, alice: User, log_in: LogIn) -> None:
    client, address = log_in(alice), f"/games/{just_played.slug}/board/"
    counts = []
    for until in (None, timezone.now() + timedelta(seconds=9), None):
        Game.objects.update(alone_until=until)
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        counts.append(len(captured))
    assert counts == [counts[2], counts[2] + 1, counts[2]]
