"""Which job a worker takes next, and when it makes room for another worker."""

import signal
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.management import call_command
from django.db import connection
from django.template import Engine
from django.utils import timezone
from pytest_django import Settings

from accounts.mail.letters import letter_page
from accounts.models import User
from blockyou import unindented
from blockyou.management.commands import work as command
from blockyou.processes import work_lock
from blockyou.processes.pool import Pool
from blockyou.processes.worker_names import WorkerNames
from games.background.worker import STEP_BACK, JobWorker, load_what_jobs_use
from games.bots import warm
from games.jobs import claim_job, enqueue, fail_jobs_of, find_jobs
from games.jobs.process import is_too_large
from games.notifications.channels.email import EmailChannel
from games.notifications.messages import Message
from games.roster.entries import BOTS, Bot
from games.roster.offered import offered_bots
from games.rules import Position
from games.tasks import THINKERS, notify_of_turn, play_bot_turn
from tests.games.tasks.queues import job_queue as job_queue
from tests.games.tasks.workers import make_older

pytestmark = pytest.mark.django_db(transaction=True)


def ask(number: int, queue: str = "bots", ago: float = 0.0) -> None:
    """Ask for the turn of a game that is not there, some seconds ago."""
    enqueue(play_bot_turn, 1, number, queue=queue)
    make_older(find_jobs()[-1], timedelta(seconds=ago))


def taken(worker: JobWorker) -> list[int]:
    """Return the numbers of the turns that the worker takes, in order."""
    found = []
    while job := worker.take():
        found.append(job.arguments[1])
    return found


def test_who_has_waited_longest_is_served_first() -> None:
    for number, ago in ((1, 1.0), (2, 3.0), (3, 2.0)):
        ask(number, ago=ago)
    assert taken(JobWorker("one")) == [2, 3, 1]


def test_a_long_think_steps_back_for_a_moment_and_no_more() -> None:
    late = STEP_BACK.total_seconds() + 5
    for number, queue, ago in ((1, THINKERS, 10), (2, "bots", late), (3, "bots", late + 4), (4, THINKERS, late)):
        ask(number, queue, ago)
    assert taken(JobWorker("one")) == [3, 1, 2, 4]


def test_a_worker_for_the_quick_leaves_long_thinks_to_others() -> None:
    ask(1, THINKERS, 100)
    ask(2)
    assert taken(JobWorker("quick", long=())) == [2]
    assert taken(JobWorker("other")) == [1]


def put_off(number: int, ago: float) -> None:
    """Ask for an e-mail about a game that is not there, which could have been sent some seconds ago."""
    enqueue(notify_of_turn, 1, number, not_before=timezone.now() - timedelta(seconds=ago))


def test_an_e_mail_waits_its_turn_among_long_thinks() -> None:
    for number, ago in ((1, 30), (2, 10)):
        ask(number, THINKERS, ago)
    for number, ago in ((3, 20), (4, 5)):
        put_off(number, ago)
    assert taken(JobWorker("one")) == [1, 3, 2, 4]


def test_no_bot_waits_for_a_mail_server_that_does_not_answer() -> None:
    put_off(1, 100)
    ask(2)
    assert taken(JobWorker("quick", long=())) == [2]
    assert taken(JobWorker("other")) == [1]


def test_a_job_is_claimed_once_however_many_have_seen_it() -> None:
    ask(1)
    one, other = JobWorker("one"), JobWorker("other")
    seen, seen_too = one.next_job(), other.next_job()
    assert seen
    assert seen_too
    assert (claim_job(seen, "one"), claim_job(seen_too, "other")) == (True, False)
    assert [job.workers for job in find_jobs()] == [("one",)]
    assert other.take() is None


def test_the_jobs_of_a_dead_worker_are_lost_and_nobody_elses() -> None:
    for number, name in ((1, "dead"), (2, "alive")):
        ask(number)
        assert JobWorker(name).take()
    assert fail_jobs_of("dead", timezone.now()) == 1
    states = {job.arguments[1]: job.state for job in find_jobs()}
    assert states == {1: "FAILED", 2: "RUNNING"}


