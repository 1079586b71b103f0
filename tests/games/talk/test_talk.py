"""What people say at a table: who reads it, what may be said, when it is unread, and that it costs nobody a move."""

import html
import random
import re
from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone, translation
from pytest_django import Settings

from accounts import erasure
from accounts.bots.keeping import make_bot
from accounts.guests import create_guest
from accounts.models import User, Welcome
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.actions.people.mute_person import mute_person
from games.actions.people.unfollow_person import unfollow_person
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.talk.read_messages import read_messages
from games.actions.talk.send_message import TWICE, send_message
from games.background.upkeep import Upkeep
from games.errors import BadRequest, GameError, NotFound, NotSeated, WrongStatus
from games.models import Audience, Game, Player, TalkMessage, TalkPhrase
from games.pages.talk.messages import talk_page
from games.queries.people.going import count_waiting
from games.queries.site.versions import lists_version
from games.queries.talk.messages import messages_of
from games.words.talk import PHRASES, phrase_said
from tests.conftest import LogIn, person
from tests.games.play.pages import read
from tests.games.tables import LINK, ME, OPEN, advance, bot, due, fresh, open_table, play_out, running
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a public game of two who may be strangers."""
    return running(alice, bob)


@pytest.fixture
def private(alice: User, bob: User) -> Game:
    """Return a private game, entered by its link."""
    table = open_table(alice, ME, LINK, is_public=False)
    return join_game(bob, table.slug, token=table.invite_token)


def say(browser: Client, game: Game, **sent: str) -> int:
    """Say something by the form of the page, and return the status of the answer."""
    return browser.post(f"/games/{game.slug}/talk/", sent).status_code


def lines(browser: Client, game: Game) -> list[str]:
    """Return the lines that the page of a game's talk shows."""
    page = read(browser.get(f"/games/{game.slug}/talk/"))
    return [line.text for line in page.find_all("p", class_="line__text")]


def unread(user: User, game: Game) -> int:
    return Player.objects.get(game=game, user=user).unread_messages or 0


def refused(user: User, game: Game, *, phrase: str = "", text: str = "") -> GameError:
    with pytest.raises(GameError) as refusal:
        send_message(user, game.slug, phrase=phrase, text=text)
    return refusal.value


def test_a_ready_phrase_is_read_by_each_player_in_their_own_language(
    alice: User, bob: User, game: Game, log_in: LogIn
) -> None:
    User.objects.filter(pk=bob.pk).update(language="fr")
    assert say(log_in(alice), game, phrase="good-game") == 302
    assert lines(log_in(alice), game) == ["Good game"]
    assert lines(log_in(bob), game) == ["Belle partie"]


def test_every_phrase_has_words_in_every_language_and_they_are_between_16_and_24() -> None:
    assert 16 <= len(TalkPhrase.values) <= 24
    assert {*PHRASES} | {TalkPhrase.AWAY} == {*TalkPhrase}
    day = date(2026, 3, 3)
    with translation.override("en"):
        english = {key: phrase_said(key, day) for key in TalkPhrase.values}
    with translation.override("fr"):
        french = {key: phrase_said(key, day) for key in TalkPhrase.values}
    assert all(english[key] != french[key] for key in TalkPhrase.values)
    assert len(set(english.values())) == len(set(french.values())) == len(TalkPhrase.values)
    assert english["away"] == "Away until 3 Mar 2026"


def test_a_phrase_with_a_day_names_it_and_only_days_that_make_sense(alice: User, game: Game, log_in: LogIn) -> None:
    browser, today = log_in(alice), timezone.localdate()
    assert say(browser, game, phrase="away", day=(today + timedelta(days=3)).isoformat()) == 302
    assert str((today + timedelta(days=3)).year) in lines(browser, game)[0]
    for day in ("", "tomorrow", (today - timedelta(days=1)).isoformat(), "9999-12-31"):
        assert say(browser, game, phrase="away", day=day) == 400, day
    assert TalkMessage.objects.count() == 1


