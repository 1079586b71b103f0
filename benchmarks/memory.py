"""Memory of every process, of an open page, of the engines and of a stored game: `python -m benchmarks.memory`.

Starts an installation of its own in a temporary folder, on SQLite, exactly as `make run` does. Linux only.
"""

import argparse
import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.client import connect

from benchmarks import engine_memory
from benchmarks.whole_site import LOOK, django
from tests.project.player import Player

ROOT = Path(__file__).resolve().parents[1]
#: What the names of the processes begin with that the workers' process forks: the courier is its last.
FORKED = ("work ", "thinker ", "courier")


def main() -> None:
    """Print the table of docs/operations.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--boards", type=int, default=100, help="on which a worker plays; all, if there are fewer")
    parser.add_argument("--no-first-start", dest="first_start", action="store_false", help="compile nothing")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="block-you-memory-") as folder, running(Path(folder)) as (site, supervisor):
        wait_for_workers(supervisor)
        settle()
        idle = memory(supervisor)
        player = Player(site)
        player.sit_down()
        player.place_something()
        player.wait_for_turn()
        for _ in range(options.pages):
            player.get(player.game)
        settle()
        used = memory(supervisor)
        for name, held in used.items():
            sizes = f"{held.resident / 1024:6.1f} MiB resident, {held.own / 1024:6.1f} own"
            rested = f"; idle {idle[name].resident / 1024:.1f}" if name in idle else ""
            print(f"{name:12} {sizes}{rested}")
        forked = [held.own for name, held in used.items() if name.startswith(FORKED)]
        together = (used["work"].resident + sum(forked)) / 1024
        print(f"together     {together:6.1f} MiB, work and {len(forked)} forked from it, what they share counted once")
        before = used["web"].resident
        public = django(LOOK, {"VAR_DIR": str(Path(folder, "var"))})
        after = asyncio.run(web_memory_with_sockets(site, public, supervisor, options.sockets))
        print(f"open page    {(after - before) / options.sockets:6.1f} KiB each, {options.sockets} sockets on one game")
    if options.first_start:
        engine_memory.tell_first_start()
    engine_memory.tell_worker(options.boards)
    stored = stored_game(options.games) / 1024
    print(f"stored game  {stored:6.1f} KiB each, {options.games} four-player games of bots, with indexes")


@contextmanager
def running(folder: Path, more: Mapping[str, str] | None = None) -> Iterator[tuple[str, int]]:
    """Yield the address and the supervisor's process id of a fresh installation, with `more` in its environment."""
    output = folder / "output.txt"
    environment = {
        **os.environ,
        "VAR_DIR": str(folder / "var"),
        "PORT": "0",
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
        **(more or {}),
    }
    with output.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "blockyou.processes.serve"], cwd=ROOT, env=environment, stdout=file
        )
    try:
        while not (found := re.search(r"Block-You is at (\S+)", output.read_text())):
            assert process.poll() is None
            time.sleep(0.1)
        yield found[1], process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def wait_for_workers(supervisor: int) -> None:
    """Wait until the pool has forked its workers, as it does once it has loaded what they share."""
    while not all(any(name.startswith(kind) for name in memory(supervisor)) for kind in FORKED):
        time.sleep(0.1)


def settle() -> None:
    """Wait for start-up and the last requests to settle."""
    time.sleep(3)


@dataclass(frozen=True)
class Held:
    """The memory of a process in KiB: all of it, and what no other process shares."""

    resident: int
    own: int


def memory(supervisor: int) -> dict[str, Held]:
    """Return the memory of every process: a worker is called `work 1`, what thinks for it `thinker 1.1`."""
    names = {str(supervisor): "supervisor"}
    for pid in children(supervisor):
        _python, _option, _module, names[pid], *_rest = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        *workers, courier = children(pid) or [""]
        names |= {courier: "courier"} if workers else {}
        for number, worker in enumerate(workers, start=1):
            names[worker] = f"{names[pid]} {number}"
            names |= {each: f"thinker {number}.{which}" for which, each in enumerate(children(worker), start=1)}
    return {name: held_by(int(pid)) for pid, name in names.items()}


def children(pid: int | str) -> list[str]:
    """Return the process ids of a process's children."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def held_by(pid: int) -> Held:
    """Return the memory of a process."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    sizes = {name: int(size) for name, size in re.findall(r"^(\w+):\s+(\d+) kB", text, flags=re.MULTILINE)}
    return Held(sizes["Rss"], sizes["Private_Clean"] + sizes["Private_Dirty"])


async def web_memory_with_sockets(site: str, slug: str, supervisor: int, number: int) -> int:
    """Return the web process's resident memory while many pages of one public game are open.

    Each is a visitor's at an address of its own: a site lets few of one login or of one address in.
    """
    address = f"{site.replace('http', 'ws')}/ws/games/{slug}/"
    sockets = []
    for each in range(number):
        own = (f"127.1.{each >> 8}.{each & 255}", 0)
        socket = await connect(address, origin=site, local_addr=own, open_timeout=60)  # type: ignore[arg-type]  # a str is an Origin
        await socket.recv()
        sockets.append(socket)
    await asyncio.sleep(3)
    found = memory(supervisor)["web"].resident
    for socket in sockets:
        await socket.close()
    return found


def stored_game(games: int) -> float:
    """Return the bytes that one finished game takes in the database, measured after VACUUM."""
    with tempfile.TemporaryDirectory(prefix="block-you-stored-") as folder:
        program = f"from benchmarks.memory import store_games; store_games({games})"
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.test",
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
        }
        result = subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        return float(result.stdout.splitlines()[-1])


def store_games(number: int) -> None:
    """Play that many games between bots to the end and print by how many bytes each enlarges the database."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    from django_tasks_db.models import DBTaskResult

    from accounts.models import User
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup
    from games.bots.turns import play_turn
    from games.queries.tables.turns import next_number

    def size() -> int:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM")
            (pages,) = cursor.execute("PRAGMA page_count").fetchone()
            (page,) = cursor.execute("PRAGMA page_size").fetchone()
        return int(pages * page)

    alice = User.objects.create_user("alice")
    before = size()
    for seed in range(number):
        seats = tuple(SeatSetup(kind="bot", bot="greedy", seed=seed) for _ in range(4))
        game = create_game(alice, GameSetup(variant="blockyou-4", seats=seats))
        while game.status == "running":
            play_turn(game.pk, next_number(game))
            game.refresh_from_db()
    DBTaskResult.objects.all().delete()
    print((size() - before) / number)


if __name__ == "__main__":
    main()