def test_a_worker_that_has_grown_too_large_takes_no_more_jobs_and_says_so(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    settings.WORKER_MEMORY = 2**40
    assert not is_too_large()
    settings.WORKER_MEMORY = 1
    ask(1)
    JobWorker("large").run()
    assert [job.state for job in find_jobs()] == ["READY"]
    assert "it has held more than 1 MiB" in caplog.text


def test_a_worker_without_a_job_stops_at_the_first_signal() -> None:
    with pytest.raises(SystemExit) as end:
        JobWorker("idle").stop(signal.SIGTERM, None)
    assert end.value.code == 0


def test_a_worker_stops_after_the_job_in_hand_and_at_the_second_signal_at_once(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The process of the tests may have held more than a worker may.
    settings.WORKER_MEMORY = 2**40
    worker = JobWorker("one")
    monkeypatch.setattr("games.jobs.run_job", lambda _job: worker.stop(signal.SIGTERM, None))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    ask(1)
    ask(2)
    worker.run()
    assert [job.state for job in find_jobs()] == ["RUNNING", "READY"]
    with pytest.raises(SystemExit) as end:
        worker.stop(signal.SIGTERM, None)
    assert end.value.code == 1


def test_engines_are_warmed_up_once_a_family_and_slow_ones_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    met = []

    class Noting:
        def __init__(self, bot: Bot) -> None:
            self.name = bot.name

        def think(self, position: Position, *, seed: int, number: int) -> Any:
            met.append((self.name, position.variant.id))

    family = [
        replace(BOTS["random"], name=name, family="search", simulations=cost)
        for name, cost in (("quicker", 30), ("quick", 300), ("slow", 10**6))
    ]
    monkeypatch.setattr(warm, "make_engine", Noting)
    monkeypatch.setattr(warm, "BOTS", {bot.name: bot for bot in family})
    warm.warm_up()
    assert met == [("quicker", board) for board in warm.BOARDS]


def test_an_engine_of_the_hosts_own_cannot_keep_workers_from_starting(settings: Settings) -> None:
    settings.EXTRA_BOTS = ("sealed=tests.reliability.strange:Sealed",)
    offered_bots.cache_clear()
    try:
        assert "sealed" in offered_bots()
        assert {bot.name for bot in warm._one_of_each()} < BOTS.keys()
    finally:
        offered_bots.cache_clear()


def test_an_engine_that_does_not_warm_up_stops_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken:
        def think(self, position: Position, *, seed: int, number: int) -> Any:
            raise ZeroDivisionError

    monkeypatch.setattr(warm, "make_engine", lambda _bot: Broken())
    monkeypatch.setattr(warm, "BOTS", {"random": BOTS["random"]})
    warm.warm_up()
    assert "Bot random does not warm up" in caplog.text


def test_workers_begin_once_their_engines_are_ready_and_what_jobs_use_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    met: list[Any] = []
    monkeypatch.setattr(command, "warm_up", lambda: met.append("warm"))
    monkeypatch.setattr(command, "load_what_jobs_use", lambda: met.append("loaded"))
    monkeypatch.setattr(Pool, "run", lambda pool: met.append(f"{pool.count} at work"))
    call_command("work", "--processes", "3", "--niceness", "7", "--no-reload")
    assert met == ["warm", "loaded", "4 at work"]


def test_no_mail_reads_a_template_that_a_worker_has_not_loaded_before(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, look = list[Any](), unindented.Loader.get_contents

    def look_noted(loader: unindented.Loader, origin: Any) -> str:
        read.append(origin.template_name)
        return look(loader, origin)

    for loader in Engine.get_default().template_loaders:
        loader.reset()
    load_what_jobs_use()
    monkeypatch.setattr(unindented.Loader, "get_contents", look_noted)
    letter_page("Welcome", "Welcome.\n\nhttps://example.org/\n", {"https://example.org/": "Confirm"})
    EmailChannel().send(alice, Message(key="turn.1", subject="Your turn", text="It is your turn."), list)
    assert read == []


@pytest.mark.skipif(
    connection.vendor != "sqlite", reason="Of a server's database other hosts' workers do the jobs too."
)
@pytest.mark.parametrize("has_others", [False, True])
def test_workers_hand_back_what_was_in_hand_only_where_no_others_are_at_work(
    has_others: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[bool] = []
    monkeypatch.setattr(command, "warm_up", lambda: None)
    monkeypatch.setattr(work_lock, "ORPHANS_SECONDS", 0)
    monkeypatch.setattr(Pool, "run", lambda pool: found.append(cast("Any", pool)._work.keywords["alone_since"] is None))
    with closing(command.work_lock()) as other:
        if has_others:
            other.enter()
        call_command("work", "--no-reload")
    assert found == [has_others]


def test_workers_write_their_names_down_and_find_those_of_dead_ones(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    dead: list[list[str]] = []

    def run(pool: Pool) -> None:
        [kept] = [file for file in (tmp_path / "workers").iterdir() if file.read_text().split() == pool.identities]
        found = cast("Any", pool)._work.keywords["find_dead"]()
        assert kept not in found
        dead.extend(found.values())

    killed = WorkerNames(tmp_path / "workers")
    killed.keep(["killed"])
    killed.close()
    monkeypatch.setattr(command, "warm_up", lambda: None)
    monkeypatch.setattr(Pool, "run", run)
    call_command("work", "--no-reload")
    assert dead == [["killed"]]
