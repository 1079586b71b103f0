"""A program's webhook is told what happens in its person's games: signed, once, and nowhere else."""

import base64
import hashlib
import hmac
import json
import random
import socket
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.erasure import close_account
from accounts.models import ApiToken, Mail, Scope, User
from accounts.tokens import make_token, revoke_token, revoke_tokens
from games.actions.moves.resign import resign
from games.actions.notices.add_webhook import MOST_WEBHOOKS, add_webhook, remove_webhook
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.background.sweep import sweep
from games.clock import TimeControl
from games.errors import BadRequest, WrongStatus
from games.models import ListVersion, Receiver
from games.notifications import webhooks
from games.notifications.webhooks import NEWS_AT_ONCE, send_test_event, tell_news
from games.queries.notices.webhooks import receivers_due
from games.queries.people.happenings import see_games
from tests.games.notifications.push_service import Post, Service
from tests.games.tables import ME, NOON, OPEN, advance, fresh, invited, open_table, running
from tests.games.tasks.workers import forget_jobs, jobs, run_jobs
from tests.proof import proof
from tests.spam import check_no_spam, needs_spamassassin

pytestmark = pytest.mark.django_db
PUBLIC = "https://bots.example.org/hook"


@pytest.fixture
def program(service: Service) -> Service:
    """A program on this machine."""
    return service


def hooked(user: User, program: Service, path: str = "/hook") -> Receiver:
    return add_webhook(user, f"{program.url}{path}", now=NOON)


def tell(receiver: Receiver, now: datetime = NOON) -> int:
    """Send what is due, asked for twice, as if two workers had it; return how many deliveries were taken."""
    due = Receiver.objects.get(pk=receiver.pk).due_at
    if due is not None and due > now:
        return 0
    tries = Receiver.objects.get(pk=receiver.pk).tries
    return sum(tell_news(receiver.pk, tries, now=now).taken for _worker in range(2))


def said(program: Service) -> list[tuple[str, str]]:
    told = [json.loads(post.body) for post in program.posts]
    return [(each["type"], each["slug"]) for each in told]


def ids(program: Service) -> list[str]:
    return [post.headers["webhook-id"] for post in program.posts]


def test_a_game_is_told_from_its_start_to_its_end(alice: User, bob: User, program: Service) -> None:
    table, hook = open_table(alice, ME, OPEN, now=NOON), hooked(alice, program)
    slug = table.slug
    join_game(bob, slug, token=table.invite_token, now=NOON)
    assert tell(hook) == 2
    advance(advance(fresh(table), random.Random(1), now=NOON), random.Random(1), now=NOON)
    assert tell(hook) == 1
    resign(bob, slug, now=NOON)
    assert tell(hook) == 1
    assert tell(hook) == 0
    assert said(program) == [("started", slug), ("my_turn", slug), ("my_turn", slug), ("finished", slug)]


def test_an_invitation_is_told_and_the_end_of_its_table_unless_it_was_declined(
    alice: User, bob: User, program: Service
) -> None:
    hook = hooked(bob, program)
    first, second = (open_table(alice, ME, invited("bob"), now=NOON) for _table in range(2))
    assert tell(hook) == 2
    decline_invitation(bob, first.slug)
    cancel_game(alice, second.slug)
    tell(hook)
    assert said(program)[2:] == [("cancelled", second.slug)]


def test_what_was_so_before_is_not_told(alice: User, bob: User, program: Service) -> None:
    running(alice, bob, now=NOON)
    open_table(bob, ME, invited("alice"), now=NOON)
    assert tell(hooked(alice, program)) == 0


def test_a_delivery_says_of_a_game_what_the_lists_say(alice: User, bob: User, program: Service, client: Client) -> None:
    hook = hooked(alice, program)
    game = running(alice, bob, now=NOON, name="Sunday", time=TimeControl.days_a_move(3))
    tell(hook)
    secret = make_token(alice, "a test", list(Scope), timezone.now())
    lists = client.get("/api/v1/games", headers={"Authorization": f"Bearer {secret}"}).json()
    told = json.loads(program.posts[-1].body)
    assert told == {"type": "my_turn", "player": "alice", **lists["turn"][0]}
    assert told["slug"] == game.slug


def genuine(post: Post, secret: str) -> bool:
    """Return whether a delivery is signed as Standard Webhooks says."""
    text = f"{post.headers['webhook-id']}.{post.headers['webhook-timestamp']}.{post.body.decode()}"
    made = hmac.digest(base64.b64decode(secret[len("whsec_") :]), text.encode(), hashlib.sha256)
    return post.headers["webhook-signature"] == f"v1,{base64.b64encode(made).decode()}"


