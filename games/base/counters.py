"""Keeping the counters in step with the games, in the transaction that changes a game.

Their rows are locked last, after people and games: kind after kind, and within a kind in the order of the keys, so that
two actions never wait for each other. An action that changes several games gathers what they change (`together`) and
writes it once, at its end. `games.audit.counts` counts everything again and compares.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, models

from accounts.database import lots
from games.base.rated import count_rated
from games.models import (
    WATCHED,
    BotRecord,
    Companion,
    Game,
    HeadToHead,
    ListVersion,
    OpeningRecord,
    Player,
    SeatResult,
    Tally,
    TallyKey,
)

#: The results of seats, in the order of the columns of an `OpeningRecord`.
_RESULTS = (SeatResult.WON, SeatResult.TIED, SeatResult.LOST)

#: What a finished game adds to a bot's wins, ties, losses and games won by other bots.
_Addition = tuple[int, int, int, int]


@dataclass
class Changes:
    """What games have changed: owners of lists, results of bots and of openings, companions, tallies of people.

    `games` of people who play together have begun or ended, and those among them that `ended` have a result. `joined`
    are people, each with games that were a guest's and are theirs now.
    """

    lists: set[int] = field(default_factory=set)
    records: defaultdict[str, list[_Addition]] = field(default_factory=lambda: defaultdict(list))
    openings: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    games: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)
    rated: list[Game] = field(default_factory=list)
    leaving: set[int] = field(default_factory=set)
    tallies: Counter[TallyKey] = field(default_factory=Counter)
    joined: list[tuple[int, Collection[int]]] = field(default_factory=list)


_gathered: ContextVar[Changes | None] = ContextVar("gathered", default=None)


@contextmanager
def together() -> Iterator[None]:
    """Write what several games change once, at the end of the block; an error leaves everything unwritten."""
    if _gathered.get() is not None:
        yield
        return
    changes = Changes()
    before = _gathered.set(changes)
    try:
        yield
    finally:
        _gathered.reset(before)
    _write(changes)


def touch(owners: Iterable[int]) -> None:
    """Increase the version of these lists: keys of users, and `ListVersion.LOBBY`. One query."""
    with together():
        _open().lists.update(owners)


def tallied(game: Game) -> list[TallyKey]:
    """Return how the game is counted for its people, as its rows say at the moment."""
    if game.is_of_bots:
        return [TallyKey(game.creator_id, "", WATCHED, is_public=False)]
    return [
        TallyKey(player.user_id, player.variant, player.result, player.is_public)
        for player in game.players.all()
        if player.user_id is not None and player.ended_at is not None
    ]


def tally(changes: Mapping[TallyKey, int]) -> None:
    """Add to the tallies of people. One query for 1,000 of them, none for none."""
    with together():
        _open().tallies.update(changes)


def count_start(game: Game) -> None:
    """Note that the people of a saved, running game play together. One query where there are two or more."""
    with together():
        _open().games.update([game.pk] if len(_people(game)) > 1 else [])


def count_end(game: Game) -> None:
    """Count a saved, finished game.

    Two queries where people played together, one where people met bots, one where a person followed an opening,
    and those of `count_rated`. Where moves were given, people played together, and nothing else is counted; of a table
    on one device nothing is.
    """
    with together():
        changes, people = _open(), _people(game)
        ended = [game.pk] if len(people) > 1 else []
        changes.games.update(ended)
        changes.ended.update(ended)
        changes.rated.append(game)
        is_counted = bool(people) and not (game.given_moves or game.is_on_one_device)
        for name in {player.bot for player in game.players.all() if player.bot} if is_counted else ():
            changes.records[name].append(_result(name, game, people))
        for player in people:
            if player.opening is not None:
                changes.openings[player.opening][player.result] += 1


def forget_ratings(user_id: int) -> None:
    """Forget the ratings of a person, and what games did to them; the games keep counting for the others."""
    with together():
        _open().leaving.add(user_id)


def _open() -> Changes:
    changes = _gathered.get()
    if changes is None:
        raise RuntimeError("nothing is gathered here")
    return changes


def _people(game: Game) -> list[Player]:
    return [player for player in game.players.all() if player.user_id is not None]


def _result(name: str, game: Game, people: Iterable[Player]) -> _Addition:
    has_won = any(player.is_winner for player in game.players.all() if player.bot == name)
    person_has = any(player.is_winner for player in people)
    return has_won and not person_has, has_won and person_has, person_has and not has_won, not (has_won or person_has)


def _write(changes: Changes) -> None:
    Tally.objects.add({key: change for key, change in changes.tallies.items() if change})
    add_companions(changes.games)
    add_head_to_heads(changes.ended)
    for person, games in changes.joined:
        _add_pairs(_ADD_COMPANIONS, PAIRS, "game.id", games, person)
        _add_pairs(_ADD_HEAD_TO_HEADS, HEAD_TO_HEADS, "mine.game_id", games, person)
    add(BotRecord, {name: list(map(sum, zip(*found, strict=True))) for name, found in changes.records.items()})
    add(OpeningRecord, {key: [found[result] for result in _RESULTS] for key, found in changes.openings.items()})
    count_rated(changes.rated, changes.leaving)
    add(ListVersion, {owner: [1] for owner in changes.lists})


def add(model: type[models.Model], amounts: Mapping[Any, Iterable[int]]) -> None:
    """Add amounts to the columns of rows by their keys; a row that is missing begins at 0. One query, none for none.

    The rows are locked in the order of their keys, the lobby's after those of people.
    """
    if not amounts:
        return
    key, *columns = (str(each.column) for each in model._meta.concrete_fields)
    table, rows = model._meta.db_table, [(owner, *amounts[owner]) for owner in sorted(amounts)]
    places = ", ".join([f"({', '.join(['%s'] * (1 + len(columns)))})"] * len(rows))
    sums = ", ".join(f"{column} = {table}.{column} + excluded.{column}" for column in columns)
    names = ", ".join([key, *columns])
    # Names of tables and columns are put in by us, values by the database.
    statement = f"INSERT INTO {table} ({names}) VALUES {places} ON CONFLICT ({key}) DO UPDATE SET {sums}"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(statement, [value for row in rows for value in row])


#: Pairs of people with open accounts who sit together in started games: how many have ended, and the last of them.
PAIRS = """
    SELECT mine.user_id AS user_id, theirs.user_id AS other_id, MAX(they.name_key) AS other_key,
        SUM(CASE WHEN game.status = 'finished' THEN 1 ELSE 0 END) AS games,
        MAX(COALESCE(game.finished_at, game.started_at, game.changed_at)) AS last_at
    FROM games_player mine
    JOIN games_player theirs ON theirs.game_id = mine.game_id AND theirs.user_id <> mine.user_id
    JOIN games_game game ON game.id = mine.game_id
    JOIN accounts_user me ON me.id = mine.user_id
    JOIN accounts_user they ON they.id = theirs.user_id
    WHERE game.started_at IS NOT NULL AND me.erased_at IS NULL AND they.erased_at IS NULL {more}
    GROUP BY mine.user_id, theirs.user_id
