"""History: my finished games, narrowed as I like."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest

from accounts.guests import create_guest
from accounts.models import User
from accounts.naming import rename
from games.actions.moves.resign import resign
from games.audit.counts import drifts
from games.models import Game
from games.queries.lists import finished, search
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import NOON, place, running
from tests.games.views.lists import many

#: A day on which one of the games ended; the others ended in spring.
JUNE = datetime(2026, 6, 1, 0, 30, tzinfo=UTC)

EVERY = {"won-two", "lost-two", "tied-two", "won-three", "lost-drawn", "won-drawn", "won-bot"}


@pytest.fixture
def games(alice: User, bob: User, carol: User) -> None:
    many.finished(1, alice, bob, scores=(-4, -9), name="won-two")
    many.finished(1, alice, carol, scores=(-9, -4), name="lost-two")
    many.finished(1, alice, bob, scores=(-5, -5), name="tied-two")
    many.finished(1, alice, bob, carol, scores=(3, -4, -5), variant="blockyou-3", name="won-three")
    many.finished(1, alice, bob, scores=(20, 30), variant="codingame-2", name="lost-drawn")
    many.finished(1, alice, bob, scores=(40, 30), variant="codingame-2:10:42", name="won-drawn")
    against_bot = many.finished(1, alice, bob, scores=(4, 3), variant="duo", name="won-bot", finished_at=JUNE)[0]
    against_bot.players.filter(user=bob).update(user=None, bot="greedy")
    Game.objects.filter(name="lost-two").update(reason="resigned")
    alice.seats.filter(game__name="lost-two").update(retired="resigned")
    Game.objects.filter(name="won-three").update(reason="out-of-time")
    bots = many.finished(1, bob, carol, name="of-bots", is_of_bots=True)[0]
    Game.objects.filter(pk=bots.pk).update(creator=alice)
    bots.players.update(user=None, bot="random")
    many.finished(1, bob, carol, name="not-mine")
    many.running(1, alice, bob, name="not-over")


#: What is asked for, and the games that are found.
FILTERS: tuple[tuple[str, set[str]], ...] = (
    ("", EVERY),
    ("variant=blockyou-3", {"won-three"}),
    ("variant=codingame-2", {"lost-drawn", "won-drawn"}),
    ("variant=codingame-2:10:42", EVERY),
    ("variant=blockyou-9", EVERY),
    ("opponent=CAROL", {"lost-two", "won-three"}),
    ("opponent=Ca", {"lost-two", "won-three"}),
    ("opponent=ob", {"won-two", "tied-two", "won-three", "lost-drawn", "won-drawn"}),
    ("opponent=reed", {"won-bot"}),
    ("variant=blockyou", {"won-two", "lost-two", "tied-two", "won-three"}),
    ("variant=blockyou&result=won", {"won-two", "won-three"}),
    ("variant=codingame&opponent=bo", {"lost-drawn", "won-drawn"}),
    ("since=2026-06-01", {"won-bot"}),
    ("since=2026-06-01&until=2026-05-31", set()),
    ("until=2026-05-31&variant=duo", set()),
    ("until=2026-05-31&result=lost", {"lost-two", "lost-drawn"}),
    ("since=2026-13-01", EVERY),
    ("since=0001-01-01&until=9999-12-31", EVERY),
    ("result=resigned", {"lost-two"}),
    ("result=out-of-time", set()),
    ("result=others-left", {"won-three"}),
    ("result=played-out&variant=duo", {"won-bot"}),
    ("result=resigned&opponent=bob", set()),
    ("who=bots", {"of-bots"}),
    ("who=bots&opponent=rand", {"of-bots"}),
    ("who=bots&opponent=bob", set()),
    ("who=bots&result=won", set()),
    ("who=bots&result=resigned", set()),
    ("who=bots&result=played-out", {"of-bots"}),
    ("opponent=%CC%81", set()),
    ("opponent=nobody", set()),
    ("opponent=alice", set()),
    ("result=won", {"won-two", "won-three", "won-drawn", "won-bot"}),
    ("result=lost", {"lost-two", "lost-drawn"}),
    ("result=tied", {"tied-two"}),
    ("place=1", {"won-two", "tied-two", "won-three", "won-drawn", "won-bot"}),
    ("place=2", {"lost-two", "lost-drawn"}),
    ("place=2&variant=codingame-2", {"lost-drawn"}),
    ("place=1&result=tied", {"tied-two"}),
    ("place=1&result=lost", set()),
    ("place=1&opponent=carol", {"won-three"}),
    ("place=3", set()),
    ("place=9", EVERY),
    ("who=bots&place=1", set()),
    ("result=%27%3B--", EVERY),
    ("result=won&variant=blockyou-2&opponent=bob", {"won-two"}),
)


@pytest.mark.parametrize("few", [100, 1])
def test_filters_narrow_the_list(
    few: int, games: None, alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished, "FEW_GAMES", few)
    monkeypatch.setattr(search, "FEW_GAMES", few)
    client, found = log_in(alice), []
    for query, _expected in FILTERS:
        text = client.get(f"/history/?{query}").content.decode()
        found.append((query, {name for name in {*EVERY, "not-mine", "not-over", "of-bots"} if f">{name}<" in text}))
    assert found == list(FILTERS)


@pytest.mark.parametrize(("language", "typed"), [("en", "guest-k7"), ("fr", "anonyme-k7"), ("fr", "Guest-k7")])
def test_a_guest_is_found_by_the_name_that_is_shown(language: str, typed: str, alice: User, log_in: LogIn) -> None:
    guest = User.objects.create(username="Guest-k7x2qd", is_guest=True)
    many.finished(1, alice, guest, scores=(-4, -9), name="with-guest")
    page = log_in(alice).get(f"/history/?opponent={typed}", headers={"Accept-Language": language})
    assert ">with-guest<" in page.content.decode()


def test_the_result_is_told_as_i_see_it(games: None, alice: User, carol: User, log_in: LogIn) -> None:
    text = log_in(alice).get("/history/").content.decode()
    assert all(
        words in text for words in ("you won by 5", "bob won", "you resigned", "you tied with bob", "you won by 7")
    )
    assert "alice won" in log_in(carol).get("/history/").content.decode()


def test_who_lost_to_players_who_tied_is_told_so(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob, carol, scores=(-9, -5, -5), variant="blockyou-3")
    assert "you did not win: bob and carol tied" in log_in(alice).get("/history/").content.decode()
    assert "you tied with carol" in log_in(bob).get("/history/").content.decode()
    assert ">bob and carol tied<" in log_in(bob).get("/players/alice/").content.decode()


def test_a_link_to_the_next_page_keeps_the_filters(alice: User, bob: User, log_in: LogIn) -> None:
    games = many.finished(30, alice, bob)
    text = log_in(alice).get("/history/?opponent=bob&result=lost&junk=1").content.decode()
    assert f"?opponent=bob&amp;result=lost&amp;older={games[6].slug}" in text
    assert "?opponent=bob&amp;result=lost&amp;oldest" in text
    assert "junk" not in text.split('class="pager"')[1].partition("</nav>")[0]


def test_a_board_of_many_sizes_is_one_choice_among_the_filters(alice: User, log_in: LogIn) -> None:
    text = log_in(alice).get("/history/").content.decode()
    assert ">CodinGame, 2 players<" in text
    assert "13 × 13" not in text


@pytest.mark.parametrize(
    ("query", "is_open"), [("", False), ("result=won&opponent=bob", False), ("place=1", True), ("since=x", False)]
)
def test_filters_that_are_used_less_stand_behind_one_line_unless_they_are_used(
    query: str, is_open: bool, alice: User, log_in: LogIn
) -> None:
    further = read(log_in(alice).get(f"/history/?{query}")).find("details", class_="filters__further")
    assert ("open" in further.attributes) == is_open
    assert {box["name"] for box in further.walk() if box.tag in {"input", "select"}} == {
        "since",
        "until",
        "place",
        "who",
        "opening",
    }


def test_a_filter_that_finds_nothing_says_how_to_see_everything(alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob)
    text = log_in(alice).get("/history/?result=won").content.decode()
    assert "No game matches" in text


@pytest.mark.parametrize(
    ("retired", "mine", "theirs"),
    [
        ("resigned", "you resigned: bob won", "you won: alice resigned"),
        ("out-of-time", "you ran out of time: bob won", "you won: alice ran out of time"),
    ],
)
def test_who_retired_reads_why_and_the_other_has_won(
    retired: str, mine: str, theirs: str, alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    game = many.finished(1, alice, bob, scores=(-50, -80))[0]
    game.players.filter(user=alice).update(retired=retired, is_winner=False)
    game.players.filter(user=bob).update(is_winner=True)
    assert mine in log_in(alice).get("/history/").content.decode()
    assert f">{theirs}<" in log_in(bob).get("/history/").content.decode()
    assert f">{theirs.replace('you won', 'bob won')}<" in log_in(eve).get("/players/bob/").content.decode()


def test_one_of_several_who_stayed_to_the_end_has_won_by_points(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game = many.finished(1, alice, bob, carol, scores=(-50, -4, -80), variant="blockyou-3")[0]
    game.players.filter(user=alice).update(retired="resigned")
    assert ">you won by 76 points<" in log_in(bob).get("/history/").content.decode()
    game.players.filter(user=carol).update(retired="out-of-time")
    assert ">you won: everyone else left the game<" in log_in(bob).get("/history/").content.decode()


def test_who_left_has_a_place_behind_all_others_whatever_the_score(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game = running(alice, bob, carol, name="left-early")
    place(game, "I5:a1,a2,a3,a4,a5")
    place(game, "1:t1")
    resign(alice, game.slug)
    resign(bob, game.slug)
    pages = {number: log_in(alice).get(f"/history/?place={number}").content.decode() for number in (1, 2, 3)}
    assert [number for number, text in pages.items() if ">left-early<" in text] == [2]
    assert ">left-early<" in log_in(bob).get("/history/?place=3").content.decode()
    assert ">left-early<" in log_in(carol).get("/history/?place=1").content.decode()


def test_a_place_is_found_among_any_number_of_games(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "SEARCHED", 2)
    # Alice loses, then wins thirty times; the one that is asked for is the oldest of all.
    many.finished(1, alice, bob, scores=(-9, -4), name="the-oldest", finished_at=NOON - timedelta(days=1))
    for number in range(30):
        many.finished(1, alice, bob, scores=(-4, -9), name=f"won-{number}")
    client = log_in(alice)
    page = client.get("/history/?place=2").content.decode()
    assert ">the-oldest<" in page
    assert "were searched" not in page
    found, address = set(), "?place=1&variant=blockyou-2"
    while address:
        page = client.get(f"/history/{address}").content.decode()
        found |= set(re.findall(">(won-[0-9]+)<", page))
        older = re.search(r'href="/?[a-z/]*(\?[^"]*older=[^"]*)"', page)
        address = html.unescape(older[1]) if older else ""
    assert found == {f"won-{number}" for number in range(30)}


def test_any_part_of_a_name_finds_people_met_long_ago(alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob, name="the-first-of-all")
    for number in range(60):
        many.finished(1, alice, User.objects.create(username=f"later{number}"))
    assert ">the-first-of-all<" in log_in(alice).get("/history/?opponent=ob").content.decode()


def test_a_guest_is_found_by_the_name_they_have_now(alice: User, log_in: LogIn) -> None:
    guest = create_guest()
    many.finished(1, alice, guest, name="with-a-guest")
    rename(guest, "Wanderer")
    client = log_in(alice)
    assert ">with-a-guest<" in client.get("/history/?opponent=ander").content.decode()
    assert ">with-a-guest<" not in client.get("/history/?opponent=guest").content.decode()
    assert list(drifts()) == []


@pytest.mark.parametrize(("lot", "shown"), [(5, "more than 1<"), (1000, "25")])
def test_what_no_index_finds_is_found_among_any_number_of_games(
    lot: int, shown: str, alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "SEARCHED", lot)
    for number in range(75):
        # Every third game was left by the other player; some ended at the same moment.
        left = {"reason": "resigned"} if number % 3 == 0 else {}
        ended = NOON + timedelta(hours=number // 4)
        many.finished(1, alice, bob, scores=(-4, -9), name=f"game-{number}", finished_at=ended, **left)
    expected, client, found, address = [f"game-{number}" for number in range(72, -1, -3)], log_in(alice), [], "?"
    while address:
        page = client.get(f"/history/{address}&result=others-left").content.decode()
        found += re.findall(">(game-[0-9]+)<", page)
        older = re.search(r'href="[^"?]*\?[^"]*(older=[a-z0-9]+)', page)
        address = f"?{older[1]}" if older else ""
    assert found == expected
    assert shown in client.get("/history/?result=others-left").content.decode()
    oldest = client.get("/history/?oldest&result=others-left").content.decode()
    last = re.findall(">(game-[0-9]+)<", oldest)
    assert last == expected[-len(last) :]
    page, newer = oldest, re.search(r'href="[^"?]*\?[^"]*(newer=[a-z0-9]+)', oldest)
    assert newer
    while newer:
        page = client.get(f"/history/?{newer[1]}&result=others-left").content.decode()
        newer = re.search(r'href="[^"?]*\?[^"]*(newer=[a-z0-9]+)', page)
    assert re.findall(">(game-[0-9]+)<", page)[0] == expected[0]
    lines = client.get("/history/games.csv?result=others-left").getvalue().decode()
    assert re.findall("game-[0-9]+", lines) == expected
