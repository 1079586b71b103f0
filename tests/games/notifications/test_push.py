"""A notice on my devices when my turn comes: encrypted, signed by the site, once, and never to a private host."""

import random
import socket
import threading
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.background.sweep import sweep
from games.background.upkeep import Upkeep
from games.clock import TimeControl
from games.models import Delivery, Game, Player, PushSubscription
from games.notifications.channels.webpush.encryption import LONGEST_MESSAGE, encrypt
from games.notifications.channels.webpush.vapid import new_push_key, public_key
from games.notifications.deliver import DELIVERY_OUTBOX
from games.notifications.deliver import deliver as send
from games.notifications.outgoing import LONGEST_POST, NotPublicError, ServiceAnswer, hand_over, public_addresses
from tests.conftest import logged_in
from tests.games.notifications.push_service import Device, Service, decoded, subscription, topic_of
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import advance, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Bob is to play move 2, within three days."""
    start = timezone.now() - timedelta(minutes=1)
    return advance(running(alice, bob, now=start, time=TimeControl.days_a_move(3)), random.Random(1), now=start)


@pytest.fixture
def bobs(client: Client, bob: User) -> Client:
    """Bob is reached by his devices alone."""
    User.objects.filter(pk=bob.pk).update(email="")
    client.force_login(bob)
    return client


def deliver(game: Game, later: timedelta = timedelta()) -> bool:
    """Have the turn announced, or else what is due then sent again; return whether anything was sent."""
    now = timezone.now() + later
    if deliver_turn(Player.objects.get(game=game, seat=1).pk, 2, now=now):
        return True
    sent = [send(key, tries, now=now) for key, tries in DELIVERY_OUTBOX.due(now)]
    return any(sent)


def test_encryption_is_that_of_the_example_in_rfc_8291() -> None:
    private = int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    body = encrypt(
        b"When I grow up, I want to be a watermelon",
        decoded(point),
        decoded("BTBZMqHH6r4Tts7J_aSIgg"),
        key=ec.derive_private_key(private, ec.SECP256R1()),
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert body == decoded(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_the_longest_message_fits_into_one_record_and_is_read() -> None:
    device, text = Device("https://push.example.org/"), bytes(range(1, 201)) * 20
    body = encrypt(text[:LONGEST_MESSAGE], device.point, device.secret)
    assert len(body) == 4096
    assert device.decrypt(body) == text[:LONGEST_MESSAGE]
    with pytest.raises(ValueError, match="too long"):
        encrypt(text[: LONGEST_MESSAGE + 1], device.point, device.secret)


def test_every_key_of_a_site_is_new_and_has_a_point() -> None:
    keys = {new_push_key() for _ in range(20)}
    assert len(keys) == 20
    assert {len(decoded(key)) for key in keys} == {32}
    assert decoded(public_key())[0] == 4


def test_a_device_is_told_whose_turn_it_is_in_words_that_only_it_can_read(
    game: Game, service: Service, bobs: Client, mailoutbox: list[EmailMessage]
) -> None:
    device = service.switch_on(bobs)
    assert deliver(game)
    [post] = service.posts
    notice = device.read(post)
    assert (post.path, notice["title"], notice["path"]) == ("/device", "Your turn: alice", f"/games/{game.slug}/")
    assert notice["text"] == "alice placed N. You have until {time}."
    assert notice["until"] == int(game.deadline.timestamp() * 1000)  # type: ignore[union-attr]
    assert (notice["tag"], notice["open"], notice["waiting"]) == (f"/games/{game.slug}/", "Open", 1)
    assert game.invite_token not in device.decrypt(post.body).decode()
    assert mailoutbox == []


def test_the_site_signs_for_the_service_and_says_how_to_reach_the_host(
    game: Game, service: Service, bobs: Client, settings: Settings
) -> None:
    service.switch_on(bobs)
    settings.IS_HTTPS, settings.PUBLIC_URL = True, "https://play.example.org"
    deliver(game)
    assert service.claims(service.posts[0], public_key())["sub"] == "https://play.example.org"


def test_a_service_keeps_a_notice_until_the_deadline_and_only_the_last_of_a_game(
    game: Game, service: Service, bobs: Client
) -> None:
    service.switch_on(bobs)
    deliver(game)
    headers = service.posts[0].headers
    assert int(headers["TTL"]) == pytest.approx(timedelta(days=3).total_seconds() - 60, abs=5)
    assert headers["Topic"] == topic_of(f"/games/{game.slug}/")
    assert (headers["Urgency"], headers["Content-Encoding"]) == ("normal", "aes128gcm")


def test_with_little_time_left_a_notice_is_urgent(game: Game, service: Service, bobs: Client) -> None:
    service.switch_on(bobs)
    Game.objects.update(deadline=timezone.now() + timedelta(hours=2))
    deliver(game)
    assert service.posts[0].headers["Urgency"] == "high"


def test_without_a_deadline_a_notice_is_kept_for_four_weeks(
    alice: User, bob: User, service: Service, bobs: Client
) -> None:
    game = advance(running(alice, bob, now=timezone.now()), random.Random(1), now=timezone.now())
    device = service.switch_on(bobs)
    deliver(game)
    assert service.posts[0].headers["TTL"] == str(28 * 24 * 3600)
    assert device.read(service.posts[0])["text"] == "alice placed N."


def test_a_notice_is_in_the_language_in_which_a_guest_switched_notices_on(
    game: Game, bob: User, service: Service, bobs: Client
) -> None:
    User.objects.filter(pk=bob.pk).update(is_guest=True, email="")
    bobs.post("/accounts/language/", {"language": "fr"})
    User.objects.filter(pk=bob.pk).update(language="")
    device = service.switch_on(bobs)
    assert deliver(game)
    assert device.read(service.posts[0])["language"] == "fr"


def test_every_device_of_a_person_is_told_once(game: Game, bob: User, service: Service, bobs: Client) -> None:
    service.switch_on(bobs, "phone")
    service.switch_on(logged_in(bob), "desk")
    assert deliver(game)
    assert not deliver(game)
    assert [post.path for post in service.posts] == ["/phone", "/desk"]


def test_the_devices_of_a_person_take_together_as_long_as_one_and_those_that_are_left_are_told_later(
    game: Game, bob: User, service: Service, bobs: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]

    def slowly(*post: Any, **more: Any) -> ServiceAnswer:
        now[0] += 0.4 * LONGEST_POST
        return hand_over(*post, **more)

    monkeypatch.setattr("games.notifications.channels.push.time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr("games.notifications.channels.push.hand_over", slowly)
    for number in range(5):
        service.switch_on(logged_in(bob) if number else bobs, f"device-{number}")
    assert not deliver(game)
    assert [post.path for post in service.posts] == ["/device-0", "/device-1", "/device-2"]
    assert deliver(game, timedelta(minutes=6))
    assert [post.path for post in service.posts[3:]] == ["/device-3", "/device-4"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_one_notice(game: Game, service: Service, bobs: Client) -> None:
    service.switch_on(bobs)
    sent: list[bool] = []

    def work() -> None:
        sent.append(deliver(game))
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(sent) == [False, False, False, True]
    assert len(service.posts) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(game: Game, service: Service, bobs: Client, status: int) -> None:
    service.switch_on(bobs)
    service.answers = [(status, {})]
    assert not deliver(game)
    assert not PushSubscription.objects.exists()
    assert not deliver(game, timedelta(minutes=6))
    assert not DELIVERY_OUTBOX.due(timezone.now() + timedelta(days=1))
    assert len(service.posts) == 1


@pytest.mark.parametrize("status", [429, 500, 503, 403, 302])
def test_a_service_that_fails_is_asked_again_and_a_device_that_was_told_is_not(
    game: Game, bob: User, service: Service, bobs: Client, status: int
) -> None:
    service.switch_on(bobs, "phone")
    service.switch_on(logged_in(bob), "desk")
    service.answers = [(201, {}), (status, {"Location": f"{service.url}/elsewhere"})]
    assert not deliver(game)
    assert not deliver(game, timedelta(minutes=4))
    assert deliver(game, timedelta(minutes=6))
    assert [post.path for post in service.posts] == ["/phone", "/desk", "/desk"]
    assert subscription(bobs).failing_since is None


def test_a_service_that_asks_for_a_rest_is_left_alone_for_so_long(game: Game, service: Service, bobs: Client) -> None:
    service.switch_on(bobs)
    service.answers = [(429, {"Retry-After": "3600"})]
    deliver(game)
    assert not deliver(game, timedelta(minutes=6))
    rest = subscription(bobs).rest_until
    assert rest is not None
    assert rest - timezone.now() == pytest.approx(timedelta(hours=1), abs=timedelta(seconds=5))
    PushSubscription.objects.update(rest_until=timezone.now())
    assert deliver(game, timedelta(minutes=12))
    assert len(service.posts) == 2


def test_a_service_that_is_away_is_a_failure_and_no_error(game: Game, service: Service, bobs: Client) -> None:
    service.switch_on(bobs)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        PushSubscription.objects.update(endpoint=f"http://127.0.0.1:{probe.getsockname()[1]}/")
        assert not deliver(game)
    assert subscription(bobs).failing_since is not None


def test_what_was_lost_the_sweep_asks_for_again(game: Game, service: Service, bobs: Client) -> None:
    service.switch_on(bobs)
    assert sweep(timezone.now() + timedelta(minutes=2)).notices == 1


PRIVATE = """127.0.0.1 10.1.2.3 192.168.0.1 172.16.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 240.0.0.1 ::1
    fe80::1 fc00::1 ff02::1 ::ffff:10.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: ::127.0.0.1
    fec0::1 5f00::1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 fd00:ec2::254 100.100.100.200 168.63.129.16 192.0.0.192
    64:ff9b::168.63.129.16"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_a_name_that_leads_to_a_private_address_is_not_asked(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    found: list[Any] = [(socket.AF_INET6, 1, 6, "", (each, 443)) for each in ("93.184.215.14", address)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_more: found)
    with pytest.raises(NotPublicError):
        public_addresses("push.example.org", 443)
    with pytest.raises(NotPublicError):
        hand_over("https://push.example.org/x", b"", {}, now=timezone.now())


