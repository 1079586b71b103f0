"""What a page and a move cost: `python -m benchmarks.site`.

CPU time of this process for one request through Django's ASGI handler, as medians, each beside a bare app that answers
the same bytes (`benchmarks.bare_site`), the two taking turns. Production settings on an SQLite file with its production
pragmas; forgery checks on; our whole middleware. The game is one of four people without e-mail addresses, seven rounds
old, and the viewer is to move, there and in ten others. Then the queries of every page.

It ends with the exit status 1 where a ratio or a number of queries is above its aim.
"""

import argparse
import asyncio
import gzip
import os
import secrets
import statistics
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple
from urllib.parse import urlencode

from benchmarks.aims import judge

PLIES = 28
OTHERS = 10
PORT = 8160
#: How many times as much as the bare app's each may cost.
AIMS = {
    "play page": 1.35,
    "its changing part": 1.35,
    "move, answered by redirect": 1.6,
    "move, answered by that part": 2.0,
}
MOST_QUERIES = 15
FORM = "application/x-www-form-urlencoded"

Application = Callable[[Any, Any, Any], Any]
Ask = Callable[[], Any]


class Reply(NamedTuple):
    """An answer as it is sent, and what it cost in CPU milliseconds."""

    status: int
    body: bytes
    cost: float
    is_compressed: bool

    @property
    def text(self) -> str:
        """Return the page in the answer."""
        return (gzip.decompress(self.body) if self.is_compressed else self.body).decode()


@dataclass
class Person:
    """A browser: its cookies, and the token that its pages send along."""

    cookies: dict[str, str]
    token: str

    def headers(self, **more: str) -> list[tuple[bytes, bytes]]:
        """Return what the browser sends with a request."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"host": f"127.0.0.1:{PORT}", "cookie": cookie, "accept-encoding": "gzip", **more}
        return [(name.replace("_", "-").encode(), value.encode()) for name, value in sent.items()]


async def ask(app: Application, person: Person, path: str, form: Mapping[str, str] | None = None, **more: str) -> Reply:
    """Send one request straight into the application."""
    path, _mark, query = path.partition("?")
    body = urlencode(form).encode() if form is not None else b""
    if form is not None:
        more = {"content_type": FORM, "content_length": str(len(body)), "x_csrftoken": person.token, **more}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET" if form is None else "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": person.headers(**more),
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", PORT),
        "scheme": "http",
    }
    return await _run(app, scope, body)


async def _run(app: Application, scope: Mapping[str, Any], body: bytes) -> Reply:
    sent: list[Mapping[str, Any]] = []
    gone = asyncio.Event()
    requests = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Mapping[str, Any]:
        if requests:
            return requests.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    began = process_time()
    await app(scope, receive, send)
    cost = (process_time() - began) * 1000
    start, *parts = sent
    is_compressed = (b"Content-Encoding", b"gzip") in start["headers"]
    return Reply(start["status"], b"".join(part.get("body", b"") for part in parts), cost, is_compressed)


@dataclass
class Line:
    """One line of the table."""

    name: str
    ours: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    size: int = 0

    @property
    def ratio(self) -> float:
        """Return the median of ours beside that of the bare app."""
        return statistics.median(self.ours) / statistics.median(self.bare)

    def text(self) -> str:
        """Return the medians, their ratio and its aim."""
        here, there = statistics.median(self.ours), statistics.median(self.bare)
        return f"{self.name:28}{here:9.2f}{there:9.2f}{self.ratio:9.2f}{AIMS[self.name]:9.2f}{self.size:10,}"


def aims_of(lines: Iterable[Line], queries: Mapping[str, int]) -> dict[str, bool]:
    """Return what requests and pages are to come to, and whether they do."""
    ratios = {f"{line.name} at most {AIMS[line.name]} times the bare app's": line for line in lines}
    return {
        **{aim: line.ratio <= AIMS[line.name] for aim, line in ratios.items()},
        f"at most {MOST_QUERIES} queries a page": max(queries.values()) <= MOST_QUERIES,
    }


async def compare(name: str, ours: Ask, bare: Ask, restore: Callable[[], Any], rounds: int, status: int = 200) -> Line:
    """Ask both in turn, each for the same game; the first rounds, a sixth, are not counted."""
    line, warm_up = Line(name), 1 + rounds // 6
    for number in range(warm_up + rounds):
        for costs, request in ((line.ours, ours), (line.bare, bare)):
            await restore()
            reply = await request()
            if reply.status != status:
                raise RuntimeError(f"{name}: {reply.status} {reply.body[:500]!r}")
            if number >= warm_up:
                costs.append(reply.cost)
            line.size = len(reply.body)
    return line


async def requests(
    person: Person, slug: str, placement: str, due: int, undo: Callable[[], None], rounds: int
) -> list[Line]:
    """Measure the page and the move, which is undone before each request."""
    from asgiref.sync import sync_to_async

    from benchmarks.bare_site.views import pages
    from benchmarks.site_setup import bare_application, our_application

    ours, bare, restore = our_application(), bare_application(), sync_to_async(undo)

    def page(path: str) -> tuple[Ask, Ask]:
        return lambda: ask(ours, person, f"/games/{slug}/{path}"), lambda: ask(bare, person, f"/{slug}/")

    def move(**more: str) -> tuple[Ask, Ask]:
        form = {"placement": placement, "number": str(due), "key": secrets.token_urlsafe(12)}
        return (
            lambda: ask(ours, person, f"/games/{slug}/place/", form, **more),
            lambda: ask(bare, person, f"/{slug}/place/", form, **more),
        )

    part = move(hx_request="true")
    pages["page"] = (await page("")[0]()).text
    lines = [await compare("play page", *page(""), restore, rounds)]
    pages["page"] = (await page("board/")[0]()).text
    lines.append(await compare("its changing part", *page("board/"), restore, rounds))
    lines.append(await compare("move, answered by redirect", *move(), restore, rounds, status=302))
    pages["fragment"] = (await part[0]()).text
    lines.append(await compare("move, answered by that part", *part, restore, rounds))
    return lines


@contextmanager
def installation() -> Iterator[Path]:
    """Set Django up with production settings and an empty database of its own."""
    with tempfile.TemporaryDirectory(prefix="block-you-site-") as folder:
        os.environ.update(
            DATABASE_URL=f"sqlite:///{folder}/db.sqlite3",
            DJANGO_SETTINGS_MODULE="blockyou.settings.prod",
            PUBLIC_URL=f"http://127.0.0.1:{PORT}",
            SECRET_KEY=secrets.token_urlsafe(64),
            VAR_DIR=folder,
        )
        import django

        django.setup()
        yield Path(folder)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    rounds = parser.parse_args().rounds
    with installation():
        from benchmarks.site_setup import midgame, page_queries, undoing

        person, slug, placement, at = midgame(PLIES, OTHERS)
        print(f"{'CPU ms a request, medians':28}{'ours':>9}{'bare':>9}{'ratio':>9}{'aim':>9}{'bytes':>10}")
        lines = asyncio.run(requests(person, slug, placement, at, undoing(slug), rounds))
        for line in lines:
            print(line.text(), flush=True)
        print(f"\nQueries a page (session and person among them), aim: at most {MOST_QUERIES}")
        queries = page_queries(person, slug)
        for path, count in queries.items():
            print(f"{path:28}{count:9}", flush=True)
    judge(aims_of(lines, queries))


if __name__ == "__main__":
    main()
