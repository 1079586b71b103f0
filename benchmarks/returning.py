"""How pages come back to a web process that was killed, or that ends for an update: `python -m benchmarks.returning`.

First what opening a socket costs, beside a bare Channels app: CPU time of the process for sockets that open at a steady
rate, without and with the first heartbeat that a page sends, and whether any is refused when many open at once.

Then the whole site as `make run` starts it, with a page open for each of many readers, half of them logged in. The web
process ends, its supervisor starts another, and the pages come back as `static/realtime/link.js` has it, whose figures
are read from there. Meanwhile somebody places a piece every half second. A page that is behind fetches its part.

The exit status is 1 where pages are back too late or all at once, a move takes too long, an opening costs too much, or
one of many sockets is refused.
"""

import argparse
import asyncio
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.aims import judge
from benchmarks.memory import children, running
from benchmarks.push import HOST, Move, move_of, processor, serving
from benchmarks.sockets import FrameHandler, LightSocket, allow_files, connect
from blockyou.processes.arrivals import PACED_SECONDS

SCRIPT = Path(__file__).resolve().parents[1] / "static" / "realtime" / "link.js"
FIGURES = {
    name: int(number.replace("_", "")) / 1000
    for name, number in re.findall(r"(?m)^export const (\w+) = ([\d_]+);", SCRIPT.read_text())
}
SPREAD, OPENING, BEAT = FIGURES["SPREAD"], FIGURES["OPENING"], FIGURES["BEAT"]
#: Seconds within which pages have to be back, and from one move to the next.
BACK_WITHIN, MOVE_EVERY = 120.0, 0.5
#: Seconds in which all pages are to be back, from the first to the last at least, and that a move may take (B3).
BACK, APART, MOVED = 30.0, 10.0, 2.0
#: CPU milliseconds that an opening may cost (B17).
COST = 2.0
BARE_PORT = 8171
HEARTBEAT = b'{"type":"ping","looking":true}'
_addresses = count(1)


@dataclass(frozen=True)
class Way:
    """Where a socket goes: the path, and the headers that say who opens it."""

    path: str
    cookie: str = ""
    address: str = ""


def visit(path: str, session: str = "") -> Way:
    """Return the way of a reader with an address of their own."""
    number = next(_addresses)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return Way(path, f"sessionid={session}" if session else "", address)


async def opened(port: int, way: Way, on_frame: FrameHandler, patience: float) -> LightSocket:
    """Return an open socket. Raises: OSError or TimeoutError where there is none."""
    return await connect(HOST, port, way.path, on_frame, way.cookie, way.address, patience)


