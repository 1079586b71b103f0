"""`manage.py audit_games`: replay every stored game and compare."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from games import audit, lifecycle
from games.models import Game


class Command(BaseCommand):
    """Replay every game from its moves, checked by the rules, and compare what is stored with what they say."""

    help = "Replay every stored game from its moves and compare board, turn, clocks, result and scores."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="store what the moves say where something differs")

    def handle(self, *args: Any, **options: Any) -> None:
        games = moves = wrong = 0
        for pk in Game.objects.filter(started_at__isnull=False).order_by("pk").values_list("pk", flat=True):
            count, faults = _audit(pk, options["repair"])
            games, moves, wrong = games + 1, moves + count, wrong + bool(faults)
            for fault in faults:
                self.stderr.write(f"{fault.slug}: {fault.what} is {fault.stored!r}, the moves say {fault.rebuilt!r}")
        equal = f"{games - wrong} equal what is stored, {wrong} differ"
        self.stdout.write(f"{games} games and {moves} moves replayed; {equal}.")
        if wrong and not options["repair"]:
            raise CommandError("Some games differ from their moves. --repair stores what the moves say.")


@transaction.atomic
def _audit(pk: int, repairs: bool) -> tuple[int, list[audit.Fault]]:
    """Return how many moves the game has and what is wrong; the row is locked, so that nobody moves meanwhile."""
    game = Game.objects.select_for_update(no_key=True).get(pk=pk)
    faults = list(audit.faults(game))
    if repairs and faults:
        lifecycle.rebuild(game)
    return game.moves.count(), faults
