"""What goes out keeps nothing else waiting: queues and lanes of its own, turns for people, and rests for the late."""

import importlib.util
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection, connections
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.background.upkeep import KEPT_LATE, Upkeep
from games.background.worker import JobWorker
from games.jobs import enqueue, find_jobs
from games.jobs.courier import DOUBTFUL, LANES, LEAVES_AFTER, MAIL, MOST_UNDER_WAY, PROVEN, Courier
from games.models import ChannelPost, Delivery, GameChannel, Lease, Notification, Occasion, PushSubscription
from games.notifications import outgoing
from games.notifications.lateness import HOST_RESTS_FOR, LATE_ANSWERS, LATE_AT_HOST, RESTS_FOR, lateness_of
from games.notifications.outgoing import hand_over
from games.notifications.posts import deliver_post
from games.tasks import DELIVERIES, POSTS, people_of, play_bot_turn, send_mail, send_post
from tests.games.tables import ME, OPEN, open_table
from tests.games.tasks.queues import job_queue as job_queue
from tests.games.tasks.workers import forget_jobs, jobs, make_older, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
GOOD = b"HTTP/1.1 204 No Content\r\n\r\n"


def post_for(owner: User, address: str = "https://chat.example/x", answer: int = 0) -> ChannelPost:
    """Return a post that waits for the channel of a table, which answered so the last time. No job waits after it."""
    game = open_table(owner, ME, OPEN, is_public=False)
    hook = GameChannel.objects.create(game=game, owner=owner, address=address, created_at=NOON, answer=answer)
    forget_jobs()
    return ChannelPost.objects.create(channel=hook, occasion=Occasion.STARTED, due_at=timezone.now())


def waiting_in() -> dict[str, str]:
    """Return in which queue the jobs wait, by name."""
    return {job.name: job.queue for job in find_jobs("READY")}


def queue_of(post: ChannelPost) -> str:
    """Return in which queue a post waits that is asked for now."""
    POSTS.ask(post.pk)
    [queue] = waiting_in().values()
    forget_jobs()
    return queue


def test_workers_leave_to_the_courier_what_goes_out_and_it_leaves_the_rest_to_them() -> None:
    for kind in (play_bot_turn, send_mail, send_post):
        enqueue(kind, 1, 1)
    worker, courier = JobWorker("worker"), Courier("courier", people_of)
    assert [job.name for job in iter(worker.take, None)] == ["play_bot_turn"]
    assert sorted(job.name for job in iter(courier.take, None)) == ["send_mail", "send_post"]


def test_an_address_that_took_the_last_message_has_lanes_apart_from_one_that_did_not(alice: User) -> None:
    for answer, queue in ((0, DOUBTFUL), (500, DOUBTFUL), (204, PROVEN)):
        POSTS.ask(post_for(alice, answer=answer).pk)
        assert waiting_in() == {"send_post": queue}
        assert Courier("courier", people_of).take()


@pytest.mark.parametrize(
    ("devices", "queue"),
    [
        ([{"used_at": NOON}], PROVEN),
        ([{"used_at": NOON}, {}], DOUBTFUL),
        ([{"used_at": NOON, "failing_since": NOON}], DOUBTFUL),
    ],
)
def test_a_notice_waits_among_the_doubtful_while_a_device_has_not_answered(
    devices: list[dict[str, Any]], queue: str, alice: User, bob: User
) -> None:
    game = open_table(alice, ME, OPEN)
    forget_jobs()
    notice = Notification.objects.create(user=bob, game=game, occasion=Occasion.STARTED, event=0, created_at=NOON)
    for number, about in enumerate(devices):
        PushSubscription.objects.create(
            user=bob, session_key=f"s{number}", endpoint=f"https://push.example/{number}", created_at=NOON, **about
        )
    for channel, wanted in (("push", queue), ("email", MAIL)):
        DELIVERIES.ask(Delivery.objects.create(notification=notice, channel=channel, due_at=NOON).pk)
        waiting = [job for job in find_jobs("READY") if job.name == "send_notice"]
        assert [job.queue for job in waiting] == [wanted]
        assert Courier("courier", people_of).take()


def test_posts_pushes_and_summaries_are_done_for_the_person_whose_they_are(alice: User, bob: User) -> None:
    post = post_for(alice)
    notice = Notification.objects.create(
        user=bob, game=post.channel.game, occasion=Occasion.STARTED, event=0, created_at=NOON
    )
    delivery = Delivery.objects.create(notification=notice, channel="push", due_at=NOON)
    found = people_of({("send_post", post.pk), ("send_notice", delivery.pk), ("send_test_to_chat", post.channel_id)})
    assert found == {
        ("send_post", post.pk): frozenset([alice.pk]),
        ("send_notice", delivery.pk): frozenset([bob.pk]),
        ("send_test_to_chat", post.channel_id): frozenset([alice.pk]),
    }


