"""Moves taken back: who has asked, who has still to agree, what a viewer may do, and what was taken back so far."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.models import MOST_SPENT_NUMBERS, Game, Kind, Player, Status, Takeback
from games.queries.play.moves import MoveRow
from games.queries.tables.pauses import still_to_agree
from games.values import TakebackRequest

#: What a takeback keeps of a move, in this order. Its number follows from its place.
MOVE_FIELDS = ("kind", "seat", "colour", "placement", "is_automatic", "bot", "played_at")

#: For so long a placement can be taken back without asking anyone, while no other person has been shown it.
ALONE_FOR = timedelta(seconds=10)
#: So much longer it is noted who is shown it, and nobody is sent it: clocks of servers differ.
SPARE = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True)
class TakebackState:
    """How it stands with taking moves back, as one viewer sees it.

    `request` is the version at which it was asked for, 0 where it is not; `wanted_by` are the seats that want it, the
    one that has asked first, and `waits_for` have still to agree. `back_to` is the number of the first move that would
    go, of what is asked for or else of what the viewer could ask for, 0 for none. `is_alone` says that the viewer needs
    to ask no one, and `alone_until` for how long, where it is because no other person has been shown the move.
    """

    request: int = 0
    wanted_by: tuple[int, ...] = ()
    waits_for: tuple[int, ...] = ()
    back_to: int = 0
    is_alone: bool = False
    alone_until: datetime | None = None
    can_ask: bool = False
    can_agree: bool = False
    can_drop: bool = False


@dataclass(frozen=True)
class TakenBack:
    """One time at which moves were taken back: whose seat did so, when, and which moves went, with their numbers.

    `version` is the game's just after it. `is_alone` says that nobody was asked.
    """

    seat: int
    version: int
    taken_at: datetime
    moves: tuple[MoveRow, ...]
    is_alone: bool

    @property
    def back_to(self) -> int:
        """Return the number of the first move that went."""
        return self.moves[0].number

    @property
    def piece(self) -> str:
        """Return the piece that was placed by the first of them."""
        return self.moves[0].placement.partition(":")[0]


def asked_of(game: Game, asker: int) -> tuple[int, ...]:
    """Return the seats of the people who have to agree with one who asks (needs the players fetched).

    Those who are away are asked too: a bot plays for them, but the game is theirs.
    """
    return still_to_agree(game, [asker], [player.seat for player in game.players.all() if player.retired])


def alone_until(game: Game, person: int | None, now: datetime) -> datetime | None:
    """Return until when a person may take a move back that no other person has been shown; None for not at all."""
    if game.alone_until is None or game.alone_person != person or game.is_paused or now >= game.alone_until:
        return None
    return game.alone_until


def hidden_until(game: Game, person: int | None, now: datetime) -> datetime | None:
    """Return until when nothing may be sent to this person that shows the last move of a game; None for now."""
    if game.alone_until is None or game.alone_person == person or now >= game.alone_until + SPARE:
        return None
    return game.alone_until + SPARE


def takeback_state(game: Game, me: Player | None, moves: Sequence[MoveRow], now: datetime) -> TakebackState:
    """Return how it stands for the player in a seat, None for a spectator (needs the players fetched)."""
    asked, player = game.asked_takeback, me if _plays(game, me) else None
    # Nothing is locked here: the moves may be younger than the game, and what was asked for done by now.
    if asked is not None and asked.back_to <= len(moves):
        return _while_asked(game, asked, player)
    if asked is not None or player is None or not _may_ask(game, player):
        return TakebackState()
    point = _point(moves, _seat_to_undo(game, player, moves))
    if point is None:
        return TakebackState()
    until = alone_until(game, player.user_id, now)
    is_alone = until is not None or not asked_of(game, player.seat)
    return TakebackState(back_to=point.number, is_alone=is_alone, alone_until=until, can_ask=True)


def _plays(game: Game, me: Player | None) -> bool:
    return me is not None and not me.retired and game.status == Status.RUNNING and not game.is_paused


def _while_asked(game: Game, asked: TakebackRequest, player: Player | None) -> TakebackState:
    """Return how it stands where somebody has asked; `player` is the viewer's seat in a game that goes on."""
    waits_for = tuple(seat for seat in asked_of(game, asked.seats[0]) if seat not in asked.seats)
    return TakebackState(
        request=asked.version,
        wanted_by=asked.seats,
        waits_for=waits_for,
        back_to=asked.back_to,
        can_agree=player is not None and player.seat in waits_for,
        can_drop=player is not None,
    )


def _seat_to_undo(game: Game, me: Player, moves: Sequence[MoveRow]) -> int:
    """Return the seat whose last placement would go: the player's own; at one device that of who placed last."""
    if not game.is_on_one_device:
        return me.seat
    seats = {each.seat for each in game.players.all() if not each.bot}
    own = (move.seat for move in reversed(moves) if move.kind == Kind.PLACE and move.seat in seats)
    return next(own, me.seat)


def _may_ask(game: Game, me: Player) -> bool:
    """Return whether moves may be taken back at this table: of a rated one, when someone has to agree."""
    can_ask = game.allows_takebacks and game.spent_numbers < MOST_SPENT_NUMBERS
    return can_ask and not (game.is_rated and not asked_of(game, me.seat))


def _point(moves: Sequence[MoveRow], seat: int) -> MoveRow | None:
    """Return the last placement made by the player in a seat, None where no one may take it back any more."""
    for move in reversed(moves):
        if move.kind == Kind.RETIRE or move.is_given:
            return None
        if move.kind == Kind.PLACE and move.seat == seat and not move.bot:
            return move
    return None


def taken_back(game: Game) -> tuple[TakenBack, ...]:
    """Return all times at which moves of a game were taken back, in order. No query where there are none, else one."""
    return takebacks_told(game.takebacks.all()) if game.spent_numbers else ()


def takebacks_told(takebacks: Collection[Takeback]) -> tuple[TakenBack, ...]:
    """Return these rows as values."""
    return tuple(TakenBack(row.seat, row.version, row.taken_at, _moves(row), not row.request) for row in takebacks)


def _moves(row: Takeback) -> tuple[MoveRow, ...]:
    found = []
    for number, values in enumerate(row.moves, row.back_to):
        kept = dict(zip(MOVE_FIELDS, values, strict=True))
        at = datetime.fromisoformat(kept.pop("played_at"))
        found.append(MoveRow(number=number, retired="", played_at=at, **kept))
    return tuple(found)