def test_the_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Any] = [(socket.AF_INET, 1, 6, "", ("93.184.215.14", 443))]
    asked: list[Any] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_more: found)

    def refuse(address: Any, timeout: float) -> None:
        asked.append(address)
        raise OSError("refused")

    monkeypatch.setattr(socket, "create_connection", refuse)
    assert hand_over("https://push.example.org/x", b"", {}, now=timezone.now()).status == 0
    assert asked == [("93.184.215.14", 443)]


def test_a_device_that_names_a_private_address_is_forgotten(
    game: Game, service: Service, bobs: Client, settings: Settings
) -> None:
    service.switch_on(bobs)
    settings.PUSH_TO_LOOPBACK = False
    deliver(game)
    assert (service.posts, PushSubscription.objects.count()) == ([], 0)


def test_upkeep_forgets_devices_without_a_login_and_those_that_fail_for_two_weeks(
    bob: User, service: Service, bobs: Client
) -> None:
    failing = logged_in(bob)
    service.switch_on(bobs, "kept")
    service.switch_on(failing, "failing")
    PushSubscription.objects.filter(pk=subscription(failing).pk).update(failing_since=timezone.now())
    lost = logged_in(bob)
    service.switch_on(lost, "lost")
    PushSubscription.objects.filter(pk=subscription(lost).pk).update(session_key="no-longer-there")
    assert Upkeep().tidy(timezone.now()).devices == 1
    assert Upkeep().tidy(timezone.now() + timedelta(days=15)).devices == 1
    assert PushSubscription.objects.get().endpoint.endswith("/kept")


def test_a_person_is_told_by_every_channel_that_is_switched_on(
    game: Game, bob: User, service: Service, bobs: Client, mailoutbox: list[EmailMessage]
) -> None:
    User.objects.filter(pk=bob.pk).update(email="bob@example.org")
    service.switch_on(bobs)
    assert deliver(game)
    assert not deliver(game, timedelta(minutes=6))
    assert (len(service.posts), len(mailoutbox), Delivery.objects.count()) == (1, 1, 2)
