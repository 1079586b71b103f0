"""How many games a search plays to the end in a second of CPU, beside the same search as plain Python.

Both play from the first position, from the middle of a game and from near its end (half and three quarters of its
placements), in processes of their own. Compiling does not count. With `--against FOLDER`, the root of another state of
the project, that one's search plays in turn with this one's, from the same positions, and the ratio is told as well.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[1]
BOARDS = ("duo", "blockyou-2", "blockyou-4", "trigon-4")
SIMULATIONS = {"1": 1000, "0": 4}

#: By name, the share of a game's placements that are on the board.
WHEN = {"start": 0.0, "middle": 0.5, "end": 0.75}

#: Prints the placements of a whole game as ids.
GAME = """
import json, sys
from games.bots.engines.search import SearchEngine
from games.rules import Position
position, quick, placed = Position.start(sys.argv[1]), SearchEngine(20), []
while not position.is_over:
    if not position.has_legal():
        position = position.pass_turn()
        continue
    placed.append(quick.think(position, seed=1, number=len(placed) + 1).placement.id)
    position = position.play_id(placed[-1])
print(json.dumps(placed))
"""

#: Prints simulations a second after each of some numbers of placements.
PROGRAM = """
import json, sys, time
from games.bots.engines.search import SearchEngine
from games.rules import Position
board, simulations, games = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
engine = SearchEngine(simulations, stops_early=False)
for placed in games:
    at = Position.start(board)
    for number in placed:
        while not at.has_legal():
            at = at.pass_turn()
        at = at.play_id(number)
    while not at.has_legal():
        at = at.pass_turn()
    engine.think(at, seed=1, number=1)
    began = time.process_time()
    engine.think(at, seed=2, number=1)
    print(simulations / (time.process_time() - began))
"""


def main() -> None:
    """Print simulations a second of CPU for each board and time of the game, and against plain Python."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="the root of another state of the project")
    options = parser.parse_args()
    for board in options.boards:
        placed = json.loads(_printed(ROOT, "1", GAME, board))
        games = [placed[: round(share * len(placed))] for share in WHEN.values()]
        plain = _rates(ROOT, board, "0", games)
        ours, theirs = [], []
        for _ in range(options.rounds):
            ours.append(_rates(ROOT, board, "1", games))
            if options.against:
                theirs.append(_rates(options.against.resolve(), board, "1", games))
        for number, when in enumerate(WHEN):
            fast = median(each[number] for each in ours)
            line = f"{board:12} {when:7} {fast:10,.0f} simulations/s, {fast / plain[number]:5,.0f} times plain Python"
            if theirs:
                ratio = median(mine[number] / other[number] for mine, other in zip(ours, theirs, strict=True))
                line += f", {ratio:.2f} times the {median(each[number] for each in theirs):,.0f} there"
            print(line, flush=True)


def _rates(root: Path, board: str, switch: str, games: Sequence[Sequence[int]]) -> list[float]:
    return [
        float(line)
        for line in _printed(root, switch, PROGRAM, board, str(SIMULATIONS[switch]), json.dumps(games)).splitlines()
    ]


def _printed(root: Path, switch: str, program: str, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=root,
        env={**os.environ, "BOTS_COMPILED": switch, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


if __name__ == "__main__":
    main()
