"""Push: from a move's POST to the last open page of that game, over real sockets.

Two settings, each against the bare Channels app beside this file: many sockets spread over many games, and many in one
game. Both servers run at the same time and take a move in turns, so that a machine that is busy now and then is so for
both: the ratio is what can be told, and how much it differs between the fifths of the moves is told with it.

Servers and client are three processes on this machine, with everything between them: handshake, session, CSRF, the
action, the database (SQLite, synchronous=FULL), the layer, Daphne. The POST's whole page is rendered too, but its end
is not waited for: what counts is when the last socket of the game has its message.

The exit status is 1 where the pages of many games hear too late; those of one crowd have no aim but the ratio.

    python -m benchmarks.push --sockets 2000 --games 500 --moves 100
"""

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.aims import judge
from benchmarks.sockets import LightSocket, allow_files, connect

HOST, READY_SECONDS = "127.0.0.1", 60
#: Seconds from a move's POST until the last page of its game hears, of how many moves in a hundred at most (B15).
MOST = {50: 0.05, 95: 0.15, 99: 0.5}
#: Into how many parts the moves are told, so that one sees how much the ratio swings.
ROUNDS = 5


@dataclass
class Move:
    """One POST to make, and the sockets of its game that have to hear of it."""

    path: str
    body: bytes
    headers: str


@dataclass
class Room:
    """One game's sockets: when each heard last."""

    heard: list[float] = field(default_factory=list)

    def on_frame(self, _frame: bytes, at: float) -> None:
        """Take note."""
        self.heard.append(at)


async def measure(port: int, moves: list[tuple[Room, Move]], each: int) -> list[float]:
    """Return, for every move, the seconds from its POST until the last of its room's sockets has heard."""
    delays = []
    for room, move in moves:
        room.heard.clear()
        reader, writer = await asyncio.open_connection(HOST, port)
        head = f"POST {move.path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n"
        began = time.perf_counter()
        writer.write(f"{head}Content-Length: {len(move.body)}\r\n{move.headers}\r\n".encode() + move.body)
        answer = await reader.readline()
        if b" 200 " not in answer and b" 302 " not in answer:
            raise ConnectionError(answer.decode())
        async with asyncio.timeout(60):
            while len(room.heard) < each:
                await asyncio.sleep(0.001)
            await reader.read()
        writer.close()
        delays.append(sorted(room.heard)[each - 1] - began)
    return delays


async def open_all(port: int, paths: list[tuple[Room, str]]) -> list[LightSocket]:
    """Open a socket to every path, forty at a time, each from an address of its own: a site lets few of one in."""
    gate = asyncio.Semaphore(40)

    async def one(room: Room, path: str, number: int) -> LightSocket:
        async with gate:
            return await connect(HOST, port, path, room.on_frame, address=f"10.1.{number >> 8}.{number & 255}")

    return await asyncio.gather(*(one(room, path, number) for number, (room, path) in enumerate(paths)))


@contextmanager
def serving(command: list[str], port: int, environment: dict[str, str]) -> Iterator[int]:
    """Run a server until the block ends; yield its process id."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    try:
        asyncio.run(_ready(port))
        yield process.pid
    finally:
        process.terminate()
        process.wait(20)


async def _ready(port: int) -> None:
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        try:
            _reader, writer = await asyncio.open_connection(HOST, port)
        except OSError:
            await asyncio.sleep(0.1)
        else:
            writer.close()
            return
    raise TimeoutError(port)


def memory(pid: int) -> int:
    """Return a process's resident memory in kB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


