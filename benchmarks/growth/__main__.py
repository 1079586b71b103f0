"""What pages, requests and jobs touch in a large database, beside a small one: `python -m benchmarks.growth`.

    python -m benchmarks.growth --large 1000000 --database postgres://superuser@host/any
    python -m benchmarks.growth --large 300000

Two new databases are filled, beside the one named (PostgreSQL) or in a temporary folder (SQLite), every row is measured
in both, and they are dropped. What is counted: `benchmarks.growth.touched`. The exit status is 1 if a row touches more
than three times as much in the large database as in the small one, which is measured by indexes unless `--plain`. A
search goes through 2,000 of one's own games at most, which the small database has not: it has a bound of its own.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

SMALL, LARGE = 450, 30_000

#: A row may touch this many times what it touches in the small database.
MOST_TIMES = 3.0

#: What a search may touch that goes through its 2,000 games, by unit.
MOST_OF_A_SEARCH = {"pages": 60_000, "steps": 400_000}

#: By row and unit: what it touches, the statement that touches most, and whether it is such a search.
Figures = dict[str, dict[str, tuple[int, str, bool]]]


@contextmanager
def databases(server: str) -> Iterator[list[str]]:
    """Yield the addresses of two new databases; drop them in the end."""
    names = [f"growth_{secrets.token_hex(4)}_{size}" for size in ("small", "large")]
    if not server.startswith("postgres"):
        with tempfile.TemporaryDirectory(prefix="block-you-growth-") as folder:
            yield [f"sqlite:///{folder}/{name}.sqlite3" for name in names]
        return
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        for name in names:
            connection.execute(f'CREATE DATABASE "{name}"')
        try:
            yield [f"{server.rpartition('/')[0]}/{name}" for name in names]
        finally:
            for name in names:
                connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def figures(database: str, games: int, how: str) -> Figures:
    """Fill a database and return what each row touches in it, with its worst statement."""
    settings = {"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "blockyou.settings.test"}
    # One process measures, so its own memory serves for what processes would share.
    environment = {**{name: value for name, value in os.environ.items() if name != "REDIS_URL"}, **settings}
    fill = [sys.executable, "-m", "benchmarks.growth.fill", "--games", str(games), "--database", database]
    subprocess.run(fill, env=environment, check=True, stdout=sys.stderr)
    measure = [sys.executable, "-m", "benchmarks.growth.measure", how]
    found: Figures = json.loads(subprocess.run(measure, env=environment, check=True, stdout=subprocess.PIPE).stdout)
    return found


def report(small: Figures, large: Figures, unit: str, *, is_explained: bool) -> set[str]:
    """Print the table of a unit; return the rows that grow by more than they may."""
    grown = set()
    for name, units in small.items():
        if unit not in units:
            continue
        (before, _statement, is_search), (after, worst, _) = units[unit], large[name][unit]
        ratio = after / max(before, 1)
        is_too_much = after > MOST_OF_A_SEARCH[unit] if is_search else ratio > MOST_TIMES
        print(f"{name:32}{before:12,}{after:14,}{ratio:11.2f}{'  too much' if is_too_much else ''}", flush=True)
        if is_too_much:
            grown.add(name)
            if is_explained:
                print(f"    {worst}")
    return grown


def main() -> None:
    """Fill, measure, print, and say by the exit status whether anything grows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a PostgreSQL server, as in DATABASE_URL; else SQLite")
    parser.add_argument("--small", type=int, default=SMALL, help=f"games of the small database ({SMALL})")
    parser.add_argument("--large", type=int, default=LARGE, help=f"games of the large database ({LARGE:,})")
    parser.add_argument("--explain", action="store_true", help="show the statement that touches most")
    parser.add_argument("--plain", action="store_true", help="leave PostgreSQL free to read small tables whole")
    options = parser.parse_args()
    with databases(options.database) as (here, there):
        small = figures(here, options.small, "plain" if options.plain else "by-index")
        large = figures(there, options.large, "plain")
    units = {"pages": "pages of 8 KiB"} if options.database else {"pages": "pages of 4 KiB", "steps": "steps"}
    grown: set[str] = set()
    for unit, title in units.items():
        print(f"\n{title + ' touched; games:':32}{options.small:12,}{options.large:14,}{'ratio':>11}")
        grown |= report(small, large, unit, is_explained=options.explain)
    print(f"{len(grown)} of {len(small)} rows grow by more than they may.")
    sys.exit(1 if grown else 0)


if __name__ == "__main__":
    main()
