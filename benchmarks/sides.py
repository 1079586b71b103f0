"""How often the side that begins wins where two equal bots play, with free opening pieces and with named ones.

With `--learn` games with drawn pieces are played first, and what each piece is worth to either side is fitted to them
and written to games/roster/sides.json: by it bots choose their side, and the site draws pieces that are about even.

    python -m benchmarks.sides                                          # in a minute, as in `make bench`
    python -m benchmarks.sides --boards duo,classic-2 --games 400
    python -m benchmarks.sides --boards duo --learn 4000 --simulations 100
"""

import argparse
import json
import math
import random
from collections.abc import Mapping, Sequence

import numpy as np

from games.bots.engines.search import SearchEngine
from games.roster.sides import SIDES, even_pairs, measured_sides
from games.rules import Position, get_variant
from games.rules.variants import named_id

#: How strongly the worth of a piece is drawn towards none as long as little is known.
PULL = 0.5

#: Newton's steps of the fit; some six are taken.
STEPS = 30


def main() -> None:
    """Learn if asked to, then measure and print."""
    options = read_options()
    for kind in options.boards.split(","):
        if options.learn:
            learn(kind, options.learn, options.simulations, options.seed)
        if not even_pairs(kind):
            print(f"{kind}: its pieces were not measured yet, so there is no pair to compare; see --learn")
            continue
        free = [play(kind, options.simulations, options.seed + n) for n in range(options.games)]
        luck, even = random.Random(options.seed), even_pairs(kind)
        named = [
            play(named_id(kind, luck.choice(even)), options.simulations, options.seed + n) for n in range(options.games)
        ]
        print(
            f"{kind}: the side that begins, of {options.games} games of two bots of {options.simulations} simulations"
        )
        print(f"  with any pieces:                 {words(free)}")
        print(f"  with a pair that is about even:  {words(named)}  ({len(even)} such pairs)")


def read_options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", default="duo", help="variants for two, with commas between them")
    parser.add_argument("--games", type=int, default=100, help="games with free pieces, and as many with named ones")
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
    names, luck = [piece.name for piece in get_variant(kind).pieces], random.Random(seed)
    played = []
    for number in range(games):
        pair = luck.choice(names), luck.choice(names)
        played.append((pair, play(named_id(kind, pair), simulations, seed + number)))
    stored = json.loads(SIDES.read_text("utf-8"))
    stored["worth"][kind] = fitted(names, played)
    stored["games"][kind] = {"games": games, "simulations": simulations, "seed": seed}
    SIDES.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
    measured_sides.cache_clear()


def fitted(names: Sequence[str], played: Sequence[tuple[tuple[str, str], float]]) -> Mapping[str, object]:
    """Return what beginning and each piece is worth, in logits: the likeliest with a prior around none."""
    at, count = {name: number for number, name in enumerate(names)}, len(names)
    rows, points = np.zeros((len(played), 1 + 2 * count)), np.array([each for _pair, each in played])
    for row, ((first, second), _points) in zip(rows, played, strict=True):
        row[0], row[1 + at[first]], row[1 + count + at[second]] = 1, 1, -1
    pull, found = np.diag([1e-6] + [PULL] * 2 * count), np.zeros(1 + 2 * count)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (points - chances) - pull @ found
        found += np.linalg.solve((rows.T * (chances * (1 - chances))) @ rows + pull, slope)
    worth = [round(float(each), 3) for each in found]
    sides = worth[1 : 1 + count], worth[1 + count :]
    of_first, of_second = (dict(zip(names, each, strict=True)) for each in sides)
    return {"begins": worth[0], "first": of_first, "second": of_second}


if __name__ == "__main__":
    main()
