"""The recorded moves of a game as rows."""

from collections.abc import Iterable
from datetime import datetime
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import BigIntegerField

from accounts.database.prepared import Prepared
from games.models import Game, Move


class MoveRow(NamedTuple):
    """What of a recorded move a page needs: a row is much quicker to make than a `Move`.

    `bot` is the stored name of the bot that made it, in its own seat or for an absent player. `version` and
    `played_at` are missing where the move was never stored. What `is_given` was there when the game began, and has no
    time either.
    """

    number: int
    kind: str
    seat: int
    colour: str
    placement: str
    is_automatic: bool
    retired: str
    version: int = 0
    played_at: datetime | None = None
    bot: str = ""
    is_given: bool = False


#: What of a row is stored with the move.
_STORED = MoveRow._fields[:-1]
_ROWS: Prepared[tuple[Any, ...]] = Prepared(
    lambda game: Move.objects.filter(game=game).values_list(*_STORED), game=BigIntegerField()
)


def move_rows(game: Game) -> list[MoveRow]:
    """Return all moves of a game in order. One query."""
    return _marked(game, [MoveRow(*row) for row in _ROWS.ask(game=game.pk)])


def rows_of(game: Game, moves: Iterable[Move]) -> list[MoveRow]:
    """Return all moves of a game, which are loaded, as rows."""
    return _marked(game, [MoveRow(*row) for row in map(attrgetter(*_STORED), moves)])


def _marked(game: Game, rows: list[MoveRow]) -> list[MoveRow]:
    """Return the rows, those that are given marked as such."""
    given = rows[: game.given_moves]
    return [*(row._replace(played_at=None, is_given=True) for row in given), *rows[game.given_moves :]]
