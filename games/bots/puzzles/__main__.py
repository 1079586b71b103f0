"""`python -m games.bots.puzzles N`: find puzzles in games of bots, from seed 1 on, until the file holds so many.

What was found stays in the file when this is ended, and it goes on after the last seed. No kind has more than its share
of them, so that a week has some of each.
"""

import sys
import time
from collections.abc import Sequence

from games.bots.puzzles.finding import puzzles_in
from games.bots.puzzles.playing import played_game
from games.bots.puzzles.shipped import FILE, FoundPuzzle, shipped_puzzles
from games.puzzles.puzzle import KINDS

#: Of a kind that is found oftener than the others, so many in a hundred are kept at most.
MOST_OF_A_KIND = 65


def main(wanted: int) -> None:
    """Append to the file until it holds so many."""
    FILE.touch()
    kept = list(shipped_puzzles())
    known, seed = {each.puzzle.key for each in kept}, max((each.seed for each in kept), default=0)
    begun = time.process_time()
    with FILE.open("a", encoding="ascii") as file:
        while len(kept) < wanted:
            seed += 1
            game = played_game(seed)
            for puzzle in puzzles_in(
                game.variant, game.moves, [kind for kind in KINDS if not _is_too_many(kind, kept)]
            ):
                if puzzle.key not in known:
                    known.add(puzzle.key)
                    kept.append(FoundPuzzle.of(seed, puzzle))
                    file.write(f"{kept[-1]}\n")
                    file.flush()
                    spent = time.process_time() - begun
                    sys.stdout.write(f"{len(kept)} {puzzle.kind} {puzzle.variant}, {spent:.0f} s of CPU time\n")


def _is_too_many(kind: str, kept: Sequence[FoundPuzzle]) -> bool:
    of_kind = sum(each.kind == kind for each in kept)
    return of_kind * 100 >= MOST_OF_A_KIND * max(len(kept), len(KINDS))


if __name__ == "__main__":
    main(int(sys.argv[1]))
