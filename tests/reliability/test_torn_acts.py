"""D14: the database or Redis away in the middle of what people do besides moving: it is done once or not at all.

Saying something, blocking a person and inviting one are tried with the database going away at their first statement, at
the second, and so on, until they are through; whoever is answered 503 finds all as it was. What was to be told when it
went is told by the sweep.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from games.background.sweep import sweep
from games.models import BlockedPerson, Delivery, FollowedPerson, Game, Notification, Player, TalkMessage
from tests.conftest import LogIn
from tests.games.tables import ME, invited, open_table, running
from tests.games.tasks.workers import run_jobs
from tests.reliability.outage import away_after

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

TABLES: tuple[type[Model], ...] = (
    *(BlockedPerson, Delivery, FollowedPerson, Game, Notification, Player, TalkMessage, User),
)
#: No act asks for so many statements.
MOST_STATEMENTS = 200


def stored() -> dict[str, list[Any]]:
    """Return all rows of what people do."""
    return {model.__name__: [*model._default_manager.order_by("pk").values()] for model in TABLES}


def speak(alice: User, bob: User) -> tuple[str, dict[str, str]]:
    return f"/games/{running(alice, bob, now=timezone.now()).slug}/talk/", {"phrase": "hello"}


def block(alice: User, bob: User) -> tuple[str, dict[str, str]]:
    open_table(alice, ME, invited("bob"))
    FollowedPerson.objects.create(person=bob, other=alice, made_at=timezone.now())
    return "/players/bob/block/", {}


def invite(alice: User, bob: User) -> tuple[str, dict[str, str]]:
    terms = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "name": ""}
    return "/games/new/", {**terms, "seat-0": "me", "seat-1": "named", "seat-1-name": "bob"}


def said(alice: User, bob: User) -> int:
    return TalkMessage.objects.filter(author=alice, phrase="hello").count()


def parted(alice: User, bob: User) -> int:
    assert not Player.objects.filter(invitee=bob).exists()
    assert not FollowedPerson.objects.exists()
    return BlockedPerson.objects.filter(person=alice, other=bob).count()


def asked(alice: User, bob: User) -> int:
    return Player.objects.filter(invitee=bob, game__creator=alice).count()


@pytest.mark.parametrize(("prepare", "done"), [(speak, said), (block, parted), (invite, asked)])
def test_it_is_done_once_or_not_at_all_wherever_the_database_goes_away(
    prepare: Callable[[User, User], tuple[str, dict[str, str]]],
    done: Callable[[User, User], int],
    alice: User,
    bob: User,
    log_in: LogIn,
) -> None:
    path, form = prepare(alice, bob)
    browser = log_in(alice)
    browser.raise_request_exception = False
    # The day's first request writes to the session.
    assert browser.get("/rules/").status_code == 200
    before = stored()
    for statements in range(MOST_STATEMENTS):
        cache.clear()
        with away_after(statements) as refused:
            answer = browser.post(path, form)
        if answer.status_code != 503:
            break
        assert refused
        assert stored() == before, refused[0]
    assert answer.status_code in (200, 302), answer.content.decode()[:2000]
    assert statements > 5
    assert done(alice, bob) == 1


def test_an_invitation_that_could_not_be_announced_reaches_the_person(
    alice: User, bob: User, log_in: LogIn, mailoutbox: list[EmailMessage]
) -> None:
    path, form = invite(alice, bob)
    browser = log_in(alice)
    browser.raise_request_exception = False
    browser.get("/rules/")
    for statements in range(MOST_STATEMENTS):
        cache.clear()
        with away_after(statements) as refused:
            if browser.post(path, form).status_code == 302:
                break
    assert refused, "it was stored, and then the database was away"
    later = timezone.now() + timedelta(seconds=10)
    for _round in range(3):
        sweep(later)
        run_jobs()
    bob.refresh_from_db()
    assert (bob.unread_notices, [mail.to for mail in mailoutbox]) == (1, [[bob.email]])
