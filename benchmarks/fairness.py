"""How long a person's slow bot waits while another person has many tables of slow bots.

The bots burn CPU instead of thinking, the workers and the sweep are those of `make run`. On SQLite, or on a database of
its own beside the one that DATABASE_URL names, with jobs where JOB_QUEUE says. Linux only.

    python -m benchmarks.fairness                                       # in a minute, as in `make bench`
    python -m benchmarks.fairness --tables 39 --burn 2 --turns 8        # one guest with 39 tables of four
"""

import argparse
import os
import secrets
import tempfile
import time
from datetime import datetime

from benchmarks.bots import TICK_SECONDS, serving, words
from benchmarks.jobs import database


def main() -> None:
    """Measure, and print."""
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="block-you-fairness-") as folder, database(folder) as url:
        os.environ.update(
            BURN_SECONDS=str(options.burn),
            DATABASE_URL=url,
            DJANGO_SETTINGS_MODULE="blockyou.settings.prod",
            EXTRA_BOTS="burner=benchmarks.burner:Burner",
            SECRET_KEY=secrets.token_urlsafe(64),
            VAR_DIR=folder,
        )
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        with serving(options.workers, 0):
            print(f"{options.tables} tables of four bots that think for {options.burn} s, {options.workers} workers")
            print(f"the other person's bot: {words(waits(options))}")


def read_options() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20, help="of one person")
    parser.add_argument("--burn", type=float, default=1.0, help="seconds of CPU a move")
    parser.add_argument("--turns", type=int, default=6, help="of the other person's bots that are measured")
    parser.add_argument("--workers", type=int, default=2, help="of which one does quick jobs only")
    parser.add_argument("--seconds", type=int, default=300, help="after which the count ends")
    return parser.parse_args()


def waits(options: argparse.Namespace) -> list[float]:
    """Return the seconds from asking for a turn at the other person's one table to its beginning, in rising order."""
    from accounts.models import User
    from games.jobs import find_jobs

    for _ in range(options.tables):
        new_game(User.objects.get_or_create(username="many")[0], "blockyou-4", 4)
    while not find_jobs("RUNNING"):
        time.sleep(TICK_SECONDS)
    one, began = new_game(User.objects.create_user("one"), "duo", 2), time.monotonic()
    begun: list[tuple[datetime, datetime]] = []
    while len(begun) < options.turns and time.monotonic() < began + options.seconds:
        time.sleep(TICK_SECONDS)
        begun = [(job.due_since, job.started_at) for job in find_jobs() if job.arguments[0] == one and job.started_at]
    return sorted((started - asked).total_seconds() for asked, started in begun)


def new_game(user: object, variant: str, count: int) -> int:
    """Start a game with that many such bots and return its key."""
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup

    seats = tuple(SeatSetup(kind="bot", bot="burner", seed=seat) for seat in range(count))
    return create_game(user, GameSetup(variant=variant, seats=seats)).pk  # type: ignore[arg-type]  # imported later


if __name__ == "__main__":
    main()
