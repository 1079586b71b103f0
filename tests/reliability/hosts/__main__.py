"""Lose the first server of PostgreSQL under moves: `python -m tests.reliability.hosts [--loss power] [--pooler]`.

Five hosts, each a network namespace of this machine, on a cable that takes 2 milliseconds each way: two with a web
process, workers and a sweep of one site, two with PostgreSQL, of which the second follows the first and every commit
waits for both, and one with Redis. People place pieces at both web hosts. Then the first server is lost: its processes
are killed, or (`--loss power`) its host falls silent. `deploy/take-over` promotes the second; nobody lends a hand.

With `--pooler` the web processes come through a PgBouncer on each host of PostgreSQL, which lends a connection for a
transaction. It needs root, TAP devices, PostgreSQL, Redis, and PgBouncer for that.
"""

import argparse
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.project.player import Player
from tests.reliability.hosts.load import Load, Receipt
from tests.reliability.hosts.network import Host, end, network, reason_against, wait_until
from tests.reliability.hosts.servers import (
    ANEW,
    FOLLOWER,
    POOL_PORT,
    PORT,
    REDIS_PORT,
    ROLE,
    Server,
    open_folder,
    start_pooler,
    start_redis,
    start_watcher,
)
from tests.reliability.visitor import Unanswered, Visitor, arrive_as_guest

WEB_PORT = 8001
#: Pairs of people, and tables of each pair.
PAIRS, TABLES = 2, 3
#: Moves before and after the loss, without which a trial says nothing.
FEWEST = 20
#: Seconds that play may stand still, and for which it is waited for all the same.
LONGEST, PATIENCE = 30.0, 120.0


@dataclass(frozen=True)
class Outcome:
    """What became of the moves; seconds count from the loss to the first acknowledgement of what was asked later.

    `usual` is what a move took before the loss, the median and that of nineteen in twenty.
    """

    before: int
    after: int
    lost: int
    doubled: int
    usual: tuple[float, float]
    promoted: float
    by_host: dict[str | int, float]
    last_table: float
    bots: float
    refused: int
    unanswered: int
    slowest: float
    audit: str
    faults: tuple[str, ...]


@dataclass(frozen=True)
class Site:
    """The hosts of the site, its servers, and the environment of its processes."""

    hosts: dict[str, Host]
    first: Server
    second: Server
    poolers: list["subprocess.Popen[bytes]"]
    folder: Path
    environment: dict[str, str]
    more: str

    @property
    def watcher_log(self) -> Path:
        """Return the file that keeps what the watcher said."""
        return self.folder / "take-over.log"

    def url(self, name: str) -> str:
        """Return the address of the site at one of its hosts."""
        return f"http://{self.hosts[name].address}:{WEB_PORT}"

    def database_url(self, port: int) -> str:
        """Return the address of the database: both servers, of which the one is taken that can be written to."""
        hosts = f"{self.first.address},{self.second.address}"
        return f"postgres:///blockyou?host={hosts}&port={port},{port}&user={ROLE}&target_session_attrs=read-write{self.more}"

    def manage(self, name: str, *command: str, port: int = PORT) -> "subprocess.Popen[bytes]":
        """Start a process of the site on one of its hosts."""
        environment = {**self.environment, "DATABASE_URL": self.database_url(port)}
        log = self.folder / f"{name}-{command[0]}.log"
        return self.hosts[name].start([sys.executable, "manage.py", *command], log, environment=environment)

    def audit(self) -> str:
        """Return the last line of what `audit_games` says, which replays every game; its status has to be 0."""
        audit = self.manage("web-b", "audit_games")
        said = self.folder / "web-b-audit_games.log"
        assert audit.wait(300) == 0, said.read_text()[-3000:]
        return said.read_text().strip().splitlines()[-1]