def test_strangers_choose_from_phrases_and_write_at_private_tables(
    alice: User, game: Game, private: Game, log_in: LogIn
) -> None:
    browser = log_in(alice)
    assert not read(browser.get(f"/games/{game.slug}/talk/")).find_all("input", name="text")
    assert say(browser, game, text="Hello, stranger") == 403
    assert refused(alice, game, text="Hello, stranger").code == "phrases-only"
    assert say(browser, private, text="Hello, Bob") == 302
    assert lines(browser, private) == ["Hello, Bob"]


def test_friends_write_freely_at_public_tables_too(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    browser, two, three = log_in(alice), running(alice, bob), running(alice, bob, carol)
    follow_person(alice, bob.username)
    assert say(browser, two, text="Hello, Bob") == 403
    follow_person(bob, alice.username)
    assert say(browser, two, text="Hello, Bob") == 302
    assert say(browser, three, text="Hello, both of you") == 403
    follow_person(alice, carol.username)
    follow_person(carol, alice.username)
    assert say(browser, three, text="Hello, both of you") == 302


def test_before_the_start_of_a_public_table_nobody_writes_for_whoever_sits_down_next(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    follow_person(alice, bob.username)
    follow_person(bob, alice.username)
    table = open_table(alice, ME, OPEN, OPEN)
    assert say(log_in(alice), table, text="Alone") == 403
    join_game(bob, table.slug)
    assert say(log_in(alice), table, text="Among friends") == 403
    assert say(log_in(alice), table, phrase="hello") == 302
    join_game(carol, table.slug)
    assert lines(log_in(carol), table) == []


def test_words_of_a_private_table_are_not_read_by_those_who_join_once_it_is_public(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, LINK, LINK, is_public=False)
    join_game(bob, table.slug, token=table.invite_token)
    assert say(log_in(alice), table, text="Between us") == 302
    Game.objects.filter(pk=table.pk).update(is_public=True)
    join_game(carol, table.slug, token=table.invite_token)
    assert lines(log_in(carol), table) == []
    assert say(log_in(alice), table, phrase="hello") == 302
    assert lines(log_in(carol), table) == ["Hello"]


@pytest.mark.parametrize("part", [mute_person, block_person])
def test_what_a_person_wrote_who_is_muted_or_blocked_is_unread_no_more(
    part: Callable[[User, str], User], alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol)
    for author, phrase in ((bob, "hello"), (carol, "good-game"), (bob, "nice-move")):
        send_message(author, game.slug, phrase=phrase)
    assert unread(alice, game) == 3
    part(alice, bob.username)
    assert unread(alice, game) == 1
    part(alice, carol.username)
    assert Player.objects.get(game=game, user=alice).unread_messages is None


def test_a_table_that_is_cancelled_leaves_nothing_unread(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    join_game(bob, table.slug)
    send_message(alice, table.slug, phrase="hello")
    assert unread(bob, table) == 1
    cancel_game(alice, table.slug)
    assert unread(bob, table) == 0


def test_the_text_of_a_guest_who_is_forgotten_is_forgotten(alice: User) -> None:
    guest = create_guest()
    table = open_table(alice, ME, LINK, LINK, is_public=False)
    join_game(guest, table.slug, token=table.invite_token)
    send_message(guest, table.slug, text="I have to go")
    leave_game(guest, table.slug)
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - timedelta(days=400))
    Upkeep().tidy(timezone.now())
    assert not User.objects.filter(pk=guest.pk).exists()
    assert TalkMessage.objects.get().text == ""


def test_what_is_said_after_the_end_leaves_a_game_in_its_place_among_the_last(alice: User, bob: User) -> None:
    game = running(alice, bob)
    resign(bob, game.slug)
    before = fresh(game)
    send_message(alice, game.slug, phrase="good-game")
    assert fresh(game).changed_at == before.changed_at
    assert fresh(game).version > before.version


@pytest.mark.parametrize(
    ("talk", "at_private", "at_public", "phrase"),
    [("off", 403, 403, 403), ("phrases", 403, 403, 302), ("private", 302, 403, 302), ("every", 302, 302, 302)],
)
def test_the_host_says_what_may_be_said(
    talk: str, at_private: int, at_public: int, phrase: int, alice: User, game: Game, private: Game, log_in: LogIn,
    settings: Settings,
) -> None:  # fmt: skip
    settings.TALK = talk
    browser = log_in(alice)
    assert say(browser, private, text="One") == at_private
    assert say(browser, game, text="Two") == at_public
    assert say(browser, game, phrase="hello") == phrase
    door = f"/games/{game.slug}/talk/"
    assert (door in browser.get(f"/games/{game.slug}/").content.decode()) is (talk != "off")
    assert browser.get(door).status_code == (403 if talk == "off" else 200)


def test_only_the_players_read_it_and_say_something(
    alice: User, eve: User, game: Game, private: Game, log_in: LogIn
) -> None:
    say(log_in(alice), game, phrase="hello")
    for watcher in (log_in(eve), log_in(create_guest())):
        assert watcher.get(f"/games/{game.slug}/talk/").status_code == 403
        assert watcher.get(f"/games/{game.slug}/talk/lines/").status_code == 403
        assert say(watcher, game, phrase="hello") == 403
        assert f'/games/{game.slug}/talk/"' not in watcher.get(f"/games/{game.slug}/").content.decode()
        assert watcher.get(f"/games/{private.slug}/talk/").status_code == 404
        assert say(watcher, private, phrase="hello") == 404
    assert Client().get(f"/games/{game.slug}/talk/").status_code == 302
    assert TalkMessage.objects.count() == 1


def test_a_line_refuses_nobodys_move(alice: User, bob: User, game: Game) -> None:
    number, version = due(game), game.version
    send_message(bob, game.slug, phrase="take-time")
    assert fresh(game).version == version + 1
    assert due(fresh(game)) == number
    assert advance(game, random.Random(1)).move_count == 1


def test_what_others_say_is_unread_until_the_page_is_opened(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    browser, slug = log_in(bob), game.slug
    mine = log_in(alice)
    say(mine, game, phrase="hello")
    say(mine, game, phrase="luck")
    assert (unread(bob, game), unread(alice, game)) == (2, 0)
    page = browser.get(f"/games/{slug}/").content.decode()
    assert "Talk, 2 new messages" in html.unescape(page)
    assert "2 new messages" in browser.get("/games/").content.decode()
    assert count_waiting(bob) - count_waiting(alice) == 0  # it is alice's turn, and bob has something to read
    tag = browser.get(f"/games/{slug}/board/")["ETag"]
    browser.get(f"/games/{slug}/talk/")
    assert unread(bob, game) == 0
    assert browser.get(f"/games/{slug}/board/", headers={"If-None-Match": tag}).status_code == 200
    assert "new message" not in browser.get("/games/").content.decode()
    assert count_waiting(bob) == 0


def test_a_line_said_while_the_page_is_read_stays_unread(alice: User, bob: User, game: Game) -> None:
    first = send_message(alice, game.slug, phrase="hello")
    send_message(alice, game.slug, phrase="luck")
    read_messages(bob, game.slug, last=first.pk)
    assert unread(bob, game) == 1


def test_who_says_something_has_read_what_was_said(alice: User, bob: User, game: Game) -> None:
    send_message(alice, game.slug, phrase="hello")
    send_message(bob, game.slug, phrase="hello")
    assert (unread(alice, game), unread(bob, game)) == (1, 0)


def test_a_double_tap_says_it_once(alice: User, game: Game) -> None:
    now = timezone.now()
    for after in (timedelta(0), timedelta(seconds=1), TWICE):
        send_message(alice, game.slug, phrase="oops", now=now + after)
    assert TalkMessage.objects.count() == 2


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  two\n lines\t here ", "two lines here"),
        ("WHY ARE YOU SO SLOW", "Why are you so slow"),
        ("OK GG", "OK GG"),
        ("I met NASA", "I met NASA"),
        ("a\u202eb\u2066c\u200bd", "abcd"),
        ("é👩‍👧🟦", "é👩‍👧🟦"),
        ("z" + "\u0301" * 40, "z" + "\u0301" * 3),
        ("see https://example.org now", "see https://example.org now"),
    ],
)
def test_a_text_is_kept_calm_and_plain(text: str, kept: str, alice: User, private: Game) -> None:
    assert send_message(alice, private.slug, text=text).text == kept


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-request"),
        (" \n ", "bad-request"),
        ("\u200b\u202e\u0301", "bad-request"),
        ("a\x00b", "bad-request"),
        ("a\x1b[31m", "bad-request"),
        ("x" * 501, "bad-request"),
        ("you wanker", "insult"),
        ("f.u.c.k off", "insult"),
    ],
)
def test_a_text_that_cannot_be_said_is_refused_with_the_reason_and_what_was_typed(
    text: str, code: str, alice: User, private: Game, log_in: LogIn
) -> None:
    answer = log_in(alice).post(f"/games/{private.slug}/talk/", {"text": text})
    page = read(answer)
    assert answer.status_code == 400
    assert page.find(id="talk-refusal").text
    assert page.find("input", name="text")["value"] == text
    assert refused(alice, private, text=text).code == code
    assert not TalkMessage.objects.exists()


