"""How quick the rules are: `python -m benchmarks.rules`.

Every figure is taken over every position of the same seeded random games for four, as the median of several
rounds, in CPU time of this process, and stands beside the same work done by AND of shifted bitboards
(`benchmarks.shifted`). Both give the same answers, which is checked before anything is timed. The baseline keeps only
cells, so it replays quickest and pays for that with every question.
"""

import argparse
import gc
import statistics
import tracemalloc
from collections.abc import Callable, Sequence
from random import Random
from time import process_time
from typing import NamedTuple, TypeVar

from benchmarks import shifted
from benchmarks.shifted import ShiftedBoard
from games.rules import VARIANTS, Position
from games.rules.board import Masks
from games.rules.placement import PlacementTable, table_for
from games.rules.record import Record
from games.rules.variants import Variant

VARIANT = VARIANTS["blockyou-4"]
One = TypeVar("One")
Other = TypeVar("Other")


class Figure(NamedTuple):
    """One line of the table: calls a second here and in the baseline, here in the best round, and what is aimed at."""

    name: str
    here: float
    baseline: float
    best: float
    aim: float


class Moment(NamedTuple):
    """A position, the same for the baseline, and a placement to ask both about."""

    position: Position
    board: ShiftedBoard
    asked: int
    asked_there: tuple[str, tuple[int, ...], int]


class Size(NamedTuple):
    """How much is measured: games of the board of 20 by 20, games of each variant, and rounds of each figure."""

    games: int
    variant_games: int
    rounds: int


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--variant-games", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=7)
    size = Size(**vars(parser.parse_args()))
    games = [random_game(Random(seed)) for seed in range(size.games)]
    moments = [moment for seed, game in enumerate(games) for moment in moments_of(game, Random(seed))]
    compare(moments)
    # What is kept for the questions below is not looked through again by every collection.
    gc.collect()
    gc.freeze()
    legal = statistics.mean(moment.position.legal_count() for moment in moments)
    print(f"{len(moments)} positions of {size.games} random games, {legal:.0f} legal placements on average")
    print(f"{'':26}{'here':>12}{'baseline':>12}{'ratio':>8}{'best round':>13}{'aim':>10}")
    for figure in figures(moments, games, size.rounds):
        ratio = figure.here / figure.baseline
        aim = f"{figure.aim:,.0f}" if figure.aim else ""
        print(
            f"{figure.name:26}{figure.here:>12,.0f}{figure.baseline:>12,.0f}{ratio:>7.1f}x{figure.best:>13,.0f}{aim:>10}"
        )
    print_build()
    print_variants(size)


def figures(moments: Sequence[Moment], games: Sequence[Position], rounds: int) -> list[Figure]:
    """Return every figure that has a baseline."""
    positions = [moment.position for moment in moments]
    boards = [moment.board for moment in moments]
    asked = [(moment.position, moment.asked) for moment in moments]
    asked_there = [(moment.board, *moment.asked_there) for moment in moments]
    records = [Record.of(game) for game in games]
    seeds = range(len(games))
    return [
        Figure(
            "legal sets as masks/s", *rates(Position.legal_mask, positions, ShiftedBoard.mask, boards, rounds), 300_000
        ),
        Figure(
            "tuples of ids/s", *rates(Position.legal_ids, positions, ShiftedBoard.placements, boards, rounds), 40_000
        ),
        Figure("any placement?/s", *rates(Position.has_legal, positions, ShiftedBoard.has_any, boards, rounds), 0),
        Figure("single validations/s", *rates(is_legal, asked, is_legal_there, asked_there, rounds), 0),
        Figure("random games/s", *rates(play_random, seeds, play_random_there, seeds, rounds), 1_200),
        Figure("replays, trusted/s", *rates(replay_trusted, records, replay_there, records, rounds), 1_000),
        Figure("replays, checked/s", *rates(Record.replay, records, replay_there, records, rounds), 0),
    ]