@contextmanager
def site(folder: Path, milliseconds: float, *, has_pooler: bool, more: str) -> Iterator[Site]:
    """Yield a site on five hosts that is being played on, with a second server that every commit waits for."""
    with ExitStack() as undo:
        hosts = undo.enter_context(network(["web-a", "web-b", "db-a", "db-b", "redis"], milliseconds))
        first, second = (Server(folder / name, hosts[name]) for name in ("db-a", "db-b"))
        for server in (first, second):
            undo.callback(server.kill)
        first.make()
        first.start()
        first.ask("CREATE DATABASE blockyou")
        second.follow(first)
        second.start()
        first.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{FOLLOWER}'", "SELECT pg_reload_conf()")
        wait_until(lambda: first.ask("SELECT sync_state FROM pg_stat_replication") == "sync")
        undo.callback(end, start_redis(hosts["redis"], folder / "redis"))
        poolers = [start_pooler(server) for server in (first, second)] if has_pooler else []
        for pooler in poolers:
            undo.callback(end, pooler)
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
            "REDIS_URL": f"redis://{hosts['redis'].address}:{REDIS_PORT}",
            "SECRET_KEY": secrets.token_urlsafe(64),
            "VAR_DIR": str(folder / "var"),
            "ALLOWED_HOSTS": ",".join(hosts[name].address for name in ("web-a", "web-b")),
            "BOTS_COMPILED": "0",
        }
        made = Site(hosts, first, second, poolers, folder, environment, more)
        after = ANEW if has_pooler else ""
        undo.callback(end, start_watcher(second, first, f"{made.url('web-b')}/robots.txt", made.watcher_log, after))
        prepared = made.manage("web-a", "prepare")
        assert prepared.wait(300) == 0, (folder / "web-a-prepare.log").read_text()
        for name in ("web-a", "web-b"):
            port = POOL_PORT if has_pooler else PORT
            serving = ["web", "--host", hosts[name].address, "--port", str(WEB_PORT)]
            undo.callback(end, made.manage(name, *serving, port=port))
            undo.callback(end, made.manage(name, "work", "--processes", "1", "--no-reload"))
            undo.callback(end, made.manage(name, "sweep"))
        for name in ("web-a", "web-b"):
            wait_until(partial(is_well, made.url(name)))
        yield made


def is_well(url: str) -> bool:
    """Return whether a web process says that it is well."""
    try:
        return Visitor(url).get("/healthz?only=database").status == 200
    except Unanswered:
        return False


def lose(here: Site, how: str) -> None:
    """Lose the first server: its processes are killed, or its host falls silent as by a power cut."""
    if how == "power":
        here.hosts["db-a"].pull_the_cable()
    here.first.kill()
    # Its PgBouncer ends with it, as systemd sees to by `BindsTo=`: else it would keep people waiting.
    for pooler in here.poolers[:1]:
        end(pooler)


def play_through(here: Site, how: str, before: float, after: float) -> Outcome:
    """Play at both hosts, lose the first server, play on for `after` seconds, and count."""
    load, against_bots = Load(), Player(here.url("web-a"))
    against_bots.sit_down()
    pairs = [(arrive_as_guest(here.url("web-a"))[0], arrive_as_guest(here.url("web-b"))[0]) for _ in range(PAIRS)]
    tables = [
        threading.Thread(target=load.play, args=(*pair, number), daemon=True)
        for number, pair in enumerate(pairs * TABLES)
    ]
    for table in tables:
        table.start()
    threading.Event().wait(before)
    lost_at = time.monotonic()
    lose(here, how)
    gone_at = time.monotonic()
    wait_until(lambda: "take-over: promoted." in here.watcher_log.read_text(), PATIENCE)
    promoted_at = time.monotonic()
    wait_until(lambda: len(load.first_since(gone_at, "player")) == len(tables) or bool(load.faults), PATIENCE)
    against_bots.place_something()
    against_bots.wait_for_turn()
    bots_at = time.monotonic()
    threading.Event().wait(after)
    load.is_over.set()
    for table in tables:
        table.join(PATIENCE)
    keys = here.second.ask("SELECT client_key FROM games_move WHERE client_key <> ''", database="blockyou").split()

    def after_loss(of: str) -> dict[str | int, float]:
        return {name: answered - lost_at for name, answered in load.first_since(gone_at, of).items()}

    stored, acknowledged = Counter(keys), {receipt.key for receipt in load.receipts}
    return Outcome(
        before=sum(receipt.answered <= lost_at for receipt in load.receipts),
        after=sum(receipt.answered > lost_at for receipt in load.receipts),
        lost=len(acknowledged - stored.keys()),
        doubled=sum(stored[key] > 1 for key in acknowledged),
        usual=usual(load.receipts, lost_at),
        promoted=promoted_at - lost_at,
        by_host=after_loss("host"),
        last_table=max(after_loss("player").values()),
        bots=bots_at - lost_at,
        refused=load.refused,
        unanswered=load.unanswered,
        slowest=load.slowest,
        audit=here.audit(),
        faults=tuple(load.faults),
    )


