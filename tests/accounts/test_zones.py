"""The time zone in which a person reads moments."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from accounts import views
from accounts.erasure import close_account
from accounts.models import User
from accounts.readers import zones
from games.clock import PACES, TimeControl
from games.models import Notification, Occasion
from games.notifications.messages import as_read_by, message_of
from games.words.deadlines import exact
from tests.conftest import LogIn
from tests.games.tables import running

GUESS, PREFERENCES = "/accounts/time-zone/", "/accounts/preferences/"
NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)


def zone_of(user: User) -> str:
    return User.objects.get(pk=user.pk).time_zone


def test_the_first_guess_of_a_browser_is_kept_and_no_other(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    answers = [client.post(GUESS, {"zone": name}).status_code for name in ("Mars/Crater", "Asia/Tokyo", "Europe/Paris")]
    assert (answers, zone_of(alice)) == ([204, 204, 204], "Asia/Tokyo")


def test_a_visitor_reads_moments_in_the_zone_of_their_browser_until_they_have_an_account_with_one(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game, visitor = running(alice, bob, time=PACES["slow"]), Client()
    assert "UTC" in visitor.get(f"/games/{game.slug}/").content.decode()
    assert [visitor.post(GUESS, {"zone": name}).status_code for name in ("Mars/Crater", "Asia/Tokyo")] == [204, 204]
    page = visitor.get(f"/games/{game.slug}/").content.decode()
    assert "JST" in page
    assert "UTC" not in page
    assert 'data-known="Asia/Tokyo"' in page
    visitor.force_login(alice)
    assert "JST" in visitor.get(f"/games/{game.slug}/").content.decode()
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Paris")
    assert "JST" not in visitor.get(f"/games/{game.slug}/").content.decode()


@pytest.mark.django_db
def test_visitors_at_one_address_guess_so_often_in_an_hour_and_no_oftener(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "ZONES_AN_ADDRESS", 2)
    answers = [Client().post(GUESS, {"zone": "Asia/Tokyo"}).status_code for _ in range(3)]
    assert answers == [204, 204, 429]
    assert Client(REMOTE_ADDR="10.0.0.2").post(GUESS, {"zone": "Asia/Tokyo"}).status_code == 204


@pytest.mark.django_db
def test_a_forged_zone_is_read_as_none() -> None:
    visitor = Client()
    visitor.cookies["zone"] = "../etc/passwd"
    assert 'data-known=""' in visitor.get("/").content.decode()


def test_a_page_asks_the_browser_only_while_the_zone_is_unknown(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert 'data-behaviour="zone"' in client.get(PREFERENCES).content.decode()
    client.post(GUESS, {"zone": "Asia/Tokyo"})
    page = client.get(PREFERENCES).content.decode()
    assert 'data-behaviour="zone"' not in page
    assert 'data-zone="Asia/Tokyo"' in page


@pytest.mark.parametrize(("sent", "kept"), [("Asia/Tokyo", "Asia/Tokyo"), ("", ""), ("Mars/Crater", "Europe/Paris")])
def test_the_zone_is_a_preference(sent: str, kept: str, alice: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Paris")
    log_in(alice).post(PREFERENCES, {"theme": "system", "language": "", "time_zone": sent})
    assert zone_of(alice) == kept


def test_a_page_from_before_leaves_the_zone_alone(alice: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Paris")
    log_in(alice).post(PREFERENCES, {"theme": "system", "language": ""})
    assert zone_of(alice) == "Europe/Paris"


def test_a_mail_is_written_in_the_zone_of_its_reader(alice: User, bob: User) -> None:
    alice.time_zone = "Asia/Tokyo"
    game = running(alice, bob, time=TimeControl.days_a_move(3))
    Notification.objects.record(Occasion.TURN, game, [alice.pk], timezone.now(), event=1)
    with as_read_by(alice):
        assert "JST" in message_of(Notification.objects.get()).text
    assert timezone.get_current_timezone_name() == "UTC"


def test_a_closed_account_has_no_zone(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    close_account(alice)
    assert zone_of(alice) == ""


def test_a_moment_is_the_same_instant_in_every_zone() -> None:
    for name in zones.known():
        local = NOON.astimezone(ZoneInfo(name))
        with zones.in_zone(name):
            assert exact(NOON) == f"{date_format(local, 'DATETIME_FORMAT')} {local:%Z}"


def test_more_than_400_zones_are_offered() -> None:
    assert sum(len(names) for _region, names in zones.offered()) > 400
