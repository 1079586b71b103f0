"""How often the side that begins wins where two equal bots play, with free opening pieces and with named ones.

With `--learn` games with drawn pieces are played first, and what each piece is worth to either side is fitted to them
and written to games/roster/sides.json: by it bots choose their side, and the site draws pieces that are about even.
With `--search` every pair is searched before its first move instead, and the games of `--learn` only set right how much
what the search finds tells: the pairs that are then nearest to even are those that bots name on such a board.

    python -m benchmarks.sides                                          # in a minute, as in `make bench`
    python -m benchmarks.sides --boards duo,classic-2 --games 400
    python -m benchmarks.sides --boards duo --learn 4000 --simulations 100
    python -m benchmarks.sides --boards junior --search 1000 --learn 400 --simulations 30
"""

import argparse
import json
import math
import random
import time
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from games.bots.engines.search import SearchEngine
from games.roster.sides import EVEN, SIDES, measured_sides, pairs_to_name, searched_pairs
from games.rules import Position, get_variant
from games.rules.variants import named_id

Numbers = NDArray[np.float64]

#: How strongly the worth of a piece is drawn towards none as long as little is known.
PULL = 0.5

#: So many of the pairs that a search finds nearest to even are written.
MOST_SEARCHED = 24

#: No search is surer than this, in logits, of what it has seen only win or only lose.
SUREST = 3.0

#: Newton's steps of the fit; some six are taken.
FIT_STEPS = 30


def main() -> None:
    """Learn if asked to, then measure and print."""
    options = read_options()
    for kind in options.boards.split(","):
        began = time.process_time()
        if options.search:
            search(kind, options.search, options.learn, options.simulations, options.seed)
        elif options.learn:
            learn(kind, options.learn, options.simulations, options.seed)
        learned = time.process_time()
        even = pairs_to_name(kind)
        if not even:
            print(f"{kind}: its pieces were not measured yet, so there is no pair to compare; see --learn")
            continue
        if not options.games:
            print(f"{kind}: {learned - began:.0f} s of CPU to learn")
            continue
        free = [play(kind, options.simulations, options.seed + n) for n in range(options.games)]
        luck = random.Random(options.seed)
        named = [
            play(named_id(kind, luck.choice(even)), options.simulations, options.seed + n) for n in range(options.games)
        ]
        print(
            f"{kind}: the side that begins, of {options.games} games of two bots of {options.simulations} simulations"
        )
        print(f"  with any pieces:                 {words(free)}")
        print(f"  with a pair that is about even:  {words(named)}  ({len(even)} such pairs)")
        print(f"  {learned - began:.0f} s of CPU to learn, {time.process_time() - learned:.0f} s to measure")


def read_options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default="duo", help="variants for two, with commas between them")
    parser.add_argument(
        "--games", type=int, default=100, help="games with free pieces, and as many with named ones; 0: only learn"
    )
    parser.add_argument("--search", type=int, default=0, help="games to simulate of each pair of pieces")
    parser.add_argument("--learn", type=int, default=0, help="games to learn from")
    parser.add_argument("--simulations", type=int, default=100, help="games that the bots simulate before each move")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def words(points: Sequence[float]) -> str:
    """Return what part of the points the side that begins has, with an interval that holds 19 of 20 times."""
    share = sum(points) / len(points)
    spread = 1.96 * math.sqrt(sum((each - share) ** 2 for each in points)) / len(points)
    return f"{share:.1%} (± {spread:.1%})"


def play(variant: str, simulations: int, seed: int) -> float:
    """Return the points of the side that begins in a game of two bots: 1, a half or 0."""
    engine, position = SearchEngine(simulations), Position.start(variant)
    while not position.is_over:
        if position.has_legal():
            answer = engine.think(position, seed=2 * seed + (position.seat or 0), number=position.move_count + 1)
            position = position.play(answer.placement)
        else:
            position = position.pass_turn()
    first, second = position.seat_scores()
    return 1 / 2 if first == second else float(first > second)