def usual(receipts: list[Receipt], until: float) -> tuple[float, float]:
    """Return how long a move took until a moment: the median, and that of nineteen in twenty."""
    taken = sorted(receipt.answered - receipt.asked for receipt in receipts if receipt.answered <= until)
    return (taken[len(taken) // 2], taken[len(taken) * 19 // 20]) if taken else (0.0, 0.0)


def report(outcome: Outcome) -> Iterator[str]:
    """Yield what is said of it, line by line."""
    yield f"{outcome.before} moves acknowledged before the loss, {outcome.after} after it"
    yield "a move took {:.2f} s before the loss (median), nineteen in twenty at most {:.2f} s".format(*outcome.usual)
    yield f"{outcome.lost} acknowledged moves lost, {outcome.doubled} stored twice"
    yield f"the second server promoted after {outcome.promoted:.1f} s"
    for host, seconds in sorted(outcome.by_host.items()):
        yield f"the first move at {host} acknowledged after {seconds:.1f} s"
    yield f"the first at every table by {outcome.last_table:.1f} s, an answer of bots by {outcome.bots:.1f} s"
    yield f"{outcome.refused} tries answered 503, {outcome.unanswered} not answered, slowest {outcome.slowest:.1f} s"
    yield outcome.audit
    yield from outcome.faults


def is_held(outcome: Outcome) -> bool:
    """Return whether nothing was lost and play went on in time; of a trial with few moves, that is not known."""
    is_whole = not (outcome.lost or outcome.doubled or outcome.faults)
    return is_whole and min(outcome.before, outcome.after) >= FEWEST and outcome.last_table <= LONGEST


def drill(
    folder: Path, how: str, milliseconds: float, before: float, after: float, *, has_pooler: bool, more: str = ""
) -> Outcome:
    """Play through the loss of a server on a site of its own, which is gone afterwards.

    `more` is what the address of the database says besides, such as "&tcp_user_timeout=0".
    """
    with site(folder, milliseconds, has_pooler=has_pooler, more=more) as here:
        return play_through(here, how, before, after)


def keep_logs(folder: Path, target: Path) -> None:
    """Copy what every process said to a new folder, the servers' with the names of their hosts."""
    target.mkdir(parents=True)
    for log in [*folder.glob("*.log"), *folder.glob("*/*.log")]:
        shutil.copy(log, target / "-".join(log.relative_to(folder).parts))


def main() -> None:
    """Lose the server and say what it cost; the exit status is 1 if moves were lost or play stood still too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loss", choices=("kill", "power"), default="kill", help="how the first server is lost")
    parser.add_argument("--pooler", action="store_true", help="let the web processes come through PgBouncer")
    parser.add_argument("--delay", type=float, default=2.0, help="milliseconds of the way from host to host (2)")
    parser.add_argument("--before", type=float, default=15.0, help="seconds of play before the loss (15)")
    parser.add_argument("--after", type=float, default=15.0, help="seconds of play afterwards (15)")
    parser.add_argument("--more", default="", help="what the address of the database says besides: &tcp_user_timeout=0")
    parser.add_argument("--logs", type=Path, help="a new folder for what every process said")
    options = parser.parse_args()
    if reason := reason_against():
        sys.exit(reason)
    # Whatever ends this, the hosts are taken down again.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended."))
    with open_folder() as folder:
        try:
            outcome = drill(
                folder,
                options.loss,
                options.delay,
                options.before,
                options.after,
                has_pooler=options.pooler,
                more=options.more,
            )
        finally:
            if options.logs:
                keep_logs(folder, options.logs)
    print(*report(outcome), sep="\n")  # noqa: T201
    sys.exit(not is_held(outcome))


if __name__ == "__main__":
    main()
