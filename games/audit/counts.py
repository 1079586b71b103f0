"""Counting again, from the games, what the counters hold: the proof that both agree, and the way to mend them.

A whole site is counted in one statement a kind, so that no game can end between the figures that are compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from games.base.counters import HEAD_TO_HEADS, PAIRS
from games.base.merging import MERGING

#: The results of bots in finished games with people. `{more}` narrows the seats.
RECORDS = """
    SELECT bot,
        SUM(CASE WHEN own = 1 AND person = 0 THEN 1 ELSE 0 END) AS wins,
        SUM(CASE WHEN own = 1 AND person = 1 THEN 1 ELSE 0 END) AS ties,
        SUM(CASE WHEN own = 0 AND person = 1 THEN 1 ELSE 0 END) AS losses,
        SUM(CASE WHEN own = 0 AND person = 0 THEN 1 ELSE 0 END) AS others
    FROM (
        SELECT seat.game_id, seat.bot,
            MAX(CASE WHEN seat.is_winner THEN 1 ELSE 0 END) AS own, MAX(people.won) AS person
        FROM games_player seat
        JOIN (
            SELECT game_id, MAX(CASE WHEN is_winner THEN 1 ELSE 0 END) AS won
            FROM games_player WHERE user_id IS NOT NULL GROUP BY game_id
        ) people ON people.game_id = seat.game_id
        JOIN games_game game ON game.id = seat.game_id
        WHERE seat.bot <> '' AND game.status = 'finished' AND game.given_moves = 0
            AND NOT game.is_on_one_device {more}
        GROUP BY seat.game_id, seat.bot
    ) results
    GROUP BY bot
"""


#: The results of the people who followed an opening.
OPENINGS = """
    SELECT opening,
        SUM(CASE WHEN result = 'won' THEN 1 ELSE 0 END) AS wins,
        SUM(CASE WHEN result = 'tied' THEN 1 ELSE 0 END) AS ties,
        SUM(CASE WHEN result = 'lost' THEN 1 ELSE 0 END) AS losses
    FROM games_player seat
    WHERE opening IS NOT NULL AND user_id IS NOT NULL {more}
    GROUP BY opening
"""


@dataclass(frozen=True)
class _Counter:
    """One kind of counter: its table and keys, what it holds, and the statement that counts the same from the games.

    `one` narrows the statement to the key of one row. `people` are those of its keys that name people.
    """

    name: str
    table: str
    keys: tuple[str, ...]
    values: tuple[str, ...]
    counted: str
    one: str
    people: tuple[str, ...] = ()


_COUNTERS = (
    _Counter(
        name="bot",
        table="games_botrecord",
        keys=("bot",),
        values=("wins", "ties", "losses", "others"),
        counted=RECORDS,
        one="AND seat.bot = %s",
    ),
    _Counter(
        name="opening",
        table="games_openingrecord",
        keys=("opening",),
        values=("wins", "ties", "losses"),
        counted=OPENINGS,
        one="AND seat.opening = %s",
    ),
    _Counter(
        name="companions",
        table="games_companion",
        keys=("user_id", "other_id"),
        values=("other_key", "games", "last_at"),
        counted=PAIRS,
        one="AND mine.user_id = %s AND theirs.user_id = %s",
        people=("user_id", "other_id"),
    ),
    _Counter(
        name="head-to-head",
        table="games_headtohead",
        keys=("user_id", "other_id", "variant"),
        values=("won", "tied", "lost"),
        counted=HEAD_TO_HEADS,
        one="AND mine.user_id = %s AND theirs.user_id = %s AND mine.variant = %s",
        people=("user_id", "other_id"),
    ),
)


@dataclass(frozen=True)
class Drift:
    """A row of a counter that holds something else than the games say; None where there is, or should be, no row."""

    kind: str
    key: tuple[Any, ...]
    stored: tuple[Any, ...] | None
    counted: tuple[Any, ...] | None


def drifts() -> Iterator[Drift]:
    """Yield the rows of all counters that differ from the games. One query a kind, over all games."""
    for counter in _COUNTERS:
        with connection.cursor() as cursor:
            cursor.execute(_comparison(counter))
            rows = cursor.fetchall()
        keys, values = len(counter.keys), len(counter.values)
        for row in rows:
            key, stored, counted = row[:keys], row[keys : keys + values], row[keys + values :]
            yield Drift(counter.name, key, _known(stored), _known(counted))


def mend(drift: Drift) -> None:
    """Count one row again and store it. Games that end meanwhile wait for it, or are counted."""
    counter = next(each for each in _COUNTERS if each.name == drift.kind)
    same = " AND ".join(f"{key} = %s" for key in counter.keys)
    names, counted = ", ".join([*counter.keys, *counter.values]), counter.counted.format(more=counter.one)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {counter.table} WHERE {same}", drift.key)  # noqa: S608  (names of ours)
        cursor.execute(f"INSERT INTO {counter.table} ({names}) {counted}", drift.key)


def _comparison(counter: _Counter) -> str:
    """Return the statement whose rows are the keys of those that differ, what is stored of them and what is counted."""
    keys, on = ", ".join(counter.keys), " AND ".join(f"stored.{key} = counted.{key}" for key in counter.keys)
    counted = counter.counted.format(more="")
    sides = [", ".join(f"{side}.{value}" for value in counter.values) for side in ("stored", "counted")]
    own = ", ".join(f"{{side}}.{key}" for key in counter.keys)
    is_equal = " AND ".join(f"stored.{value} = counted.{value}" for value in counter.values)
    missing = f"stored.{counter.keys[0]} IS NULL"
    # What is counted of a guest who is being merged is nobody's: the games become the account's one by one.
    stays = " AND ".join(f"{person} NOT IN (SELECT id FROM leaving)" for person in counter.people) or "1 = 1"  # noqa: S608
    return f"""
        WITH leaving AS (
            SELECT person.id FROM accounts_user person JOIN games_lease lease ON lease.name = '{MERGING}' || person.id
        ), counted AS (SELECT * FROM ({counted}) found WHERE {stays}),
        stored AS (SELECT {keys}, {", ".join(counter.values)} FROM {counter.table} WHERE {stays})
        SELECT {own.format(side="counted")}, {", ".join(sides)} FROM counted LEFT JOIN stored ON {on}
        WHERE {missing} OR NOT ({is_equal})
        UNION ALL
        SELECT {own.format(side="stored")}, {", ".join(sides)} FROM stored LEFT JOIN counted ON {on}
        WHERE counted.{counter.keys[0]} IS NULL
    """  # noqa: S608  (names of ours)


def _known(values: tuple[Any, ...]) -> tuple[Any, ...] | None:
    found = tuple(int(value) if hasattr(value, "__int__") else value for value in values)
    return None if None in found else found
