"""How often a short search chooses the better side of a lopsided pair of opening pieces, and what that costs.

python -m benchmarks.choosing                 # in some seconds, as in `make bench`
python -m benchmarks.choosing --pairs 60 --simulations 45,100,300,1000,2000,4000
"""

import argparse
import random
import time

from games.bots.engines.search import SearchEngine
from games.roster.sides import measured_sides
from games.rules import Position
from games.rules.variants import named_id

#: What is lopsided: one side has this much more than one in two.
LOPSIDED = 0.15


def main() -> None:
    """Search for the better side of drawn pairs, and print how often it was found."""
    options = read_options()
    worth = measured_sides()[options.board]
    chances = {(one, two): worth.chance(one, two) for one in worth.first for two in worth.second}
    lopsided = sorted(pair for pair, chance in chances.items() if abs(chance - 1 / 2) > LOPSIDED)
    drawn = random.Random(options.seed).sample(lopsided, min(options.pairs, len(lopsided)))
    print(f"{options.board}: {len(drawn)} of {len(lopsided)} lopsided pairs, of {len(chances)} in all")
    SearchEngine(10).think(Position.start(options.board), seed=0, number=0)
    for simulations in map(int, options.simulations.split(",")):
        began, right, off = time.process_time(), 0, 0.0
        for pair in drawn:
            position = Position.start(named_id(options.board, pair))
            first, second = SearchEngine(simulations).think(position, seed=5, number=0).values
            right += (first > second) == (chances[pair] > 1 / 2)
            off += first - chances[pair]
        spent = 1000 * (time.process_time() - began) / len(drawn)
        print(
            f"  {simulations:>6} games: {right} right, value off by {off / len(drawn):+.3f}, {spent:.1f} ms of CPU each"
        )


def read_options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--board", default="duo", help="a board whose pieces were measured")
    parser.add_argument("--pairs", type=int, default=20, help="how many pairs are drawn")
    parser.add_argument("--simulations", default="100,1000", help="how many games are simulated, with commas between")
    parser.add_argument("--seed", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
