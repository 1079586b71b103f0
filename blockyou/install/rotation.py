"""Which copies stay: the last ones, and then one a day and one a week for a while."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

#: A finished copy's name; what is named otherwise is never removed.
NAME = re.compile(r"db-(\d{8}T\d{6}_\d{6})\.(?:sqlite3|dump)")
STAMP = "%Y%m%dT%H%M%S_%f"


@dataclass(frozen=True)
class Rotation:
    """How many copies stay: the last `kept`, the last of each of `days` days, and of each of `weeks` weeks.

    Days are UTC's, weeks begin on Monday; both count back from the newest copy's, which is the first of them.
    """

    kept: int = 5
    days: int = 0
    weeks: int = 0

    def stay(self, copies: Iterable[Path]) -> set[Path]:
        """Return which of these finished copies stay, whatever their order."""
        newest_first = sorted(copies, key=made_at, reverse=True)
        if not newest_first:
            return set()
        today = made_at(newest_first[0]).date()
        staying = set(newest_first[: self.kept])
        # Backwards, so that the newest of a day or week takes its place.
        of_day = {made_at(copy).date(): copy for copy in reversed(newest_first)}
        of_week = {monday(day): copy for day, copy in sorted(of_day.items())}
        staying.update(copy for day, copy in of_day.items() if today - day < timedelta(days=self.days))
        staying.update(copy for start, copy in of_week.items() if monday(today) - start < timedelta(weeks=self.weeks))
        return staying


def rotate(folder: Path, rotation: Rotation) -> None:
    """Remove the copies in the folder whose time is over."""
    copies = finished_copies(folder)
    for old in copies - rotation.stay(copies):
        old.unlink()


def finished_copies(folder: Path) -> set[Path]:
    """Return the finished copies in the folder, not in those below it."""
    return {path for path in folder.iterdir() if NAME.fullmatch(path.name)}


def made_at(copy: Path) -> datetime:
    """Return when the finished copy was begun, as its name says."""
    found = NAME.fullmatch(copy.name)
    if not found:
        raise ValueError(f"{copy.name} is not the name of a copy")
    return datetime.strptime(found[1], STAMP).replace(tzinfo=UTC)


def monday(day: date) -> date:
    """Return the first day of the day's week."""
    return day - timedelta(days=day.weekday())
