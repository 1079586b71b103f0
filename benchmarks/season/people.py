"""The people of a season: where they live, when they look at the site, and when they stop."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

#: Zones that change their clocks within the season, on different days, and some that never do.
ZONES = ("Europe/Paris", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Tokyo", "Asia/Kathmandu")
WEEKEND = (5, 6)


@dataclass(frozen=True)
class Habit:
    """When people of a kind look: at some of these local hours, on a share of the days."""

    name: str
    hours: tuple[int, ...]
    share: float = 1.0
    on_weekends_only: bool = False
    #: In which part of the season they are away for how many days; or stop for good.
    away_days: int = 0
    stops: bool = False


HABITS = (
    Habit("fast", tuple(range(8, 23))),
    Habit("daily", (7, 12, 20)),
    Habit("slow", (19,), share=0.6),
    Habit("nights", (0, 1, 2, 3)),
    Habit("weekends", (9, 11, 14, 17, 20), on_weekends_only=True),
    Habit("vacation", (8, 13, 21), away_days=12),
    Habit("leaver", (9, 18, 21), stops=True),
)
#: How many of ten people have each habit, in the order above.
OF_TEN = (3, 3, 1, 1, 0.5, 0.75, 0.75)


@dataclass(frozen=True)
class Person:
    """One person: `absent` is when they do not look, from its first instant to the second."""

    name: str
    habit: Habit
    zone: ZoneInfo
    absent: tuple[datetime, datetime] | None

    def looks(self, rng: random.Random, first: date, days: int) -> Iterator[datetime]:
        """Yield the instants at which the person opens the site, UTC, in order."""
        for day in (first + timedelta(days=number) for number in range(days)):
            if (self.habit.on_weekends_only and day.weekday() not in WEEKEND) or rng.random() > self.habit.share:
                continue
            for hour in self.habit.hours:
                at = datetime.combine(day, time(hour, rng.randrange(60)), self.zone).astimezone(UTC)
                if self.absent is None or not self.absent[0] <= at < self.absent[1]:
                    yield at


def invite(count: int, first: datetime, days: int, rng: random.Random) -> list[Person]:
    """Return that many people of all habits, absent at some time of a season that begins at `first`."""
    habits = rng.choices(HABITS, OF_TEN, k=count)
    zones = [ZoneInfo(rng.choice(ZONES)) for _ in habits]
    return [
        Person(f"{habit.name}{number}", habit, zone, _absence(habit, first, days, rng))
        for number, (habit, zone) in enumerate(zip(habits, zones, strict=True))
    ]


def _absence(habit: Habit, first: datetime, days: int, rng: random.Random) -> tuple[datetime, datetime] | None:
    since = first + timedelta(days=days * rng.uniform(0.1, 0.5))
    if habit.stops:
        return since, datetime.max.replace(tzinfo=UTC)
    return (since, since + timedelta(days=habit.away_days)) if habit.away_days else None
