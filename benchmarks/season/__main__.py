"""A season of the site: people with habits play games for four over sixty days, and every promise is checked.

    python -m benchmarks.season                                # 200 games, as in `make bench`
    python -m benchmarks.season --games 12 --days 20 --seed 7

People live in six time zones, two of which change their clocks meanwhile; some play daily, some at night or on
weekends, some go on vacation, some never come back. Twice the site is away for hours. The same seed is the same season.
The exit status is 1 if a promise was broken.
"""

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

#: The first instant: four weeks before Europe changes its clocks, a week before America does.
START = datetime(2026, 3, 1, tzinfo=UTC)
#: When the site is away, as a part of the season, and for how many hours.
OUTAGES = ((0.3, 7), (0.7, 31))
#: Games go on after the season until they end, for at most this multiple of its length, or this number of days if that
#: is longer.
LONGEST_SEASON, SHORTEST_SEASON = 6, 60
SEATS = 4


def main() -> None:
    """Play the season and print what it was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="block-you-season-") as folder:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.test",
            "EMAIL_URL": "smtp://127.0.0.1:9",
            "VAR_DIR": folder,
        }
        os.environ.pop("REDIS_URL", None)
        import logging

        import django

        django.setup()
        logging.disable(logging.INFO)
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        sys.exit(play(options.games, options.days, options.seed))


def play(games: int, days: int, seed: int) -> int:
    """Play a season and print its table; return 1 if a promise was broken."""
    from django.conf import settings
    from django.core import mail

    from benchmarks.season import judge, tables
    from benchmarks.season.world import World

    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []
    began, rng = time.perf_counter(), random.Random(seed)
    starts = [(START + timedelta(days=days * part), timedelta(hours=hours)) for part, hours in OUTAGES]
    outages = [(since, since + length) for since, length in starts]
    world = World(START, outages, rng)
    last = max(LONGEST_SEASON * days, SHORTEST_SEASON)
    tables.fill(world, games, days, last, rng)
    world.run(START + timedelta(days=days))
    in_time = judge.endings()
    world.run(START + timedelta(days=last))
    faults = {
        "ended before a promised instant": world.judge.ended_early,
        "ended more than a minute late": world.judge.ended_late,
        "ended without right": judge.unjust_endings(),
        "still running": judge.still_running(),
        "ended at other times than was said": judge.untrue_forecasts(world.judge.forecasts()),
        "notices": judge.notice_faults([str(message.extra_headers["Message-ID"]) for message in mail.outbox]),
    }
    print(f"{games} games for {SEATS}, {days} days, seed {seed}: {time.perf_counter() - began:.0f} s")
    print(f"  after {days} days: {tell(in_time)}")
    print(f"  in the end: {tell(judge.endings())}")
    print(f"  turns that were missed: {world.judge.missed}; e-mails: {len(mail.outbox)}")
    print(f"  games played out though a player had stopped: {judge.saved_games()}")
    print(f"  ended when their pages had said: {'; '.join(map(str, world.judge.forecasts()))}")
    for name, found in faults.items():
        print(f"  {name}: {len(found)}")
        for line in found[:5]:
            print(f"    {line}")
    return int(any(faults.values()))


def tell(counts: Mapping[str, int]) -> str:
    """Return counts as a list of words."""
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items()))


if __name__ == "__main__":
    main()
