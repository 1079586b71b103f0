"""`manage.py make_puzzles`: store the puzzles that come with this release, and find more in finished games."""

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.actions.puzzles.store_puzzles import store_puzzles
from games.bots.puzzles.shipped import BOTS, FIRST_DAY, shipped_puzzles
from games.puzzles.puzzle import KINDS
from games.queries.puzzles.days import today_of
from games.queries.puzzles.found import known_puzzles, last_searched_game, public_games

#: The source of a puzzle that was found in a public game.
GAMES = "game"


class Command(BaseCommand):
    """Store puzzles for the days that have none. It may be ended at any time, and goes on where it was."""

    help = "Store the puzzles that come with this release, and find more in games that bots play and in public games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take how many to find, and where."""
        parser.add_argument("--find", type=int, default=0, metavar="N", help="find this many more in games of bots")
        parser.add_argument("--games", action="store_true", help="look for more in the site's finished public games")

    def handle(self, *args: Any, **options: Any) -> None:
        """Store and find."""
        known = known_puzzles(BOTS)
        new = ((each.seed, each.puzzle) for each in shipped_puzzles() if (each.seed, each.kind) not in known)
        stored = store_puzzles(new, source=BOTS, first=FIRST_DAY)
        if stored:
            self.stdout.write(f"{stored} puzzles of this release stored.")
        if options["games"]:
            found = sum(
                self._find(variant, moves, GAMES, pk) for pk, variant, moves in public_games(last_searched_game(GAMES))
            )
            self.stdout.write(f"{found} puzzles found in public games.")
        if options["find"] > 0:
            self._find_in_games_of_bots(options["find"])

    def _find_in_games_of_bots(self, wanted: int) -> None:
        # Here, since who stores what comes with the release need not wait for the engine.
        from games.bots.puzzles.playing import played_game

        begun, found, seed = time.process_time(), 0, last_searched_game(BOTS)
        while found < wanted:
            seed += 1
            game = played_game(seed)
            found += self._find(game.variant, game.moves, BOTS, seed)
        self.stdout.write(f"{found} puzzles found, in {time.process_time() - begun:.0f} s of CPU time.")

    def _find(self, variant: str, moves: Sequence[str], source: str, number: int) -> int:
        from games.bots.puzzles.finding import puzzles_in

        found = ((number, each) for each in puzzles_in(variant, moves, KINDS))
        # Today's has been shown, and may be solved: it stays.
        return store_puzzles(found, source=source, first=today_of(timezone.now()) + timedelta(days=1))
