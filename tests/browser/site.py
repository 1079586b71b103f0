"""A site of one's own to drive: the supervisor of `make run` on a free port with an empty database."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
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

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = {
            "VAR_DIR": str(self.folder),
            "PORT": str(self.port),
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
            "PYTHONUNBUFFERED": "1",
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "blockyou.serve"],
                cwd=ROOT,
                env={**os.environ, **settings, **self.environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.wait_until_ready()

    def wait_until_ready(self, limit: float = START_LIMIT) -> float:
        """Return how many seconds it took until /healthz answered 200."""
        began = time.monotonic()
        while time.monotonic() - began < limit:
            if self.process and self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
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
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait(10)

    def kill(self) -> None:
        """Pull the plug: SIGKILL to the supervisor and all its children at once."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)


def new_site(folder: Path, **environment: str) -> Site:
    """Return a site, not yet started, with a database of its own.

    On PostgreSQL (DATABASE_URL in the environment) it gets a fresh database beside the one named there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    outer = os.environ.get("DATABASE_URL", "")
    if outer.startswith(("postgres", "postgresql")):
        environment.setdefault("DATABASE_URL", fresh_postgresql(outer))
    else:
        environment.setdefault("DATABASE_URL", f"sqlite:///{folder / 'db.sqlite3'}")
    return Site(folder, environment)


def fresh_postgresql(url: str) -> str:
    """Create an empty database on the server of `url` and return its address."""
    import psycopg

    name = f"site_{secrets.token_hex(6)}"
    server, _, _ = url.rpartition("/")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"{server}/{name}"
