"""Clients who read games and place pieces while the site is killed and stands still, and whether what they saw fits.

A game's moves are a list that only grows. What its readers and writers saw fits if all that was answered could have
happened one after the other, each at some moment between its question and its answer.
"""

import json
import random
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import NamedTuple

from games.rules import Placement, Position
from tests.reliability.visitor import Answer, Unanswered, Visitor, open_duel

VARIANT = "blockyou-2"
#: Seconds between two tries where there was no answer, or none that counts.
BETWEEN_TRIES = 0.1
#: What a site says that is too busy, or without its database: nothing was done, and one may ask again.
NOT_NOW = (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS)


class Seen(NamedTuple):
    """An answer about a game: how many moves there were then at least, and which, as far as it says so.

    `began` is when it was first asked for, `ended` when it was answered. Of a move that was stored `stored` is its key,
    of one that was refused `refused`.
    """

    began: float
    ended: float
    number: int
    moves: tuple[str, ...] = ()
    stored: str = ""
    refused: str = ""


def misfits(seen: Sequence[Seen], log: Sequence[tuple[str, str]]) -> list[str]:
    """Return in words what does not fit of a game, whose moves in the end are these keys and texts."""
    keys, texts = [key for key, _text in log], [text for _key, text in log]
    wrong = []
    for each in seen:
        if list(each.moves) != texts[: len(each.moves)]:
            wrong.append(f"moves were shown that are not there: {each}")
        if each.stored and keys[each.number - 1 : each.number] != [each.stored]:
            wrong.append(f"an acknowledged move is not where it was: {each}")
        if each.refused and each.refused in keys:
            wrong.append(f"a refused move is there: {each}")
    return wrong + out_of_order(seen)


def out_of_order(seen: Sequence[Seen]) -> list[str]:
    """Return in words which answers show fewer moves than one did that had been given before they were asked for.

    A move that was stored as number n had n - 1 before it, so that whoever had seen n before it was asked for does not
    fit either.
    """
    wrong, most, latest = [], 0, iter(sorted(seen, key=lambda each: each.ended))
    upcoming = next(latest, None)
    for each in sorted(seen, key=lambda one: one.began):
        while upcoming is not None and upcoming.ended < each.began:
            most = max(most, upcoming.number)
            upcoming = next(latest, None)
        if each.refused:
            # There were so many at least.
            continue
        if each.number < most or (each.stored and each.number == most):
            wrong.append(f"{most} moves had been seen before this was asked for: {each}")
    return wrong


@dataclass
class Table:
    """Two players, and the game that they play at present; when it is over they open another."""

    players: tuple[Visitor, Visitor]
    path: str = ""
    opening: threading.Lock = field(default_factory=threading.Lock)

    def open_after(self, path: str) -> None:
        """Open another game, unless somebody else has done so since."""
        with self.opening:
            if self.path == path:
                self.path = open_duel(*self.players)


@dataclass
class Trial:
    """What all clients saw of every game, by its address."""

    rng: random.Random
    seen: dict[str, list[Seen]] = field(default_factory=dict)
    is_over: threading.Event = field(default_factory=threading.Event)
    tries: int = 0
    faults: list[str] = field(default_factory=list)
    noting: threading.Lock = field(default_factory=threading.Lock)

    def note(self, path: str, seen: Seen) -> None:
        """Take note of an answer."""
        with self.noting:
            self.seen.setdefault(path, []).append(seen)

    def answer_of(self, ask: Callable[[], Answer]) -> Answer:
        """Return what is answered, asking again until there is something that counts."""
        while True:
            self.tries += 1
            try:
                answer = ask()
            except Unanswered:
                answer = None
            if answer is not None and answer.status not in NOT_NOW:
                return answer
            threading.Event().wait(BETWEEN_TRIES)

    def read(self, visitor: Visitor, path: str) -> Position:
        """Read a game, take note of its moves and return the position after them."""
        began = time.monotonic()
        answer = self.answer_of(lambda: visitor.get(f"{path}record.json"))
        moves = tuple(json.loads(answer.body)["moves"])
        self.note(path, Seen(began, time.monotonic(), len(moves), moves))
        position = Position.start(VARIANT)
        for text in moves:
            position = position.pass_turn() if text == "pass" else position.play(Placement.parse(text, VARIANT))
        return position

    def write(self, visitor: Visitor, path: str, position: Position) -> None:
        """Place a piece by chance, under a key of its own until that is answered, and take note of what came of it."""
        legal = position.legal_placements()
        key, number = secrets.token_urlsafe(12), position.move_count + 1
        form = {"placement": str(self.rng.choice(legal[: len(legal) // 4 + 1])), "number": str(number), "key": key}
        began = time.monotonic()
        answer = self.answer_of(lambda: visitor.post(f"{path}place/", **form))
        ended = time.monotonic()
        if answer.status == HTTPStatus.FOUND:
            self.note(path, Seen(began, ended, number, stored=key))
        elif answer.status == HTTPStatus.CONFLICT:
            # There is another move of that number.
            self.note(path, Seen(began, ended, number, refused=key))
        else:
            self.faults.append(f"{answer.status}: {answer.body[:500]}")

    def play(self, table: Table, seat: int) -> None:
        """Be one device of a player: read, place where it is one's turn, open another game where it is over."""
        while not self.is_over.is_set():
            path = table.path
            position = self.read(table.players[seat], path)
            if position.is_over:
                table.open_after(path)
            elif position.seat == seat and position.legal_placements():
                self.write(table.players[seat], path, position)

    def look(self, table: Table) -> None:
        """Be a device that only reads."""
        while not self.is_over.is_set():
            self.read(table.players[0], table.path)