"""

#: What is done with pairs that are selected: counted on the rows that are there.
_ADD_COMPANIONS = """
    INSERT INTO games_companion (user_id, other_id, other_key, games, last_at) {pairs} ORDER BY 1, 2
    ON CONFLICT (user_id, other_id) DO UPDATE SET other_key = excluded.other_key,
        games = games_companion.games + excluded.games,
        last_at = CASE WHEN excluded.last_at > games_companion.last_at
            THEN excluded.last_at ELSE games_companion.last_at END
"""


def add_companions(games: Collection[int]) -> None:
    """Make companions of the people of these games, by their keys: started or just ended. One query, none for none."""
    _add_pairs(_ADD_COMPANIONS, PAIRS, "game.id", games)


#: How the finished games of two people with open accounts ended for one of them: who had the better place.
HEAD_TO_HEADS = """
    SELECT mine.user_id AS user_id, theirs.user_id AS other_id, mine.variant AS variant,
        SUM(CASE WHEN mine.place < theirs.place THEN 1 ELSE 0 END) AS won,
        SUM(CASE WHEN mine.place = theirs.place THEN 1 ELSE 0 END) AS tied,
        SUM(CASE WHEN mine.place > theirs.place THEN 1 ELSE 0 END) AS lost
    FROM games_player mine
    JOIN games_player theirs ON theirs.game_id = mine.game_id AND theirs.user_id <> mine.user_id
    JOIN accounts_user me ON me.id = mine.user_id
    JOIN accounts_user they ON they.id = theirs.user_id
    WHERE mine.ended_at IS NOT NULL AND mine.place IS NOT NULL AND theirs.place IS NOT NULL
        AND me.erased_at IS NULL AND they.erased_at IS NULL {more}
    GROUP BY mine.user_id, theirs.user_id, mine.variant
