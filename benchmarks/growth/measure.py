"""Measure every row on the filled database that DATABASE_URL names, and print the figures as JSON.

With `by-index` PostgreSQL reads no table whole that has an index (`benchmarks.growth.touched`).

A row's figure is what it touches, the statement that touches most of it, and how many times that it may touch in a
large database. Games are played on and accounts closed: a database serves once.
"""

import json
import sys

import django


def main() -> None:
    """Print the figures."""
    django.setup()
    from django.core.cache import cache
    from django.db import connection

    from benchmarks.growth.rows import MOST, rows
    from benchmarks.growth.touched import Gauge

    gauge, found = Gauge(by_index="by-index" in sys.argv), {}
    for row in rows():
        for time in (0, 1):
            # Limits of what may be asked for are counted there.
            cache.clear()
            ask = row.ready(time)
            with gauge.counting() as counter:
                ask()
        found[row.name] = (counter.total, counter.worst, MOST if connection.vendor == "postgresql" else row.most_steps)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