def learn(kind: str, games: int, simulations: int, seed: int) -> None:
    """Play games with drawn pieces, and write what these are worth."""
    names, luck = [*get_variant(kind).opening_pieces], random.Random(seed)
    played = []
    for number in range(games):
        pair = luck.choice(names), luck.choice(names)
        played.append((pair, play(named_id(kind, pair), simulations, seed + number)))
    stored = json.loads(SIDES.read_text("utf-8"))
    stored["worth"][kind] = fitted(names, played)
    stored["games"][kind] = {"games": games, "simulations": simulations, "seed": seed}
    SIDES.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    measured_sides.cache_clear()


def search(kind: str, searched: int, games: int, simulations: int, seed: int) -> None:
    """Search every pair of pieces, have games with drawn ones set right what that tells, and write the most even."""
    names, luck = [*get_variant(kind).opening_pieces], random.Random(seed)
    found = {pair: value_of(named_id(kind, pair), searched, seed) for pair in product(names, repeat=2)}
    drawn = [luck.choice(list(found)) for _ in range(games)]
    points = np.array([play(named_id(kind, pair), simulations, seed + number) for number, pair in enumerate(drawn)])
    rows = np.array([[1, found[pair]] for pair in drawn], dtype=float).reshape(games, 2)
    # Without games the search is taken at its word.
    begins, tells = likeliest(rows, points, np.diag([1e-6, PULL]), np.array([0.0, 1.0]))
    chances = {pair: 1 / (1 + math.exp(-(begins + tells * value))) for pair, value in found.items()}
    nearest = sorted(
        (pair for pair in chances if abs(chances[pair] - 1 / 2) <= EVEN), key=lambda p: abs(chances[p] - 1 / 2)
    )
    stored = json.loads(SIDES.read_text("utf-8"))
    stored.setdefault("searched", {})[kind] = {
        "searched": searched,
        "games": games,
        "simulations": simulations,
        "seed": seed,
        "begins": round(float(begins), 3),
        "tells": round(float(tells), 3),
        "pairs": sorted(nearest[:MOST_SEARCHED]),
    }
    SIDES.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    searched_pairs.cache_clear()
    print(
        f"{kind}: {len(nearest)} pairs within {EVEN:.0%} of even; games say {begins:+.2f} {tells:+.2f} x what is found"
    )


def value_of(variant: str, simulations: int, seed: int) -> float:
    """Return how a search values the first side before the first move, in logits."""
    first, second = SearchEngine(simulations).think(Position.start(variant), seed=seed, number=0).values
    share = min(max(first / (first + second), 1e-6), 1 - 1e-6)
    return min(max(math.log(share / (1 - share)), -SUREST), SUREST)


def fitted(names: Sequence[str], played: Sequence[tuple[tuple[str, str], float]]) -> Mapping[str, object]:
    """Return what beginning and each piece is worth, in logits: the likeliest with a prior around none."""
    at, count = {name: number for number, name in enumerate(names)}, len(names)
    rows, points = np.zeros((len(played), 1 + 2 * count)), np.array([each for _pair, each in played])
    for row, ((first, second), _points) in zip(rows, played, strict=True):
        row[0], row[1 + at[first]], row[1 + count + at[second]] = 1, 1, -1
    found = likeliest(rows, points, np.diag([1e-6] + [PULL] * 2 * count), np.zeros(1 + 2 * count))
    worth = [round(float(each), 3) for each in found]
    sides = worth[1 : 1 + count], worth[1 + count :]
    of_first, of_second = (dict(zip(names, each, strict=True)) for each in sides)
    return {"begins": worth[0], "first": of_first, "second": of_second}


def likeliest(rows: Numbers, points: Numbers, pull: Numbers, usual: Numbers) -> Numbers:
    """Return the likeliest numbers by which rows tell points, in logits, drawn towards what is usual."""
    found = usual.copy()
    for _ in range(FIT_STEPS):
        chances = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (points - chances) - pull @ (found - usual)
        found += np.linalg.solve((rows.T * (chances * (1 - chances))) @ rows + pull, slope)
    return found


if __name__ == "__main__":
    main()
