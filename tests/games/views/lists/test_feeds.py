"""A calendar of my deadlines and a feed of my notices, at an address that only I know."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
import vobject
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.erasure import close_account
from accounts.models import User
from games.actions.kindness.give_day import give_day
from games.actions.kindness.take_holiday import take_holiday
from games.actions.moves.resign import resign
from games.actions.notices.read_notices import read_notices
from games.actions.notices.renew_feed import renew_feed
from games.clock import TimeControl
from games.models import Feed, Game
from games.notifications.announce import announce_game
from tests.games.tables import NOON, advance, running
from tests.games.views.lists.test_devices import logged_in

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
THREE_DAYS = TimeControl.days_a_move(3)


def address(user: User, name: str = "calendar", language: str = "en") -> str:
    return reverse(name, args=[renew_feed(user, language=language, now=NOON)])


def entries(path: str) -> list[Any]:
    """Return the entries of a calendar, as a parser of another make reads them."""
    answer = Client().get(path)
    assert answer.status_code == 200
    calendar = vobject.readOne(answer.content.decode())
    calendar.validate(raiseException=True)
    return list(getattr(calendar, "vevent_list", []))


def items(path: str) -> list[tuple[str, str]]:
    """Return title and id of every entry of a feed."""
    root = ET.fromstring(Client().get(path).content)
    assert root.tag == f"{ATOM}feed"
    return [
        (item.findtext(f"{ATOM}title") or "", item.findtext(f"{ATOM}id") or "") for item in root.iter(f"{ATOM}entry")
    ]


def test_a_deadline_of_mine_is_in_my_calendar_and_no_others(alice: User, bob: User, settings: Settings) -> None:
    settings.PUBLIC_URL, settings.PUBLIC_HOST = "https://play.example.org", "play.example.org"
    game = running(alice, bob, now=NOON, time=THREE_DAYS)
    running(alice, bob, now=NOON)
    [entry] = entries(address(alice))
    assert entry.summary.value == "Your turn: bob"
    assert entry.dtend.value == game.deadline == datetime(2026, 3, 4, 12, tzinfo=UTC)
    assert entry.url.value == f"https://play.example.org/games/{game.slug}/"
    assert entries(address(bob)) == []


def test_an_entry_whose_time_changes_keeps_its_name_and_says_so(alice: User, bob: User) -> None:
    game, path = running(alice, bob, now=NOON, time=THREE_DAYS), address(alice)
    [before] = entries(path)
    game = advance(game, Random(1), now=NOON + timedelta(hours=1))
    game = advance(game, Random(1), now=NOON + timedelta(hours=2))
    [after] = entries(path)
    assert after.uid.value == before.uid.value
    assert after.dtend.value == game.deadline > before.dtend.value
    assert int(after.sequence.value) > int(before.sequence.value)
    assert after.last_modified.value > before.last_modified.value


def test_lists_calendar_and_reminders_follow_a_holiday_and_a_given_day(alice: User, bob: User) -> None:
    now = timezone.now()
    User.objects.filter(pk=alice.pk).update(date_joined=now - timedelta(days=400))
    game, path = running(alice, bob, now=now, time=THREE_DAYS), address(alice)
    [before], mine = entries(path), logged_in(alice)
    assert game.deadline is not None
    # The first reminder comes when a quarter of the turn is left on the clock: of three days, then of four.
    for act, later, left in (
        (lambda: take_holiday(alice, *[timezone.localdate() + timedelta(days=each) for each in (1, 2)]), 2, 18),
        (lambda: give_day(bob, game.slug, number=1), 3, 24),
    ):
        act()
        until = game.deadline + timedelta(days=later)
        kept = Game.objects.get(pk=game.pk)
        assert kept.deadline == until
        assert kept.remind_at == until - timedelta(hours=left)
        [after] = entries(path)
        assert after.uid.value == before.uid.value
        assert after.dtend.value == until.replace(microsecond=0)
        assert until.isoformat(timespec="seconds") in mine.get("/games/").content.decode()


def test_long_names_of_any_letters_come_out_as_they_were(alice: User, bob: User) -> None:
    name = "Été; à trois, \\n 🎲 “dimanche”"
    running(alice, bob, now=NOON, time=THREE_DAYS, name=name)
    path = address(alice)
    assert all(len(line) <= 75 for line in Client().get(path).content.split(b"\r\n"))
    assert entries(path)[0].summary.value == f"Your turn: {name}"


def test_programs_are_told_how_often_to_ask_and_are_sent_no_invitation(alice: User, bob: User) -> None:
    running(alice, bob, now=NOON, time=THREE_DAYS)
    lines = Client().get(address(alice)).content.decode().split("\r\n")
    assert "X-PUBLISHED-TTL:PT30M" in lines
    assert "REFRESH-INTERVAL;VALUE=DURATION:PT30M" in lines
    # A METHOD makes of entries messages between people, which need an ORGANIZER (RFC 5546, 3.2.1).
    assert not [line for line in lines if line.startswith(("METHOD", "ORGANIZER"))]


def test_what_has_not_changed_is_not_sent_again(alice: User, bob: User) -> None:
    game, path = running(alice, bob, now=NOON, time=THREE_DAYS), address(alice)
    first = Client().get(path)
    again = Client().get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    advance(game, Random(1), now=NOON)
    assert Client().get(path, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.parametrize("name", ["calendar", "atom"])
def test_no_cache_keeps_it_and_no_other_site_learns_the_address(alice: User, name: str) -> None:
    answer = Client().get(address(alice, name))
    assert answer["Cache-Control"] == "private, no-cache"
    assert (answer["Referrer-Policy"], answer["X-Robots-Tag"]) == ("no-referrer", "noindex")
    assert not answer.cookies


def test_notices_and_turns_are_in_the_feed_each_under_its_own_name(alice: User, bob: User) -> None:
    over = running(alice, bob, now=NOON)
    resign(bob, over.slug, now=NOON + timedelta(minutes=1))
    announce_game(over.pk, now=NOON + timedelta(minutes=1))
    running(alice, bob, now=NOON, time=THREE_DAYS)
    path = address(alice, "atom")
    found = items(path)
    assert [title for title, _key in found] == ["Game over: bob", "Your turn: bob"]
    read_notices(alice, now=NOON)
    assert items(path) == found
    assert len({key for _title, key in found}) == 2


@pytest.mark.parametrize("name", ["calendar", "atom"])
def test_both_are_in_the_readers_language(alice: User, bob: User, name: str) -> None:
    running(alice, bob, now=NOON, time=THREE_DAYS)
    path = address(alice, name, language="fr")
    assert "À vous de jouer" in Client().get(path).content.decode()


def test_a_new_address_ends_the_old_one(alice: User) -> None:
    client, old = logged_in(alice), address(alice)
    assert client.post("/notices/feed/").status_code == 302
    assert Client().get(old).status_code == 404
    secret = Feed.objects.get(user=alice).secret
    assert len(secret) >= 32
    assert f"/feeds/{secret}/deadlines.ics" in client.get("/notices/choices/").content.decode()


def test_feeds_are_switched_off_and_end_with_the_account(alice: User, bob: User) -> None:
    mine, theirs = address(alice), address(bob)
    logged_in(alice).post("/notices/feed/", {"stop": ""})
    close_account(bob)
    assert [Client().get(path).status_code for path in (mine, theirs)] == [404, 404]
    assert not Feed.objects.exists()


def test_an_address_is_in_no_log(
    alice: User, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    path = address(alice)
    Client().get(path)
    Feed.objects.all().delete()
    Client().get(path)
    said = capfd.readouterr()
    assert path.split("/")[2] not in caplog.text + said.out + said.err


def test_an_address_is_not_asked_for_without_end(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.notices.feeds.READINGS_AN_HOUR", 2)
    path = address(alice)
    cache.clear()
    assert [Client().get(path).status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.parametrize(("name", "queries"), [("calendar", 3), ("atom", 5)])
def test_more_games_cost_no_more_queries(
    alice: User, bob: User, django_assert_num_queries: object, name: str, queries: int
) -> None:
    for _number in range(4):
        game = running(alice, bob, now=NOON, time=THREE_DAYS)
        resign(bob, running(alice, bob, now=NOON).slug, now=NOON)
        announce_game(Game.objects.latest("pk").pk, now=NOON)
    path = address(alice, name)
    Client().get(path)
    with django_assert_num_queries(queries):  # type: ignore[operator]
        assert game.slug in Client().get(path).content.decode()
