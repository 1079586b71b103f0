"""A site of one's own to drive: the supervisor of `make run` on a free port with an empty database."""

import contextlib
import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "db.sqlite3"
# Long enough for migrations on a busy machine; a healthy start takes a few seconds.
START_LIMIT = 120.0


def free_port() -> int:
    """Return a loopback port nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Site:
    """One running installation in a folder of its own; start, stop and kill it at will."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the address without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        """Return the file that keeps what the site printed, e-mails included."""
        return self.folder / "site.log"

    def start(self) -> float:
        """Start it and return how many seconds it took until it answered."""
        began = time.monotonic()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "blockyou.processes.serve"],
                cwd=ROOT,
                env=self.surroundings(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.wait_until_ready()
        return time.monotonic() - began

    def surroundings(self) -> dict[str, str]:
        """Return the environment it runs in; commands that are to see its database run in the same."""
        own = {
            "VAR_DIR": str(self.folder),
            "PORT": str(self.port),
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
            "PYTHONUNBUFFERED": "1",
            # Whoever waits for a bot here is not to wait until everything else on a busy machine has had its turn.
            "WORKER_NICENESS": "0",
        }
        return {**os.environ, **own, **self.environment}

    def wait_until_ready(self, limit: float = START_LIMIT) -> float:
        """Return how many seconds it took until the database answered at /healthz 200."""
        began = time.monotonic()
        while time.monotonic() - began < limit:
            if self.process and self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/healthz?only=database", timeout=2) as answer:
                    if answer.status == 200:
                        return time.monotonic() - began
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.05)  # another process is being waited for: nothing here could wake us
        raise AssertionError(f"the site did not come up:\n{self.log.read_text()[-4000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it and everything it started."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """Pull the plug: SIGKILL to the supervisor and at once to all its children, whose sessions are their own."""
        if self.process and self.process.poll() is None:
            victims = [self.process.pid, *descendants(self.process.pid)]
            for pid in victims:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait(10)
            wait_until_gone(victims)


def descendants(pid: int) -> list[int]:
    """Return the children of a process, and theirs, as /proc tells."""
    children = [child for child, parent in parents().items() if parent == pid]
    return [*children, *(each for child in children for each in descendants(child))]


def parents() -> dict[int, int]:
    """Return the parent of every living process; one that is dead and not yet buried does not live."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # The name before it may hold spaces and brackets.
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def wait_until_gone(pids: list[int], limit: float = 10.0) -> None:
    """Wait until none of the processes lives: what they held open is then closed."""
    deadline = time.monotonic() + limit
    while not parents().keys().isdisjoint(pids):
        assert time.monotonic() < deadline, "a killed process lives on"
        time.sleep(0.01)  # they are not our children: no call waits for them


def new_site(folder: Path, *, is_empty: bool = False, **environment: str) -> Site:
    """Return a site, not yet started, with a database of its own, which has all tables unless it is to be empty.

    On PostgreSQL (DATABASE_URL in the environment) it gets a fresh database beside the one named there, always empty.
    """
    folder.mkdir(parents=True, exist_ok=True)
    outer = os.environ.get("DATABASE_URL", "")
    if outer.startswith(("postgres", "postgresql")):
        environment.setdefault("DATABASE_URL", fresh_postgresql(outer))
    elif "DATABASE_URL" not in environment:
        environment["DATABASE_URL"] = f"sqlite:///{folder / DATABASE}"
        if not is_empty:
            (folder / DATABASE).write_bytes(migrated())
    return Site(folder, environment)


@cache
def migrated() -> bytes:
    """Return a database of SQLite with the tables that migrations make, once in a process."""
    with tempfile.TemporaryDirectory() as folder:
        site = new_site(Path(folder), is_empty=True, DATABASE_URL=f"sqlite:///{folder}/{DATABASE}")
        surroundings = {"SECRET_KEY": secrets.token_urlsafe(64), **site.surroundings()}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=surroundings, check=True
        )
        with contextlib.closing(sqlite3.connect(site.folder / DATABASE)) as connection:
            # What is still beside the file goes into it.
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return (site.folder / DATABASE).read_bytes()


def fresh_postgresql(url: str) -> str:
    """Create an empty database on the server of `url` and return its address."""
    import psycopg

    name = f"site_{secrets.token_hex(6)}"
    server, _, _ = url.rpartition("/")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{server}/{name}"
