"""What the stored facts say about the health of the site. Every read touches the same few rows, however many games."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from games.models import Lease, Thought

#: How many of the bots' last moves are looked at, and how old they may be.
LAST_THOUGHTS, THOUGHTS_WITHIN = 100, timedelta(minutes=15)


@dataclass(frozen=True)
class Fallbacks:
    """How many of the bots' latest moves there were, and how many of them the greedy engine stood in for."""

    moves: int
    fallbacks: int


def recent_fallbacks(now: datetime, engine: str) -> Fallbacks:
    """Return how often `engine` stood in for a bot lately. One query of the last hundred thoughts, by primary key."""
    last = Thought.objects.order_by("-pk").values_list("engine", "move__played_at")[:LAST_THOUGHTS]
    engines = [name for name, played_at in last if played_at > now - THOUGHTS_WITHIN]
    return Fallbacks(len(engines), engines.count(engine))


def lease_until(name: str) -> datetime | None:
    """Return until when the work of that name is someone's, None if it was never anyone's. One query."""
    return Lease.objects.filter(pk=name).values_list("until", flat=True).first()
