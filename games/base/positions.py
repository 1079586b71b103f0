"""Positions of stored games: the rules' reading of the moves, which are the truth."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from games.models import Game, Kind
from games.rules import VARIANTS, Position, record
from games.rules.variants import COVERAGE, get_variant


class Recorded(Protocol):
    """What of a recorded move the rules need: a `Move`, or a lighter row of the same columns."""

    @property
    def kind(self) -> str:
        """Return one of `Kind`."""

    @property
    def seat(self) -> int:
        """Return who moved."""

    @property
    def placement(self) -> str:
        """Return the canonical text, empty for what is no placement."""


def load_boards() -> None:
    """Build the tables of every board of a fixed size: 0.2 s of CPU that no transaction is to spend later on."""
    for variant in VARIANTS:
        load_board(variant)


def load_board(variant: str) -> None:
    """Build the tables of a variant's board, unless this process has them."""
    Position.start(variant)


def colours_of(game: Game) -> tuple[str, ...] | None:
    """Return the colours chosen for the seats, None where the variant leaves none to choose."""
    return tuple(game.colours) or None


def start_of(game: Game) -> Position:
    """Return the position before move 1."""
    return Position.start(game.variant, colours_of(game), game.scoring)


def text_of(move: Recorded) -> str:
    """Return the move as a record has it: a placement, `pass`, or `retire:` and the seat."""
    if move.kind == Kind.PLACE:
        return move.placement
    return record.PASSED if move.kind == Kind.PASS else f"retire:{move.seat}"


def position_after(position: Position, move: Recorded) -> Position:
    """Return the position after one more move, which the rules check.

    Raises:
        IllegalPlacement: the rules refuse it.
        UnreadablePlacement: its text is no placement.

    """
    return record.play_text(position, text_of(move))


def position_of(game: Game, moves: Iterable[Recorded] | None = None) -> Position:
    """Return the position after these moves of the game, by default after all of them (one query).

    Stored moves were checked when they were played and are not checked again; `manage.py audit_games` does so.
    """
    recorded: Iterable[Recorded] = game.moves.all() if moves is None else moves
    texts = map(text_of, recorded)
    return record.replay(game.variant, texts, colours_of(game), game.scoring, validate=False)


def positions_of(game: Game, moves: Iterable[Recorded]) -> Iterator[Position]:
    """Yield the position before the first of these moves, and after each of them; they are not checked again."""
    return record.positions(game.variant, map(text_of, moves), colours_of(game), game.scoring, validate=False)


def cells_placed(variant: str, colours: Sequence[str], board: str) -> tuple[int, int]:
    """Return how many cells these colours have placed on a board as `Game.board`, and how many they have."""
    kind = get_variant(variant)
    placed = sum(board.count(str(kind.colour_number(colour))) for colour in colours)
    return placed, kind.stock_cells * len(colours)


def bonus_in(score: int, scoring: str, placed: int, cells: int) -> int:
    """Return how many points of a seat's score are for having placed everything, and not for cells."""
    return score - (placed if scoring == COVERAGE else placed - cells)


def placed_by_seat(game: Game) -> list[tuple[int, int]]:
    """Return the same of each seat of a game that has started, by its row alone."""
    colours = get_variant(game.variant).seat_colours(game.colours or None)
    return [cells_placed(game.variant, each, game.board) for each in colours]
