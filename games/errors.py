"""What can go wrong at a table: a code, an HTTP status, data, and a sentence that says what to do.

GameError
├── NotFound        404  no such game, or none this person may see: the same answer for both
├── NotSeated       403  looking is allowed, this is not
├── StaleGame       409  the page is older than the game; `version` is the current one
├── NotYourTurn     409
├── WrongStatus     409  not started yet, already over
├── SeatTaken       409
├── Refused         422  the rules refuse the move; `reasons` and `cells` say why and where
├── BadRequest      400  unreadable or senseless input; `field` names it
└── TooMany         429  a limit, with `retry_after` in seconds
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from django.utils.functional import Promise


@dataclass
class GameError(Exception):
    """The parent of every error an action or a door raises; `sentence` is for the player, `code` for programs."""

    sentence: str | Promise
    code: str = "error"
    status: ClassVar[int] = 400

    def __str__(self) -> str:
        return str(self.sentence)


@dataclass
class NotFound(GameError):
    """No such game for this person."""

    status: ClassVar[int] = 404
    code: str = "not-found"


@dataclass
class NotSeated(GameError):
    """The person may look at the game and not do this."""

    status: ClassVar[int] = 403
    code: str = "not-seated"


@dataclass
class StaleGame(GameError):
    """The request was made from an older version of the game."""

    status: ClassVar[int] = 409
    code: str = "stale-game"
    version: int = 0


@dataclass
class NotYourTurn(GameError):
    """Another seat is to play."""

    status: ClassVar[int] = 409
    code: str = "not-your-turn"


@dataclass
class WrongStatus(GameError):
    """The game is not in the state this needs."""

    status: ClassVar[int] = 409
    code: str = "wrong-status"


@dataclass
class SeatTaken(GameError):
    """Somebody else was quicker, or the seat is not for this person."""

    status: ClassVar[int] = 409
    code: str = "seat-taken"


@dataclass
class Refused(GameError):
    """The rules refuse the move (R11: nothing has changed)."""

    status: ClassVar[int] = 422
    code: str = "illegal-placement"
    reasons: tuple[str, ...] = ()
    cells: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass
class BadRequest(GameError):
    """Input that cannot be read or makes no sense."""

    status: ClassVar[int] = 400
    code: str = "bad-request"
    field: str = ""


@dataclass
class TooMany(GameError):
    """A limit was reached."""

    status: ClassVar[int] = 429
    code: str = "too-many"
    retry_after: int = 60