@dataclass
class Tally:
    """What has been seen of a return."""

    began: float = 0.0
    back: list[float] = field(default_factory=list)
    #: Attempts that were refused, by when they were.
    refused: list[float] = field(default_factory=list)
    fetches: int = 0
    moves: list[tuple[float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class Seen:
    """What a return came to, in seconds from the end of the process: when it was healthy, and the first and last page
    back; how long the slowest move took that was asked for after it was healthy, and before.
    """

    well: float
    first: float
    last: float
    slowest: float
    waited: float
    pages: int
    early: int
    refused: int
    fetches: int
    moves: int

    def __str__(self) -> str:
        return (
            f"healthy after {self.well:.1f} s; {self.pages} pages back between {self.first:.1f} and {self.last:.1f} s; "
            f"sockets refused: {self.early} until it was healthy, {self.refused} after; {self.fetches} fetches; "
            f"slowest move {self.slowest:.2f} s after that, {self.waited:.2f} s before; {self.moves} moves"
        )

    def aims(self, how: str) -> dict[str, bool]:
        """Return what a return is to come to, and whether it does."""
        return {
            f"{how}: all pages back within {BACK:g} s": self.last <= BACK,
            f"{how}: over {APART:g} s at least": self.last - self.first >= APART,
            f"{how}: moves within {MOVED:g} s once it is healthy": self.moves > 0 and self.slowest <= MOVED,
        }


class Page:
    """An open page: one socket that comes back, and the version that it shows."""

    def __init__(self, port: int, way: Way, tally: Tally, spread: float) -> None:
        self.port, self.way, self.tally, self.spread = port, way, tally, spread
        self.version = 0
        self.is_heard = asyncio.Event()
        self.fetching: asyncio.Task[None] | None = None

    async def live(self) -> None:
        """Keep a socket open as long as the page is."""
        attempt = 0
        while True:
            socket = await self.arrive()
            if socket is None:
                await asyncio.sleep(min(30.0, 0.5 * 2**attempt) * (0.5 + random.random()))
                attempt += 1
                continue
            attempt = 0
            await self.stay(socket)
            await asyncio.sleep(self.spread * random.random())

    async def arrive(self) -> LightSocket | None:
        """Return an open socket that has said its version, None where the attempt fails."""
        self.is_heard.clear()
        try:
            socket = await opened(self.port, self.way, self.on_frame, OPENING)
        except (OSError, TimeoutError):
            self.tally.refused.append(time.perf_counter())
            return None
        socket.say(HEARTBEAT)
        heard = asyncio.ensure_future(self.is_heard.wait())
        either: set[asyncio.Future[Any]] = {heard, socket.is_closed}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        heard.cancel()
        if socket.is_closed.done():
            self.tally.refused.append(time.perf_counter())
            return None
        self.tally.back.append(time.perf_counter())
        return socket

    async def stay(self, socket: LightSocket) -> None:
        """Send heartbeats until the other end hangs up."""
        while not socket.is_closed.done():
            await asyncio.wait({socket.is_closed}, timeout=BEAT)
            socket.say(HEARTBEAT)

    def on_frame(self, frame: bytes, _at: float) -> None:
        """Take note of a version; fetch what is newer, unless that is under way."""
        found = re.search(rb'"version":(\d+)', frame)
        if found is None:
            return
        self.is_heard.set()
        is_behind = int(found[1]) > self.version > 0
        self.version = int(found[1])
        if is_behind and (self.fetching is None or self.fetching.done()):
            self.fetching = asyncio.create_task(self.fetch())

    async def fetch(self) -> None:
        """Ask for the changing part, as a page does."""
        self.tally.fetches += 1
        slug = self.way.path.split("/")[3]
        headers = f"Cookie: {self.way.cookie}\r\nX-Forwarded-For: {self.way.address}\r\nHX-Request: true\r\n"
        await asked(self.port, f"GET /games/{slug}/board/", headers, b"")


async def asked(port: int, line: str, headers: str, body: bytes) -> bytes:
    """Return the first line of the answer once all of it is there, empty where there is none."""
    try:
        reader, writer = await asyncio.open_connection(HOST, port)
        head = f"{line} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n{headers}\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
    except OSError:
        return b""
    return answer.partition(b"\r\n")[0]


async def play(port: int, moves: Iterator[Move], tally: Tally) -> None:
    """Place a piece now and then; note when each was asked for and how long it took. A lost one is sent again."""
    for move in moves:
        began = time.perf_counter()
        while not re.search(rb" (200|302) ", await asked(port, f"POST {move.path}", move.headers, move.body)):
            await asyncio.sleep(0.1)
        tally.moves.append((began, time.perf_counter() - began))
        await asyncio.sleep(MOVE_EVERY)


async def healthy(port: int, before: int) -> float:
    """Return when the site answers again, by another process than the one before."""
    while Path(f"/proc/{before}").exists():
        await asyncio.sleep(0.02)
    while b" 200 " not in await asked(port, "GET /healthz?only=database", "", b""):
        await asyncio.sleep(0.05)
    return time.perf_counter()


async def come_back(
    port: int, ways: Sequence[Way], moves: Iterator[Move], web: int, how: signal.Signals, spread: float
) -> Seen:
    """Open a page for every way, end the web process, and return what was seen until all are back."""
    tally = Tally()
    pages = []
    for way in ways:
        pages.append(asyncio.create_task(Page(port, way, tally, spread).live()))
        await asyncio.sleep(0.005)
    await until(lambda: len(tally.back) >= len(ways))
    tally.back.clear()
    tally.refused.clear()
    tally.fetches, tally.began = 0, time.perf_counter()
    os.kill(web, how)
    player = asyncio.create_task(play(port, moves, tally))
    well = await healthy(port, web)
    await until(lambda: len(tally.back) >= len(ways))
    for task in [*pages, player]:
        task.cancel()
    await asyncio.gather(*pages, player, return_exceptions=True)
    early = sum(at < well for at in tally.refused)
    slowest = max((taken for began, taken in tally.moves if began > well), default=0.0)
    waited = max((taken for began, taken in tally.moves if began <= well), default=0.0)
    first, last = min(tally.back) - tally.began, max(tally.back) - tally.began
    counts = {"pages": len(ways), "early": early, "refused": len(tally.refused) - early}
    counts |= {"fetches": tally.fetches, "moves": len(tally.moves)}
    return Seen(well - tally.began, first, last, slowest, waited, **counts)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until it is so. Raises: TimeoutError."""
    async with asyncio.timeout(BACK_WITHIN):
        while not is_so():
            await asyncio.sleep(0.02)


async def settle(port: int, way: Way) -> None:
    """Wait until the process lets sockets in as they come: in the first seconds it does so at a pace."""
    await hang_up([await opened(port, way, lambda _frame, _at: None, BACK_WITHIN)])
    await asyncio.sleep(PACED_SECONDS)


async def cost(port: int, pid: int, ways: Sequence[Way], seconds: float, *, asks: bool) -> float:
    """Return the CPU milliseconds of an opening, of sockets that come at a steady rate, without what idling takes."""
    before = processor(pid)
    await asyncio.sleep(seconds)
    began, idle = processor(pid), processor(pid) - before

    async def one(way: Way) -> LightSocket:
        socket = await opened(port, way, lambda _frame, _at: None, BACK_WITHIN)
        if asks:
            socket.say(HEARTBEAT)
        return socket

    openings: list[asyncio.Task[LightSocket]] = []
    for way in ways:
        openings.append(asyncio.create_task(one(way)))
        await asyncio.sleep(seconds / len(ways))
    sockets = await asyncio.gather(*openings)
    await asyncio.sleep(1)
    spent = processor(pid) - began - idle
    await hang_up(sockets)
    return 1000 * spent / len(ways)


async def at_once(port: int, pid: int, ways: Sequence[Way]) -> tuple[str, int]:
    """Open all of these at the same time, and return what came of it, and how many were refused."""
    began, before = time.perf_counter(), processor(pid)
    attempts = [opened(port, way, lambda _frame, _at: None, BACK_WITHIN) for way in ways]
    found = await asyncio.gather(*attempts, return_exceptions=True)
    taken, spent = time.perf_counter() - began, processor(pid) - before
    sockets = [each for each in found if isinstance(each, LightSocket)]
    await hang_up(sockets)
    refused = len(found) - len(sockets)
    each = f"{1000 * spent / len(ways):.2f} CPU ms each"
    return f"{refused} of {len(ways)} refused, answered after {taken:.1f} s, {each}", refused


async def hang_up(sockets: Sequence[LightSocket]) -> None:
    """Close these, and let the server hear of it."""
    for socket in sockets:
        socket.close()
    await asyncio.sleep(2)


def bare(folder: Path, pages: int, seconds: float) -> None:
    """Print what an opening costs a bare app."""
    command = [sys.executable, "-m", "daphne", "-v", "0", "-p", str(BARE_PORT), "benchmarks.bare:application"]
    with serving(command, BARE_PORT, {"BARE_DATABASE": str(folder / "bare.sqlite3")}) as pid:
        ways = [Way(f"/g{number}/") for number in range(pages)]
        spent = asyncio.run(cost(BARE_PORT, pid, ways, seconds, asks=False))
    print(f"an opening of a bare Channels app        {spent:5.2f} CPU ms", flush=True)


def plan(games: int, environment: Mapping[str, str], number: int = 0) -> tuple[list[str], list[Move], list[str]]:
    """Make the games; return the paths of their sockets, that many moves, else one of each player of each, and the
    sessions of those who make them.
    """
    made = subprocess.run(
        [sys.executable, "-m", "benchmarks.push_games", str(games), str(number or 2 * games)],
        env={**os.environ, **environment}, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    plans = [line.split("\t") for line in made[1:]]
    moves = [move_of(slug, *rest) for slug, *rest in plans]
    return [f"/ws/games/{slug}/" for slug in made[0].split()], moves, [session for _slug, session, *_rest in plans]


def readers(number: int, paths: Sequence[str], sessions: Sequence[str]) -> list[Way]:
    """Return the ways of that many readers, who go round the games: half of them play there, half only look."""
    games = len(paths)
    return [
        visit(paths[each % games], sessions[each % (2 * games)] if each // games % 2 == 0 else "")
        for each in range(number)
    ]


def web_of(supervisor: int) -> int:
    """Return the process id of the web process, once it is there."""
    while True:
        for pid in children(supervisor):
            if "web" in Path(f"/proc/{pid}/cmdline").read_text().split("\0")[3:6]:
                return int(pid)
        time.sleep(0.05)


def main() -> None:
    """Print what openings cost, then how pages come back."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000, help="that come back")
    parser.add_argument("--sockets", type=int, default=2000, help="that open at once")
    parser.add_argument("--games", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=10, help="in which sockets open at a steady rate")
    parser.add_argument("--spread", type=float, default=SPREAD, help="seconds over which pages come back, for a trial")
    parser.add_argument("--rounds", type=int, default=1, help="of a kill and an end each")
    options = parser.parse_args()
    allow_files(16384)
    with tempfile.TemporaryDirectory(prefix="block-you-returning-") as name:
        folder = Path(name)
        bare(folder, options.pages, options.seconds)
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
            paths, planned, sessions = plan(options.games, environment)
            moves = iter(planned)
            ways = readers(options.pages, paths, sessions)
            asyncio.run(settle(port, ways[0]))
            aims: dict[str, bool] = {}
            for asks, what in ((False, "an opening"), (True, "an opening and the page's first heartbeat")):
                spent = asyncio.run(cost(port, web_of(supervisor), ways, options.seconds, asks=asks))
                print(f"{what:41}{spent:5.2f} CPU ms, {len(ways)} in {options.seconds:.0f} s", flush=True)
                aims |= {} if asks else {f"{what} at most {COST:g} CPU ms": spent <= COST}
            many = readers(options.sockets, paths, sessions)
            told, refused = asyncio.run(at_once(port, web_of(supervisor), many))
            print(f"{len(many)} at once: {told}", flush=True)
            aims[f"of {len(many)} at once none refused"] = not refused
            for number in range(2 * options.rounds):
                how = (signal.SIGKILL, signal.SIGTERM)[number % 2]
                seen = asyncio.run(come_back(port, ways, moves, web_of(supervisor), how, options.spread))
                print(f"{how.name}: {seen}", flush=True)
                aims |= {aim: is_met and aims.get(aim, True) for aim, is_met in seen.aims(how.name).items()}
    judge(aims)


if __name__ == "__main__":
    main()