def test_the_longest_text_is_counted_in_characters(alice: User, private: Game, log_in: LogIn) -> None:
    text = "é🟦" * 250
    browser = log_in(alice)
    assert say(browser, private, text=text) == 302
    assert lines(browser, private) == [text]


def test_a_text_that_grows_while_it_is_calmed_is_measured_as_it_is_kept(alice: User, private: Game) -> None:
    # The dotted capital has two characters where it is small.
    assert "501" in str(refused(alice, private, text="A" * 499 + "\u0130"))


def test_a_long_row_of_signs_is_looked_through_at_once(alice: User, private: Game) -> None:
    # Of a pattern that can match in two ways this would take for ever, and the test would never end.
    assert send_message(alice, private.slug, text="_" * 480 + "ab!").text.endswith("ab!")


def test_five_lines_in_ten_seconds_are_enough_and_the_sixth_is_not_lost(
    alice: User, private: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.limits.time.time", lambda: 1_800_000_001.0)
    browser = log_in(alice)
    assert [say(browser, private, text=f"line {n}") for n in range(5)] == [302] * 5
    answer = browser.post(f"/games/{private.slug}/talk/", {"text": "one more"})
    page = read(answer)
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) <= 10
    assert page.find("input", name="text")["value"] == "one more"
    assert "Wait a few seconds" in page.find(id="talk-refusal").text


