"""People who place pieces at both hosts of the site, and keep what was acknowledged, and when."""

import random
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import NamedTuple

from games.rules import Position
from tests.reliability.test_kill import after_passes
from tests.reliability.visitor import Answer, Unanswered, Visitor, open_duel

#: Moves of a duel before the next one is opened, while almost every piece still fits.
MOVES_OF_A_DUEL = 32
#: Seconds between a refusal and the next try, and between two moves at a table.
BETWEEN_TRIES, BETWEEN_MOVES = 0.25, 0.4


class Receipt(NamedTuple):
    """A move that the site has acknowledged; times on the monotonic clock, `asked` that of the try which succeeded."""

    key: str
    player: int
    host: str
    asked: float
    answered: float


@dataclass
class Load:
    """Tables for two, each of whose players is at another host, and what came of their moves."""

    receipts: list[Receipt] = field(default_factory=list)
    refused: int = 0
    unanswered: int = 0
    slowest: float = 0.0
    is_over: threading.Event = field(default_factory=threading.Event)
    faults: list[str] = field(default_factory=list)

    def play(self, one: Visitor, other: Visitor, player: int) -> None:
        """Play duel after duel until it is over; what goes wrong otherwise than by a lost database is a fault."""
        try:
            while not self.is_over.is_set():
                self.play_one(open_duel(one, other), (one, other), player)
        except (AssertionError, Unanswered) as error:
            # A table that is opened just then may be refused; who plays at one is who counts.
            if not self.is_over.is_set():
                self.faults.append(repr(error)[:300])

    def play_one(self, path: str, seats: tuple[Visitor, Visitor], player: int) -> None:
        """Play the beginning of a duel."""
        rng = random.Random(player)
        position = Position.start("blockyou-2")
        for _ in range(MOVES_OF_A_DUEL):
            legal = position.legal_placements()
            placement = legal[rng.randrange(len(legal) // 10 + 1)]
            number = str(position.move_count + 1)
            form = {"placement": str(placement), "number": number, "key": secrets.token_urlsafe(12)}
            if not self.send(seats[position.seat or 0], f"{path}place/", form, player):
                return
            position = after_passes(position.play(placement))
            self.is_over.wait(BETWEEN_MOVES)

    def send(self, visitor: Visitor, path: str, form: dict[str, str], player: int) -> bool:
        """Send a move under its key until it is acknowledged; return False once it is over."""
        while not self.is_over.is_set():
            asked = time.monotonic()
            answer = self.answer_of(visitor, path, form)
            answered = time.monotonic()
            self.slowest = max(self.slowest, answered - asked)
            if answer and answer.status == 302:
                self.receipts.append(Receipt(form["key"], player, visitor.url, asked, answered))
                return True
            if answer and answer.status != 503:
                raise AssertionError(f"{answer.status}: {answer.body[:300]}")
            self.is_over.wait(BETWEEN_TRIES)
        return False

    def answer_of(self, visitor: Visitor, path: str, form: dict[str, str]) -> Answer | None:
        """Return the answer, None where there was none."""
        try:
            answer = visitor.post(path, **form)
        except Unanswered:
            self.unanswered += 1
            return None
        self.refused += answer.status == 503
        return answer

    def first_since(self, moment: float, of: str) -> dict[str | int, float]:
        """Return when each player (or host) first had a move acknowledged that was sent since a moment."""
        found: dict[str | int, float] = {}
        for receipt in list(self.receipts):
            if receipt.asked >= moment:
                found.setdefault(getattr(receipt, of), receipt.answered)
        return found
