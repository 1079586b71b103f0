"""What merging a guest into an account costs: how long SQLite's only lock is held, for few games and many.

A game for two is played by chance to its end and stored again and again, as the guest's. Then the guest is merged into
an account, and what the longest transaction took is printed, of the wall and of CPU time.

    python -m benchmarks.merging                     # 20 games, and 2,000
    python -m benchmarks.merging --games 200
"""

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def main() -> None:
    """Fill a database, merge guests, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="*", default=[20, 2000], help="how many games a guest has played")
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "blockyou.settings.test"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder, 'db.sqlite3')}"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        for number in options.games:
            print(f"{number:6,} games: {merge_guest_with(number)}", flush=True)


def merge_guest_with(number: int) -> str:
    """Play `number` games as a guest, merge the guest, and return what that took."""
    from accounts.guests import create_guest
    from accounts.models import User
    from benchmarks.archives import store_again
    from games.actions.guests.merge_guest import merge_guest
    from games.models import Player
    from tests.games.tables import play_out, running

    guest, other, member = create_guest(), *(User.objects.create(username=f"{name}{number}") for name in ("o", "m"))
    game = play_out(running(guest, other))
    for copy in range(number - 1):
        store_again(game, number * 10_000 + copy)
    with costs_of_transactions() as spent:
        assert merge_guest(guest, member)
    assert Player.objects.filter(user=member).count() == number
    wall, cpu = max(spent)
    return f"{len(spent)} transactions, the longest {1000 * wall:.0f} ms, {1000 * cpu:.0f} of CPU"


@contextmanager
def costs_of_transactions() -> Iterator[list[tuple[float, float]]]:
    """Note what every outer transaction takes, in seconds: of the wall, and of CPU time."""
    from django.db import connection
    from django.db.transaction import Atomic

    spent: list[tuple[float, float]] = []
    begun: list[tuple[float, float]] = []
    enter, leave = Atomic.__enter__, Atomic.__exit__

    def entering(block: Atomic) -> None:
        is_outer = not connection.in_atomic_block
        enter(block)
        if is_outer:
            begun.append((time.perf_counter(), time.thread_time()))

    def leaving(block: Atomic, *error: Any) -> None:
        is_outer = len(connection.atomic_blocks) == 1
        leave(block, *error)
        if is_outer:
            wall, cpu = begun.pop()
            spent.append((time.perf_counter() - wall, time.thread_time() - cpu))

    Atomic.__enter__, Atomic.__exit__ = entering, leaving  # type: ignore[method-assign]
    try:
        yield spent
    finally:
        Atomic.__enter__, Atomic.__exit__ = enter, leave  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
