"""A web process that asks itself for its health, and gives way to another when it has none and the database has.

Threads that wait for ever, or connections that never come back to their pool, leave a process that listens and does not
answer. No monitor of the host replaces it; its supervisor does, once it has ended.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from django.db import DatabaseError

from blockyou.processes.own_connection import own_connection
from blockyou.processes.turnstile import INSIDE

logger = logging.getLogger(__name__)

_Application: TypeAlias = Callable[[dict[str, Any], Callable[[], Any], Callable[[Any], Any]], Awaitable[None]]

#: Seconds between two questions, until an answer counts as none, and how many in succession have to miss theirs.
EVERY_SECONDS, MISSED_AFTER_SECONDS, MOST_MISSED = 10.0, 15.0, 3
SCOPE: dict[str, Any] = {
    "type": "http",
    "asgi": {"version": "3.0"},
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "path": "/healthz",
    "raw_path": b"/healthz",
    "root_path": "",
    "query_string": b"only=database",
    "headers": [(b"host", b"127.0.0.1")],
    "client": ("127.0.0.1", 0),
    "server": ("127.0.0.1", 0),
    # By the ways of all pages: it is these that may be stuck.
    INSIDE: True,
}


async def end_when_stuck(application: _Application, end: Callable[[], object]) -> None:
    """Ask again and again; call `end` once too many answers in succession are missing although the database answers.

    An answer that says no is one: another process would say the same. A question without an answer yet stays the
    one that is asked.
    """
    missing, question = 0, None
    try:
        while missing < MOST_MISSED:
            await asyncio.sleep(EVERY_SECONDS)
            is_late = question is not None and not question.done()
            if question is None or not is_late:
                question = asyncio.ensure_future(ask_for_health(application))
            missing = 0 if await is_answered(question) and not is_late else missing + 1
            if missing >= MOST_MISSED and not await asyncio.to_thread(is_database_there):
                missing = 0
    finally:
        if question is not None:
            question.cancel()
    logger.error("This process no longer answers, though its database does. It ends, so that another takes its place.")
    end()


async def is_answered(question: "asyncio.Future[None]") -> bool:
    """Return whether the answer comes in time, whatever it says.

    The question is not ended: it would wait for the thread that does not answer.
    """
    await asyncio.wait({question}, timeout=MISSED_AFTER_SECONDS)
    return question.done() and question.exception() is None


async def ask_for_health(application: _Application) -> None:
    """Ask the site for its health."""
    body = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if body.is_set():
            await asyncio.Future()
        body.set()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_message: Any) -> None:
        return

    await application({**SCOPE}, receive, send)


def is_database_there() -> bool:
    """Return whether the database answers over a connection of its own, which belongs to no pool."""
    try:
        with own_connection() as connection, connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True