def processor(pid: int) -> float:
    """Return the CPU seconds that a process has taken, the robust figure on a busy machine."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclass
class Side:
    """A server that is measured: its sockets, the moves that it is to take, and what they took."""

    name: str
    port: int
    pid: int
    paths: list[tuple[Room, str]]
    moves: list[tuple[Room, Move]]
    delays: list[float] = field(default_factory=list)
    #: Kilobytes of memory a socket; CPU seconds of all moves, and of the server while it only waits.
    share: float = 0.0
    spent: float = 0.0

    async def fill(self) -> list[LightSocket]:
        """Open all sockets."""
        before = memory(self.pid)
        opened = await open_all(self.port, self.paths)
        await asyncio.sleep(1)
        self.share = (memory(self.pid) - before) / len(opened)
        return opened

    async def take(self, number: int, each: int) -> None:
        """Take one of the moves."""
        before = processor(self.pid)
        self.delays += await measure(self.port, [self.moves[number]], each)
        self.spent += processor(self.pid) - before


async def compare(sides: Sequence[Side], each: int) -> None:
    """Make moves on each side in turn, and change which side begins: both meet the same machine."""
    opened = [socket for side in sides for socket in await side.fill()]
    for number in range(min(len(side.moves) for side in sides)):
        for side in sides[:: -1 if number % 2 else 1]:
            await side.take(number, each)
    for socket in opened:
        socket.close()


def report(one: Side, other: Side) -> None:
    """Print a line of figures for each side, then how much longer one takes, of all moves and of each fifth of them."""
    for side in (other, one):
        ms = sorted(1000 * delay for delay in side.delays)
        p95 = ms[int(0.95 * (len(ms) - 1))]
        times = f"median {statistics.median(ms):6.1f} ms  p95 {p95:6.1f} ms"
        costs = f"{1000 * side.spent / len(ms):5.1f} CPU ms a move  {side.share:4.0f} kB a socket"
        print(f"{side.name:42} {times}  {costs}  ({len(ms)} moves)", flush=True)
    parts = [ratio(one.delays[at::ROUNDS], other.delays[at::ROUNDS]) for at in range(ROUNDS)]
    told = ", ".join(f"{part:.2f}" for part in sorted(parts) if part)
    print(f"{'':42} ratio of the medians {ratio(one.delays, other.delays):.2f}; of each fifth {told}", flush=True)


def aims_of(delays: Sequence[float]) -> dict[str, bool]:
    """Return what moves in many games are to come to, and whether they do."""
    taken = sorted(delays)
    return {
        f"{share} of 100 moves heard of within {1000 * most:g} ms": taken[share * (len(taken) - 1) // 100] <= most
        for share, most in MOST.items()
    }


def ratio(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how many times as long some take, by their medians; 0 where there is nothing to compare."""
    return statistics.median(some) / statistics.median(others) if some and others else 0.0


@contextmanager
def ours(port: int, folder: Path, games: int, sockets: int, moves: int, name: str) -> Iterator[Side]:
    """Yield Block-You."""
    database = f"sqlite:///{folder / f'{name}.sqlite3'}"
    environment = {
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.test",
        "PUBLIC_URL": f"http://{HOST}:{port}",
        "TRUSTED_PROXY_COUNT": "1",
    }
    made = subprocess.run(
        [sys.executable, "-m", "benchmarks.push_games", str(games), str(moves)],
        env={**os.environ, **environment}, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    slugs, plans = made[0].split(), [line.split("\t") for line in made[1:]]
    rooms = {slug: Room() for slug in slugs}
    paths = [(rooms[slug], f"/ws/games/{slug}/") for slug in slugs for _ in range(sockets // games)]
    todo = [(rooms[slug], move_of(slug, *plan)) for slug, *plan in plans]
    with serving([sys.executable, "manage.py", "web", "--port", str(port)], port, environment) as pid:
        yield Side(f"Block-You, {name}", port, pid, paths, todo)


def move_of(slug: str, session: str, csrf: str, number: str, placement: str) -> Move:
    """Return what a browser sends for a planned move (`benchmarks.push_games`)."""
    body = urlencode({"number": number, "placement": placement, "key": os.urandom(8).hex()}).encode()
    headers = (
        f"Content-Type: application/x-www-form-urlencoded\r\nHX-Request: true\r\nX-CSRFToken: {csrf}\r\n"
        f"Cookie: sessionid={session}; csrftoken={csrf}\r\n"
    )
    return Move(f"/games/{slug}/place/", body, headers)


@contextmanager
def bare(port: int, folder: Path, games: int, sockets: int, moves: int, name: str) -> Iterator[Side]:
    """Yield the bare app."""
    groups = [f"g{number}" for number in range(games)]
    rooms = {group: Room() for group in groups}
    paths = [(rooms[group], f"/{group}/") for group in groups for _ in range(sockets // games)]
    todo = [(rooms[groups[number % games]], Move(f"/{groups[number % games]}/", b"", "")) for number in range(moves)]
    command = [sys.executable, "-m", "daphne", "-v", "0", "-p", str(port), "benchmarks.bare:application"]
    with serving(command, port, {"BARE_DATABASE": str(folder / f"bare-{name}.sqlite3")}) as pid:
        yield Side(f"bare Channels app, {name}", port, pid, paths, todo)


def main() -> None:
    """Measure both settings, ours and the bare app's."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sockets", type=int, default=2000)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--in-one", type=int, default=200)
    parser.add_argument("--port", type=int, default=8155)
    options = parser.parse_args()
    allow_files(8192)
    aims: dict[str, bool] = {}
    with tempfile.TemporaryDirectory() as name:
        for port, sockets, games, moves in (
            (options.port, options.sockets, options.games, options.moves),
            (options.port + 2, options.in_one, 1, min(40, options.moves)),
        ):
            size = (Path(name), games, sockets, moves, f"{sockets} sockets, {games} game{'s' * (games > 1)}")
            with ours(port, *size) as one, bare(port + 1, *size) as other:
                asyncio.run(compare((one, other), sockets // games))
            report(one, other)
            aims |= aims_of(one.delays) if games > 1 else {}
    judge(aims)


if __name__ == "__main__":
    main()
