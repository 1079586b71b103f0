"""A newcomer's first game: how long the three bots of the first page take for a move, at each strength it offers.

Serves the site as `make run` does, from a folder of its own, and plays as guests by HTTP alone, one after the other. A
move takes from the one before it, as both are stored, to itself: the job, its wait, the engine and the writing. Linux.

    python -m benchmarks.first_game                               # eight rounds at every strength, in some minutes
    python -m benchmarks.first_game --rounds 21 --strengths 3     # a whole game against those that are offered first
"""

import argparse
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

from tests.project.player import Player
from tests.project.trial import address

ROOT = Path(__file__).resolve().parents[1]
ROUNDS = 8
START_SECONDS = 300.0


def main() -> None:
    """Play at every strength, and print what its bots took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how many placements each guest makes")
    parser.add_argument("--strengths", nargs="+", help="of those on the first page; all, if none is named")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="block-you-first-") as folder:
        with serving(folder) as site:
            offered = re.findall(r'<option value="([^"]+)"', Player(site).get("/"))
            # Not measured: on its very first start a site compiles its engines.
            play(site, "", 1)
            games = {key: play(site, key, options.rounds) for key in options.strengths or offered}
        tell(folder, games)


@contextmanager
def serving(folder: str) -> Iterator[str]:
    """Yield the address of a site whose data lies in the folder, and stop it."""
    surroundings = {**os.environ, "VAR_DIR": folder, "DATABASE_URL": database(folder), "PORT": "0"}
    output = Path(folder, "output.txt")
    with output.open("w") as file:
        command = [sys.executable, "-m", "blockyou.processes.serve"]
        process = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdout=file, stderr=file)
    try:
        yield address(output, process, time.monotonic() + START_SECONDS)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def database(folder: str) -> str:
    """Return where the games are stored."""
    return f"sqlite:///{folder}/db.sqlite3"


def play(site: str, strength: str, rounds: int) -> str:
    """Play that many rounds against bots of that strength, and return the name of the game."""
    player = Player(site)
    player.game = player.post(player.get("/"), "/play-bots/", strength=strength)
    for _ in range(rounds):
        player.place_something()
    player.wait_for_turn()
    return player.game.strip("/").rpartition("/")[2]


def tell(folder: str, games: dict[str, str]) -> None:
    """Print how long moves of bots took, by strength."""
    os.environ.update(DATABASE_URL=database(folder), DJANGO_SETTINGS_MODULE="blockyou.settings.dev", VAR_DIR=folder)
    import django

    django.setup()
    from games.models import Move

    print(f"{'strength':10}{'median':>9}{'p95':>9}{'most':>9}{'moves':>7}")
    for strength, slug in games.items():
        moves = Move.objects.filter(game__slug=slug).order_by("number")
        pairs = pairwise(moves)
        took = sorted((move.played_at - last.played_at).total_seconds() for last, move in pairs if move.bot)
        print(strength.ljust(10) + line(took))


def line(took: Sequence[float]) -> str:
    """Return what is to be known of these times, of which the longest is the last."""
    late = took[int(0.95 * (len(took) - 1))]
    return f"{statistics.median(took):7.2f} s{late:7.2f} s{took[-1]:7.2f} s{len(took):7}"


if __name__ == "__main__":
    main()