def test_of_many_messages_of_one_person_one_goes_before_that_of_another(alice: User, bob: User) -> None:
    mine, theirs = [post_for(alice) for _ in range(6)], post_for(bob)
    for number, post in enumerate(mine):
        enqueue(send_post, post.pk, 0)
        make_older(find_jobs()[-1], timedelta(seconds=60 - number))
    enqueue(send_post, theirs.pk, 0)
    courier = Courier("courier", people_of)
    taken = [job.arguments[0] for _ in range(2) if (job := courier.take())]
    assert taken == [mine[0].pk, theirs.pk]


@contextmanager
def tarpit(say: bytes = b"HTTP/1.1 200 OK\r\n", good: int = 0) -> Iterator[str]:
    """Yield the address of a server that begins its answer well and never ends it, after so many that it ends."""
    is_over, threads, answers = threading.Event(), [], iter([GOOD] * good)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def trickle(link: socket.socket) -> None:
            with link:
                try:
                    if answer := next(answers, b""):
                        # What it has not read would be lost with the answer.
                        link.recv(1 << 16)
                        link.sendall(answer)
                        return
                    link.sendall(say)
                    while not is_over.wait(0.02):
                        link.sendall(b"X-More: yes\r\n")
                except OSError:
                    return

        def accept() -> None:
            while not is_over.is_set():
                try:
                    link, _who = server.accept()
                except OSError:
                    return
                threads.append(threading.Thread(target=trickle, args=(link,)))
                threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/hook"
        finally:
            is_over.set()
            # Waiting for a connection is ended by one.
            socket.create_connection(server.getsockname()).close()
            accepting.join()
    for thread in threads:
        thread.join()


