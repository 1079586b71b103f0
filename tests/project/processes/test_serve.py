"""One command serves: it comes up, keeps up, ends cleanly, and finds everything again."""

import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from games.background.worker import QUICK_NICENESS

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 90.0
UNSET = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "PUBLIC_URL", "DJANGO_SETTINGS_MODULE", "HOST"}
pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="serves from SQLite; run without DATABASE_URL"),
]


class Site:
    """A `make run` of its own, on a free port, with an empty or a given var folder."""

    def __init__(self, var: Path, **environment: str) -> None:
        inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
        self.output = var.parent / f"{var.name}-{time.monotonic_ns()}.txt"
        with self.output.open("w") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "blockyou.processes.serve"],
                cwd=ROOT,
                env=inherited | {"VAR_DIR": str(var), "PORT": "0"} | environment,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def said(self) -> str:
        """Return everything printed so far."""
        return self.output.read_text()

    def wait_until_up(self) -> "Site":
        """Wait for the line that says where the site is."""
        wait_for(lambda: "Block-You is at" in self.said() or self.process.poll() is not None)
        assert "Block-You is at" in self.said(), self.said()
        return self

    def status(self, path: str = "/healthz?only=database") -> int:
        """Return the status of the answer to a GET, however long the site takes to come back."""
        found = re.search(r"Block-You is at (\S+)", self.said())
        assert found
        address = urlsplit(found[1])
        connection = HTTPConnection("127.0.0.1", address.port or 80, timeout=PATIENCE)
        connection.request("GET", path, headers={"Host": f"127.0.0.1:{address.port}"})
        status = connection.getresponse().status
        connection.close()
        return status

    def children(self) -> dict[str, int]:
        """Return the process ids of the children by the command they run."""
        pids = children_of(self.process.pid)
        return {Path(f"/proc/{pid}/cmdline").read_text().split("\0")[3]: pid for pid in pids}

    def niceness(self) -> dict[str, list[int]]:
        """Return how far each child lets others go first, then its workers, then what thinks for these."""
        children = self.children()
        workers = [worker for pid in children.values() for worker in children_of(pid)]
        thinkers = [thinker for worker in workers for thinker in children_of(worker)]
        groups = {"children": [*children.values()], "workers": workers, "thinkers": thinkers}
        return {name: sorted(os.getpriority(os.PRIO_PROCESS, pid) for pid in group) for name, group in groups.items()}

    def stop(self, number: int = signal.SIGINT) -> float:
        """Send the signal and return how many seconds the end took."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return time.monotonic() - began


def wait_for(condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Look twenty times a second until the condition holds; fail when it does not in time."""
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        threading.Event().wait(0.05)


