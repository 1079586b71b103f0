"""Which copies stay, and which make room."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from blockyou.install.rotation import STAMP, Rotation, rotate

#: A Wednesday.
NEWEST = datetime(2026, 11, 25, 4, 7, tzinfo=UTC)


def copies(folder: Path, *ages: timedelta) -> list[Path]:
    """Return copies of these ages, the first first."""
    made = [folder / f"db-{(NEWEST - age).strftime(STAMP)}.sqlite3" for age in ages]
    for copy in made:
        copy.touch()
    return made


def ages(folder: Path, among: list[Path]) -> list[int]:
    """Return which of the copies are still there, by their place."""
    return [number for number, copy in enumerate(among) if copy in set(folder.iterdir())]


def test_the_last_copies_stay(tmp_path: Path) -> None:
    made = copies(tmp_path, *(timedelta(hours=hours) for hours in range(6)))
    rotate(tmp_path, Rotation(kept=3))
    assert ages(tmp_path, made) == [0, 1, 2]


def test_the_last_copy_of_each_day_stays_for_so_many_days(tmp_path: Path) -> None:
    made = copies(tmp_path, *(timedelta(hours=12 * halves) for halves in range(8)))
    rotate(tmp_path, Rotation(kept=1, days=3))
    # At 4 o'clock in the morning the copy of twelve hours before is the last of the day before.
    assert ages(tmp_path, made) == [0, 1, 3]


def test_the_last_copy_of_each_week_stays_for_so_many_weeks(tmp_path: Path) -> None:
    made = copies(tmp_path, *(timedelta(days=days) for days in range(21)))
    rotate(tmp_path, Rotation(kept=1, weeks=3))
    # Monday to Wednesday are this week; the Sundays before are three and ten days old.
    assert ages(tmp_path, made) == [0, 3, 10]


def test_nothing_is_removed_that_no_backup_has_named(tmp_path: Path) -> None:
    strange = [tmp_path / "db-before-the-move.sqlite3", tmp_path / "notes.txt"]
    for path in strange:
        path.touch()
    copies(tmp_path, *(timedelta(hours=hours) for hours in range(3)))
    rotate(tmp_path, Rotation(kept=1))
    assert all(path.exists() for path in strange)


def test_copies_from_both_databases_are_counted_together(tmp_path: Path) -> None:
    (sqlite,) = copies(tmp_path, timedelta(hours=1))
    dump = tmp_path / f"db-{NEWEST.strftime(STAMP)}.dump"
    dump.touch()
    rotate(tmp_path, Rotation(kept=1))
    assert not sqlite.exists()
    assert dump.exists()
