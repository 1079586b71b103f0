"""Whatever becomes of a worker, what it had in hand is handed back, by the next in its place or by its pool."""

import fcntl
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from blockyou.processes.pool import Pool
from blockyou.processes.work_lock import WorkLock
from blockyou.processes.worker_names import WorkerNames
from games.jobs.courier import Courier
from games.tasks import people_of


class Machine:
    """Processes that end as the test says, one after the other, in place of the system's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.forked = 100
        self.ends: Iterator[Callable[[], tuple[int, int]]] = iter(())
        monkeypatch.setattr(os, "fork", self.fork)
        monkeypatch.setattr(os, "wait", lambda: next(self.ends)())
        monkeypatch.setattr(os, "kill", lambda *_: None)
        monkeypatch.setattr("time.sleep", lambda _seconds: None)
        monkeypatch.setattr("gc.freeze", lambda: None)
        for name in ("signal", "setitimer", "pthread_sigmask"):
            monkeypatch.setattr(signal, name, lambda *_: None)

    def fork(self) -> int:
        self.forked += 1
        return self.forked


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_what_a_worker_has_in_hand_that_ends_well_is_handed_back_too_when_its_pool_ends(machine: Machine) -> None:
    handed_back: list[str] = []
    pool = Pool(3, lambda *_: None, handed_back.append)

    def stop() -> tuple[int, int]:
        pool.request_stop(signal.SIGTERM, None)
        return 101, 0

    machine.ends = iter([stop, lambda: (102, 9), lambda: (103, 0)])
    pool.run()
    assert len(set(handed_back)) == 3


def test_a_pool_that_cannot_hand_back_at_its_end_tries_it_of_every_worker_and_ends(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[str] = []

    def fail(identity: str) -> None:
        tried.append(identity)
        raise OSError("away")

    pool = Pool(2, lambda *_: None, fail)

    def stop() -> tuple[int, int]:
        pool.request_stop(signal.SIGTERM, None)
        return 101, 0

    machine.ends = iter([stop, lambda: (102, 0)])
    pool.run()
    assert len(tried) == 2
    assert caplog.text.count("could not be handed back") == 2


def test_who_takes_the_place_of_a_worker_that_never_came_to_it_hands_back_what_the_one_before_had(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[tuple[str, bool]] = []

    class Noting(Pool):
        def _become(self, worker: Any, *, follows: bool) -> Any:
            began.append((worker.identity, follows))

    pool = Noting(1, lambda *_: None, lambda _identity: None)
    monkeypatch.setattr(os, "fork", lambda: 0)

    def stop() -> tuple[int, int]:
        pool.request_stop(signal.SIGTERM, None)
        return 0, 0

    # The second is killed while it waits for the database, before it has handed anything back.
    machine.ends = iter([lambda: (0, 9), lambda: (0, 9), stop])
    pool.run()
    assert began == [(began[0][0], False), (began[0][0], True), (began[0][0], True)]


def test_a_courier_that_is_asked_to_stop_while_it_claims_a_job_does_that_job_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    courier = Courier("courier", people_of)
    job: Any = type("Claimed", (), {"queue": "mail", "name": "send_mail", "arguments": (1, 0)})()

    def claim(*_: Any) -> Any:
        courier.stop(signal.SIGTERM, None)
        return job

    monkeypatch.setattr("games.jobs.courier.jobs.claim_next", claim)
    monkeypatch.setattr("games.jobs.courier.jobs.run_job", lambda claimed: done.append(claimed.name))
    monkeypatch.setattr("games.jobs.courier.is_too_large", lambda: False)
    monkeypatch.setattr("games.jobs.courier.close_old_connections", lambda: None)
    monkeypatch.setattr("games.jobs.courier.connections.close_all", lambda: None)
    monkeypatch.setattr(courier, "alarm", type("Quiet", (), {"reset": lambda _: None, "close": lambda _: None})())
    courier.run()
    assert done == ["send_mail"]


def test_one_pool_of_a_database_file_is_alone_and_a_second_is_not(tmp_path: Path) -> None:
    first, second = WorkLock(tmp_path / "work.lock"), WorkLock(tmp_path / "work.lock")
    assert first.enter()
    assert not second.enter()
    first.close()
    second.close()
    third = WorkLock(tmp_path / "work.lock")
    assert third.enter()
    third.close()


def test_workers_that_outlive_their_killed_pool_keep_the_next_from_being_alone_until_they_end(tmp_path: Path) -> None:
    killed = WorkLock(tmp_path / "work.lock")
    assert killed.enter()
    orphan = os.dup(killed.fileno())
    killed.close()
    looks: list[float] = []

    def pause(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            os.close(orphan)

    following = WorkLock(tmp_path / "work.lock", pause=pause)
    assert following.enter()
    assert len(looks) == 3
    following.close()


def test_a_pool_that_is_not_alone_waits_for_as_long_as_orphans_may_take_and_begins(tmp_path: Path) -> None:
    waited: list[float] = []
    first, second = WorkLock(tmp_path / "work.lock"), WorkLock(tmp_path / "work.lock", pause=waited.append)
    assert first.enter()
    assert not second.enter()
    assert 5 < sum(waited) < 10
    # It counts from now on as well.
    with (tmp_path / "work.lock").open("a") as another:
        first.close()
        with pytest.raises(BlockingIOError):
            fcntl.flock(another, fcntl.LOCK_EX | fcntl.LOCK_NB)
    second.close()


def test_where_files_cannot_be_locked_a_pool_takes_nobody_for_dead(tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("")
    lock = WorkLock(tmp_path / "no-folder" / "work.lock")
    assert not lock.enter()
    lock.close()


def test_the_names_of_a_killed_pools_workers_are_found_by_the_next_and_no_living_ones(tmp_path: Path) -> None:
    killed, alive, new = (WorkerNames(tmp_path / "workers") for _ in range(3))
    assert new.of_the_dead() == {}
    killed.keep(["a", "b"])
    alive.keep(["c"])
    new.keep(["d"])
    assert new.of_the_dead() == {}
    orphan = os.dup(killed.fileno())
    killed.close()
    assert new.of_the_dead() == {}
    os.close(orphan)
    [(file, names)] = new.of_the_dead().items()
    assert names == ["a", "b"]
    file.unlink()
    assert new.of_the_dead() == {}
    alive.close()
    new.close()


def test_a_pool_begins_where_no_names_can_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "no-folder").write_text("")
    names = WorkerNames(tmp_path / "no-folder")
    names.keep(["a"])
    assert names.of_the_dead() == {}
    assert "is left to the sweep" in caplog.text
    names.close()


def test_each_worker_and_all_that_take_its_place_have_a_name_that_is_known_before(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    began: list[str] = []

    class Noting(Pool):
        def _start(self, number: int, identity: str, *, follows: bool) -> None:
            began.append(identity)
            super()._start(number, identity, follows=follows)

    pool = Noting(2, lambda *_: None, lambda _identity: None)
    known = [*pool.identities]

    def stop() -> tuple[int, int]:
        pool.request_stop(signal.SIGTERM, None)
        return 102, 0

    machine.ends = iter([lambda: (101, 9), stop, lambda: (103, 0)])
    pool.run()
    assert len(set(known)) == 2
    assert began == [*known, known[0]]
