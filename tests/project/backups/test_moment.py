"""Back to a moment, the second drill: a server that archives its log is destroyed, and comes back as it was then."""

import random
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.browser.site import Site, free_port
from tests.project.backups.installation import audited, done, manage
from tests.reliability.hosts.network import wait_until
from tests.reliability.hosts.servers import ROLE, Server, open_folder, owner, tool
from tests.reliability.test_kill import Trial, audit, play
from tests.reliability.visitor import arrive_as_guest, open_duel

DUELS, MOVES = 3, 30
#: With the moment at which each was committed, as the log of the server has it too.
KEYS = "SELECT client_key FROM games_move WHERE client_key <> ''"

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(
        not (shutil.which(tool("initdb")) and shutil.which("redis-server")), reason="starts a PostgreSQL and a Redis"
    ),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that who runs PostgreSQL may look into."""
    with open_folder() as made:
        yield made


@pytest.fixture
def redis_url(folder: Path) -> Iterator[str]:
    """Where a Redis is that keeps nothing."""
    port = free_port()
    redis = subprocess.Popen(
        ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)],
        stdout=subprocess.DEVNULL,
    )
    yield f"redis://127.0.0.1:{port}"
    redis.kill()
    redis.wait()


def test_a_server_that_is_lost_comes_back_with_every_move_up_to_a_moment_and_none_after_it(
    folder: Path, redis_url: str
) -> None:
    server = archiving_server(folder)
    address = f"postgres://{ROLE}@127.0.0.1:{server.port}/blockyou"
    site = Site(folder / "site", {"DATABASE_URL": address, "REDIS_URL": redis_url})
    site.folder.mkdir()
    try:
        site.start()
        server.run("pg_basebackup", *server.here, "-D", server.folder / "base", "-X", "none", "-c", "fast")
        moment = moment_amid_moves(site, server)
        site.stop()
        before = keys(server, f"{KEYS} AND pg_xact_commit_timestamp(xmin) <= '{moment}'")
        everything = keys(server, KEYS)
        assert 0 < len(before) < len(everything)
        destroy(server)
        restore(server, moment)
        assert keys(server, KEYS) == before
        assert [game["faults"] for game in audit(site).values() if game["faults"]] == []
        assert audited(site) in done(manage(site, "audit_games"))
        site.start()
    finally:
        site.kill()
        server.kill()


def archiving_server(folder: Path) -> Server:
    """Return a server that keeps its log beside its data, and when each transaction was committed."""
    log = folder / "server" / "log"
    server = Server(
        folder / "server",
        port=free_port(),
        settings={
            "archive_mode": "on",
            "archive_command": f"test ! -f {log}/%f && cp %p {log}/%f",
            "track_commit_timestamp": "on",
            "max_wal_size": "64MB",
        },
    )
    server.make()
    log.mkdir()
    give(log)
    server.start()
    server.ask("CREATE DATABASE blockyou")
    return server


def moment_amid_moves(site: Site, server: Server) -> str:
    """Return a moment of the server's clock, before which and after which moves were acknowledged."""
    trial = Trial(random.Random(DUELS))
    trial.is_up.set()
    alice, bob = (arrive_as_guest(site.url)[0] for _ in range(2))
    paths = [open_duel(alice, bob) for _ in range(DUELS)]
    with ThreadPoolExecutor(DUELS) as pool:
        shares = [pool.submit(play, trial, path, (alice, bob), MOVES) for path in paths]
        trial.wait_for(DUELS * MOVES // 2)
        moment = server.ask("SELECT clock_timestamp()")
        for share in shares:
            share.result()
    assert trial.count == DUELS * MOVES
    return moment


def keys(server: Server, question: str) -> list[str]:
    """Return the keys of moves, in order."""
    return sorted(server.ask(question, database="blockyou").split())


def destroy(server: Server) -> None:
    """Lose the server: all that is left is what it has archived, and the end of its log, which was not yet."""
    server.kill()
    for path in (server.data / "pg_wal").glob("0000000*"):
        archived = server.folder / "log" / path.name
        if path.is_file() and not archived.exists():
            shutil.copy2(path, archived)
            give(archived)
    shutil.rmtree(server.data)


def restore(server: Server, moment: str) -> None:
    """Bring the server back as it was at a moment."""
    (server.folder / "base").rename(server.data)
    (server.data / "recovery.signal").touch()
    give(server.data / "recovery.signal")
    server.start(
        archive_mode="off",
        restore_command=f"cp {server.folder}/log/%f %p",
        recovery_target_time=moment,
        recovery_target_action="promote",
    )
    wait_until(lambda: server.ask("SELECT pg_is_in_recovery()") == "f")


def give(path: Path) -> None:
    """Give a file to who runs the server."""
    if owner():
        shutil.chown(path, owner())
