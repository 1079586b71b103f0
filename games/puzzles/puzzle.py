"""What a puzzle is, how it is written in one line, and what the rules say of a try.

An answer is a set of placements of the side to play, which the others cannot disturb: one placement where one decides,
several where all pieces that are left are to be placed. Any order that the rules allow is right.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

from games.rules import Placement, Position, get_variant
from games.rules.placement import table_for
from games.rules.record import PASSED, replay

#: The placement that leaves its side further ahead at the end than any other, if all play their best.
ENDING = "ending"
#: Place every piece that is left.
PLACE_ALL = "rest"
#: The placement after which no other side can place anything.
SHUT_OUT = "shut"
#: The only placement that wins, if all play their best.
WIN = "win"
#: All kinds, in the order in which they are looked for in a game.
KINDS = (ENDING, PLACE_ALL, SHUT_OUT, WIN)

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_PASSING = "-"


@dataclass(frozen=True)
class Puzzle:
    """A position after some moves of a game, its kind, the sets of placements that solve it, and the proof.

    `proof` holds what was counted, by the kind. `ending` and `win`: `margin`, how far the side is then ahead at the
    end, `next`, how far after the next best placement, which is `other`, and `line`, the moves of best play after the
    answer. `rest`: `first`, how many placements there are to begin with. `shut`: `before`, how many placements the
    others have, and `legal`, how many the side has itself.
    """

    kind: str
    variant: str
    moves: tuple[str, ...]
    solutions: tuple[tuple[str, ...], ...]
    proof: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @cached_property
    def position(self) -> Position:
        """Return the position to solve: its side is to play."""
        return replay(self.variant, self.moves, validate=False)

    @property
    def colour(self) -> str:
        """Return the colour that is to place."""
        return self.position.colour or ""

    @property
    def key(self) -> str:
        """Return what tells the puzzle from all others: the same board, whoever led there, is the same puzzle."""
        position = self.position
        stocks = [position.stock_counts(colour) for colour in position.colours_in_play]
        text = repr((self.variant, self.kind, position.colour, position.board, stocks))
        return blake2b(text.encode(), digest_size=12).hexdigest()

    def is_right(self, placed: Sequence[str]) -> bool:
        """Return whether these placements are part of a solution, in whatever order."""
        tried = set(placed)
        return any(tried <= set(each) for each in self.solutions)

    def is_solved(self, placed: Sequence[str]) -> bool:
        """Return whether these placements are a solution."""
        tried = set(placed)
        return any(tried == set(each) for each in self.solutions)

    def next_answer(self, position: Position, placed: Sequence[str]) -> Placement | None:
        """Return a placement that is legal in a position and leads on to a solution, None where that is reached."""
        tried = set(placed)
        legal = {str(each): each for each in position.legal_placements(self.colour)}
        for solution in self.solutions:
            if tried <= set(solution):
                return next((legal[each] for each in solution if each in legal and each not in tried), None)
        return None


def after_placement(position: Position, placement: str) -> Position:
    """Return the position after one more placement of a try, which the rules check; blocked colours have passed.

    Raises:
        UnreadablePlacement: the text is no placement.
        IllegalPlacement: the rules refuse it.

    """
    return after_passes(position.play(placement))


def after_passes(position: Position) -> Position:
    """Return the position once all who must pass have passed."""
    while not position.is_over and not position.has_legal():
        position = position.pass_turn()
    return position


def format_puzzle(puzzle: Puzzle) -> str:
    """Return a puzzle as one line: kind, variant, moves, solutions, proof, with a tab between two."""
    table = table_for(get_variant(puzzle.variant))

    def short(text: str) -> str:
        return _PASSING if text == PASSED else _base36(table.id_of_text(text))

    solutions = "/".join(" ".join(map(short, each)) for each in puzzle.solutions)
    moves = " ".join(map(short, puzzle.moves))
    kept = _with_placements(puzzle.proof, short)
    proof = json.dumps(kept, separators=(",", ":"), sort_keys=True)
    return "\t".join((puzzle.kind, puzzle.variant, moves, solutions, proof))


def parse_puzzle(line: str) -> Puzzle:
    """Return the puzzle that `format_puzzle` wrote.

    Raises:
        ValueError: it wrote no such line.

    """
    kind, variant, moves, solutions, proof = line.rstrip("\n").split("\t")
    table = table_for(get_variant(variant))

    def full(text: str) -> str:
        return PASSED if text == _PASSING else str(table.placement(int(text, 36)))

    return Puzzle(
        kind=kind,
        variant=variant,
        moves=tuple(map(full, moves.split())),
        solutions=tuple(tuple(map(full, each.split())) for each in solutions.split("/")),
        proof=_with_placements(json.loads(proof), full),
    )


def _with_placements(proof: Mapping[str, Any], written: Callable[[str], str]) -> dict[str, Any]:
    """Return a proof with the placements in it written otherwise."""
    kept = dict(proof)
    if "other" in kept:
        kept["other"] = written(kept["other"])
        moves = [str(move).split(" ", 1) for move in kept["line"]]
        kept["line"] = [f"{colour} {written(text)}" for colour, text in moves]
    return kept


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
