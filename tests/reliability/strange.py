"""Engines that no bot should have: EXTRA_BOTS brings them into workers that are put to the test."""

import time
from typing import Any

from games.bots.engines.protocol import Answer
from games.rules import Placement, Position


class Raising:
    """Fails at every move."""

    def think(self, position: Position, *, seed: int, number: int) -> Any:
        raise ZeroDivisionError


class Cheating:
    """Places where nobody may."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        return Answer(Placement.parse("I5:e5,e6,e7,e8,e9", position.variant))


class Dreaming:
    """Thinks for an hour."""

    def think(self, position: Position, *, seed: int, number: int) -> Any:
        end = time.monotonic() + 3600
        while time.monotonic() < end:
            pass


class Sealed:
    """Goes into compiled code for hours, where no signal reaches it."""

    def think(self, position: Position, *, seed: int, number: int) -> Any:
        return sum(range(10**13))
