"""What open streams of the API cost, and how soon they tell of a move: `python -m benchmarks.streams`.

Memory and CPU time of the web process with many streams that have nothing to say but that they are there, half of games
and half of people. Then moves, sent through the API: until a stream of the game has its line, and until a page of the
game, told by its socket, has fetched its part. Production settings on SQLite, the web process as it runs on a site.
"""

import argparse
import asyncio
import itertools
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from benchmarks.push import memory, processor, serving
from benchmarks.sockets import allow_files, connect

HOST = "127.0.0.1"
#: Streams of one person; the site lets them have forty.
EACH = 20
AIM = "aims: 60 MiB and 2 % of a core with 1,000"
_addresses = itertools.count(1)


class Line(asyncio.Protocol):
    """A request whose answer stays open; it notes when something has come that is more than an empty line."""

    def __init__(self, request: bytes) -> None:
        self.request = request
        self.is_open: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.heard = asyncio.Event()
        self.heard_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        """Take note."""
        if not self.is_open.done():
            self.is_open.set_result(data.startswith(b"HTTP/1.1 200"))
        elif b"{" in data:
            self.heard_at = time.perf_counter()
            self.heard.set()


def head(method: str, port: int, path: str, *lines: str) -> bytes:
    """Return the beginning of a request as a proxy passes it on, from an address of its own."""
    number = next(_addresses)
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return "\r\n".join(
        [f"{method} {path} HTTP/1.1", f"Host: {HOST}:{port}", f"X-Forwarded-For: {address}", *lines, "", ""]
    ).encode()


async def follow(port: int, path: str, token: str) -> Line:
    """Return an open stream."""
    request = head("GET", port, path, f"Authorization: Bearer {token}")
    _transport, line = await asyncio.get_running_loop().create_connection(lambda: Line(request), HOST, port)
    if not await asyncio.wait_for(line.is_open, 60):
        raise ConnectionError(path)
    return line


async def ask(port: int, path: str, token: str = "", body: Any = None) -> Any:
    """Return the answer to one request over a connection of its own, read as JSON where it has a token."""
    data = b"" if body is None else json.dumps(body).encode()
    lines = [f"Content-Length: {len(data)}", "Content-Type: application/json", "Connection: close"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(head("POST" if data else "GET", port, path, *lines) + data)
    start, _, content = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    if b" 200 " not in start.splitlines()[0]:
        raise ConnectionError(start.decode() + content.decode())
    return json.loads(content) if token else content


async def one_move(port: int, slug: str, tokens: Sequence[str], stream: Line, pages: asyncio.Queue[None]) -> Any:
    """Play a move; return after how many seconds a stream has its line and a page its part."""
    game = await ask(port, f"/api/v1/games/{slug}", tokens[0])
    mover = tokens[game["turn"]["seat"]]
    legal = await ask(port, f"/api/v1/games/{slug}/placements", mover)
    stream.heard.clear()
    while not pages.empty():
        pages.get_nowait()
    began = time.perf_counter()

    async def page() -> float:
        await pages.get()
        await ask(port, f"/games/{slug}/board/")
        return time.perf_counter() - began

    shown = asyncio.create_task(page())
    await ask(
        port, f"/api/v1/games/{slug}/place", mover, {"number": legal["number"], "id": secrets.choice(legal["ids"])}
    )
    await asyncio.wait_for(stream.heard.wait(), 30)
    return stream.heard_at - began, await shown


async def share(pid: int, seconds: int) -> float:
    """Return what a process takes of a core for so long, in per cent."""
    spent, began = processor(pid), time.monotonic()
    await asyncio.sleep(seconds)
    return 100 * (processor(pid) - spent) / (time.monotonic() - began)


async def measure(port: int, pid: int, games: list[list[str]], streams: int, seconds: int, moves: int) -> None:
    """Print what idle streams cost, then how soon moves are told."""
    idle = await share(pid, seconds)
    before, opened = memory(pid), []
    people = itertools.cycle([(slug, token) for slug, *tokens in games for token in tokens])
    for number in range(streams):
        slug, token = next(people)
        opened.append(await follow(port, f"/api/v1/games/{slug}/stream" if number % 2 else "/api/v1/stream", token))
    await asyncio.sleep(3)
    print(f"{streams} idle streams    {(memory(pid) - before) / 1024:6.1f} MiB", flush=True)
    print(f"                    {await share(pid, seconds) - idle:6.2f} % of a core, in {seconds} s    {AIM}")
    print(f"without any         {idle:6.2f} % of a core", flush=True)
    slug, *tokens = games[0]
    pages: asyncio.Queue[None] = asyncio.Queue()
    stream = await follow(port, f"/api/v1/games/{slug}/stream", tokens[0])
    socket = await connect(HOST, port, f"/ws/games/{slug}/", lambda _frame, _at: pages.put_nowait(None))
    told = [await one_move(port, slug, tokens, stream, pages) for _ in range(moves)]
    for name, delays in zip(("a stream", "a page"), zip(*told, strict=True), strict=True):
        ms = sorted(1000 * delay for delay in delays)
        p95 = ms[int(0.95 * (len(ms) - 1))]
        print(f"a move reaches {name:9} median {statistics.median(ms):6.1f} ms  p95 {p95:6.1f} ms  ({moves} moves)")
    socket.close()
    for line in (stream, *opened):
        line.transport.abort()


def make_games(number: int) -> None:
    """Make games of two new people; print for each its slug and their tokens."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.utils import timezone

    from accounts.models import Scope, User
    from accounts.tokens import make_token
    from benchmarks.push_games import new_game

    call_command("migrate", verbosity=0)
    for _ in range(number):
        game, _sessions = new_game()
        people = [player.user for player in game.players.order_by("seat")]
        tokens = [make_token(cast(User, user), "streams", list(Scope), timezone.now()) for user in people]
        print(game.slug, *tokens)


def main() -> None:
    """Measure in a folder of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=120, help="for which they are idle")
    parser.add_argument("--moves", type=int, default=20)
    parser.add_argument("--port", type=int, default=8165)
    options = parser.parse_args()
    allow_files(8192)
    with tempfile.TemporaryDirectory(prefix="block-you-streams-") as name:
        environment = {
            "DATABASE_URL": f"sqlite:///{Path(name) / 'db.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
            "PUBLIC_URL": f"http://{HOST}:{options.port}",
            "SECRET_KEY": secrets.token_urlsafe(64),
            "TRUSTED_PROXY_COUNT": "1",
            "VAR_DIR": name,
        }
        games = max(1, options.streams // EACH // 2)
        program = f"from benchmarks.streams import make_games; make_games({games})"
        made = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, **environment}, check=True, stdout=subprocess.PIPE, text=True,
        ).stdout.splitlines()  # fmt: skip
        command = [sys.executable, "manage.py", "web", "--port", str(options.port)]
        with serving(command, options.port, environment) as pid:
            asyncio.run(
                measure(
                    options.port, pid, [line.split() for line in made], options.streams, options.seconds, options.moves
                )
            )


if __name__ == "__main__":
    main()