def children_of(pid: int) -> list[int]:
    """Return the process ids of a process's children."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_alive(pid: int) -> bool:
    """Return whether the process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the var folder of an installation that has run once."""
    var = tmp_path_factory.mktemp("used") / "var"
    Site(var).wait_until_up().stop()
    return var


@pytest.fixture
def var(used: Path, tmp_path: Path) -> Path:
    """Return a copy of it."""
    return Path(shutil.copytree(used, tmp_path / "var"))


@pytest.fixture
def site(var: Path) -> Iterator[Site]:
    site = Site(var)
    try:
        yield site.wait_until_up()
    finally:
        if site.process.poll() is None:
            site.stop(signal.SIGTERM)


def test_an_empty_folder_becomes_a_site_with_three_processes(tmp_path: Path) -> None:
    site = Site(tmp_path / "var").wait_until_up()
    try:
        assert site.status() == 200
        assert set(site.children()) == {"web", "work", "sweep"}
        assert "Bringing the database up to date" in site.said()
    finally:
        site.stop()


def test_the_secret_is_its_owners_alone(var: Path) -> None:
    secret = var / "secret-key"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert len(secret.read_text()) >= 50
    assert stat.S_IMODE(var.stat().st_mode) == 0o700


def test_everything_kept_is_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    var, before = tmp_path / "var", os.umask(0)
    try:
        site = Site(var).wait_until_up()
    finally:
        os.umask(before)
    kept = {path.name: path.stat().st_mode & 0o077 for path in [var, *var.glob("*")]}
    site.stop()
    assert {"db.sqlite3", "db.sqlite3-wal", "db.sqlite3-shm", "secret-key", "push-key"} <= set(kept)
    open_to_others = [name for name, mode in kept.items() if mode]
    assert open_to_others == ["static"]
    assert [path.name for path in (var / "static").rglob("*") if not path.stat().st_mode & 0o004] == []


def test_what_an_earlier_release_left_open_is_closed(var: Path) -> None:
    opened = [var, var / "db.sqlite3", var / "secret-key"]
    for path in opened:
        path.chmod(path.stat().st_mode | 0o055)
    site = Site(var).wait_until_up()
    site.stop()
    assert "could be read by others; now they cannot" in site.said()
    assert [path.stat().st_mode & 0o077 for path in opened] == [0o011, 0, 0]


def test_ctrl_c_ends_every_process_soon_and_quietly(site: Site) -> None:
    children = site.children()
    assert site.stop(signal.SIGINT) < 20
    assert site.process.returncode == 0
    assert not [pid for pid in children.values() if is_alive(pid)]
    assert "Traceback" not in site.said()


def test_no_process_outlives_a_supervisor_that_was_killed(site: Site) -> None:
    children = site.children()
    assert children
    site.stop(signal.SIGKILL)
    wait_for(lambda: not [pid for pid in children.values() if is_alive(pid)], patience=15)


def test_a_killed_web_process_comes_back_and_nobody_is_refused(site: Site) -> None:
    first = site.children()["web"]
    os.kill(first, signal.SIGKILL)
    # The connection waits in the socket, which the supervisor holds.
    assert site.status() == 200
    assert site.children()["web"] != first
    assert "The web process ended (signal 9); it starts again in 0.5 s." in site.said()


def test_a_second_start_finds_everything_done(used: Path, var: Path, site: Site) -> None:
    address, mails = site.said().splitlines()
    assert address.endswith("(Ctrl-C stops it)")
    assert mails.startswith("E-mails are not sent")
    assert (var / "secret-key").read_text() == (used / "secret-key").read_text()


def test_a_database_is_copied_before_it_is_migrated(var: Path) -> None:
    database = sqlite3.connect(var / "db.sqlite3")
    database.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    database.execute("DROP TABLE django_session")
    database.commit()
    steps = database.execute("SELECT count(*) FROM django_migrations").fetchone()
    database.close()
    site = Site(var).wait_until_up()
    site.stop()
    (copy,) = (var / "backups" / "before-upgrades").glob("db-*.sqlite3")
    assert f"The database was copied to {copy} before it changes." in site.said()
    with closing(sqlite3.connect(copy)) as copied:
        assert copied.execute("SELECT count(*) FROM django_migrations").fetchone() == steps


def test_a_port_in_use_is_a_sentence(site: Site, var: Path) -> None:
    port = re.search(r":(\d+) \(Ctrl-C", site.said())
    assert port
    other = Site(var, PORT=port[1])
    assert other.process.wait(PATIENCE) == 1
    assert other.said() == (
        f"Block-You cannot start. Port {port[1]} on 127.0.0.1 cannot be used: Address already in use. "
        "Try another: PORT=8080.\n"
    )


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PORT": "http"}, "PORT is 'http'. Use a whole number from 0 to 65535."),
        ({"HOST": "256.1.1.1"}, "cannot be used"),
        ({"WORKER_NICENESS": "-1"}, "WORKER_NICENESS is '-1'. Use a whole number from 0 to 19."),
        ({"WORKER_MEMORY": "249"}, "WORKER_MEMORY is '249'. Use a whole number from 250 to 1000000."),
        ({"WEB_PROCESSES": "2"}, "WEB_PROCESSES above 1 needs REDIS_URL"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is too short or too plain"),
        ({"DEBUG": "on"}, "DEBUG is on"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS is *"),
        ({"PUBLIC_URL": "https://play.example.org"}, "Set BEHIND_PROXY=on, where every request passes a proxy"),
    ],
)
def test_what_cannot_work_is_a_sentence(var: Path, environment: dict[str, str], sentence: str) -> None:
    site = Site(var, **environment)
    assert site.process.wait(PATIENCE) == 1
    assert sentence in site.said()
    assert "Traceback" not in site.said()


@pytest.mark.parametrize(("environment", "steps"), [({}, 19), ({"WORKER_NICENESS": "3"}, 3)])
def test_bots_let_pages_go_first_as_far_as_is_asked_and_nothing_that_writes_does(
    var: Path, environment: dict[str, str], steps: int
) -> None:
    here = os.getpriority(os.PRIO_PROCESS, 0)
    site = Site(var, **environment).wait_until_up()
    quick, long = min(here + min(steps, QUICK_NICENESS), 19), min(here + steps, 19)
    wanted = {"children": [here] * 3, "workers": [here] * 3, "thinkers": [quick, quick, long]}
    try:
        wait_for(lambda: site.niceness() == wanted)
    finally:
        site.stop()


def test_phones_are_let_in_by_every_address_of_this_machine(var: Path) -> None:
    site = Site(var, HOST="0.0.0.0").wait_until_up()
    found = re.findall(r"http://(\S+?):(\d+)", site.said())
    try:
        for name, port in found:
            connection = HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE)
            connection.request("GET", "/healthz?only=database", headers={"Host": f"{name}:{port}"})
            assert connection.getresponse().status == 200, name
            connection.close()
    finally:
        site.stop()
    assert {"127.0.0.1", f"{socket.gethostname().split('.')[0].lower()}.local"} <= {name for name, _ in found}
