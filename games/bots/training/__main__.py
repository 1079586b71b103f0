"""Learn the weights of every policy: `python -m games.bots.training` (see docs/training.md for how long it takes).

Each generation plays games against itself with the weights of the one before, and learns where the search came to
look or what it chose, from its own games and those of the one before. `--kinds duo pairs` learns some policies, in
the order of the recipes; the others keep theirs. `--generations` and `--begin-with` replace parts of the recipes.
`--generations 60x1000 100x1000`: 60 games with 1,000 simulations a placement, then 100. `--begin-with duo`: the first
generation begins with the weights that the file holds for that kind (its own: it goes on from there); `--begin-with
nothing`: with weights that know only that large pieces and corners are good.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime

from games.bots.engines.policy import CLASSES, PHASES, ROLES
from games.bots.engines.sight import OUTLOOK_WEIGHTS, bias
from games.bots.engines.weights import FILE, KINDS, Weights, read_weights
from games.bots.training.fit import fit
from games.bots.training.recipes import CHOICE, NOTHING, RECIPES, TEACHERS, Generation, Recipe
from games.bots.training.selfplay import Example, play_game
from games.rules.variants import get_variant


def main(arguments: Sequence[str] | None = None) -> None:
    """Learn, generation after generation, and write the file after each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--generations", nargs="+", type=_generation, help="games x simulations a placement, of each")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--begin-with", choices=(NOTHING, *KINDS), help="whose weights the first generation begins with"
    )
    chosen = parser.parse_args(arguments)
    for kind in filter(chosen.kinds.__contains__, RECIPES):
        recipe = RECIPES[kind]
        recipe = recipe._replace(
            begins_with=chosen.begin_with or recipe.begins_with, generations=chosen.generations or recipe.generations
        )
        _learn(kind, recipe, chosen.jobs, chosen.seed)


def _learn(kind: str, recipe: Recipe, jobs: int, seed: int) -> None:
    weights, known = _beginning(kind, recipe.begins_with)
    known += "by bare choice, " if recipe.power == CHOICE else ""
    knows_nothing = recipe.begins_with == NOTHING
    before: list[Example] = []
    done = []
    for number, generation in enumerate(recipe.generations, 1):
        began = time.monotonic()
        examples = _play(kind, weights, generation, jobs, seed + number - 1)
        played = time.monotonic()
        # A search that knows next to nothing is not to be believed more than it believes itself.
        power = 1.0 if knows_nothing and number == 1 else recipe.power
        weights, loss = fit([*before, *examples], weights, seed, power)
        before = examples
        done.append(str(generation))
        _write(kind, weights, f"{known}games x simulations of each generation: {', '.join(done)}; seed {seed}")
        sys.stdout.write(
            f"{kind} generation {number} ({generation}): {len(examples)} examples in {played - began:.0f} s,"
            f" cross-entropy {loss:.3f}, fitted in {time.monotonic() - played:.0f} s\n"
        )
        sys.stdout.flush()


def _generation(text: str) -> Generation:
    games, _by, simulations = text.partition("x")
    if not (games.isdecimal() and simulations.isdecimal() and int(games) and int(simulations)):
        raise argparse.ArgumentTypeError(f"{text} is not games x simulations, like 40x200.")
    return Generation(int(games), int(simulations))


def _beginning(kind: str, other: str) -> tuple[Weights, str]:
    """Return the weights that a kind begins with, and how they were learned: nothing to tell if they know nothing."""
    if other == NOTHING:
        return first_weights(TEACHERS[kind][0]), ""
    return read_weights()["policies"][other], f"begins with {other}: {read_weights()['recipes'][other]}; then "


def first_weights(variant: str) -> Weights:
    """Return what the first generation knows of a variant: prefer large pieces, new corners, and others' corners."""
    row = bias(opens=0.5, takes=0.8, nears=0.2, meets=0.0, strays=-0.1)[0]
    pieces = get_variant(variant).pieces
    for policy in (0, OUTLOOK_WEIGHTS):
        at = policy + ROLES * CLASSES
        row[at : at + len(pieces)] = [1.2 * piece.size for piece in pieces]
    return [row] * PHASES


def _play(kind: str, weights: Weights, generation: Generation, jobs: int, seed: int) -> list[Example]:
    teachers, (games, simulations) = TEACHERS[kind], generation
    tasks = [(teachers[n % len(teachers)], weights, simulations, seed * 100_000 + n) for n in range(games)]
    with ProcessPoolExecutor(jobs) as pool:
        return [example for game in pool.map(_game, tasks) for example in game]


def _game(task: tuple[str, Weights, int, int]) -> list[Example]:
    return list(play_game(*task))


def _write(kind: str, learned: Weights, recipe: str) -> None:
    held = read_weights()
    held["policies"][kind] = learned
    held["recipes"][kind] = f"{recipe}; {datetime.now(UTC):%Y-%m-%d}"
    lines = [
        f'    "{name}": [\n' + ",\n".join(f"      {json.dumps(row)}" for row in rows) + "\n    ]"
        for name, rows in held["policies"].items()
    ]
    recipes = json.dumps(held["recipes"], indent=4).replace("\n}", "\n  }")
    FILE.write_text(f'{{\n  "recipes": {recipes},\n  "policies": {{\n' + ",\n".join(lines) + "\n  }\n}\n", "utf-8")
    read_weights.cache_clear()


if __name__ == "__main__":
    main()