def test_what_is_sent_is_signed_with_a_secret_of_its_own(alice: User, bob: User, program: Service) -> None:
    one, other = hooked(alice, program), hooked(alice, program, "/other")
    running(alice, bob, now=NOON)
    assert [tell(one), tell(other)] == [2, 2]
    checked = [(genuine(post, one.secret), genuine(post, other.secret)) for post in program.posts]
    assert checked == [(True, False)] * 2 + [(False, True)] * 2
    assert program.posts[0].headers["webhook-timestamp"] == str(int(NOON.timestamp()))


def test_the_example_of_standard_webhooks_has_its_signature() -> None:
    # Of their own libraries' tests.
    secret, delivery, sent = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330
    signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    assert webhooks.signature_of(secret, delivery, sent, b'{"test": 2432232314}') == signature


def test_what_fails_is_tried_again_ever_later_under_the_same_id(alice: User, bob: User, program: Service) -> None:
    hook = hooked(alice, program)
    running(alice, bob, now=NOON)
    program.answers = [(500, {}), (302, {"Location": f"{program.url}/elsewhere"}), (429, {"Retry-After": "600"})]
    assert [tell(hook, NOON + timedelta(seconds=after)) for after in (0, 59, 60, 179, 180)] == [0] * 5
    assert [tell(hook, NOON + timedelta(seconds=after)) for after in (779, 780)] == [0, 2]
    assert len(program.posts) == 5
    assert len({*ids(program)[:4]}) == 1
    assert len({*ids(program)}) == 2
    assert Receiver.objects.get().failing_since is None
    assert {post.path for post in program.posts} == {"/hook"}


