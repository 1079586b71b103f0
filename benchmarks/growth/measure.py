"""Measure every row on the filled database that DATABASE_URL names, and print the figures as JSON.

With `by-index` PostgreSQL reads no table whole that has an index (`benchmarks.growth.touched`).

A row's figures are what it touches of each unit that is counted, the statement that touches most of it, and whether it
goes through one's own games. Games are played on and accounts closed: a database serves once.
"""

import json
import sys

import django


def main() -> None:
    """Print the figures."""
    django.setup()
    from django.core.cache import cache

    from benchmarks.growth.rows import rows
    from benchmarks.growth.touched import Gauge, Unit

    gauge, found = Gauge(by_index="by-index" in sys.argv), {}
    for row in rows():
        for time in (0, 1):
            # Limits of what may be asked for are counted there.
            cache.clear()
            ask = row.ready(time)
            with gauge.counting() as counters:
                ask()
        counted = [unit for unit in gauge.units if unit is Unit.PAGES or row.is_counted_in_steps]
        found[row.name] = {unit: (counters[unit].total, counters[unit].worst, row.is_search) for unit in counted}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
