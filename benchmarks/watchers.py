"""What a crowd that watches one game costs: `python -m benchmarks.watchers`.

Many watchers without a login, each with an address of their own, have an open page of one game. After every move each
of them fetches the part of the page that changes, as pages do. Measured are the time from the POST of a move until the
last watcher has the new part, and the CPU time of the web process a move, that of the player's own answer included.

Two ways take turns, move by move: the part as everybody gets it, drawn once and shared, and the same part asked for
with a secret of a link in the address that opens nothing, with which it is drawn for each watcher alone. The exit
status is 1 where sharing saves too little, or the last watcher has its part too late.
"""

import argparse
import asyncio
import secrets
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.aims import judge
from benchmarks.memory import running
from benchmarks.push import Move, processor
from benchmarks.returning import Way, asked, opened, plan, visit, web_of
from benchmarks.sockets import LightSocket, allow_files

#: How many times the CPU time the part is to cost where each is drawn alone, and seconds until the last has it (B18).
SAVED, LAST = 1.5, 2.0
#: The ways: their names, and what stands in the address of the part.
SHARED, ALONE = ("shared", ""), ("each alone", "?token=nothing")


class WatchingPage:
    """A page that fetches its part whenever it hears of a newer version."""

    def __init__(self, port: int, way: Way, arrived: "asyncio.Queue[float | ConnectionError]") -> None:
        self.port, self.way, self.arrived = port, way, arrived
        self.query = ""
        self.is_ready = False
        self.fetches: list[asyncio.Task[None]] = []

    async def open(self) -> LightSocket:
        """Open the socket."""
        return await opened(self.port, self.way, self.on_frame, 60)

    def on_frame(self, _frame: bytes, _at: float) -> None:
        """Fetch the part; the first frame says only what is shown already."""
        if self.is_ready:
            self.fetches.append(asyncio.create_task(self.fetch()))
        self.is_ready = True

    async def fetch(self) -> None:
        """Ask for the part, and take note of when it was there."""
        slug = self.way.path.split("/")[3]
        headers = f"X-Forwarded-For: {self.way.address}\r\nHX-Request: true\r\nAccept-Encoding: gzip\r\n"
        answer = await asked(self.port, f"GET /games/{slug}/board/{self.query}", headers, b"")
        self.arrived.put_nowait(time.perf_counter() if b" 200 " in answer else ConnectionError(answer.decode()))


async def next_of(arrived: "asyncio.Queue[float | ConnectionError]") -> float:
    """Return when the next watcher had its part. Raises: ConnectionError."""
    found = await arrived.get()
    if isinstance(found, ConnectionError):
        raise found
    return found


async def watch(
    port: int, pid: int, ways: Sequence[Way], moves: Sequence[Move]
) -> dict[str, list[tuple[float, float]]]:
    """Return for each way the seconds until the last watcher has the part, and the CPU seconds, of each move."""
    arrived: asyncio.Queue[float | ConnectionError] = asyncio.Queue()
    watchers = [WatchingPage(port, way, arrived) for way in ways]
    sockets = [await watcher.open() for watcher in watchers]
    await asyncio.sleep(1)
    found: dict[str, list[tuple[float, float]]] = {SHARED[0]: [], ALONE[0]: []}
    for number, move in enumerate(moves):
        name, query = (SHARED, ALONE)[number % 2]
        for watcher in watchers:
            watcher.query = query
        began, before = time.perf_counter(), processor(pid)
        answer = await asked(port, f"POST {move.path}", move.headers, move.body)
        if b" 200 " not in answer:
            raise ConnectionError(answer.decode())
        async with asyncio.timeout(120):
            last = max([await next_of(arrived) for _ in watchers])
        await asyncio.sleep(0.5)
        found[name].append((last - began, processor(pid) - before))
    for socket in sockets:
        socket.close()
    return found


def main() -> None:
    """Print both ways, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--moves", type=int, default=20, help="half of them each way")
    options = parser.parse_args()
    allow_files(8192)
    with tempfile.TemporaryDirectory(prefix="block-you-watchers-") as name:
        folder = Path(name)
        environment = {
            "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
            "JOB_WORKERS": "1",
            "SECRET_KEY": secrets.token_urlsafe(64),
            "TRUSTED_PROXY_COUNT": "1",
            "VAR_DIR": name,
        }
        with running(folder, environment) as (site, supervisor):
            port = int(site.rpartition(":")[2])
            [path], planned, _sessions = plan(1, environment, options.moves + 2)
            ways = [visit(path) for _ in range(options.watchers)]
            # The first two moves are for what is loaded and drawn for the first time.
            asyncio.run(watch(port, web_of(supervisor), ways[:2], planned[:2]))
            found = asyncio.run(watch(port, web_of(supervisor), ways, planned[2:]))
    medians = {name: [statistics.median(column) for column in zip(*seen, strict=True)] for name, seen in found.items()}
    for name, (last, spent) in medians.items():
        print(f"{options.watchers} watchers, {name:11} last part after {last:5.2f} s  {spent:5.2f} CPU s a move")
    last, spent = (alone / shared for alone, shared in zip(medians[ALONE[0]], medians[SHARED[0]], strict=True))
    print(f"each alone beside shared: {last:.1f} times as long, {spent:.1f} times the CPU time")
    judge(
        {
            f"each alone costs {SAVED:g} times as much as shared at least": spent >= SAVED,
            f"the last watcher has the shared part within {LAST:g} s": medians[SHARED[0]][0] <= LAST,
        }
    )


if __name__ == "__main__":
    main()