@pytest.fixture
def impatient(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a post take a fifth of a second, and lead to this machine."""
    settings.PUSH_TO_LOOPBACK = True
    monkeypatch.setattr(outgoing, "LONGEST_POST", 0.2)


@pytest.mark.usefixtures("impatient")
def test_an_answer_that_is_cut_is_none_however_well_it_began() -> None:
    with tarpit() as address:
        answer = hand_over(address, b"{}", {}, now=NOON)
    assert (answer.status, answer.is_taken) == (0, False)


@pytest.mark.usefixtures("impatient")
def test_an_address_that_is_late_three_times_in_a_row_is_left_alone_for_an_hour() -> None:
    with tarpit() as address:
        rests = [hand_over(address, b"{}", {}, now=NOON).rest for _ in range(LATE_ANSWERS)]
        assert rests == [timedelta()] * (LATE_ANSWERS - 1) + [RESTS_FOR]
    # Nothing listens there any more, and nothing is asked.
    assert hand_over(address, b"{}", {}, now=NOON + timedelta(minutes=20)).rest == timedelta(minutes=40)
    assert hand_over(address, b"{}", {}, now=NOON + RESTS_FOR).rest == timedelta()


@pytest.mark.usefixtures("impatient")
def test_an_answer_in_time_makes_up_for_those_that_were_late() -> None:
    with tarpit() as address, quick_server() as (quick, _taken):
        for _ in range(LATE_ANSWERS - 1):
            note(quick, is_late=True)
        assert hand_over(quick, b"{}", {}, now=NOON).is_taken
        note(quick, is_late=True)
        assert hand_over(quick, b"{}", {}, now=NOON).is_taken
        assert not hand_over(address, b"{}", {}, now=NOON).is_taken


@pytest.mark.usefixtures("impatient")
def test_a_host_rests_that_is_late_at_ever_new_addresses_and_others_do_not() -> None:
    with tarpit() as address, quick_server() as (quick, taken):
        rests = [hand_over(f"{address}/{number}", b"{}", {}, now=NOON).rest for number in range(LATE_AT_HOST)]
        assert rests == [timedelta()] * (LATE_AT_HOST - 1) + [HOST_RESTS_FOR]
        assert hand_over(f"{address}/new", b"{}", {}, now=NOON).rest == HOST_RESTS_FOR
        assert hand_over(f"{address}/new", b"{}", {}, now=NOON + HOST_RESTS_FOR / 2).rest == HOST_RESTS_FOR / 2
        assert hand_over(quick, b"well", {}, now=NOON).is_taken
        # After its rest it is asked again, and one late answer is enough for the next.
        assert hand_over(f"{address}/new", b"{}", {}, now=NOON + HOST_RESTS_FOR).rest == HOST_RESTS_FOR
    assert taken == ["well"]


@pytest.mark.usefixtures("impatient")
def test_a_host_that_answers_one_of_many_in_time_is_left_to_its_late_addresses() -> None:
    with quick_server() as (quick, _taken):
        for number in range(2 * LATE_AT_HOST):
            note(f"{quick}late/{number}", is_late=True)
            note(quick, is_late=False)
        assert hand_over(quick, b"{}", {}, now=NOON).is_taken


def test_a_name_server_that_never_answers_costs_no_more_than_the_rest(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_over = threading.Event()
    monkeypatch.setattr(outgoing, "LONGEST_POST", 0.1)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_asked, **_more: is_over.wait(30) and [])
    answer = hand_over("https://slow.example/x", b"", {}, now=NOON)
    is_over.set()
    assert answer.status == 0
    assert lateness_of("https://slow.example/x", NOON).rest == timedelta()


def note(address: str, *, is_late: bool) -> timedelta:
    return lateness_of(address, NOON).note(NOON, is_late=is_late)


def begun_anew() -> Any:
    """Return what posts, as a process has it that has just begun: it knows nothing by itself."""
    spec = importlib.util.find_spec(outgoing.__name__)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.usefixtures("impatient")
def test_a_courier_that_begins_leaves_alone_what_was_late_for_the_one_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with tarpit() as address:
        for _ in range(LATE_ANSWERS):
            later = begun_anew()
            monkeypatch.setattr(later, "LONGEST_POST", 0.2)
            later.hand_over(address, b"{}", {}, now=NOON)
    asked: list[str] = []
    later = begun_anew()
    monkeypatch.setattr(later, "_post", lambda address, *_more: asked.append(address))
    assert later.hand_over(address, b"{}", {}, now=NOON + timedelta(minutes=20)).rest == timedelta(minutes=40)
    assert asked == []


def test_what_is_kept_of_late_addresses_names_none_of_them_and_goes_an_hour_after_their_rest() -> None:
    for number in range(LATE_ANSWERS):
        note(f"https://chat.example/secret/{number}", is_late=True)
    kept = {lease.name for lease in Lease.objects.all()}
    assert len(kept) == LATE_ANSWERS + 1
    assert not any("chat" in name or "secret" in name for name in kept)
    left = [Upkeep().tidy(NOON + RESTS_FOR + KEPT_LATE + timedelta(seconds=each)).late for each in (-1, 1)]
    # Those of hosts rest for less long.
    assert left == [1, LATE_ANSWERS]
    assert not Lease.objects.exists()


@pytest.mark.usefixtures("impatient")
def test_a_message_that_was_taken_stays_taken_where_that_its_address_was_in_time_cannot_be_noted() -> None:
    with quick_server() as (quick, taken):
        note(quick, is_late=True)

        def post(*asked: Any) -> Any:
            answered = outgoing_post(*asked)
            stack.enter_context(connection.execute_wrapper(away))
            return answered

        outgoing_post = outgoing._post
        with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
            patch.setattr(outgoing, "_post", post)
            assert hand_over(quick, b"well", {}, now=NOON).is_taken
        assert taken == ["well"]
        assert Lease.objects.exists()


def away(*_asked: Any) -> None:
    raise OperationalError("the database is away")


@contextmanager
def quick_server() -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a server that takes what it is sent at once, and what it was sent."""
    taken: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            taken.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_message: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", taken
        server.shutdown()
        thread.join()


@contextmanager
def at_work(courier: Courier) -> Iterator[None]:
    """Let a courier run in a thread of its own until the block ends."""

    def run() -> None:
        courier.run()
        connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        courier.is_running = False
        thread.join()


@pytest.mark.usefixtures("job_queue")
def test_while_sixteen_tarpits_are_asked_a_message_to_a_good_address_goes_at_once(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PUSH_TO_LOOPBACK = True
    settings.WORKER_MEMORY = 2**40
    with tarpit() as address, quick_server() as (quick, taken):
        tarpits = [post_for(alice, address) for _ in range(16)]
        good = post_for(bob, quick, answer=204)
        for post in tarpits:
            enqueue(send_post, post.pk, 0)
        enqueue(send_post, good.pk, 0, queue=PROVEN)
        monkeypatch.setattr(outgoing, "LONGEST_POST", 1.0)
        courier = Courier("courier", people_of)
        with at_work(courier):
            wait_until(lambda: bool(taken))
            # Not one of the tarpits has been given up yet.
            assert not ChannelPost.objects.exclude(pk=good.pk).filter(sent_at__isnull=False)
    assert ChannelPost.objects.filter(sent_at__isnull=False).get() == good


@pytest.mark.usefixtures("impatient")
def test_an_address_that_takes_one_message_and_then_never_ends_its_answers_is_doubtful_again(alice: User) -> None:
    with tarpit(good=1) as address:
        first = post_for(alice, address)
        later = ChannelPost.objects.create(channel=first.channel, occasion=Occasion.OVER, due_at=timezone.now())
        queues = [queue_of(first)]
        assert deliver_post(first.pk, 0, now=NOON)
        queues.append(queue_of(later))
        assert not deliver_post(later.pk, 0, now=NOON)
        queues.append(queue_of(later))
    assert queues == [DOUBTFUL, PROVEN, DOUBTFUL]
    assert not ChannelPost.objects.filter(pk=later.pk, sent_at__isnull=False)


@pytest.mark.usefixtures("job_queue")
@pytest.mark.parametrize("queue", [PROVEN, DOUBTFUL])
def test_beside_tarpits_in_its_own_lanes_a_message_of_another_person_goes_after_a_turn(
    alice: User, bob: User, settings: Settings, monkeypatch: pytest.MonkeyPatch, queue: str
) -> None:
    settings.PUSH_TO_LOOPBACK = True
    settings.WORKER_MEMORY = 2**40
    monkeypatch.setattr(outgoing, "LONGEST_POST", 0.5)
    with tarpit() as address, quick_server() as (quick, taken):
        # Each took its last message, or is new, and so did the good one, or is.
        tarpits = [post_for(alice, f"{address}/{number}", answer=204) for number in range(4 * LANES)]
        good = post_for(bob, quick, answer=204)
        for post in (*tarpits, good):
            enqueue(send_post, post.pk, 0, queue=queue)
        with at_work(Courier("courier", people_of)):
            wait_until(lambda: bool(taken))
            tried = ChannelPost.objects.filter(tries__gt=0).exclude(pk=good.pk).count()
    assert tried <= 2 * LANES


@pytest.mark.usefixtures("job_queue")
@pytest.mark.parametrize("queue", [PROVEN, DOUBTFUL])
def test_beside_tarpits_of_as_many_people_a_message_of_another_goes_while_none_of_them_has_ended(
    alice: User, settings: Settings, monkeypatch: pytest.MonkeyPatch, queue: str
) -> None:
    settings.PUSH_TO_LOOPBACK = True
    settings.WORKER_MEMORY = 2**40
    # Longer than the test: whoever waits for the end of a tarpit waits in vain.
    monkeypatch.setattr(outgoing, "LONGEST_POST", 300.0)
    with ExitStack() as stack, quick_server() as (quick, taken):
        owners = [User.objects.create_user(f"guest{number}") for number in range(4 * LANES)]
        tarpits = [post_for(owner, stack.enter_context(tarpit()), answer=204) for owner in owners]
        good = post_for(alice, quick, answer=204)
        for post in (*tarpits, good):
            enqueue(send_post, post.pk, 0, queue=queue)
        with at_work(Courier("courier", people_of)):
            wait_until(lambda: bool(taken))
            assert len(jobs("RUNNING")) >= len(tarpits)
            stack.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The monotonic clock of couriers, which a test moves."""
    clock = [1000.0]
    monkeypatch.setattr("games.jobs.courier.time", SimpleNamespace(monotonic=lambda: clock[0]))
    return clock


def test_a_queue_whose_lanes_are_taken_is_left_alone_and_others_are_not(clock: list[float]) -> None:
    courier = Courier("courier", people_of)
    begun = [courier._begin(DOUBTFUL) for _ in range(LANES)]
    enqueue(send_post, 1, 0)
    assert courier.take() is None
    enqueue(send_mail, 1, 0)
    assert [job.name for job in iter(courier.take, None)] == ["send_mail"]
    courier._end(DOUBTFUL, begun[0])
    assert [job.name for job in iter(courier.take, None)] == ["send_post"]


def test_what_waits_for_its_answer_leaves_its_lane_up_to_a_number_and_an_e_mail_never_does(clock: list[float]) -> None:
    courier = Courier("courier", people_of)
    for queue in (DOUBTFUL, MAIL):
        for _ in range(LANES):
            courier._begin(queue)
    enqueue(send_mail, 1, 0)
    enqueue(send_post, 1, 0)
    assert courier.take() is None
    clock[0] += LEAVES_AFTER
    assert [job.name for job in iter(courier.take, None)] == ["send_post"]
    for _ in range(MOST_UNDER_WAY - LANES):
        courier._begin(DOUBTFUL)
    clock[0] += 60
    enqueue(send_post, 2, 0)
    assert courier.take() is None


def test_a_courier_stops_after_what_is_under_way() -> None:
    idle, busy = Courier("idle", people_of), Courier("busy", people_of)
    with pytest.raises(SystemExit) as end:
        idle.stop(15, None)
    assert end.value.code == 0
    busy._begin(MAIL)
    busy.stop(15, None)
    assert not busy.is_running