PAYLOADS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onfocus=alert(1) autofocus x='",
    "{{ 7*7 }}{% debug %}",
    '<div hx-get="/games/" hx-trigger="load">',
    '<button hx-on:click="alert(1)">x</button>',
    "javascript:alert(1)",
    "</textarea></input><b>bold",
    "&lt;b&gt;",
    "<!--",
    "]]><script>",
]


@pytest.mark.parametrize("text", PAYLOADS)
def test_what_is_said_is_text_and_never_a_part_of_the_page(
    text: str, alice: User, bob: User, private: Game, log_in: LogIn
) -> None:
    assert say(log_in(alice), private, text=text) == 302
    for address in ("talk/", "talk/lines/"):
        answer = log_in(bob).get(f"/games/{private.slug}/{address}")
        log = read(answer).find(id="lines")
        [line] = log.find_all("p", class_="line__text")
        assert line.text == html.unescape(line.text) == re.sub(r"\s+", " ", text) or "&lt;" in text
        assert not log.find_all("script") + log.find_all("img") + log.find_all("b")
        assert [link.text for link in log.find_all("a")] == ["Report"]
        assert all(not name.startswith("on") for one in log.walk() for name in one.attributes)


def test_beside_bots_alone_nobody_talks(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot())
    browser = log_in(alice)
    assert f"/games/{game.slug}/talk/" not in browser.get(f"/games/{game.slug}/").content.decode()
    assert refused(alice, game, phrase="hello").code == "only-bots"
    assert "Only bots sit" in browser.get(f"/games/{game.slug}/talk/").content.decode()


