"""What can go wrong at a table: a code, an HTTP status, data, and a sentence that says what to do.

GameError
├── NotFound        404  no such game, or none this person may see: the same answer for both
├── NotSeated       403  looking is allowed, this is not
├── StaleGame       409  made for another move or pause; `version` is the current one, `number` that of the due move
├── NotYourTurn     409
├── WrongStatus     409  not started yet, already over
├── SeatTaken       409
├── InvitationRefused 409  this person cannot be invited by this one now; `field` names the seat
├── Refused         422  the rules refuse the move; `reasons` say why and `cells` where
├── BadRequest      400  unreadable or senseless input; `field` names it
└── TooMany         429  a limit, with `retry_after` in seconds
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.rules.errors import IllegalPlacement

NOT_ALLOWED = _("This move is not allowed.")


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
    """The request was made for another move than the one that is due, or for another pause."""

    status: ClassVar[int] = 409
    code: str = "stale-game"
    version: int = 0
    number: int = 0


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
    """Another person was quicker, or the seat is not for this one."""

    status: ClassVar[int] = 409
    code: str = "seat-taken"


@dataclass
class InvitationRefused(GameError):
    """Others may invite this person, or this person others: not this one that one, or not now."""

    status: ClassVar[int] = 409
    code: str = "invited-enough"
    field: str = ""


@dataclass
class Refused(GameError):
    """The rules refuse the move (R11: nothing has changed).

    `reasons` are codes of `games.rules.errors`; `cells` and `names` give each its cells at fault, by index and by name.
    Pages make sentences of them (`games.pages.board.refusal`).
    """

    sentence: str | Promise = NOT_ALLOWED
    status: ClassVar[int] = 422
    code: str = "illegal-placement"
    reasons: tuple[str, ...] = ()
    cells: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, illegal: IllegalPlacement) -> "Refused":
        """Return the error for a refusal of the rules, with their reasons and cells unchanged."""
        return cls(reasons=illegal.reasons, cells=illegal.cells, names=illegal.names)


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
