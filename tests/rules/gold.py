"""Gold positions: random games and, before every turn of them, how many placements each colour has.

The counts were agreed by two engines, `games.rules` and the sets of `tests.rules.reference`, when the
file was written; `python -m tests.rules.gold` writes it anew and stops at any difference. One game is
three lines: the variant with its colours, the moves, and the counts of a turn joined by `/`, in the
order of play.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from games.rules import Position
from games.rules.record import Record
from tests.rules.games import legal_points, random_positions
from tests.rules.reference import NaiveGame

FILE = Path(__file__).parent / "data" / "gold-games.txt"

SEEDS = {("blockyou-4", None): range(1000, 1016), ("blockyou-3", ("red", "green", "yellow")): range(1100, 1104)}


class GoldGame(NamedTuple):
    """A game and the counts before each of its turns."""

    record: Record
    counts: list[tuple[int, ...]]


def read() -> Iterator[GoldGame]:
    """Yield the games of the file."""
    lines = FILE.read_text().split("\n")
    for head, moves, counts in zip(lines[::4], lines[1::4], lines[2::4], strict=False):
        variant, *colours = head.split()
        record = Record(variant, tuple(moves.split()), tuple(colours) or None)
        yield GoldGame(record, [tuple(map(int, turn.split("/"))) for turn in counts.split()])


def write() -> None:
    """Write the file; fail if the engines differ anywhere."""
    games = [_game(seed, variant, colours) for (variant, colours), seeds in SEEDS.items() for seed in seeds]
    FILE.write_text("\n".join(games))


def _game(seed: int, variant: str, colours: tuple[str, ...] | None) -> str:
    positions = list(random_positions(seed, variant, colours))
    naive, counts = NaiveGame(positions[0].colours_in_play), []
    for position in positions[:-1]:
        counts.append("/".join(str(_agreed(position, naive, colour)) for colour in naive.order))
        _advance(naive, positions[position.move_count + 1])
    record = Record.of(positions[-1])
    return f"{variant} {' '.join(colours or ())}\n{' '.join(record.moves)}\n{' '.join(counts)}\n"


def _agreed(position: Position, naive: NaiveGame, colour: str) -> int:
    legal = legal_points(position, colour)
    if legal != naive.legal(colour):
        raise AssertionError(f"The engines differ for {colour} after {Record.of(position).moves}.")
    return len(legal)


def _advance(naive: NaiveGame, after: Position) -> None:
    placement = after.history[-1].placement
    if placement is None:
        naive.pass_turn()
    else:
        naive.play(frozenset(placement.points))


if __name__ == "__main__":
    write()
