"""A4: many processes make moves on SQLite at once, and no player is told that the database is locked."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.movers import Moved, race

pytestmark = pytest.mark.skipif("DATABASE_URL" in os.environ, reason="races on SQLite; run without DATABASE_URL")


def check(found: list[Moved], folder: Path, moves: int) -> None:
    """Find every move that was acknowledged in the database, and none besides, and no error."""
    assert [error for each in found for error in each.errors] == []
    assert [len(each.moves) for each in found] == [moves] * len(found)
    with closing(sqlite3.connect(folder / "db.sqlite3")) as stored:
        [[kept, numbers]] = stored.execute(
            "SELECT count(*), count(DISTINCT game_id || ' ' || number) FROM games_move WHERE client_key LIKE 'mover-%'"
        ).fetchall()
    assert (kept, numbers) == (moves * len(found), moves * len(found))


@pytest.mark.slow
def test_a4_moves_of_three_processes_in_few_games_all_count(tmp_path: Path) -> None:
    check(race(tmp_path, 3, 15, 4), tmp_path, 15)


@pytest.mark.proof
def test_a4_of_2000_moves_of_eight_processes_none_meets_a_lock_or_takes_five_seconds(tmp_path: Path) -> None:
    found = race(tmp_path, 8, 250, 50)
    check(found, tmp_path, 250)
    assert [seconds for each in found for seconds in (*each.moves, *each.refused) if seconds > 5] == []
