"""Fill an empty database: `python -m benchmarks.growth.fill --games 1000000 --database postgres://…`.

The migrations are run first. On PostgreSQL it has to be the superuser's: checking each foreign key would take most of
the time. What is in the database then: `benchmarks.growth.crowd`.
"""

import argparse
import os
import time


def main() -> None:
    """Fill the database and say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, required=True, help="how many games there are then, at least 450")
    parser.add_argument("--database", required=True, help="its address, as in DATABASE_URL")
    options = parser.parse_args()
    os.environ.update(DATABASE_URL=options.database, DJANGO_SETTINGS_MODULE="blockyou.settings.test")
    import django

    django.setup()
    from django.core.management import call_command

    from benchmarks.growth.crowd import fill

    call_command("migrate", verbosity=0)
    began = time.perf_counter()
    for table, rows in fill(options.games).items():
        print(f"{table:24}{rows:12,}")
    print(f"{'seconds':24}{time.perf_counter() - began:12.1f}", flush=True)


if __name__ == "__main__":
    main()
