"""Lawful games that stand where a feature needs them: found by playing, told as records.

The features about turns run against the rules and against the application, so a situation has to be a
game that could have been played, move by move.
"""

from collections.abc import Callable
from functools import cache

from games.rules import Position
from games.rules.record import Record
from tests.rules.games import random_positions

Condition = Callable[[Position], bool]


def can_place(position: Position) -> set[str]:
    return {colour for colour in position.colours_in_play if not position.is_blocked(colour)}


def passed_in_a_row(position: Position) -> int:
    """Return how many passes the history ends with."""
    count = 0
    for turn in reversed(position.history):
        if turn.placement is not None:
            break
        count += 1
    return count


def _yellow_will_be_last(position: Position) -> bool:
    only_yellow = position.colour == "red" and can_place(position) == {"yellow"}
    return only_yellow and passed_in_a_row(position) == 0


CONDITIONS: dict[str, Condition] = {
    "Blue is to play and can place": lambda p: p.colour == "blue" and p.has_legal(),
    "Red is to play and can place": lambda p: p.colour == "red" and p.has_legal(),
    "Yellow is to play and is blocked": lambda p: p.colour == "yellow" and not p.has_legal(),
    "Red is to play, only Yellow can place, and Yellow will be the last": _yellow_will_be_last,
    "Green is to play and nobody can place": lambda p: (
        p.colour == "green" and not can_place(p) and passed_in_a_row(p) == 0
    ),
    "three colours have just passed and the fourth can place": lambda p: passed_in_a_row(p) == 3 and p.has_legal(),
}


@cache
def situation(words: str) -> Record:
    """Return the shortest of some random games for four in which the condition holds at the end."""
    holds = CONDITIONS[words]
    found = [first for seed in range(60) if (first := _first(seed, holds)) is not None]
    return Record.of(min(found, key=lambda position: position.move_count))


def _first(seed: int, holds: Condition) -> Position | None:
    return next((position for position in random_positions(seed) if holds(position)), None)
