"""Mark standing seeks as due now: something has happened that may concern them."""

from collections.abc import Collection
from datetime import datetime

from games.models import Seek
from games.queries.tables.seeks import seeks_for_table, seeks_of_people


def wake_seeks_of(people: Collection[int], now: datetime) -> list[int]:
    """Return the seeks of these people, to be looked at now: a game of theirs has begun or ended. One query, and one
    for each.
    """
    return _wake(seeks_of_people(people, now), now)


def wake_seeks_for(game_id: int, now: datetime) -> list[int]:
    """Return the seeks that may find a seat at a table that has just opened, to be looked at now, the nearest first.

    Three queries at most, and one for each.
    """
    return _wake(seeks_for_table(game_id, now), now)


def _wake(seeks: list[int], now: datetime) -> list[int]:
    # One by one, each in a transaction of its own: whoever seats a person holds games, and waits for no two of these.
    for pk in seeks:
        Seek.objects.filter(pk=pk, due_at__gt=now).update(due_at=now)
    return seeks
