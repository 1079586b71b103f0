"""Learn the weights of every policy anew: `python -m games.bots.training` (see docs/bots.md for how long it takes).

Each generation plays games against itself with the weights of the one before, and learns what the search came to
choose. The first generation knows only that large pieces and corners are good. `--kinds duo pairs` learns some
policies, the others keep what they have. `--go-on` begins with the weights of the file.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime

from games.bots.engines.policy import CLASSES, PHASES, ROLES
from games.bots.engines.sight import bias
from games.bots.engines.weights import FILE, KINDS, Weights, read
from games.bots.training.fit import fit
from games.bots.training.selfplay import Lesson, play_game
from games.rules.variants import get_variant

#: The variants whose games teach each kind of policy.
TEACHERS = {
    "duo": ("duo",),
    "pairs": ("blockyou-2", "classic-2"),
    "each": ("blockyou-4", "classic-4"),
    "triangles-pairs": ("trigon-2",),
    "triangles-each": ("trigon-4", "trigon-3"),
}


def main() -> None:
    """Learn, generation after generation, and write the file after each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--generations", type=int, default=3)
    parser.add_argument("--games", type=int, default=120, help="games of each generation")
    parser.add_argument("--simulations", type=int, default=300, help="simulations a placement")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go-on", action="store_true", help="begin with what was learned before")
    chosen = parser.parse_args()
    for kind in chosen.kinds:
        for generation in range(chosen.generations):
            began = time.monotonic()
            weights = read()["policies"][kind] if generation or chosen.go_on else first_weights(TEACHERS[kind][0])
            lessons = _play(kind, weights, chosen.games, chosen.simulations, chosen.jobs, chosen.seed + generation)
            played = time.monotonic()
            learned, loss = fit(lessons, weights, chosen.seed)
            _write(
                kind, learned, f"{generation + 1} generations of {chosen.games} games, {chosen.simulations} simulations"
            )
            sys.stdout.write(
                f"{kind} generation {generation + 1}: {len(lessons)} lessons in {played - began:.0f} s,"
                f" cross-entropy {loss:.3f}, fitted in {time.monotonic() - played:.0f} s\n"
            )


def first_weights(variant: str) -> Weights:
    """Return what the first generation knows of a variant: prefer large pieces, new corners, and others' corners."""
    row = bias(opens=0.5, takes=0.8, nears=0.2, meets=0.0, strays=-0.1)[0]
    pieces = get_variant(variant).pieces
    row[ROLES * CLASSES : ROLES * CLASSES + len(pieces)] = [1.2 * piece.size for piece in pieces]
    return [row] * PHASES


def _play(kind: str, weights: Weights, games: int, simulations: int, jobs: int, seed: int) -> list[Lesson]:
    teachers = TEACHERS[kind]
    tasks = [(teachers[n % len(teachers)], weights, simulations, seed * 100_000 + n) for n in range(games)]
    with ProcessPoolExecutor(jobs) as pool:
        return [lesson for game in pool.map(_game, tasks) for lesson in game]


def _game(task: tuple[str, Weights, int, int]) -> list[Lesson]:
    return list(play_game(*task))


def _write(kind: str, learned: Weights, recipe: str) -> None:
    held = read()
    held["policies"][kind] = learned
    held["recipes"][kind] = f"{recipe}; {datetime.now(UTC):%Y-%m-%d}"
    lines = [
        f'    "{name}": [\n' + ",\n".join(f"      {json.dumps(row)}" for row in rows) + "\n    ]"
        for name, rows in held["policies"].items()
    ]
    recipes = json.dumps(held["recipes"], indent=4).replace("\n}", "\n  }")
    FILE.write_text(f'{{\n  "recipes": {recipes},\n  "policies": {{\n' + ",\n".join(lines) + "\n  }\n}\n", "utf-8")
    read.cache_clear()


if __name__ == "__main__":
    main()
