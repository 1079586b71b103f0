"""Push: from a move's POST to the last open page of that game, over real sockets.

Two settings, each against the bare Channels app beside this file, in one run: many sockets spread over many games, and
many in one game. Server and client are two processes on this machine, with everything between them: handshake, session,
CSRF, the action, the database (SQLite, synchronous=FULL), the layer, Daphne. The POST's whole page is rendered too, but
its end is not waited for: what counts is when the last socket of the game has its message.

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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.sockets import LightSocket, allow_files, connect

HOST, READY_SECONDS = "127.0.0.1", 60


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

    def hear(self, _frame: bytes, at: float) -> None:
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
            return await connect(HOST, port, path, room.hear, address=f"10.1.{number >> 8}.{number & 255}")

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


def report(name: str, delays: list[float], share: float, cost: float) -> None:
    """Print one line of figures: times, memory a socket in kB, and CPU seconds a move."""
    ms = sorted(1000 * delay for delay in delays)
    p95 = ms[int(0.95 * (len(ms) - 1))]
    times = f"median {statistics.median(ms):6.1f} ms  p95 {p95:6.1f} ms"
    costs = f"{1000 * cost:5.1f} CPU ms a move  {share:4.0f} kB a socket"
    print(f"{name:42} {times}  {costs}  ({len(ms)} moves)", flush=True)


def ours(port: int, folder: Path, games: int, sockets: int, moves: int, name: str) -> None:
    """Measure Block-You."""
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
        asyncio.run(_run(f"Block-You, {name}", port, pid, paths, todo, sockets // games))


def move_of(slug: str, session: str, csrf: str, number: str, placement: str) -> Move:
    """Return what a browser sends for a planned move (`benchmarks.push_games`)."""
    body = urlencode({"number": number, "placement": placement, "key": os.urandom(8).hex()}).encode()
    headers = (
        f"Content-Type: application/x-www-form-urlencoded\r\nHX-Request: true\r\nX-CSRFToken: {csrf}\r\n"
        f"Cookie: sessionid={session}; csrftoken={csrf}\r\n"
    )
    return Move(f"/games/{slug}/place/", body, headers)


def bare(port: int, folder: Path, games: int, sockets: int, moves: int, name: str) -> None:
    """Measure the bare app."""
    groups = [f"g{number}" for number in range(games)]
    rooms = {group: Room() for group in groups}
    paths = [(rooms[group], f"/{group}/") for group in groups for _ in range(sockets // games)]
    todo = [(rooms[groups[number % games]], Move(f"/{groups[number % games]}/", b"", "")) for number in range(moves)]
    command = [sys.executable, "-m", "daphne", "-v", "0", "-p", str(port), "benchmarks.bare:application"]
    with serving(command, port, {"BARE_DATABASE": str(folder / f"bare-{name}.sqlite3")}) as pid:
        asyncio.run(_run(f"bare Channels app, {name}", port, pid, paths, todo, sockets // games))


async def _run(
    name: str, port: int, pid: int, paths: list[tuple[Room, str]], todo: list[tuple[Room, Move]], each: int
) -> None:
    before = memory(pid)
    opened = await open_all(port, paths)
    await asyncio.sleep(1)
    share = (memory(pid) - before) / len(opened)
    spent = processor(pid)
    delays = await measure(port, todo, each)
    report(name, delays, share, (processor(pid) - spent) / len(todo))
    for socket in opened:
        socket.close()


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
    with tempfile.TemporaryDirectory() as name:
        for number, measured in enumerate((bare, ours)):
            many, one = f"{options.sockets} sockets, {options.games} games", f"{options.in_one} sockets, 1 game"
            measured(options.port + number, Path(name), options.games, options.sockets, options.moves, many)
            measured(options.port + 2 + number, Path(name), 1, options.in_one, min(40, options.moves), one)


if __name__ == "__main__":
    main()
