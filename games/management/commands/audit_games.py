"""`manage.py audit_games`: replay stored games and compare, then count again what the counters hold."""

import json
from argparse import ArgumentTypeError
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games.actions.ratings.rate_family import rate_family
from games.audit import checks as audit
from games.audit import counts
from games.audit.checks import Fault
from games.audit.ratings import faults_of_ratings
from games.audit.reviews import faults_of_reviews
from games.management.sharing import Progress, Reporter, share_out


class Command(BaseCommand):
    """Replay games from their moves, checked by the rules, and compare what is stored with what they say."""

    help = (
        "Replay every stored game from its moves and compare board, turn, clocks, result and scores; then count again "
        "people's finished games, what reviews have found, the results of bots and of openings, and the people who "
        "have played together, and fit the ratings again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--repair", action="store_true", help="store what the moves say where something differs")
        parser.add_argument("--sample", type=int, default=0, metavar="N", help="only N games, drawn at random")
        parser.add_argument("--since", type=read_date, metavar="DATE", help="only games that have changed since then")
        parser.add_argument("--after", type=int, default=0, metavar="GAME", help="go on after an audit broken off")
        parser.add_argument("--processes", type=int, default=1, metavar="N", help="share the games between N processes")
        # Given to the processes that share the work: which one of how many this is.
        parser.add_argument("--share", nargs=2, type=int, help="for its own processes")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["processes"] > 1:
            if options["sample"]:
                raise CommandError("A sample is drawn in one process.")
            progress = share_out(_repeated(options), options["processes"], self.stderr.write)
        else:
            progress = self.audit(options)
        if options["share"]:
            return
        equal = f"{progress.games - progress.wrong} equal what is stored, {progress.wrong} differ"
        self.stdout.write(f"{progress.games} games and {progress.moves} moves replayed; {equal}.")
        is_whole = not (options["sample"] or options["since"])
        drifts = self.count_again(options["repair"]) if is_whole else 0
        if (progress.wrong or drifts) and not options["repair"]:
            raise CommandError("Some games differ from their moves. --repair stores what the moves say.")

    def audit(self, options: dict[str, Any]) -> Progress:
        """Replay the games in this process, and say how far it has come after each lot, or now and then."""
        chosen = {name: options[name] for name in ("after", "since", "sample")}
        progress, reporter = Progress(after=options["after"]), Reporter(self.stderr.write)
        for last, lot in audit.started_games(**chosen, share=tuple(options["share"] or (0, 1))):
            done = audit.audit_lot(last, lot, repairs=options["repair"])
            progress = progress.plus(done.games, done.moves, len(done.faults), after=last)
            self.report(fault for wrong in done.faults for fault in wrong)
            if options["share"]:
                self.stdout.write(json.dumps(vars(progress)))
                self.stdout.flush()
            elif not options["sample"]:
                reporter.report(progress)
        return progress

    def report(self, faults: Iterable[Fault]) -> None:
        """Say what differs, a line a fault."""
        for fault in faults:
            self.stderr.write(f"{fault.slug}: {fault.what} is {fault.stored!r}, the moves say {fault.rebuilt!r}")

    def count_again(self, repairs: bool) -> int:
        """Compare what is counted with the games, and mend it if that is wanted; return how many rows differ."""
        beside = [*audit.faults_beside(repairs=repairs), *faults_of_reviews(repairs=repairs)]
        self.report(beside)
        drifts = list(counts.drifts())
        for drift in drifts:
            name = " ".join(map(str, drift.key))
            self.stderr.write(f"{drift.kind} {name}: {drift.stored!r} is stored, the games say {drift.counted!r}")
            if repairs:
                counts.mend(drift)
        ratings = list(faults_of_ratings())
        self.report(fault for _family, fault in ratings)
        for family in dict.fromkeys(family for family, _fault in ratings) if repairs else ():
            rate_family(family, now=timezone.now())
        return len(beside) + len(drifts) + len(ratings)


def read_date(text: str) -> datetime:
    """Return the moment that a date, or a date and a time, says; in the site's time zone where it names none.

    Raises: ArgumentTypeError.
    """
    try:
        at = parse_datetime(text) or parse_datetime(f"{text}T00:00")
    except ValueError:
        at = None
    if at is None:
        raise ArgumentTypeError(f"{text!r} is no date: write 2026-01-31 or 2026-01-31T12:00")
    return at if timezone.is_aware(at) else timezone.make_aware(at)


def _repeated(options: dict[str, Any]) -> list[str]:
    """Return the command with the options that the processes of an audit share."""
    since = [f"--since={options['since'].isoformat()}"] if options["since"] else []
    return ["audit_games", f"--after={options['after']}", *since, *(["--repair"] if options["repair"] else [])]
