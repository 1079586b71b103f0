"""What was taken is written down as soon as the database is there again, and so is not sent twice."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.db import DatabaseError, OperationalError, connection
from django.test import Client
from django.utils import timezone

from accounts import outbox
from accounts.mail.outbox import post_mail, send_posted_mail
from accounts.models import Mail, User
from accounts.outbox import write_down
from games.actions.notices.add_webhook import add_webhook
from games.actions.notices.set_game_channel import set_game_channel
from games.actions.tables.join_game import join_game
from games.models import ChannelPost, Delivery, GameChannel, Occasion, Player, PushSubscription
from games.notifications.posts import deliver_post
from games.notifications.webhooks import tell_news
from tests.games.notifications.push_service import Service
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import ME, NOON, OPEN, advance, open_table, running

pytestmark = pytest.mark.django_db(transaction=True)


class Outage:
    """The database is away for the first changes that follow the moment at which something was taken."""

    left = 0

    def __call__(self, execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if self.left and sql.split()[0] in {"UPDATE", "DELETE"}:
            self.left -= 1
            raise OperationalError("away")
        return execute(sql, *rest)

    def begin(self, *_anything: Any, **_options: Any) -> int:
        self.left = 2
        return 1


@pytest.fixture
def outage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Outage]:
    monkeypatch.setattr(outbox, "NOTE_PAUSES", (0.0,) * 6)
    away = Outage()
    with connection.execute_wrapper(away):
        yield away
    assert away.left == 0, "there was an outage"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, outage: Outage) -> None:
    """A mail server that takes every mail, whereupon the database is away."""
    monkeypatch.setattr(EmailMessage, "send", outage.begin)


@pytest.mark.usefixtures("server")
def test_an_e_mail_about_an_account(alice: User) -> None:
    post_mail(EmailMessage("Your link", "https://127.0.0.1/x", to=[alice.email]), "account/email/x")
    assert send_posted_mail(Mail.objects.get().pk, 0, now=NOON)
    assert not Mail.objects.exists()


@pytest.mark.usefixtures("server")
def test_an_e_mail_about_a_turn(alice: User, bob: User) -> None:
    game = advance(running(alice, bob), random.Random(1), now=NOON)
    assert deliver_turn(Player.objects.get(game=game, seat=1).pk, 2, now=NOON)
    assert Delivery.objects.get().sent_at == NOON


def after_post(service: Service, outage: Outage) -> None:
    """Let the database be away as soon as the service has taken a post."""

    class Posts(list[Any]):
        def append(self, post: Any) -> None:
            if not self:
                outage.begin()
            super().append(post)

    service.posts = Posts(service.posts)


def test_a_notice_on_a_device(alice: User, bob: User, service: Service, outage: Outage) -> None:
    User.objects.filter(pk=bob.pk).update(email="")
    client = Client()
    client.force_login(bob)
    service.switch_on(client)
    game = advance(running(alice, bob), random.Random(1), now=NOON)
    after_post(service, outage)
    assert deliver_turn(Player.objects.get(game=game, seat=1).pk, 2, now=NOON)
    assert PushSubscription.objects.get().sent_key
    assert Delivery.objects.get().sent_at == NOON


def test_a_message_in_a_channel(alice: User, bob: User, service: Service, outage: Outage) -> None:
    table = open_table(alice, ME, OPEN)
    hook = set_game_channel(alice, table.slug, f"{service.url}/hook", now=NOON)
    GameChannel.objects.filter(pk=hook.pk).update(agreed=[alice.pk, bob.pk])
    join_game(bob, table.slug, now=NOON)
    post = ChannelPost.objects.get(occasion=Occasion.STARTED)
    after_post(service, outage)
    assert deliver_post(post.pk, 0, now=NOON)
    assert ChannelPost.objects.get(pk=post.pk).sent_at == NOON


def test_news_for_a_program(alice: User, bob: User, service: Service, outage: Outage) -> None:
    receiver = add_webhook(alice, f"{service.url}/hook", now=NOON)
    running(alice, bob)
    after_post(service, outage)
    assert tell_news(receiver.pk, 0, now=timezone.now()).taken == len(service.posts) > 0
    receiver.refresh_from_db()
    assert receiver.sending == []


def test_what_cannot_be_written_down_for_long_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    def fail() -> None:
        raise OperationalError("away")

    with pytest.raises(OperationalError):
        write_down(fail, pause=pauses.append)
    assert sum(pauses) == outbox.NOTED_WITHIN < 20


def test_what_no_outage_explains_fails_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise DatabaseError("no such column")

    with pytest.raises(DatabaseError, match="no such column"):
        write_down(fail, pause=lambda _seconds: pytest.fail("it waited"))
