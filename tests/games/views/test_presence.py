"""Who sees when a person was here: the dot and the day on pages, and what keeps them away."""

import html
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import Presence, User, Welcome
from accounts.presence.noting import keep_visits
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.background.upkeep import Upkeep
from games.models import FollowedPerson, Player
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import running
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db


def seen(person: User, before: timedelta = timedelta()) -> None:
    """Let the person have been here so long ago."""
    keep_visits([person.pk], timezone.now() - before)


def shown(browser: Client, address: str) -> list[str]:
    """Return what a page says of when people were here."""
    return [each.text.strip() for each in read(browser.get(address)).find_all("span", class_="here")]


@pytest.fixture
def met(alice: User, bob: User) -> None:
    """Let alice and bob have played."""
    resign(bob, running(alice, bob, variant="duo").slug)


@pytest.mark.usefixtures("met")
def test_people_one_played_with_are_online_or_were_here_today_or_on_a_day(
    alice: User, bob: User, log_in: LogIn
) -> None:
    browser = log_in(alice)
    seen(alice)
    assert shown(browser, "/people/") == []
    seen(bob, timedelta(minutes=4))
    for address in ("/people/", "/players/bob/"):
        assert shown(browser, address) == ["Online now"]
    [dot] = read(browser.get("/people/")).find_all("span", class_="here--online")
    assert dot.text == "Online now"
    Presence.objects.update(seen_at=timezone.now() - timedelta(days=1))
    assert shown(browser, "/people/") == ["Last here yesterday"]
    Presence.objects.update(seen_at=datetime(2020, 1, 3, 12, tzinfo=UTC))
    assert shown(browser, "/people/") == ["Last here on 3 Jan 2020"]


