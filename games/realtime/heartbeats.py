"""Answering heartbeats together: what many pages ask within a short while is asked of the database once.

A lonely heartbeat is answered at once. Others that come within `BATCH_EVERY` seconds wait for the end of that time,
and then share their queries, so what heartbeats cost hardly grows with the number of open pages. Sockets that open ask
in this way too: whose they are, and what they may see.
"""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async

#: Seconds from one round of answers to the next. A page waits eight seconds for an answer.
BATCH_EVERY = 0.25
#: The same for what is asked of sockets that open, and of those that close.
OPENING_EVERY = 0.2
#: Questions of one round: more than the sockets of one process can ask within that time.
MOST_QUESTIONS = 100_000

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class QueryBatcher(Generic[Question, Answer]):
    """Answers the questions of all sockets of an event loop in rounds; `ask` does so by queries, in their order.

    A round begins `every` seconds after the one before at the earliest, and has so many different questions at `most`:
    those whose `key` is the same have one answer, and come in the same round.
    """

    def __init__(
        self,
        ask: Callable[[Sequence[Question]], Sequence[Answer]],
        *,
        every: float = BATCH_EVERY,
        most: int = MOST_QUESTIONS,
        key: Callable[[Question], Hashable] = id,
        uses_database: bool = True,
    ) -> None:
        self._every, self._most, self._key = every, most, key
        # Where a question is not for the database, no page's thread has to wait for it.
        self._ask = database_sync_to_async(ask) if uses_database else sync_to_async(ask, thread_sensitive=False)
        self._loops: WeakKeyDictionary[asyncio.AbstractEventLoop, _Batch[Question, Answer]] = WeakKeyDictionary()

    async def answer(self, question: Question) -> Answer:
        """Return the answer to one question.

        Raises:
            Exception: what `ask` has raised, to every question of that round.

        """
        loop = asyncio.get_running_loop()
        waiting = self._loops.setdefault(loop, _Batch())
        future: asyncio.Future[Answer] = loop.create_future()
        waiting.asked.append((question, future))
        if waiting.task is None:
            waiting.task = loop.create_task(self._go_on(waiting))
        return await future

    async def _go_on(self, waiting: "_Batch[Question, Answer]") -> None:
        """Run rounds until no question is left."""
        loop = asyncio.get_running_loop()
        try:
            while waiting.asked:
                await asyncio.sleep(max(0.0, waiting.ready_at - loop.time()))
                waiting.ready_at = loop.time() + self._every
                await self._hold(self._next(waiting))
        finally:
            waiting.task = None

    def _next(self, waiting: "_Batch[Question, Answer]") -> "Sequence[tuple[Question, asyncio.Future[Answer]]]":
        """Take the questions of one round from those that wait."""
        if len(waiting.asked) <= self._most:
            asked, waiting.asked = waiting.asked, []
            return asked
        keys = [self._key(question) for question, _future in waiting.asked]
        first = set(islice(dict.fromkeys(keys), self._most))
        asked = [each for each, key in zip(waiting.asked, keys, strict=True) if key in first]
        waiting.asked = [each for each, key in zip(waiting.asked, keys, strict=True) if key not in first]
        return asked

    async def _hold(self, asked: "Sequence[tuple[Question, asyncio.Future[Answer]]]") -> None:
        questions, futures = zip(*asked, strict=True)
        try:
            answers = await self._ask(questions)
        except Exception as error:  # noqa: BLE001  (each socket fails as it would by itself)
            for future in futures:
                if not future.done():
                    future.set_exception(error)
            return
        for future, answer in zip(futures, answers, strict=True):
            # A socket may have closed meanwhile.
            if not future.done():
                future.set_result(answer)


class _Batch(Generic[Question, Answer]):
    """The questions that wait in one event loop, and when the next round may begin."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, asyncio.Future[Answer]]] = []
        self.ready_at = 0.0
        self.task: asyncio.Task[None] | None = None
