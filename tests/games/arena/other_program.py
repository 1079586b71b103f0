"""A program of nobody's that speaks the protocol as `pentobi-gtp` does: places the first piece that fits.

An argument gives it a fault. `--pids=FOLDER` makes it leave a file there, named by its process.
"""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from games.rules import Placement, Position
from games.rules.records.dialect import GAMES, move_names

FAULTS = {
    "--refuses": "? no idea\n\n",
    "--resigns": "= resign\n\n",
    "--illegal": "= a1,b1,a2\n\n",
    "--nonsense": "= hello\n\n",
    "--chatters": "Hello there.\n\n",
    "--endless": "= a1" + " " * (1 << 20),
}


class Board:
    """What the program knows of a game: colours that are blocked are left out, as nobody tells of passes."""

    def __init__(self) -> None:
        self.position = Position.start("duo")

    def colour(self, sign: str) -> str:
        return move_names(self.position.variant)[sign]

    def turn_to(self, sign: str) -> None:
        while self.position.colour != self.colour(sign):
            self.position = self.position.pass_turn()

    def set_game(self, name: str) -> str:
        self.position = Position.start(GAMES[name])
        return ""

    def play(self, sign: str, cells: str) -> str:
        self.turn_to(sign)
        self.position = self.position.play(Placement.parse(cells, self.position.variant))
        return ""

    def genmove(self, sign: str) -> str:
        self.turn_to(sign)
        placement = self.position.legal_placements()[-1]
        self.position = self.position.play(placement)
        return str(placement).partition(":")[2]

    def answer(self, line: str) -> str:
        command, _space, rest = line.partition(" ")
        if command == "set_game":
            return self.set_game(rest)
        if command == "play":
            return self.play(*rest.split())
        return self.genmove(rest) if command == "genmove" else ""


def main(arguments: Sequence[str]) -> None:
    board = Board()
    for folder in (each.removeprefix("--pids=") for each in arguments if each.startswith("--pids=")):
        Path(folder, str(os.getpid())).touch()
    for line in map(str.strip, sys.stdin):
        if line.startswith("genmove") and "--dies" in arguments:
            sys.exit("out of ideas")
        if line.startswith("genmove") and "--ponders" in arguments:
            began = time.process_time()
            while time.process_time() - began < 0.2:
                pass
        if line.startswith("genmove") and "--hangs" in arguments:
            time.sleep(60)
        fault = next((FAULTS[each] for each in arguments if each in FAULTS), "")
        sys.stdout.write(fault if fault and line.startswith("genmove") else f"= {board.answer(line)}\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