@pytest.mark.parametrize(
    ("choice", "stranger", "companion", "followed"),
    [
        (Welcome.EVERYONE, True, True, True),
        (Welcome.PLAYED, False, True, True),
        (Welcome.FOLLOWED, False, False, True),
        (Welcome.NO_ONE, False, False, False),
    ],
)
def test_a_person_says_who_sees_when_they_were_here(
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
    running(alice, bob)
    resign(carol, running(alice, carol, variant="duo").slug)
    follow_person(alice, "dave")
    User.objects.update(seen_by=Welcome.EVERYONE)
    for reader in (bob, carol, dave):
        seen(reader)
    User.objects.filter(pk=alice.pk).update(seen_by=choice)
    Presence.objects.create(person=alice, seen_at=timezone.now())
    for reader, may in ((bob, stranger), (carol, companion), (dave, followed)):
        assert bool(shown(log_in(reader), "/players/alice/")) == may


@pytest.mark.parametrize(
    ("choice", "stranger", "companion", "followed"),
    [
        (Welcome.EVERYONE, True, True, True),
        (Welcome.PLAYED, False, True, True),
        (Welcome.FOLLOWED, False, False, True),
    ],
)
def test_a_person_sees_it_of_those_alone_who_see_it_of_them(
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
    resign(carol, running(alice, carol, variant="duo").slug)
    follow_person(alice, "dave")
    User.objects.update(seen_by=Welcome.EVERYONE)
    User.objects.filter(pk=alice.pk).update(seen_by=choice)
    for person in (alice, bob, carol, dave):
        seen(person)
    browser = log_in(alice)
    found = tuple(bool(shown(browser, f"/players/{name}/")) for name in ("bob", "carol", "dave"))
    assert found == (stranger, companion, followed)


@pytest.mark.usefixtures("met")
def test_who_shows_it_again_sees_it_once_it_is_kept_of_them(alice: User, bob: User, log_in: LogIn) -> None:
    seen(bob)
    browser = log_in(alice)
    assert shown(browser, "/players/bob/") == []
    seen(alice)
    assert shown(browser, "/players/bob/") == ["Online now"]


@pytest.mark.usefixtures("met")
def test_who_shows_it_to_no_one_sees_it_of_no_one_and_nothing_is_kept(alice: User, bob: User, log_in: LogIn) -> None:
    seen(alice)
    seen(bob)
    browser = log_in(alice)
    assert shown(browser, "/players/bob/")
    form = {"theme": "dark", "language": "en"}
    browser.post("/accounts/preferences/", {**form, "seen_by": "no-one"})
    assert list(Presence.objects.values_list("person", flat=True)) == [bob.pk]
    assert shown(browser, "/players/bob/") == shown(browser, "/people/") == []
    seen(alice)
    assert not Presence.objects.filter(person=alice).exists()
    # A page loaded before there was the choice leaves it as it is.
    browser.post("/accounts/preferences/", form)
    assert User.objects.get(pk=alice.pk).seen_by == "no-one"


@pytest.mark.usefixtures("met")
def test_a_block_hides_it_from_both(alice: User, bob: User, log_in: LogIn) -> None:
    User.objects.update(seen_by=Welcome.EVERYONE)
    seen(alice)
    seen(bob)
    block_person(bob, "alice")
    assert shown(log_in(alice), "/players/bob/") == shown(log_in(bob), "/players/alice/") == []


@pytest.mark.usefixtures("met")
def test_strangers_guests_and_a_site_that_has_it_off_see_nothing(
    client: Client, alice: User, bob: User, log_in: LogIn, settings: Settings
) -> None:
    User.objects.update(seen_by=Welcome.EVERYONE)
    seen(alice)
    seen(bob)
    assert shown(client, "/players/bob/") == []
    browser = log_in(alice)
    assert shown(browser, "/players/bob/")
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    assert shown(browser, "/players/bob/") == []
    User.objects.filter(pk=alice.pk).update(is_guest=False)
    settings.PRESENCE = False
    assert shown(browser, "/players/bob/") == []
    assert "Who may see when you were here" not in browser.get("/accounts/preferences/").content.decode()


@pytest.mark.usefixtures("met")
def test_challenges_and_members_of_a_group_show_it_too(alice: User, bob: User, log_in: LogIn) -> None:
    seen(alice)
    seen(bob)
    browser = log_in(alice)
    assert shown(browser, "/lobby/") == ["Online now"]
    group = create_group(alice, "Friends")
    join_group(bob, group.invite_token)
    for address in (f"/groups/{group.slug}/", f"/groups/{group.slug}/members/"):
        assert shown(browser, address) == ["Online now"]


def test_it_costs_no_query_of_its_own(
    alice: User, bob: User, log_in: LogIn, query_count: QueryCount, settings: Settings
) -> None:
    resign(bob, running(alice, bob, variant="duo").slug)
    FollowedPerson.objects.create(person=alice, other=bob, made_at=timezone.now())
    seen(bob)
    browser = log_in(alice)
    addresses = ("/people/", "/players/bob/", "/lobby/")
    with_it = [query_count(browser, address) for address in addresses]
    settings.PRESENCE = False
    assert with_it == [query_count(browser, address) for address in addresses]


def test_after_a_day_only_the_day_is_kept(alice: User, bob: User) -> None:
    now = datetime(2026, 3, 5, 20, 30, tzinfo=UTC)
    keep_visits([alice.pk], now - timedelta(hours=25))
    keep_visits([bob.pk], now - timedelta(hours=23))
    upkeep = Upkeep()
    assert [upkeep.tidy(now).visits, upkeep.tidy(now).visits] == [1, 0]
    kept = dict(Presence.objects.values_list("person", "seen_at"))
    assert kept == {alice.pk: datetime(2026, 3, 4, 12, tzinfo=UTC), bob.pk: datetime(2026, 3, 4, 21, 30, tzinfo=UTC)}


def test_the_preferences_say_what_nobody_means(alice: User, log_in: LogIn) -> None:
    page = html.unescape(log_in(alice).get("/accounts/preferences/").content.decode())
    assert "you do not see it of others either" in page
    assert "Who may write to you" in page


@pytest.mark.parametrize(
    ("choice", "shown_to_players", "shown_to_watchers"),
    [
        (Welcome.EVERYONE, True, True),
        (Welcome.PLAYED, True, False),
        (Welcome.FOLLOWED, False, False),
        (Welcome.NO_ONE, False, False),
    ],
)
def test_a_seat_says_that_its_player_looks_at_the_game_now(
    choice: Welcome,
    shown_to_players: bool,
    shown_to_watchers: bool,
    alice: User,
    bob: User,
    carol: User,
    log_in: LogIn,
) -> None:
    game = running(alice, bob)
    address = f"/games/{game.slug}/"
    User.objects.filter(pk=alice.pk).update(seen_by=choice)
    before = log_in(bob).get(f"{address}board/")["ETag"]
    Player.objects.filter(game=game, user=alice).update(seen_at=timezone.now())
    for reader, may in ((bob, shown_to_players), (carol, shown_to_watchers), (alice, False)):
        browser = log_in(reader)
        assert shown(browser, address) == (["At the table now"] if may else [])
        assert len(read(browser.get(address)).find_all("span", class_="player__here")) == may
    # An open page that asks anew hears of it, though nobody has moved.
    assert (
        log_in(bob).get(f"{address}board/", headers={"If-None-Match": before}).status_code == 200
    ) == shown_to_players
    Player.objects.filter(game=game, user=alice).update(seen_at=timezone.now() - timedelta(minutes=3))
    assert shown(log_in(bob), address) == []
