"""Redis away from everything that uses it: no request fails for it, and what cannot go on says so with 503."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.utils import timezone
from django_tasks import task_backends
from pytest_django import Settings

from accounts.models import User
from blockyou.cache import Outage
from games.actions.people.keep_device import Device, keep_device
from games.actions.people.set_chat import set_chat
from games.background.sweep import sweep
from games.jobs.redis_backend import RedisBackend
from games.models import Player, PushSubscription, TalkMessage
from games.realtime import publish
from tests.conftest import LogIn
from tests.games.tables import ME, bot, invited, key, open_table, running
from tests.games.tasks.workers import run_jobs
from tests.reliability.addresses import addresses
from tests.reliability.world import BODIES, World, is_about_a_game, legal_body

NOBODY_LISTENS = "redis://127.0.0.1:1"
#: What ends a login comes last.
LAST = ("account_logout", "account_change_password", "account_set_password", "account-delete")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def without_redis(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the limits, the jobs and the messages to open pages be in a Redis that is not there."""
    options = {"url": NOBODY_LISTENS, "prefix": "nobody"}
    before = task_backends["redis"] if "redis" in settings.TASKS else None
    backend: Any = RedisBackend("redis", {"QUEUES": settings.QUEUES, "OPTIONS": options})
    layer = "games.realtime.redis_layer.RedisLayer"
    task_backends["redis"] = backend
    settings.JOB_QUEUE, settings.REDIS_URL, settings.REDIS_OPTIONS = "redis", NOBODY_LISTENS, options
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": layer, "CONFIG": {"hosts": [NOBODY_LISTENS]}}}
    settings.CACHES = {"default": {"BACKEND": "blockyou.cache.ForgivingCache", "LOCATION": NOBODY_LISTENS}}
    monkeypatch.setattr(Outage, "is_on", False)
    # A server that is away is waited for, at every message.
    monkeypatch.setattr(publish, "PUBLISH_SECONDS", 0.05)
    yield
    if before is None:
        del task_backends["redis"]
    else:
        task_backends["redis"] = before


def doors(world: World) -> list[tuple[str, str, dict[str, str]]]:
    """Return the name of every address, its path and a form for it, with a game in each state where it is about one."""
    states = [world.games[state, "public"] for state in ("open", "running", "finished")]
    names = sorted(addresses(), key=lambda name: (name in LAST, name))
    about = [(name, game) for name in names for game in (states if is_about_a_game(name) else [None])]
    return [(name, world.path(name, game), legal_body(name, game)) for name, game in about]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.slow
def test_no_address_fails(method: str) -> None:
    world, failed = World(), {}
    for name, path, form in doors(world):
        cache.clear()
        browser = world.browser("alice")
        answer = browser.get(path) if method == "GET" else browser.post(path, form)
        if answer.status_code >= 500:
            failed[name] = answer.status_code
    # The health page says what is missing.
    assert failed == ({"health": 503} if method == "GET" else {})


def test_a_notice_on_trial_is_not_promised(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.raise_request_exception = False
    device = Device(**BODIES["device"])
    keep_device(alice, browser.session.session_key or "", device, language="en", now=timezone.now())
    answer = browser.post("/device/test/")
    assert (answer.status_code, answer["X-Error-Code"]) == (503, "out-of-service")
    assert int(answer["Retry-After"]) > 0
    assert "Nothing has changed, and your games are safe." in answer.content.decode()


def test_a_message_on_trial_is_not_promised(alice: User, bob: User, log_in: LogIn) -> None:
    game, browser = running(alice, bob), log_in(alice)
    browser.raise_request_exception = False
    set_chat(alice, game.slug, "https://discord.com/api/webhooks/1/a-secret", now=timezone.now())
    answer = browser.post(f"/games/{game.slug}/webhook/test/")
    assert (answer.status_code, answer["X-Error-Code"]) == (503, "out-of-service")
    assert "on its way" not in browser.get(f"/games/{game.slug}/webhook/").content.decode()


def test_a_move_is_kept_although_nobody_can_be_told(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot(), now=timezone.now())
    answer = log_in(alice).post(f"/games/{game.slug}/place/", {"number": 1, "key": key(), "placement": "1:a1"})
    game.refresh_from_db()
    assert (answer.status_code < 400, game.move_count) == (True, 1)


def test_what_is_said_is_kept_although_nobody_can_be_told(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, now=timezone.now())
    assert log_in(alice).post(f"/games/{game.slug}/talk/", {"phrase": "hello"}).status_code < 400
    assert [line.phrase for line in TalkMessage.objects.all()] == ["hello"]
    seat = Player.objects.get(game=game, user=bob)
    assert seat.unread_messages == 1


def test_two_people_are_apart_although_no_page_can_be_told(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, invited("bob"))
    browser = log_in(bob)
    assert browser.get(f"/games/{table.slug}/").status_code == 200
    assert log_in(alice).post("/players/bob/block/").status_code < 400
    assert not Player.objects.filter(game=table, invitee=bob).exists()
    assert browser.post(f"/games/{table.slug}/join/").status_code >= 400


def test_an_invitation_is_on_its_persons_page_and_mailed_once_redis_is_back(
    alice: User, bob: User, log_in: LogIn, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    terms = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "name": ""}
    form = {**terms, "seat-0": "me", "seat-1": "named", "seat-1-name": "bob"}
    assert log_in(alice).post("/games/new/", form).status_code == 302
    bob.refresh_from_db()
    assert bob.unread_notices == 1
    # The jobs that could not be asked for are found by the sweep, here on the other queue.
    settings.JOB_QUEUE = "database"
    sweep(timezone.now() + timedelta(minutes=1))
    run_jobs()
    assert [mail.to for mail in mailoutbox] == [[bob.email]]


def test_a_device_is_sent_nothing_after_a_logout_of_which_no_page_can_be_told(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    device = Device(**BODIES["device"])
    keep_device(alice, browser.session.session_key or "", device, language="en", now=timezone.now())
    assert browser.post("/accounts/logout/").status_code == 302
    assert not PushSubscription.objects.exists()