def test_after_however_many_failures_it_is_tried_again_within_the_hour(
    alice: User, bob: User, program: Service
) -> None:
    hook, now = hooked(alice, program), NOON
    running(alice, bob, now=NOON)
    program.answers = [(500, {})] * 9
    pauses = []
    for _try in range(9):
        tell(hook, now)
        before, now = now, Receiver.objects.get().due_at or now
        pauses.append((now - before) // timedelta(minutes=1))
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_what_a_dead_worker_has_sent_comes_again_under_the_same_id(
    alice: User, bob: User, program: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = hooked(alice, program)
    running(alice, bob, now=NOON)
    with monkeypatch.context() as dying:
        dying.setattr("games.notifications.webhooks._hand_over", dies())
        with pytest.raises(KeyboardInterrupt):
            tell_news(hook.pk, 0, now=NOON)
    assert tell(hook, NOON + timedelta(minutes=1)) == 2
    first, again, next_one = ids(program)
    assert first == again != next_one


def dies() -> Callable[..., Any]:
    """Return what sends and does not come back."""
    send = webhooks._hand_over

    def sent(*what: Any) -> Any:
        send(*what)
        raise KeyboardInterrupt

    return sent


def test_nothing_piles_up_behind_an_address_that_does_not_answer(alice: User, bob: User, program: Service) -> None:
    hook = hooked(alice, program)
    game = running(alice, bob, now=NOON)
    program.answers = [(500, {})]
    tell(hook)
    for _move in range(6):
        game = advance(game, random.Random(1), now=NOON)
    assert Receiver.objects.count() == 1
    assert tell(hook, NOON + timedelta(minutes=1)) == 2
    told = [json.loads(post.body) for post in program.posts[1:]]
    assert [(each["type"], each["number"]) for each in told] == [("started", 7), ("my_turn", 7)]


def test_after_a_day_of_failures_it_is_switched_off_and_its_owner_written_to(
    alice: User, bob: User, program: Service, settings: Settings
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    hook = hooked(alice, program)
    running(alice, bob, now=NOON)
    program.answers = [(500, {})] * 100
    for hour in range(27):
        tell(hook, NOON + timedelta(hours=hour, minutes=hour))
    stopped = Receiver.objects.get()
    assert stopped.stopped_at is not None
    assert len(program.posts) < 40
    assert (receivers_due(NOON + timedelta(days=9)), tell(stopped, NOON + timedelta(days=9))) == (set(), 0)
    mail = Mail.objects.get()
    assert "See your webhooks" in mail.page
    assert (mail.to, mail.subject) == (alice.email, "Block-You: Your webhook was switched off")
    assert hook.address in mail.body
    assert "/webhooks/" in mail.body


@pytest.mark.slow
@needs_spamassassin
@pytest.mark.parametrize("language", proof("en", "fr"))
def test_the_mail_about_a_webhook_that_was_switched_off_is_far_from_the_spam_folder(
    language: str, alice: User, bob: User, program: Service, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    User.objects.filter(pk=alice.pk).update(language=language)
    hook = hooked(alice, program)
    running(alice, bob, now=NOON)
    program.answers = [(410, {})]
    tell(hook)
    check_no_spam(mailoutbox[-1].message().as_bytes())


def test_one_that_wants_nothing_more_is_switched_off_at_once_and_on_by_a_test(
    alice: User, bob: User, program: Service
) -> None:
    hook = hooked(alice, program)
    running(alice, bob, now=NOON)
    program.answers = [(410, {}), (500, {})]
    tell(hook)
    assert Receiver.objects.get().stopped_at == NOON
    assert not send_test_event(hook.pk)
    assert Receiver.objects.get().stopped_at == NOON
    assert send_test_event(hook.pk)
    assert json.loads(program.posts[-1].body) == {"type": "test", "player": "alice"}
    assert genuine(program.posts[-1], hook.secret)
    assert tell(hook) == 2


def test_much_at_once_is_sent_in_lots(bob: User, program: Service) -> None:
    hook = hooked(bob, program)
    for number in range(NEWS_AT_ONCE + 1):
        open_table(User.objects.create_user(f"host{number}"), ME, invited("bob"), now=NOON)
    first, second = tell_news(hook.pk, 0, now=NOON), tell_news(hook.pk, 0, now=NOON)
    assert [(told.taken, told.has_more) for told in (first, second)] == [(NEWS_AT_ONCE, True), (1, False)]
    assert len({*said(program)}) == NEWS_AT_ONCE + 1


def test_what_happens_while_it_is_being_told_is_told_next(
    alice: User, bob: User, program: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = hooked(bob, program)
    open_table(alice, ME, invited("bob"), now=NOON)
    patched = "games.notifications.webhooks.see_games"

    def look_while_another_invitation_comes(*of: Any) -> Any:
        monkeypatch.setattr(patched, see_games)
        seen = see_games(*of)
        open_table(alice, ME, invited("bob"), now=NOON)
        return seen

    monkeypatch.setattr(patched, look_while_another_invitation_comes)
    told = tell_news(hook.pk, 0, now=NOON)
    assert (told.taken, told.has_more, Receiver.objects.get().due_at) == (1, True, NOON)
    assert tell_news(hook.pk, 0, now=NOON).taken == 1
    assert len({*said(program)}) == 2


@pytest.mark.parametrize(
    "address",
    [
        "",
        "x",
        "http://bots.example.org/",
        "https://bots.example.org:8443/",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://10.0.0.1/x",
        "https://0x7f.1/x",
        "https://a@bots.example.org/",
        "https://bots.example.org/" + "x" * 1000,
    ],
)
def test_an_address_that_is_not_public_is_refused(alice: User, address: str) -> None:
    with pytest.raises(BadRequest):
        add_webhook(alice, address, now=NOON)
    assert not Receiver.objects.exists()


@pytest.mark.parametrize(
    "leads_to",
    [
        ["10.0.0.7"],
        ["127.0.0.1"],
        ["169.254.169.254"],
        ["::ffff:10.0.0.1"],
        ["fd00::1"],
        ["93.184.216.34", "10.0.0.7"],
    ],
)
def test_a_name_that_leads_to_a_private_address_is_never_asked(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, leads_to: list[str]
) -> None:
    hook = add_webhook(alice, PUBLIC, now=NOON)
    running(alice, bob, now=NOON)
    monkeypatch.setattr("socket.getaddrinfo", lambda *_of, **_how: [(2, 1, 6, "", (each, 443)) for each in leads_to])
    monkeypatch.setattr("socket.create_connection", lambda *_of, **_how: pytest.fail("it was asked"))
    assert tell(hook) == 0
    assert Receiver.objects.get().failing_since == NOON


def test_the_connection_goes_to_the_address_that_was_looked_at(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    names = iter([[(2, 1, 6, "", ("93.184.216.34", 443))]])
    monkeypatch.setattr("socket.getaddrinfo", lambda *_of, **_how: next(names))

    def refuse(address: Any, *_how: Any) -> None:
        asked.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.create_connection", refuse)
    assert not send_test_event(add_webhook(alice, PUBLIC, now=NOON).pk)
    assert asked == [("93.184.216.34", 443)]


def test_an_answer_that_comes_byte_by_byte_is_cut_short(
    alice: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_TO_LOOPBACK = True
    monkeypatch.setattr("games.notifications.outgoing.LONGEST_POST", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        hook = add_webhook(alice, f"http://127.0.0.1:{server.getsockname()[1]}/", now=NOON)
        cut = threading.Event()
        drip = threading.Thread(target=drop_by_drop, args=(server, cut))
        drip.start()
        assert not send_test_event(hook.pk)
        drip.join(20)
    assert cut.is_set()
    assert Receiver.objects.get().answer == 0


def drop_by_drop(server: socket.socket, cut: threading.Event) -> None:
    """Answer one request with a byte every 50 ms, until the other side hangs up."""
    link, _from = server.accept()
    with link:
        link.settimeout(0.05)
        ends = time.monotonic() + 15
        while time.monotonic() < ends:
            try:
                link.sendall(b"H")
                if not link.recv(65536):
                    cut.set()
                    return
            except TimeoutError:
                continue
            except OSError:
                cut.set()
                return


def test_a_person_has_three_at_most_each_once(alice: User) -> None:
    for number in range(MOST_WEBHOOKS):
        add_webhook(alice, f"{PUBLIC}/{number}", now=NOON)
    for address, code in ((f"{PUBLIC}/0", "webhook-known"), (PUBLIC, "no-more-webhooks")):
        with pytest.raises(WrongStatus) as refused:
            add_webhook(alice, address, now=NOON)
        assert refused.value.code == code


def test_it_goes_with_the_account_of_its_owner_and_of_a_bots_operator(alice: User, bob: User) -> None:
    fred = User.objects.create_user("Fred", operator=alice)
    for user in (alice, bob, fred):
        add_webhook(user, PUBLIC, now=NOON)
    close_account(alice)
    assert [each.owner for each in Receiver.objects.all()] == [bob]


def test_a_new_password_ends_those_of_a_person_and_of_their_bots(alice: User, bob: User) -> None:
    fred = User.objects.create_user("Fred", operator=alice)
    for user in (alice, bob, fred):
        add_webhook(user, PUBLIC, now=NOON)
    revoke_tokens(alice.pk)
    assert [each.owner for each in Receiver.objects.all()] == [bob]


def test_one_that_a_program_has_set_up_goes_with_its_token(alice: User) -> None:
    make_token(alice, "a test", [Scope.READ], NOON)
    token = ApiToken.objects.get()
    add_webhook(alice, PUBLIC, token=token.pk, now=NOON)
    add_webhook(alice, f"{PUBLIC}/mine", now=NOON)
    revoke_token(alice, token.pk)
    assert [each.address for each in Receiver.objects.all()] == [f"{PUBLIC}/mine"]


def test_nothing_is_sent_for_an_account_that_was_locked_or_a_webhook_that_was_removed(
    alice: User, bob: User, program: Service
) -> None:
    hook = hooked(alice, program)
    running(alice, bob, now=NOON)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert (tell(hook), receivers_due(NOON), send_test_event(hook.pk)) == (0, set(), False)
    User.objects.filter(pk=alice.pk).update(is_active=True)
    assert not remove_webhook(bob, hook.pk)
    assert remove_webhook(alice, hook.pk)
    assert tell_news(hook.pk, 0, now=NOON).taken == 0
    assert program.posts == []


@pytest.mark.django_db(transaction=True)
def test_a_job_tells_it_after_the_commit_and_one_at_most_waits(alice: User, bob: User, program: Service) -> None:
    hook = hooked(alice, program)
    game = running(alice, bob)
    for _move in range(4):
        game = advance(game, random.Random(1))
    assert jobs().count(("tell_receiver", [hook.pk, 0])) == 1
    run_jobs()
    assert said(program) == [("started", game.slug), ("my_turn", game.slug)]
    advance(advance(game, random.Random(1)), random.Random(1))
    assert jobs().count(("tell_receiver", [hook.pk, 0])) == 1
    run_jobs()
    assert said(program)[2:] == [("my_turn", game.slug)]


@pytest.mark.django_db(transaction=True)
def test_the_sweep_asks_again_for_what_was_lost_and_for_what_failed(alice: User, bob: User, program: Service) -> None:
    hook = hooked(alice, program)
    running(alice, bob)
    forget_jobs()
    # The process ended before it had noted that there is something to tell.
    Receiver.objects.update(due_at=None)
    program.answers = [(500, {})]
    sweep(timezone.now())
    run_jobs()
    assert len(program.posts) == 1
    assert ListVersion.objects.get(owner=alice.pk).version != Receiver.objects.get().version
    sweep(timezone.now())
    assert ("tell_receiver", [hook.pk, 1]) not in jobs()
    sweep(timezone.now() + timedelta(minutes=2))
    assert ("tell_receiver", [hook.pk, 1]) in jobs()
    run_jobs()
    assert [kind for kind, _slug in said(program)] == ["started", "started", "my_turn"]
    sweep(timezone.now() + timedelta(minutes=4))
    assert ("tell_receiver", [hook.pk, 0]) not in jobs()