def test_people_talk_before_the_start_and_after_the_end_until_it_is_long_ago(
    alice: User, bob: User, settings: Settings
) -> None:
    table = open_table(alice, ME, LINK, is_public=False)
    send_message(alice, table.slug, text="Who comes?")
    expires = fresh(table).expires_at
    game = join_game(bob, table.slug, token=table.invite_token)
    game = play_out(game, 1)
    assert expires == table.expires_at
    ended = timezone.now() - timedelta(days=settings.TALK_DAYS)
    Game.objects.filter(pk=game.pk).update(finished_at=ended + timedelta(minutes=5))
    send_message(bob, game.slug, phrase="good-game")
    assert Upkeep().tidy(timezone.now()).messages == 0
    Game.objects.filter(pk=game.pk).update(finished_at=ended)
    assert refused(bob, game, phrase="thanks").code == "talk-over"
    assert unread(alice, game) == 1
    assert Upkeep().tidy(timezone.now()).messages == 2
    assert (TalkMessage.objects.count(), unread(alice, game)) == (0, 0)


def test_old_lines_are_found_lot_by_lot(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.background.upkeep.ROWS_AT_ONCE", 2)
    going, over = running(alice, bob), running(alice, bob)
    for game, phrase in ((going, "hello"), (going, "luck"), (over, "hello"), (over, "luck"), (going, "sorry")):
        send_message(alice, game.slug, phrase=phrase)
    Game.objects.filter(pk=over.pk).update(finished_at=timezone.now() - timedelta(days=100))
    upkeep = Upkeep()
    assert [upkeep.tidy(timezone.now()).messages for _ in range(3)] == [0, 2, 0]
    assert TalkMessage.objects.count() == 3


def test_a_seat_that_changes_hands_takes_no_mark_along(alice: User, bob: User, carol: User) -> None:
    table = open_table(alice, ME, LINK, LINK, colours=("blue", "yellow", "red"), is_public=False)
    join_game(bob, table.slug, token=table.invite_token)
    send_message(alice, table.slug, phrase="hello")
    leave_game(bob, table.slug)
    join_game(carol, table.slug, token=table.invite_token)
    assert unread(carol, table) == 0


def test_with_a_closed_account_its_words_go_and_what_others_said_stays(
    alice: User, bob: User, private: Game, log_in: LogIn
) -> None:
    send_message(bob, private.slug, text="My secret")
    send_message(bob, private.slug, phrase="hello")
    send_message(alice, private.slug, text="Well played, bob")
    erasure.close_account(bob)
    assert lines(log_in(alice), private) == ["Deleted with the account.", "Hello", "Well played, deleted"]
    assert not TalkMessage.objects.filter(author=bob.pk).exists()
    assert "bob" not in read(log_in(alice).get(f"/games/{private.slug}/talk/")).find(id="lines").text


def test_long_talk_is_read_in_pages(alice: User, private: Game, log_in: LogIn) -> None:
    now = timezone.now()
    for n in range(60):
        send_message(alice, private.slug, text=f"line {n}", now=now + timedelta(seconds=n))
    browser = log_in(alice)
    assert lines(browser, private) == [f"line {n}" for n in range(10, 60)]
    [older] = read(browser.get(f"/games/{private.slug}/talk/")).find(class_="lines__older").find_all("a")
    page = read(browser.get(older["href"]))
    assert [line.text for line in page.find_all("p", class_="line__text")] == [f"line {n}" for n in range(10)]
    assert "data-behaviour" not in page.find(id="lines").attributes
    for nonsense in ("-1", "x", "9" * 40, "0"):
        assert browser.get(f"/games/{private.slug}/talk/?before={nonsense}").status_code == 200


def test_the_page_asks_for_little_and_the_others_for_nothing_more(
    alice: User, bob: User, private: Game, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(bob)
    places = (f"/games/{private.slug}/", "/games/", "/games/waiting/", f"/games/{private.slug}/talk/")
    before = [query_count(browser, place) for place in places]
    now = timezone.now()
    for n in range(20):
        send_message(alice, private.slug, text=f"line {n}", now=now + timedelta(seconds=n))
    assert [query_count(browser, place) for place in places[:3]] == before[:3]
    assert query_count(browser, places[3]) == before[3] <= 8


def test_in_words_there_is_a_way_to_the_talk(alice: User, bob: User, game: Game, log_in: LogIn) -> None:
    send_message(bob, game.slug, phrase="hello")
    browser = log_in(alice)
    browser.cookies["spoken"] = "yes"
    page = read(browser.get(f"/games/{game.slug}/"))
    [way] = [link for link in page.find_all("a") if link.attributes.get("href", "").endswith("/talk/")]
    assert "1 new" in way.text


def test_an_open_page_fetches_its_lines_alone_and_a_form_by_htmx_brings_them(
    alice: User, bob: User, game: Game, log_in: LogIn
) -> None:
    browser, other = log_in(alice), log_in(bob)
    part = browser.post(f"/games/{game.slug}/talk/", {"phrase": "hello"}, headers={"HX-Request": "true"})
    page = read(part)
    assert part.status_code == 200
    assert page.find(id="talk").find(id="lines")["data-version"] == str(fresh(game).version)
    fetched = read(other.get(f"/games/{game.slug}/talk/lines/", headers={"HX-Request": "true"}))
    assert [line.text for line in fetched.find_all("p", class_="line__text")] == ["Hello"]
    assert unread(bob, game) == 0


def test_doors_say_the_same_by_their_errors(alice: User, eve: User, game: Game, private: Game) -> None:
    assert isinstance(refused(eve, game, phrase="hello"), NotSeated)
    assert isinstance(refused(eve, private, phrase="hello"), NotFound)
    assert isinstance(refused(alice, game, phrase="rude"), BadRequest)
    Game.objects.filter(pk=game.pk).update(finished_at=timezone.now() - timedelta(days=1000))
    assert isinstance(refused(alice, game, phrase="hello"), WrongStatus)


def watch(browser: Client, game: Game) -> list[str]:
    """Return the lines that the page of a game's watchers shows."""
    answer = browser.get(f"/games/{game.slug}/talk/watchers/")
    assert answer.status_code == 200, answer.status_code
    return [line.text for line in read(answer).find_all("p", class_="line__text")]


def test_those_who_watch_talk_among_themselves_and_the_players_read_it_after_the_end(
    alice: User, bob: User, carol: User, game: Game, log_in: LogIn
) -> None:
    dave, browser = person("Dave"), log_in(carol)
    address = f"/games/{game.slug}/talk/watchers/"
    assert address in browser.get(f"/games/{game.slug}/").text
    assert browser.post(address, {"phrase": "well-blocked"}).status_code == 302
    assert watch(browser, game) == watch(log_in(dave), game) == ["Well blocked"]
    for player in (alice, bob):
        there = log_in(player)
        assert [there.get(address).status_code, there.post(address, {"phrase": "hello"}).status_code] == [403, 403]
        assert address not in there.get(f"/games/{game.slug}/").text
        assert lines(there, game) == []
        assert unread(player, game) == 0
    resign(alice, game.slug)
    there = log_in(bob)
    assert watch(there, game) == ["Well blocked"]
    assert address in there.get(f"/games/{game.slug}/talk/").text
    assert there.post(address, {"phrase": "hello"}).status_code == 403
    assert browser.post(address, {"phrase": "good-game"}).status_code == 302


def test_what_watchers_say_is_no_news_for_the_players(alice: User, carol: User, game: Game) -> None:
    before, lists = fresh(game), lists_version(alice.pk)
    send_message(carol, game.slug, phrase="nice-move", audience=Audience.WATCHERS)
    after = fresh(game)
    assert (after.version, after.changed_at) == (before.version + 1, before.changed_at)
    assert lists_version(alice.pk) == lists
    assert advance(after, random.Random(1)).move_count == before.move_count + 1


def test_watchers_choose_from_their_own_phrases_unless_everybody_may_write(
    carol: User, game: Game, log_in: LogIn, settings: Settings
) -> None:
    browser, address = log_in(carol), f"/games/{game.slug}/talk/watchers/"
    assert not read(browser.get(address)).find_all("input", name="text")
    for sent in ({"text": "Hello"}, {"phrase": "rematch"}, {"phrase": "away", "day": "2026-12-01"}):
        assert browser.post(address, sent).status_code in (400, 403), sent
    settings.TALK = "every"
    assert browser.post(address, {"text": "Hello"}).status_code == 302
    assert watch(browser, game) == ["Hello"]
    settings.TALK = "off"
    assert browser.get(address).status_code == 403
    assert address not in browser.get(f"/games/{game.slug}/").text


def test_nobody_watches_what_has_not_begun_or_what_only_players_see(
    alice: User, carol: User, private: Game, log_in: LogIn
) -> None:
    waiting = open_table(alice, ME, OPEN)
    assert log_in(carol).get(f"/games/{waiting.slug}/talk/watchers/").status_code == 409
    assert log_in(carol).get(f"/games/{private.slug}/talk/watchers/").status_code == 404
    resign(alice, private.slug)
    assert "/talk/watchers/" not in log_in(alice).get(f"/games/{private.slug}/talk/").text


def test_those_who_watch_read_nothing_of_people_they_have_blocked_or_muted(
    bob: User, carol: User, game: Game, log_in: LogIn
) -> None:
    dave = person("Dave")
    send_message(dave, game.slug, phrase="hello", audience=Audience.WATCHERS)
    mute_person(carol, dave.username)
    assert watch(log_in(carol), game) == []
    block_person(bob, dave.username)
    resign(bob, game.slug)
    assert watch(log_in(bob), game) == []


def test_a_watcher_says_at_most_thirty_lines_an_hour(carol: User, game: Game, log_in: LogIn) -> None:
    browser, address = log_in(carol), f"/games/{game.slug}/talk/watchers/"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.table.counting.LINES_AT_ONCE", 100)
        answers = [browser.post(address, {"phrase": "hello"}).status_code for _ in range(31)]
    assert answers == [302] * 30 + [429]


def test_a_table_may_have_ready_phrases_alone_also_among_friends(alice: User, bob: User, log_in: LogIn) -> None:
    follow_person(alice, bob.username)
    follow_person(bob, alice.username)
    table = open_table(alice, ME, LINK, is_public=False, allows_texts=False)
    assert "Players talk in ready phrases only." in log_in(alice).get(f"/games/{table.slug}/").text
    game = join_game(bob, table.slug, token=table.invite_token)
    browser = log_in(bob)
    assert say(browser, game, text="Hello, Alice") == 403
    assert refused(alice, game, text="Hello").code == "phrases-only"
    assert say(browser, game, phrase="hello") == 302


def test_the_form_of_a_new_table_asks_how_players_talk_and_a_rematch_keeps_it(
    alice: User, bob: User, log_in: LogIn
) -> None:
    sent = {
        "variant": "duo",
        "seat-0": "me",
        "seat-1": "named",
        "seat-1-name": bob.username,
        "time": "unlimited",
        "dealing": "draw",
        "passes": "automatic",
        "is_public": "usual",
        "talk": "phrases",
    }
    answer = log_in(alice).post("/games/new/", sent)
    assert answer.status_code == 302, answer.text
    table = Game.objects.get()
    assert not table.allows_texts
    game = join_game(bob, table.slug)
    resign(bob, game.slug)
    assert not open_rematch(alice, game.slug).allows_texts


def test_players_do_not_read_what_watchers_say_through_a_bot_of_theirs(alice: User, carol: User, game: Game) -> None:
    robot = make_bot(alice, "robot-of-alice")
    send_message(carol, game.slug, phrase="nice-move", audience=Audience.WATCHERS)
    with pytest.raises(NotSeated) as refusal:
        talk_page(robot, game.slug, audience=Audience.WATCHERS)
    assert refusal.value.code == "playing"


@pytest.mark.parametrize(
    ("choice", "stranger", "companion", "followed"),
    [
        (Welcome.EVERYONE, True, True, True),
        (Welcome.PLAYED, False, True, True),
        (Welcome.FOLLOWED, False, False, True),
        (Welcome.NO_ONE, False, False, False),
    ],
)
def test_a_person_says_who_may_write_to_them_and_ready_phrases_stay(
    choice: Welcome,
    stranger: bool,
    companion: bool,
    followed: bool,
    alice: User,
    bob: User,
    carol: User,
    dave: User,
    log_in: LogIn,
) -> None:
    resign(carol, running(alice, carol, is_public=False).slug)
    follow_person(alice, "dave")
    User.objects.filter(pk=alice.pk).update(written_by=choice)
    for author, may in ((bob, stranger), (carol, companion), (dave, followed)):
        game = running(alice, author, is_public=False, now=timezone.now())
        page = read(log_in(author).get(f"/games/{game.slug}/talk/"))
        assert bool(page.find_all("input", id="say")) == may
        assert ("reads texts only from people they know better" in page.text) == (not may)
        if may:
            send_message(author, game.slug, text="Well met.")
        else:
            told = refused(author, game, text="Well met.")
            assert (told.code, str(told)[:39]) == ("texts-unwanted", "Someone at this table reads texts only ")
        assert send_message(author, game.slug, phrase="good-game").phrase == "good-game"
        # The one who chose so may write themselves.
        assert send_message(alice, game.slug, text="Hello.")


@pytest.mark.parametrize(
    ("choice", "found"),
    [
        (Welcome.EVERYONE, {"bob", "carol", "dave"}),
        (Welcome.PLAYED, {"carol", "dave"}),
        (Welcome.FOLLOWED, {"dave"}),
        (Welcome.NO_ONE, set()),
    ],
)
def test_what_was_written_before_is_shown_to_those_alone_who_want_it(
    choice: Welcome, found: set[str], alice: User, bob: User, carol: User, dave: User
) -> None:
    resign(carol, running(alice, carol, is_public=False).slug)
    follow_person(alice, "dave")
    game = running(alice, bob, carol, dave, is_public=False, variant="classic-4", now=timezone.now())
    for author in (alice, bob, carol, dave):
        send_message(author, game.slug, text="Well met.")
        send_message(author, game.slug, phrase="good-game")
    User.objects.filter(pk=alice.pk).update(written_by=choice)
    alice.refresh_from_db()
    lines, _more = messages_of(Game.objects.get(pk=game.pk), alice)
    assert {line.author.username for line in lines if line.text and line.author} == {"alice", *found}
    assert sum(bool(line.phrase) for line in lines) == 4


@pytest.mark.parametrize("choice", [Welcome.NO_ONE, Welcome.FOLLOWED, Welcome.PLAYED])
def test_texts_that_the_reader_wants_no_more_are_not_unread_either(
    alice: User, bob: User, carol: User, log_in: LogIn, choice: Welcome
) -> None:
    game = running(alice, bob, carol, is_public=False, variant="classic-3", now=timezone.now())
    follow_person(alice, "carol")
    for author in (bob, carol):
        send_message(author, game.slug, text="Well met.")
    send_message(bob, game.slug, phrase="good-game")
    assert unread(alice, game) == 3
    assert log_in(alice).post("/accounts/preferences/", {"theme": "dark", "written_by": choice}).status_code == 302
    assert unread(alice, game) == (1 if choice == Welcome.NO_ONE else 2)
    unfollow_person(User.objects.get(pk=alice.pk), "carol")
    assert unread(alice, game) == 1


def test_what_is_not_shown_is_not_counted_when_others_are_read(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, is_public=False, variant="classic-3", now=timezone.now())
    first = send_message(carol, game.slug, phrase="good-game")
    send_message(bob, game.slug, text="Well met.")
    User.objects.filter(pk=alice.pk).update(written_by=Welcome.NO_ONE)
    alice.refresh_from_db()
    read_messages(alice, game.slug, last=first.pk)
    assert unread(alice, game) == 0


def test_a_line_hidden_by_choice_takes_no_other_ones_place_when_its_author_is_blocked(
    alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol, is_public=False, variant="classic-3", now=timezone.now())
    send_message(carol, game.slug, phrase="good-game")
    send_message(bob, game.slug, text="Well met.")
    User.objects.filter(pk=alice.pk).update(written_by=Welcome.NO_ONE)
    Player.objects.filter(game=game, user=alice).update(unread_messages=1)
    alice.refresh_from_db()
    block_person(alice, "bob")
    assert unread(alice, game) == 1
