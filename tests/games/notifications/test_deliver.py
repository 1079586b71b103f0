"""One e-mail when my turn comes and I am not looking: once, to who wants it, with a way to stop it."""

import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from smtplib import SMTPServerDisconnected

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db.models import Q
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.mail.unsubscribe import link
from accounts.models import User
from games.actions.moves.resign import resign
from games.clock import TimeControl
from games.models import Delivery, Game, Notification, Player
from games.notifications.channels import CHANNELS
from games.notifications.deliver import deliver as send
from games.notifications.kinds import KINDS
from games.notifications.messages import Message
from tests.conftest import LogIn
from tests.games.notifications.turns import deliver_turn
from tests.games.play.pages import read
from tests.games.tables import ME, NOON, OPEN, advance, bot, fresh, open_table, running

pytestmark = pytest.mark.django_db
SOON = NOON + timedelta(seconds=30)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Bob is to play move 2."""
    return advance(running(alice, bob), random.Random(1), now=NOON)


def deliver(game: Game, number: int = 2, seat: int = 1, now: datetime = SOON) -> bool:
    return deliver_turn(Player.objects.get(game=game, seat=seat).pk, number, now=now)


def try_again(now: datetime) -> bool:
    """Send what is due, as the sweep has it sent."""
    due = Delivery.objects.filter(due_at__lt=now).values_list("pk", "tries")
    return any(send(pk, tries, now=now) for pk, tries in due)


def look(game: Game, at: datetime | None, seat: int = 1) -> None:
    Player.objects.filter(game=game, seat=seat).update(seen_at=at)


def test_who_is_to_play_is_told_once(game: Game, mailoutbox: list[EmailMessage]) -> None:
    assert deliver(game)
    assert not deliver(game)
    [mail] = mailoutbox
    assert mail.to == ["bob@example.org"]
    assert mail.subject == "Your turn: alice"


def test_the_email_has_the_link_the_deadline_and_one_click_to_stop(
    game: Game, bob: User, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.PUBLIC_URL = "https://play.example.org"
    deliver(game)
    [mail] = mailoutbox
    assert f"https://play.example.org/games/{game.slug}/" in mail.body
    stop = link(bob)
    assert stop.startswith("https://play.example.org/")
    assert stop in mail.body
    assert mail.extra_headers["List-Unsubscribe"] == f"<{stop}>"
    assert mail.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_the_deadline_is_said_in_utc(alice: User, bob: User, mailoutbox: list[EmailMessage]) -> None:
    game = running(alice, bob, now=NOON, time=TimeControl.days_a_move(3))
    deliver(game, number=1, seat=0)
    assert "You have until 4 Mar 2026, 12:00 UTC." in mailoutbox[0].body


@pytest.mark.parametrize(
    ("language", "zone", "days", "said"),
    [
        ("en", "", 3, r"2 days left, until [A-Z]\w+day\.[\n<]"),
        ("fr", "", 3, r"\b2\xa0jours restants, jusqu’à (\w+di|dimanche)\.[\n<]"),
        ("en", "", 10, r"9 days left, until \d+ \w+\.[\n<]"),
        ("fr", "", 10, r"\b9\xa0jours restants, jusqu’au \d+ \w+\.[\n<]"),
        ("en", "", 1, r"23 hours left: you have until \d+ \w+ \d{4}, \d\d:\d\d UTC\."),
        ("fr", "", 1, r"[\n>]23\xa0heures restantes\xa0: vous avez jusqu’au \d+ \w+ \d{4}, \d\d:\d\d UTC\."),
        ("en", "Asia/Tokyo", 3, r"You have until \d+ \w+ \d{4}, \d\d:\d\d JST\."),
    ],
)
def test_to_a_reader_whose_zone_is_unknown_it_is_said_how_long_there_is_and_the_hour_only_on_the_last_day(
    language: str, zone: str, days: int, said: str, alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone=zone, language=language)
    game = running(alice, bob, now=timezone.now(), time=TimeControl.days_a_move(days))
    deliver(game, number=1, seat=0, now=timezone.now())
    [mail] = mailoutbox
    assert isinstance(mail, EmailMultiAlternatives)
    for text in (str(mail.body), str(mail.alternatives[0][0])):
        assert re.search(said, text)
        assert (" UTC" in text) is (" UTC" in said)


def test_one_click_stops_the_next_email(game: Game, bob: User, mailoutbox: list[EmailMessage]) -> None:
    deliver(game)
    stop = mailoutbox[0].extra_headers["List-Unsubscribe"].strip("<>")
    answer = Client(enforce_csrf_checks=True).post("/" + stop.split("/", 3)[3], {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    bob.refresh_from_db()
    assert not bob.wants_turn_emails
    advance(advance(game, random.Random(1), now=SOON), random.Random(1), now=SOON)
    assert not deliver(game, number=4)
    assert len(mailoutbox) == 1


@pytest.mark.parametrize(("seconds", "is_sent"), [(0, False), (99, False), (100, True), (3600, True)])
def test_who_looks_at_the_game_gets_none(
    game: Game, mailoutbox: list[EmailMessage], seconds: int, is_sent: bool
) -> None:
    look(game, SOON - timedelta(seconds=seconds))
    assert deliver(game) is is_sent
    look(game, None)
    assert deliver(game) is False
    assert len(mailoutbox) == is_sent


def test_looking_at_another_game_does_not_count(
    game: Game, alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    look(running(alice, bob), SOON)
    assert deliver(game)


def test_a_turn_that_is_over_is_not_told(game: Game, mailoutbox: list[EmailMessage]) -> None:
    advance(game, random.Random(1), now=NOON)
    assert not deliver(game)
    assert not deliver(game, number=3)
    assert mailoutbox == []


def test_a_player_who_has_just_moved_and_is_to_play_again_is_not_told(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    game = running(alice, bob, now=NOON)
    game = advance(game, random.Random(1), now=NOON)
    game.moves.update(seat=1)
    assert not deliver(game)
    assert not Notification.objects.exists()


def test_another_seats_retirement_does_not_tell_a_turn_again(
    alice: User, bob: User, carol: User, mailoutbox: list[EmailMessage]
) -> None:
    game = running(alice, bob, carol, now=NOON, colours=("blue", "yellow", "red"))
    game = advance(game, random.Random(1), now=NOON)
    assert deliver(game, number=2)
    resign(carol, game.slug, now=SOON)
    assert fresh(game).turn_seat == 1
    assert not deliver(game, number=3, now=SOON + timedelta(seconds=30))
    assert len(mailoutbox) == 1


def test_a_guest_without_an_address_and_a_bot_get_none(
    alice: User, bob: User, game: Game, mailoutbox: list[EmailMessage]
) -> None:
    type(bob).objects.filter(pk=bob.pk).update(email="", is_guest=True)
    assert not deliver(game)
    assert not deliver(open_table(alice, bot(), ME), number=1, seat=0)
    assert not deliver(open_table(alice, ME, OPEN), number=1, seat=0)
    assert mailoutbox == []


@pytest.mark.parametrize("is_verified", [True, False])
def test_where_emails_are_sent_only_a_verified_address_gets_any(
    game: Game, bob: User, settings: Settings, mailoutbox: list[EmailMessage], is_verified: bool
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=bob, email="Bob@example.org", verified=is_verified, primary=True)
    assert deliver(game) is is_verified


def test_a_failed_sending_is_tried_again_after_a_while_and_not_for_ever(
    game: Game, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage], caplog: pytest.LogCaptureFixture
) -> None:
    real, failures = EmailMessage.send, [SMTPServerDisconnected("gone"), ConnectionRefusedError()]
    monkeypatch.setattr(
        EmailMessage, "send", lambda mail: (_ for _ in ()).throw(failures.pop()) if failures else real(mail)
    )
    assert not deliver(game)
    assert not try_again(SOON + timedelta(minutes=4))
    assert not try_again(SOON + timedelta(minutes=6))
    assert try_again(SOON + timedelta(minutes=12))
    assert len(mailoutbox) == 1
    assert caplog.text.count("tried again") == 2


def test_sending_is_given_up_after_five_attempts(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EmailMessage, "send", lambda mail: (_ for _ in ()).throw(ConnectionRefusedError()))
    deliver(game)
    for attempt in range(1, 8):
        assert not try_again(SOON + attempt * timedelta(minutes=6))
    assert (Delivery.objects.get().tries, Delivery.objects.get().due_at) == (5, None)


def test_a_worker_that_dies_while_sending_is_repeated_under_the_same_name(
    game: Game, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]
) -> None:
    class Killed(BaseException):
        pass

    real = EmailMessage.send
    monkeypatch.setattr(EmailMessage, "send", lambda mail: (_ for _ in ()).throw(Killed))
    with pytest.raises(Killed):
        deliver(game)
    monkeypatch.setattr(EmailMessage, "send", real)
    assert not try_again(SOON + timedelta(minutes=1))
    assert try_again(SOON + timedelta(minutes=6))
    assert mailoutbox[0].extra_headers["Message-ID"].startswith(f"<turn.{Notification.objects.get().pk}@")


def test_a_name_cannot_forge_a_header(alice: User, bob: User, mailoutbox: list[EmailMessage]) -> None:
    game = running(alice, bob, name="Sunday game")
    type(game).objects.update(name="x\r\nBcc: eve@example.org")
    assert deliver(game, number=1, seat=0)
    assert mailoutbox[0].subject == "Your turn: x Bcc: eve@example.org"
    assert mailoutbox[0].recipients() == ["alice@example.org"]


class Pigeon:
    """A channel to people without an e-mail address."""

    name, label = "pigeon", "Pigeon"
    players = Q(user__isnull=False)

    def __init__(self) -> None:
        self.carried: list[tuple[str, str]] = []

    def is_offered(self) -> bool:
        return True

    def is_confirmed(self, user: User) -> bool:
        return True

    def state(self, user: User) -> str:
        return "It flies."

    def send(self, user: User, message: Message, taken: Callable[[], object]) -> None:
        self.carried.append((user.username, message.subject))
        taken()


def new_channel(monkeypatch: pytest.MonkeyPatch) -> Pigeon:
    """Give the site one more channel, as its line in `games.notifications.channels` would."""
    pigeon = Pigeon()
    for module in ("notifications.announce", "notifications.channels", "pages.notices.notices"):
        monkeypatch.setattr(f"games.{module}.CHANNELS", (*CHANNELS, pigeon))
    return pigeon


def test_a_new_channel_has_its_switch_for_every_kind_that_is_not_of_e_mail_or_a_game_channel_alone(
    bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_channel(monkeypatch)
    page = read(log_in(bob).get("/notices/choices/"))
    assert "It flies." in page.text
    switches = {box["name"] for box in page.find_all("input", type="checkbox") if box["name"].endswith(".pigeon")}
    assert switches == {f"{kind.key}.pigeon" for kind in KINDS} - {"digest.pigeon", "chat.pigeon"}
    checked = {box["name"] for box in page.find_all("input", type="checkbox") if "checked" in box.attributes}
    assert switches - checked == {"table.pigeon", "posting.pigeon", "group.pigeon"}


def test_a_player_is_told_once_by_each_channel_that_reaches_them(
    game: Game, bob: User, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[EmailMessage]
) -> None:
    pigeon = new_channel(monkeypatch)
    assert deliver(game)
    assert not deliver(game)
    assert not try_again(SOON + timedelta(hours=1))
    assert pigeon.carried == [("bob", "Your turn: alice")]
    assert [mail.subject for mail in mailoutbox] == ["Your turn: alice"]
