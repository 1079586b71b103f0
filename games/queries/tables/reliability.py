"""How far others can rely on a person: whether they move in time, how soon, and whether they stay to the end.

It is worked out from the last turns of the last games in which clocks ran and other people waited, in public and in
private games; games with bots alone tell nothing. So it costs the same for ten games and for thousands.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from statistics import median

from django.db import connection
from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from games.base.terms import KNOWN_FROM
from games.models import AWAY_AFTER, Kind, Move, Reason

#: So many turns count, and so many games: the latest. Of so many of the latest games it is asked whether they count.
TURNS, GAMES_COUNTED, GAMES_READ = 50, 20, 60
#: Of who has ended fewer games it is not said in how many of them their time ran out.
LEAST_ENDED = 3
#: So many of the latest moves are looked at: those that a bot makes for a player who is away are not waited for.
MOVES = 3 * TURNS

#: How those retire who do not make their turn in time.
_LATE = (Reason.OUT_OF_TIME, Reason.VOID)

# The latest of the games that have ended, and of those that go on, in which a clock runs and another person plays.
_SEATS = """
    SELECT lot.game_id, lot.retired, lot.ended_at IS NOT NULL AS is_over,
        (SELECT COUNT(*) FROM games_player seat WHERE seat.game_id = lot.game_id) AS seats
    FROM (
        SELECT * FROM (
            SELECT game_id, retired, ended_at FROM games_player
            WHERE user_id = %s AND ended_at IS NOT NULL ORDER BY ended_at DESC, game_id DESC LIMIT %s
        ) ended
        UNION ALL
        SELECT * FROM (
            SELECT game_id, retired, ended_at FROM games_player
            WHERE user_id = %s AND is_going ORDER BY game_id DESC LIMIT %s
        ) going
    ) lot
    JOIN games_game game ON game.id = lot.game_id
    WHERE game.started_at IS NOT NULL AND game.time_initial IS NOT NULL AND EXISTS (
        SELECT 1 FROM games_player other
        WHERE other.game_id = lot.game_id AND other.user_id IS NOT NULL AND other.user_id <> %s
    )
    ORDER BY lot.ended_at DESC, lot.game_id DESC
"""

# Of the latest games of each person that have ended, in how many percent their time did not run out, and how many.
_SHARES = """
    SELECT person.id,
        (SELECT AVG(CASE WHEN lot.retired IN (%s, %s) THEN 0.0 ELSE 100.0 END) FROM (
            SELECT retired FROM games_player
            WHERE user_id = person.id AND ended_at IS NOT NULL ORDER BY ended_at DESC, game_id DESC LIMIT {games}
        ) lot),
        (SELECT COUNT(*) FROM (
            SELECT 1 FROM games_player WHERE user_id = person.id AND ended_at IS NOT NULL LIMIT {least}
        ) few)
    FROM accounts_user person WHERE person.id IN ({people})
"""


@dataclass(frozen=True)
class Reliability:
    """What the last turns of a person say: how many there are, and how many of them were made in time.

    `usual` is how long half of the replies took at most. Of so many `games` that have ended, the latest, the person
    played `finished` to the end: neither left them nor ran out of time. To resign a game of two is to finish it.
    """

    turns: int
    in_time: int
    usual: timedelta
    games: int
    finished: int

    @property
    def is_known(self) -> bool:
        """Return whether there are enough turns to say anything."""
        return self.turns >= KNOWN_FROM

    @property
    def share(self) -> int:
        """Return how many of a hundred turns were made in time, rounded down."""
        return 100 * self.in_time // self.turns if self.turns else 100


def reliability_of(user_id: int) -> Reliability:
    """Return how far others can rely on a person or a bot account. Two queries, one without games that count."""
    with connection.cursor() as cursor:
        cursor.execute(_SEATS, [user_id, GAMES_READ, user_id, GAMES_READ, user_id])
        seats = cursor.fetchall()
    ended = {game: _has_left(retired, size) for game, retired, is_over, size in seats if is_over}
    ended = dict(islice(ended.items(), GAMES_COUNTED))
    going = [game for game, _retired, is_over, _size in seats if not is_over][:GAMES_COUNTED]
    turns = _turns(user_id, [*going, *ended])
    replies = [took.total_seconds() for is_in_time, took in turns if is_in_time]
    return Reliability(
        turns=len(turns),
        in_time=len(replies),
        usual=timedelta(seconds=median(replies) if replies else 0),
        games=len(ended),
        finished=sum(not has_left for has_left in ended.values()),
    )


def shares_in_time(people: Collection[int]) -> Mapping[int, float]:
    """Return in how many percent of their latest games the time of these people did not run out, by person.

    Of those with too few games to tell nothing is said. One query, none for no one; it costs a person the same for ten
    games and for thousands.
    """
    if not people:
        return {}
    query = _SHARES.format(games=GAMES_COUNTED, least=LEAST_ENDED, people=", ".join(["%s"] * len(people)))
    with connection.cursor() as cursor:
        cursor.execute(query, [*_LATE, *sorted(people)])
        return {who: float(share) for who, share, games in cursor.fetchall() if games >= LEAST_ENDED}


def _has_left(retired: str, seats: int) -> bool:
    return bool(retired) and not (retired == Reason.RESIGNED and seats == 2)


def _turns(user_id: int, games: list[int]) -> list[tuple[bool, timedelta]]:
    """Return the latest turns of a person in these games: whether made in time, and how long that took. One query."""
    if not games:
        return []
    before = Move.objects.filter(game=OuterRef("game"), number=OuterRef("number") - 1).values("played_at")
    own = Move.objects.filter(game__in=games, game__players__user=user_id, game__players__seat=F("seat"))
    made = own.filter(is_automatic=False, number__gt=F("game__given_moves"))
    rows = made.annotate(since=Coalesce(Subquery(before), F("game__started_at")))
    latest = rows.order_by("-played_at", "-pk").values_list("game", "kind", "retired", "bot", "played_at", "since")
    found: list[tuple[bool, timedelta]] = []
    missed: Counter[int] = Counter()
    for game, kind, retired, bot, played_at, since in reversed(list(latest[:MOVES])):
        if kind == Kind.RETIRE and retired not in _LATE:
            continue
        missed[game] = missed[game] + 1 if bot else 0
        if missed[game] <= AWAY_AFTER:
            found.append((not bot and kind != Kind.RETIRE, _between(since, played_at)))
    return found[-TURNS:]


def _between(since: datetime | None, played_at: datetime) -> timedelta:
    return max(played_at - since, timedelta()) if since else timedelta()
