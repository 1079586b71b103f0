"""Servers of PostgreSQL that follow each other, PgBouncer before them, and Redis: each on a host of `network`."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.site import ROOT
from tests.reliability.hosts.network import NET, Host, end, wait_until

ROLE = "blockyou"
#: As which the second server follows.
FOLLOWER = "b"
PORT, POOL_PORT, REDIS_PORT = 5432, 6432, 6379
#: What a site on several hosts asks of its server; the first two are PostgreSQL's own defaults.
SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "listen_addresses": "*",
    "max_connections": "200",
    "wal_log_hints": "on",
}
#: What PgBouncer has to be told after a promotion: it goes on saying that its server cannot be written to.
ANEW = f"psql -XAtq -h 127.0.0.1 -p {POOL_PORT} -U {ROLE} pgbouncer -c RECONNECT"
POOLER = """[databases]
* = host=127.0.0.1 port={port} user={role}
[pgbouncer]
listen_addr = *
listen_port = {pool_port}
auth_type = any
pool_mode = transaction
admin_users = blockyou
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
query_wait_timeout = 10
ignore_startup_parameters = options
unix_socket_dir =
logfile = {folder}/pgbouncer.log
"""


def tool(name: str) -> str:
    """Return the path of one of PostgreSQL's programs, of the newest version here; Debian keeps them out of PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return str(found[-1]) if found else shutil.which(name) or name


def owner() -> str:
    """Return who runs PostgreSQL, which refuses to be root's; empty for whoever runs this."""
    if os.geteuid() != 0:
        return ""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def open_folder() -> Iterator[Path]:
    """Yield a folder that who runs PostgreSQL may look into, as pytest's own may not be; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="block-you-servers-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@dataclass
class Server:
    """One server of PostgreSQL, on a host or on this machine itself."""

    folder: Path
    host: Host | None = None
    port: int = PORT
    settings: dict[str, str] = field(default_factory=dict)
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def data(self) -> Path:
        """Return the folder of its data."""
        return self.folder / "data"

    @property
    def address(self) -> str:
        """Return where others reach it."""
        return self.host.address if self.host else "127.0.0.1"

    @property
    def here(self) -> list[str]:
        """Return how one of PostgreSQL's programs is told of it that runs where it does."""
        return ["-h", str(self.folder), "-p", str(self.port), "-U", ROLE]

    @property
    def log(self) -> Path:
        """Return the file that keeps what it said."""
        return self.folder / "server.log"

    def make(self) -> None:
        """Make an empty one, which trusts the net of the hosts."""
        self.own_folder()
        self.run("initdb", "-D", self.data, "-U", ROLE, "--auth=trust", "--encoding=UTF8")
        with (self.data / "pg_hba.conf").open("a") as allowed:
            allowed.write(f"host all,replication all {NET}.0.0/16 trust\n")

    def follow(self, first: "Server") -> None:
        """Make this one the second of another, whose commits wait for it from now on, once it is started."""
        self.own_folder()
        link = f"host={first.address} port={first.port} user={ROLE} application_name={FOLLOWER}"
        self.run("pg_basebackup", "-d", link, "-D", self.data, "-R", "-C", "-S", FOLLOWER, "-c", "fast")

    def own_folder(self) -> None:
        """Make the folder, and give it to who runs the server."""
        self.folder.mkdir(parents=True)
        if owner():
            shutil.chown(self.folder, owner())

    def start(self, **settings: str) -> None:
        """Start it, with more settings than its own for this once, and wait until it can be asked."""
        chosen = {"port": str(self.port), "unix_socket_directories": str(self.folder), **SETTINGS, **self.settings}
        flags = [part for name, value in {**chosen, **settings}.items() for part in ("-c", f"{name}={value}")]
        command = [tool("postgres"), "-D", str(self.data), *flags]
        if self.host:
            self.process = self.host.start(command, self.log, owner())
        else:
            with self.log.open("ab") as said:
                self.process = subprocess.Popen(
                    [*as_owner(), *command], cwd="/", stdout=said, stderr=said, start_new_session=True
                )
        wait_until(self.is_up)

    def is_up(self) -> bool:
        """Return whether it answers."""
        assert self.process
        assert self.process.poll() is None, self.log.read_text()[-3000:]
        asked = self.called("pg_isready", *self.here)
        return subprocess.run(asked, cwd="/", capture_output=True, check=False).returncode == 0

    def ask(self, *statements: str, database: str = "postgres") -> str:
        """Return what the last of these statements finds, columns apart by a bar; each is a transaction of its own."""
        asked = [part for statement in statements for part in ("-c", statement)]
        return self.run("psql", "-XAtq", *self.here, "-d", database, *asked)

    def run(self, name: str, *arguments: str | Path) -> str:
        """Run one of PostgreSQL's programs where the server is, and return what it printed."""
        ran = subprocess.run(
            self.called(name, *arguments), cwd="/", capture_output=True, text=True, timeout=120, check=False
        )
        assert ran.returncode == 0, f"{name} {arguments}: {ran.stdout}{ran.stderr}"
        return ran.stdout.strip()

    def called(self, name: str, *arguments: str | Path) -> list[str]:
        """Return the command that runs one of PostgreSQL's programs where the server is."""
        command = [tool(name), *map(str, arguments)]
        return self.host.inside(command, owner()) if self.host else [*as_owner(), *command]

    def kill(self) -> None:
        """SIGKILL for all its processes at once."""
        if self.process:
            end(self.process)


def as_owner() -> list[str]:
    """Return what stands before a command that is to run as who runs PostgreSQL."""
    return ["setpriv", f"--reuid={owner()}", f"--regid={owner()}", "--clear-groups", "--"] if owner() else []


def start_pooler(server: Server) -> "subprocess.Popen[bytes]":
    """Start a PgBouncer before a server, on its host and in its folder."""
    assert server.host
    settings = server.folder / "pgbouncer.ini"
    settings.write_text(POOLER.format(port=PORT, role=ROLE, pool_port=POOL_PORT, folder=server.folder))
    return server.host.start(["pgbouncer", "-q", settings], server.folder / "pgbouncer.said", owner())


def start_redis(host: Host, folder: Path) -> "subprocess.Popen[bytes]":
    """Start a Redis that keeps nothing."""
    folder.mkdir()
    options = ["--port", str(REDIS_PORT), "--bind", host.address, "--protected-mode", "no", "--save", "", "--dir"]
    return host.start(["redis-server", *options, folder], folder / "redis.log")


def start_watcher(second: Server, first: Server, witness: str, log: Path, after: str = "") -> "subprocess.Popen[bytes]":
    """Start what promotes the second server by itself (deploy/take-over), on its host, while that reaches a witness."""
    assert second.host
    told = {
        "FIRST": f"host={first.address} port={first.port} user={ROLE} dbname=postgres",
        "SECOND": f"host={second.folder} port={second.port} user={ROLE} dbname=postgres",
        "NAME": FOLLOWER,
        "WITNESS": f"curl -sS -m 2 {witness}",
        "AFTER": after,
    }
    surroundings = {"PATH": os.environ["PATH"], **told}
    return second.host.start([ROOT / "deploy" / "take-over"], log, owner(), surroundings)
