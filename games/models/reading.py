"""Which games are read for somebody that hold a move which nobody else may have been shown yet.

Whatever reads the whole row of a game is noted, by whichever door, so that no page, list or picture can be forgotten.
What counts keys or versions alone shows no move.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from games.models.game import Game

_read: ContextVar["list[Game] | None"] = ContextVar("read", default=None)


@contextmanager
def noting_reads() -> Iterator["list[Game]"]:
    """Yield the list to which such games are added as they are read."""
    games: list[Game] = []
    token = _read.set(games)
    try:
        yield games
    finally:
        _read.reset(token)


def note_game_read(game: "Game") -> None:
    """Note that this game was read, if anybody wants to know."""
    games = _read.get()
    if games is not None:
        games.append(game)
