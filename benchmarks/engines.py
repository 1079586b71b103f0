"""How many games a search plays to the end in a second of CPU, beside the same search as plain Python.

Both play from the first position and from one in the middle of a game, in processes of their own. Compiling does not
count.
"""

import argparse
import os
import subprocess
import sys
from statistics import median

BOARDS = ("duo", "blockyou-4", "blockyou-2", "trigon-4")
SIMULATIONS = {"1": 300, "0": 4}

PROGRAM = """
import sys, time
from games.bots.engines.search import SearchEngine
from games.rules import Position
board, simulations = sys.argv[1], int(sys.argv[2])
position = Position.start(board)
middle = position
quick = SearchEngine(2)
for number in range(1, 6 * len(position.colours_in_play) + 1):
    middle = middle.play(quick.think(middle, seed=1, number=number).placement)
engine = SearchEngine(simulations, stops_early=False)
for at in (position, middle):
    engine.think(at, seed=1, number=1)
    began = time.process_time()
    engine.think(at, seed=2, number=1)
    print(simulations / (time.process_time() - began))
"""


def main() -> None:
    """Print simulations a second of CPU for each board, at the start and in the middle, and against plain Python."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    options = parser.parse_args()
    for board in options.boards:
        compiled = [median(each) for each in zip(*(_rates(board, "1") for _ in range(options.rounds)), strict=True)]
        plain = _rates(board, "0")
        for when, fast, slow in zip(("start", "middle"), compiled, plain, strict=True):
            print(
                f"{board:12} {when:7} {fast:10,.0f} simulations/s, plain Python {slow:6,.1f}: {fast / slow:5,.0f} times"
            )


def _rates(board: str, switch: str) -> list[float]:
    asked = subprocess.run(
        [sys.executable, "-c", PROGRAM, board, str(SIMULATIONS[switch])],
        env={**os.environ, "BOTS_COMPILED": switch},
        capture_output=True,
        text=True,
        check=True,
    )
    return [float(line) for line in asked.stdout.split()]


if __name__ == "__main__":
    main()