"""

_ADD_HEAD_TO_HEADS = """
    INSERT INTO games_headtohead (user_id, other_id, variant, won, tied, lost) {pairs} ORDER BY 1, 2, 3
    ON CONFLICT (user_id, other_id, variant) DO UPDATE SET won = games_headtohead.won + excluded.won,
        tied = games_headtohead.tied + excluded.tied, lost = games_headtohead.lost + excluded.lost
"""


def add_head_to_heads(games: Collection[int]) -> None:
    """Count who won against whom in these games, by their keys, which have just ended. One query, none for none."""
    _add_pairs(_ADD_HEAD_TO_HEADS, HEAD_TO_HEADS, "mine.game_id", games)


def _add_pairs(statement: str, pairs: str, key: str, games: Collection[int], person: int | None = None) -> None:
    """Count pairs of people in these games, all of them or those that one person is part of."""
    if not games:
        return
    these, values = f"AND {key} IN ({', '.join(['%s'] * len(games))})", sorted(games)
    if person is not None:
        these, values = f"{these} AND (mine.user_id = %s OR theirs.user_id = %s)", [*values, person, person]
    with connection.cursor() as cursor:
        cursor.execute(statement.format(pairs=pairs.format(more=these)), values)


def forget_companions(user_id: int) -> None:
    """Forget the people a person has played with and how it went, and the person with them. Four queries."""
    either = models.Q(user=user_id) | models.Q(other=user_id)
    _locked(either).delete()
    rows = HeadToHead.objects.filter(either)
    locked = rows.order_by("user_id", "other_id", "variant").select_for_update(no_key=True)
    HeadToHead.objects.filter(pk__in=list(locked.values_list("pk", flat=True))).delete()


def join_games(person: int, games: Collection[int]) -> None:
    """Count with whom a person has played in these games, and how it went: seats of theirs that were a guest's before.

    Within `together`, at whose end it is written. Two queries. What is counted of the guest stays as it was, until all
    is forgotten (`forget_companion_lot`): meanwhile the audit does not ask (`games.base.merging.Merging`).
    """
    _open().joined.append((person, games))


def forget_companion_lot(person: int) -> bool:
    """Forget the first people whom a person has played with, and how it went, with the person there; return whether
    there were any. Four queries at most, and as many rows as one transaction takes.
    """
    either = models.Q(user=person) | models.Q(other=person)
    ordered: tuple[models.QuerySet[Any, Any], ...] = (
        Companion.objects.order_by("user_id", "other_id"),
        HeadToHead.objects.order_by("user_id", "other_id", "variant"),
    )
    for rows in ordered:
        locked = rows.filter(either).select_for_update(no_key=True)
        if keys := list(locked.values_list("pk", flat=True)[: lots.ROWS_A_TRANSACTION]):
            rows.model._default_manager.filter(pk__in=keys).delete()
            return True
    return False


def drop_tallies(person: int) -> None:
    """Delete what was counted of the finished games of a person who has none any more. One query."""
    Tally.objects.filter(user=person).delete()


def rename_companion(user_id: int, name_key: str) -> None:
    """Store the new name of a person with those who have played with them. Two queries.

    A game that starts or ends at this very moment may still write the former name; the next one of the two mends it.
    """
    _locked(models.Q(other=user_id)).update(other_key=name_key)


def _locked(whose: models.Q) -> models.QuerySet[Companion, Companion]:
    """Return these pairs, locked in the order in which `add_companions` locks them."""
    pairs = Companion.objects.filter(whose).select_for_update(no_key=True)
    return Companion.objects.filter(pk__in=list(pairs.order_by("user_id", "other_id").values_list("pk", flat=True)))
