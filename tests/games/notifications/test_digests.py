"""One e-mail a day with the games that wait for me: at my hour, once, and none where nothing waits."""

import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import Settings

from accounts.erasure import close_account
from accounts.models import User
from accounts.readers import zones
from games.actions.notices.choose_notices import choose_notices
from games.background.sweep import sweep
from games.clock import TimeControl
from games.models import DailyDigest
from games.notifications.digests import deliver_digest, prepare_digests
from tests.games.tables import NOON, advance, running
from tests.games.tasks.workers import run_jobs
from tests.games.views.lists.test_devices import logged_in

pytestmark = pytest.mark.django_db
PARIS = "Europe/Paris"
#: Eight in the morning of the next day in Paris.
EIGHT = datetime(2026, 3, 2, 7, tzinfo=UTC)


@pytest.fixture
def reader(alice: User) -> User:
    """Alice wants a summary at eight in Paris."""
    User.objects.filter(pk=alice.pk).update(time_zone=PARIS)
    choose_notices(alice, {"digest.email": True}, now=NOON, hour=8)
    alice.refresh_from_db()
    return alice


def send_due(now: datetime) -> int:
    """Send what is due, each twice, as if two workers had it; return how many were sent."""
    prepare_digests(now)
    due = list(DailyDigest.objects.filter(due_at__isnull=False).values_list("pk", "tries"))
    return sum(deliver_digest(*digest, now=now) for digest in due * 2)


def test_it_comes_once_a_day_at_the_hour_of_the_reader(reader: User, bob: User) -> None:
    running(reader, bob, now=NOON)
    assert reader.digest_at == EIGHT
    sent = [send_due(NOON + timedelta(hours=hour)) for hour in range(73)]
    assert [hour for hour, number in enumerate(sent) if number] == [19, 43, 67]
    assert sum(sent) == 3


def test_no_one_gets_it_without_asking(alice: User, bob: User) -> None:
    running(alice, bob, now=NOON)
    choose_notices(alice, {"turn.email": True}, now=NOON)
    assert prepare_digests(EIGHT + timedelta(days=1)) == []


def test_where_nothing_waits_nothing_is_sent(reader: User, bob: User, mailoutbox: list[EmailMultiAlternatives]) -> None:
    game = running(reader, bob, now=NOON)
    [digest] = prepare_digests(EIGHT)
    advance(game, random.Random(1), now=EIGHT)
    assert not deliver_digest(digest, 0, now=EIGHT)
    assert send_due(EIGHT + timedelta(days=1)) == 0
    assert mailoutbox == []


