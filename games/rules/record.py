"""Whole games as plain data: what is stored, sent and replayed.

A record is `{"variant": id, "colours": [...] or null, "scoring": way, "moves": [text, ...]}`. A move is the canonical
text of a placement, `pass`, or `retire:` and a seat counted from 0. Whose turn it was needs no
writing down, because positions never pass by themselves.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from games.rules.errors import UnreadableRecord, UnwritableRecord, shown
from games.rules.placement import table_for
from games.rules.position import Position, Turn
from games.rules.variants import Variant, get_variant

PASSED = "pass"
_RETIRE = "retire:"


def format_turn(turn: Turn) -> str:
    """Return the text of a recorded turn."""
    if turn.seat is not None:
        return f"{_RETIRE}{turn.seat}"
    return PASSED if turn.placement is None else str(turn.placement)


@dataclass(frozen=True)
class Record:
    """A game as it is written down.

    `colours` is None where the variant leaves none to choose, `scoring` None for the variant's first.
    """

    variant: str
    moves: tuple[str, ...]
    colours: tuple[str, ...] | None = None
    scoring: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "moves", tuple(self.moves))
        object.__setattr__(self, "colours", None if self.colours is None else tuple(self.colours))

    @classmethod
    def of(cls, position: Position) -> "Record":
        """Return the record of a game so far.

        Raises:
            UnwritableRecord: the position was set up; a record has no words for that.

        """
        if position.is_set_up:
            raise UnwritableRecord("A record begins on an empty board, and this position was set up.")
        chosen = position.variant.choosable_colours > 0
        colours = tuple(own[0] for own in position.seats) if chosen else None
        return cls(position.variant.id, tuple(map(format_turn, position.history)), colours, position.scoring)

    @classmethod
    def from_json(cls, data: object) -> "Record":
        """Return the record held by decoded JSON. Whether it can be played is not checked.

        Raises:
            UnreadableRecord: it has not the form that the module describes.

        """
        if not isinstance(data, Mapping):
            raise UnreadableRecord("A record must be an object with names, not %(found)s.", found=shown(data))
        variant, colours, moves = data.get("variant"), data.get("colours"), data.get("moves")
        scoring = data.get("scoring")
        if not isinstance(variant, str):
            raise UnreadableRecord("A record must name its variant.")
        if not _is_texts(moves):
            raise UnreadableRecord("A record must have a list of moves, each a text.")
        if colours is not None and not _is_texts(colours):
            raise UnreadableRecord("The colours of a record must be a list of names, or null.")
        if scoring is not None and not isinstance(scoring, str):
            raise UnreadableRecord("The scoring of a record must be a name, or null.")
        return cls(variant, tuple(moves), None if colours is None else tuple(colours), scoring)

    def to_json(self) -> dict[str, Any]:
        """Return the record as data for JSON."""
        colours = None if self.colours is None else list(self.colours)
        return {"variant": self.variant, "colours": colours, "scoring": self.scoring, "moves": list(self.moves)}

    def positions(self, *, validate: bool = True) -> Iterator[Position]:
        """Yield the position before the first move and after each one; see the function."""
        return positions(self.variant, self.moves, self.colours, self.scoring, validate=validate)

    def replay(self, *, validate: bool = True) -> Position:
        """Return the position after the last move; see the function."""
        return replay(self.variant, self.moves, self.colours, self.scoring, validate=validate)


def _is_texts(value: object) -> TypeGuard[Sequence[str]]:
    return isinstance(value, list | tuple) and all(isinstance(text, str) for text in value)


def play_text(position: Position, move: str) -> Position:
    """Return the position after one more move, given as text.

    Raises:
        UnreadablePlacement, UnreadableRecord: the text is no move.
        IllegalPlacement: the rules refuse it.
        UnknownSeat: a seat that the game has not retires.

    """
    if not isinstance(move, str):
        raise UnreadableRecord("A move must be a text, not %(found)s.", found=shown(move))
    if move == PASSED:
        return position.pass_turn()
    if move.startswith(_RETIRE):
        return position.retire(_seat(move))
    table = table_for(position.variant)
    try:
        return position.play_id(table.id_of_text(move))
    except KeyError:
        return position.play(table.parse(move))


def _trust_text(position: Position, move: str) -> Position:
    """Return the position after a move that is known to be lawful and canonical."""
    if not isinstance(move, str) or ":" not in move or move.startswith(_RETIRE):
        return play_text(position, move)
    try:
        placement_id = table_for(position.variant).id_of_text(move)
    except KeyError:
        raise UnreadableRecord(
            "This is not a move of %(variant)s in standard notation: %(text)s.",
            variant=position.variant.id,
            text=shown(move),
        ) from None
    return position.play_id(placement_id, trusted=True)


def _seat(move: str) -> int:
    digits = move.removeprefix(_RETIRE)
    if len(digits) != 1 or digits not in "0123456789":
        raise UnreadableRecord("Write a retirement as retire: and a seat, not %(text)s.", text=shown(move))
    return int(digits)


def positions(
    variant: str | Variant,
    moves: Iterable[str],
    colours: Sequence[str] | None = None,
    scoring: str | None = None,
    *,
    validate: bool = True,
) -> Iterator[Position]:
    """Yield the position before the first move and after each one.

    With `validate` every move is checked by the rules. Without, moves are trusted to be lawful and
    canonical, as in a stored game that was checked when it was played: ten times as fast.

    Rule: R6, R7
    """
    yield from play_on(Position.start(get_variant(variant), colours, scoring), moves, validate=validate)


def play_on(position: Position, moves: Iterable[str], *, validate: bool = True) -> Iterator[Position]:
    """Yield a position and those after each move; see `positions`."""
    yield position
    step = play_text if validate else _trust_text
    for move in moves:
        position = step(position, move)
        yield position


def replay(
    variant: str | Variant,
    moves: Iterable[str],
    colours: Sequence[str] | None = None,
    scoring: str | None = None,
    *,
    validate: bool = True,
) -> Position:
    """Return the position after the last move; see `positions`."""
    # The deque keeps the last position alone: positions that need not live together stay quick to make.
    return deque(positions(variant, moves, colours, scoring, validate=validate), maxlen=1).pop()
