"""What it takes to make a person's archive: seconds and memory, for one game's moves and for many thousands.

A game for two is played by chance to its end and stored again and again, each time as a game of its own; then a process
of its own makes the archive of the person who sits in all of them, as a worker does, once it has made one of a person
with a single game. At last another site reads the file, to keep its games as studies.

    python -m benchmarks.archives                    # 10,000 moves
    python -m benchmarks.archives --moves 1000
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main() -> None:
    """Fill a database, have the archives made, and print what they took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moves", type=int, default=10_000, help="how many moves the person has, at least")
    parser.add_argument("--making", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "blockyou.settings.test"
    if options.making:
        make(options.making)
        return
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{Path(folder, 'db.sqlite3')}"
        os.environ["DATABASE_URL"] = address
        games, moves = fill(options.moves)
        print(f"{games:,} games, {moves:,} moves", flush=True)
        subprocess.run([sys.executable, "-m", "benchmarks.archives", "--making", address], check=True)


def fill(wanted: int) -> tuple[int, int]:
    """Store a person with one game and another with that many moves; return how many games and moves those are."""
    import django

    django.setup()
    from django.core.management import call_command

    from accounts.models import User
    from games.models import Game
    from tests.games.tables import play_out, running

    call_command("migrate", verbosity=0)
    few, many, other = (User.objects.create(username=name) for name in ("few", "many", "other"))
    play_out(running(few, other))
    game = play_out(running(many, other))
    of_one = game.moves.count()
    copies = -(-wanted // of_one) - 1
    for number in range(copies):
        store_again(game, number)
    return Game.objects.filter(players__user=many).count(), of_one * (copies + 1)


def store_again(game: object, number: int) -> None:
    """Store a finished game once more, with its seats and moves."""
    from django.db import transaction

    from games.models import Game, Move, Player

    assert isinstance(game, Game)
    with transaction.atomic():
        again = Game.objects.get(pk=game.pk)
        again.pk, again.slug, again.invite_token = None, f"copy{number}", f"copy-{number}"
        # No two of them are one record.
        again.name = f"Copy {number}"
        again.save(force_insert=True)
        for table in (Player, Move):
            rows: list[Any] = list(table._default_manager.filter(game=game.pk))
            for row in rows:
                row.pk, row.game_id = None, again.pk
            table._default_manager.bulk_create(rows)


def make(address: str) -> None:
    """Make both archives and print what they took; the first loads what every further one needs too."""
    os.environ["DATABASE_URL"] = address
    import django

    django.setup()
    from accounts.models import User
    from games.actions.archives.ask_for_archive import ask_for_archive
    from games.archives.making import make_archive_file
    from games.models import Archive

    before = 0
    for name in ("few", "many"):
        archive = ask_for_archive(User.objects.get(username=name), language="en")
        began, spent = time.perf_counter(), time.process_time()
        assert make_archive_file(archive.pk, 0, now=archive.asked_at)
        took, used = time.perf_counter() - began, time.process_time() - spent
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = Archive.objects.get(pk=archive.pk).size / 1024
        more = f", {peak - before:+.1f} MiB" if before else ""
        print(f"{name:6}{took:8.2f} s{used:8.2f} s of CPU{size:10,.0f} KiB   at most {peak:.1f} MiB{more}", flush=True)
        before = int(peak)
    read_elsewhere(Archive.objects.get(pk=archive.pk))


def read_elsewhere(archive: Any) -> None:
    """Read an archive as another site does, and print what it took."""
    from games.archives.reading import MOST_BYTES, read_archive_file
    from games.queries.archives.made import bytes_of

    content = b"".join(bytes_of(archive))
    began = time.process_time()
    brought = read_archive_file(content)
    used, peak = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    share = 100 * len(content) / MOST_BYTES
    print(f"read  {len(brought.records):5} games, {brought.more} left, {used:.2f} s of CPU, at most {peak:.1f} MiB")
    print(f"      {share:.0f} % of the largest file that is taken", flush=True)


if __name__ == "__main__":
    main()