def test_games_stand_in_it_by_the_time_that_is_left(
    reader: User, bob: User, carol: User, settings: Settings, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    settings.PUBLIC_URL = "https://play.example.org"
    running(reader, bob, now=NOON, name="Slow")
    running(reader, carol, now=NOON, time=TimeControl.days_a_move(3), name="Three days")
    soon = running(reader, carol, now=NOON, time=TimeControl.days_a_move(1), name="One day")
    assert send_due(EIGHT) == 1
    [mail] = mailoutbox
    assert mail.subject == "3 games are waiting for you"
    body, page = mail.body, str(mail.alternatives[0][0])
    assert body.index("One day") < body.index("Three days") < body.index("Slow")
    assert "5 h 00 left, until 2 Mar 2026, 13:00 CET" in body
    assert f'href="https://play.example.org/games/{soon.slug}/"' in page


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", ("4 h 00 left, until 2 Mar 2026, 12:00 UTC", "2 days left, until Wednesday")),
        (
            "fr",
            ("encore 4 h 00, jusqu’au 2 mars 2026, 12:00 UTC", "2\N{NO-BREAK SPACE}jours restants, jusqu’à mercredi"),
        ),
    ],
)
def test_to_a_reader_whose_zone_is_unknown_it_says_the_hour_only_of_games_in_their_last_day(
    language: str, lines: tuple[str, str], reader: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    User.objects.filter(pk=reader.pk).update(time_zone="", language=language)
    for days in (1, 3):
        running(reader, bob, now=NOON, time=TimeControl.days_a_move(days))
    assert send_due(EIGHT + timedelta(hours=1)) == 1
    [mail] = mailoutbox
    for text in (mail.body, str(mail.alternatives[0][0])):
        assert all(line in text for line in lines)
        assert text.count(" UTC") == 1


def test_one_that_could_not_be_sent_is_tried_again(
    reader: User, bob: User, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    running(reader, bob, now=NOON)
    with monkeypatch.context() as broken:

        def refuse(*_given: object, **_named: object) -> int:
            raise ConnectionRefusedError

        broken.setattr(EmailMultiAlternatives, "send", refuse)
        assert send_due(EIGHT) == 0
    assert send_due(EIGHT + timedelta(minutes=10)) == 1
    assert len(mailoutbox) == 1


def test_one_click_stops_it_and_nothing_else(reader: User, bob: User, mailoutbox: list[EmailMultiAlternatives]) -> None:
    running(reader, bob, now=NOON)
    send_due(EIGHT)
    stop = mailoutbox[0].extra_headers["List-Unsubscribe"].strip("<>")
    assert Client().post("/" + stop.split("/", 3)[3], {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert send_due(EIGHT + timedelta(days=1)) == 0
    reader.refresh_from_db()
    assert (reader.digest_at, reader.wants_turn_emails) == (None, True)


def test_a_summary_that_is_hours_late_is_left_out(reader: User, bob: User) -> None:
    running(reader, bob, now=NOON)
    assert send_due(EIGHT + timedelta(hours=6, minutes=1)) == 0
    assert send_due(EIGHT + timedelta(days=1, hours=5)) == 1


def test_a_new_time_zone_brings_no_second_one_on_a_day(reader: User, bob: User) -> None:
    running(reader, bob, now=NOON)
    assert send_due(EIGHT) == 1
    User.objects.filter(pk=reader.pk).update(time_zone="America/New_York")
    choose_notices(reader, {"digest.email": True}, now=EIGHT)
    assert send_due(EIGHT + timedelta(hours=6)) == 0
    assert send_due(EIGHT + timedelta(hours=30)) == 1


@pytest.mark.parametrize(
    "zone", ["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "no zone"]
)
@pytest.mark.parametrize("hour", [0, 2, 23])
def test_every_day_of_a_year_has_the_hour_once(zone: str, hour: int) -> None:
    moment, days = datetime(2026, 1, 1, tzinfo=UTC), []
    for _day in range(366):
        moment = zones.next_at_hour(zone, hour, moment)
        days.append(zones.day_of(zone, moment))
    assert days == sorted({*days})
    assert (days[-1] - days[0]).days == 365
    local = [moment.astimezone(ZoneInfo(zone if "/" in zone else "UTC")).hour]
    assert local == [hour]


@pytest.mark.django_db(transaction=True)
def test_the_sweep_has_it_sent_and_asks_again_for_what_was_lost(
    reader: User, bob: User, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    running(reader, bob, now=NOON)
    prepare_digests(EIGHT)
    sweep(EIGHT + timedelta(seconds=10))
    sweep(EIGHT + timedelta(seconds=11))
    run_jobs()
    assert [mail.subject for mail in mailoutbox if "wait" in mail.subject] == ["1 game is waiting for you"]


def test_it_is_chosen_with_its_hour_where_there_are_emails(alice: User, settings: Settings) -> None:
    client = logged_in(alice)
    assert "digest.email" not in client.get("/notices/choices/").content.decode()
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    assert 'name="digest.email"' in client.get("/notices/choices/").content.decode()
    client.post("/notices/choices/", {"digest.email": "on", "hour": "19"})
    alice.refresh_from_db()
    assert (alice.digest_hour, alice.digest_at is not None) == (19, True)
    client.post("/notices/choices/", {"hour": "99"})
    alice.refresh_from_db()
    assert (alice.digest_hour, alice.digest_at) == (19, None)


def test_it_ends_with_the_account(reader: User, bob: User) -> None:
    running(reader, bob, now=NOON)
    prepare_digests(EIGHT)
    close_account(reader)
    assert not DailyDigest.objects.exists()
    assert not User.objects.filter(digest_at__isnull=False).exists()
