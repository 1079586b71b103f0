"""History: my finished games, narrowed as I like."""

import pytest

from accounts.models import User
from tests.conftest import LogIn
from tests.games.views import many

EVERY = {"won-two", "lost-two", "tied-two", "won-three", "lost-drawn", "won-drawn"}


@pytest.fixture
def games(alice: User, bob: User, carol: User) -> None:
    many.finished(1, alice, bob, scores=(-4, -9), name="won-two")
    many.finished(1, alice, carol, scores=(-9, -4), name="lost-two")
    many.finished(1, alice, bob, scores=(-5, -5), name="tied-two")
    many.finished(1, alice, bob, carol, scores=(3, -4, -5), variant="blockyou-3", name="won-three")
    many.finished(1, alice, bob, scores=(20, 30), variant="codingame-2", name="lost-drawn")
    many.finished(1, alice, bob, scores=(40, 30), variant="codingame-2:10:42", name="won-drawn")
    many.finished(1, bob, carol, name="not-mine")
    many.running(1, alice, bob, name="not-over")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", EVERY),
        ("variant=blockyou-3", {"won-three"}),
        ("variant=codingame-2", {"lost-drawn", "won-drawn"}),
        ("variant=codingame-2:10:42", EVERY),
        ("variant=blockyou-9", EVERY),
        ("opponent=CAROL", {"lost-two", "won-three"}),
        ("opponent=nobody", set()),
        ("opponent=alice", set()),
        ("result=won", {"won-two", "won-three", "won-drawn"}),
        ("result=lost", {"lost-two", "lost-drawn"}),
        ("result=tied", {"tied-two"}),
        ("result=%27%3B--", EVERY),
        ("result=won&variant=blockyou-2&opponent=bob", {"won-two"}),
        ("opponent=%00", EVERY),
    ],
)
def test_filters_narrow_the_list(query: str, expected: set[str], games: None, alice: User, log_in: LogIn) -> None:
    text = log_in(alice).get(f"/history/?{query}").content.decode()
    assert {name for name in {*EVERY, "not-mine", "not-over"} if f">{name}<" in text} == expected


def test_the_result_is_told_as_i_see_it(games: None, alice: User, carol: User, log_in: LogIn) -> None:
    text = log_in(alice).get("/history/").content.decode()
    assert all(words in text for words in ("you won by 5", "carol won", "you tied with bob", "you won by 7"))
    assert "alice won" in log_in(carol).get("/history/").content.decode()


def test_a_link_to_the_next_page_keeps_the_filters(alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(30, alice, bob)
    text = log_in(alice).get("/history/?opponent=bob&result=lost&junk=1").content.decode()
    assert "?opponent=bob&amp;result=lost&amp;page=2" in text
    assert "junk" not in text.split('class="pager"')[1].partition("</nav>")[0]


def test_a_filter_that_finds_nothing_says_how_to_see_everything(alice: User, bob: User, log_in: LogIn) -> None:
    many.finished(1, alice, bob)
    text = log_in(alice).get("/history/?result=won").content.decode()
    assert "No game matches" in text


@pytest.mark.parametrize(
    ("retired", "mine", "theirs"),
    [("resigned", "you resigned", "you won"), ("out-of-time", "you ran out of time", "you won")],
)
def test_who_retired_reads_why_and_the_other_has_won(
    retired: str, mine: str, theirs: str, alice: User, bob: User, log_in: LogIn
) -> None:
    game = many.finished(1, alice, bob, scores=(-50, -80))[0]
    game.players.filter(user=alice).update(retired=retired, is_winner=False)
    game.players.filter(user=bob).update(is_winner=True)
    assert mine in log_in(alice).get("/history/").content.decode()
    assert f">{theirs}<" in log_in(bob).get("/history/").content.decode()