def rates(
    here: Callable[[One], object], on: Sequence[One], there: Callable[[Other], object], at: Sequence[Other], rounds: int
) -> tuple[float, float, float]:
    """Return how many calls a second each of the two makes, round by round in turn, and the first in its best round."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        taken[0].append(seconds(here, on))
        taken[1].append(seconds(there, at))
    median = statistics.median
    return len(on) / median(taken[0]), len(at) / median(taken[1]), len(on) / min(taken[0])


def seconds(call: Callable[[One], object], arguments: Sequence[One]) -> float:
    """Return the CPU time of calling with each argument once."""
    begin = process_time()
    for argument in arguments:
        call(argument)
    return process_time() - begin


def random_game(dice: Random, variant: Variant = VARIANT) -> Position:
    """Return the end of a game in which every legal placement is equally likely; what is picked is legal already."""
    position = Position.start(variant)
    while not position.is_over:
        picked = position.pick_legal_id(dice.random())
        position = position.pass_turn() if picked is None else position.play_id(picked, trusted=True)
    return position


def moments_of(game: Position, dice: Random) -> list[Moment]:
    """Return every position of a game but the last, each with a placement that is legal as often as not."""
    moments, board = [], ShiftedBoard()
    positions = list(Record.of(game).positions(validate=False))
    for position, turn in zip(positions, game.history, strict=False):
        legal = position.legal_ids() if dice.random() < 0.5 else ()
        asked = dice.choice(legal) if legal else dice.randrange(30_433)
        moments.append(Moment(position, board.copy(), asked, there(position, asked)))
        if turn.placement is None or turn.placement.id is None:
            board.pass_turn()
        else:
            board.play(*there(position, turn.placement.id))
    return moments


def there(position: Position, number: int) -> tuple[str, tuple[int, ...], int]:
    """Return a placement as the baseline has it."""
    placement = position.placement(number)
    form = shifted.FORMS[placement.piece][placement.orientation or 0]
    return placement.piece, form, placement.anchor[1] * shifted.ROW + placement.anchor[0]


def compare(moments: Sequence[Moment]) -> None:
    """Stop unless both engines give the same answers."""
    for moment in moments:
        found = moment.board.placements()
        if len(found) != moment.position.legal_count() or is_legal((moment.position, moment.asked)) != is_legal_there(
            (moment.board, *moment.asked_there)
        ):
            raise AssertionError("The engine and the baseline differ.")


def is_legal(question: tuple[Position, int]) -> bool:
    """Return whether the placement of that id is legal."""
    return question[0].allows_id(question[1])


def is_legal_there(question: tuple[ShiftedBoard, str, tuple[int, ...], int]) -> bool:
    """Return the same from the baseline."""
    return question[0].is_legal(*question[1:])


def play_random(seed: int) -> None:
    """Play a random game here."""
    random_game(Random(seed))


def play_random_there(seed: int) -> None:
    """Play a random game in the baseline."""
    shifted.random_game(Random(seed))


def replay_trusted(record: Record) -> None:
    """Replay a stored game without checking it."""
    record.replay(validate=False)


def replay_there(record: Record) -> None:
    """Replay a stored game in the baseline, without checking it."""
    board = ShiftedBoard()
    for move in record.moves:
        if move == "pass":
            board.pass_turn()
        else:
            board.play(*read_there(move))


def read_there(move: str) -> tuple[str, tuple[int, ...], int]:
    """Return a placement read from its text, for the baseline."""
    name, _, cells = move.partition(":")
    places = sorted((int(cell[1:]) - 1) * shifted.ROW + ord(cell[0]) - 97 for cell in cells.split(","))
    steps = tuple(place - places[0] for place in places)
    return name, steps, places[0]


def print_build() -> None:
    """Print what the tables of a board cost, which are made once in a process."""
    taken = [seconds(build, [None]) for _ in range(5)]
    tracemalloc.start()
    kept = build(None)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    print(f"tables: {statistics.median(taken) * 1000:.0f} ms, {size / 2**20:.1f} MiB for {len(kept[0]):,} placements")


def build(_: None) -> tuple[PlacementTable, Masks]:
    """Return new tables for the board of 20 by 20."""
    table = PlacementTable(VARIANT.grid, VARIANT.pieces)
    return table, Masks(table)


def print_variants(size: Size) -> None:
    """Print a row for every variant, and how long its ids take beside those of the board of 20 by 20."""
    print(f"{'':14}{'legal':>7}{'masks/s':>12}{'ids/s':>10}{'us a set':>10}", end="")
    print(f"{'to 20x20':>10}{'games/s':>9}{'placements':>12}")
    rows = {variant.id: VariantRow.of(variant, size) for variant in VARIANTS.values()}
    usual = rows[VARIANT.id]
    for name, row in rows.items():
        ratio = usual.ids / row.ids
        print(
            f"{name:14}{row.legal:>7.0f}{row.masks:>12,.0f}{row.ids:>10,.0f}{1e6 / row.ids:>10.1f}{ratio:>9.2f}x"
            f"{row.games:>9,.0f}{row.placements:>12,}"
        )


class VariantRow(NamedTuple):
    """How quick one variant is: over every position of some random games of it, medians of rounds."""

    legal: float
    masks: float
    ids: float
    games: float
    placements: int

    @classmethod
    def of(cls, variant: Variant, size: Size) -> "VariantRow":
        """Return the row, measured now."""
        games = [random_game(Random(seed), variant) for seed in range(size.variant_games)]
        positions = [position for game in games for position in list(Record.of(game).positions(validate=False))[:-1]]

        def rate(call: Callable[[One], object], on: Sequence[One]) -> float:
            return len(on) / statistics.median(seconds(call, on) for _ in range(size.rounds))

        return cls(
            legal=statistics.mean(position.legal_count() for position in positions),
            masks=rate(Position.legal_mask, positions),
            ids=rate(Position.legal_ids, positions),
            games=rate(lambda seed: random_game(Random(seed), variant), range(size.variant_games)),
            placements=len(table_for(variant)),
        )


if __name__ == "__main__":
    main()
