"""The page of notices, its number on every page, and the switches that say what to be notified of."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.expire_table import expire_table
from games.actions.tables.join_game import join_game
from games.actions.tables.remove_player import remove_player
from games.models import Game, Notification, Occasion
from games.notifications.announce import announce_game
from games.notifications.kinds import wants
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, open_table, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A game between two, which bob was told is over."""
    game = running(alice, bob)
    tell(game, bob)
    return game


def tell(game: Game, user: User, event: int = 0) -> None:
    Notification.objects.record(Occasion.OVER, game, [user.pk], timezone.now(), event=event)
    announce_game(game.pk, now=timezone.now())


def page(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def unread(html: str) -> str:
    """Return the number beside "Notices", empty where none is shown."""
    [(attributes, number)] = re.findall(r'<span\s+class="badge unread"([^>]*)>(\d+)<', html)
    return "" if "hidden" in attributes else number


def test_every_page_says_how_many_are_unread_until_they_are_seen(game: Game, bob: User, log_in: LogIn) -> None:
    client = log_in(bob)
    assert [unread(page(client, path)) for path in ("/games/", "/rules/", "/games/waiting/")] == ["1"] * 3
    assert f'href="/games/{game.slug}/"' in page(client, "/notices/")
    assert unread(page(client, "/games/")) == ""


def test_what_is_new_is_marked_once(game: Game, bob: User, log_in: LogIn) -> None:
    client = log_in(bob)
    assert ["data-new" in page(client, "/notices/") for _ in range(2)] == [True, False]


def test_opening_the_game_is_reading_its_notices(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    tell(running(alice, bob), bob)
    client = log_in(bob)
    page(client, f"/games/{game.slug}/")
    assert unread(page(client, "/rules/")) == "1"


def test_looking_ahead_reads_nothing(game: Game, bob: User, log_in: LogIn) -> None:
    log_in(bob).head("/notices/")
    assert User.objects.get(pk=bob.pk).unread_notices == 1


def test_no_one_sees_what_another_is_told(game: Game, alice: User, log_in: LogIn) -> None:
    html = page(log_in(alice), "/notices/")
    assert game.slug not in html
    assert "No notices yet" in html


def test_a_table_that_never_began_says_why(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    cancelled, expired, left = (open_table(alice, ME, OPEN, OPEN) for _ in range(3))
    for table in (cancelled, expired, left):
        join_game(bob, table.slug)
    cancel_game(alice, cancelled.slug)
    later = timezone.now() + timedelta(days=60)
    assert expire_table(expired.slug, now=later)
    remove_player(alice, left.slug, seat=1, reason="plans")
    for table in (cancelled, expired, left):
        announce_game(table.pk, now=timezone.now())
    said = page(log_in(bob), "/notices/")
    for sentence in (
        "alice cancelled it before it started.",
        "Not enough players joined.",
        "Reason: the plans for this table have changed.",
    ):
        assert sentence in said


def test_a_long_list_comes_in_pages(game: Game, bob: User, log_in: LogIn) -> None:
    for event in range(1, 30):
        tell(game, bob, event)
    client = log_in(bob)
    assert 'href="?page=2"' in page(client, "/notices/")
    assert page(client, "/notices/?page=2").count("list__title") == 6


def test_a_switch_is_saved_and_shown(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert 'href="/notices/choices/">Notice settings</a>' in page(client, "/notices/")
    client.post("/notices/choices/", {"over.site": "on"})
    html = page(client, "/notices/choices/")
    assert re.findall(r'name="(\w+\.\w+)"\s+checked', html) == ["over.site"]


def test_without_mails_there_is_no_switch_for_them_and_none_is_changed(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    html = page(client, "/notices/choices/")
    assert "This site sends no e-mails." in html
    assert "turn.email" not in html
    client.post("/notices/choices/", {})
    assert User.objects.get(pk=alice.pk).wants_turn_emails


@pytest.mark.parametrize(
    ("is_verified", "sentence"), [(True, "E-mails go to alice@example.org."), (False, "not confirmed yet")]
)
def test_the_page_says_what_would_be_sent_now(
    alice: User, log_in: LogIn, settings: Settings, is_verified: bool, sentence: str
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=is_verified, primary=True)
    assert sentence in page(log_in(alice), "/notices/choices/")


def columns(client: Client) -> list[str]:
    return [head.text for head in read(client.get("/notices/choices/")).find("thead").find_all("th")]


def test_only_what_reaches_a_person_has_boxes_and_the_rest_says_how_it_would(
    alice: User, log_in: LogIn, settings: Settings
) -> None:
    settings.EMAIL_IS_SET = True
    client = log_in(alice)
    choices = read(client.get("/notices/choices/"))
    assert columns(client) == ["On the site"]
    boxes = [box["name"] for box in choices.find_all("input", type="checkbox")]
    assert {name.partition(".")[2] for name in boxes} == {"site"}
    assert not {"turn.site", "chat.site", "digest.email"} & set(boxes)
    ways = {link.text: link["href"] for link in choices.find("ul", class_="states").find_all("a")}
    assert ways == {
        "My games": "/games/",
        "Turn them on": "/accounts/preferences/#notices",
        "Confirm the address": "/accounts/email/",
        "Your tables": "/games/",
    }
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    assert columns(client) == ["On the site", "E-mail"]


def test_what_a_form_did_not_ask_stays_as_it_was(alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/notices/choices/", {"asked": ["over.site", "table.site"], "over.site": "on"})
    choices = User.objects.get(pk=alice.pk).notice_choices
    assert (choices, wants(alice, Occasion.TURN, "push")) == ({"over.site": True, "table.site": False}, True)


def test_a_closed_account_leaves_no_notices(game: Game, bob: User) -> None:
    from accounts.erasure import close_account

    close_account(bob)
    assert not Notification.objects.filter(user=bob).exists()
    assert User.objects.get(pk=bob.pk).unread_notices == 0
