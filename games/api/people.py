"""Players and bots as programs see them."""

from collections import Counter
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from django.utils import timezone
from ninja import Schema

from accounts.models import User
from games.base import access
from games.base.welcome import is_online
from games.errors import NotFound
from games.pages.people.profile import NO_PLAYER
from games.pages.people.ratings import check_family, group_ranks, left_out_for, since_of, yesterday
from games.queries.lists.finished import visible_games
from games.queries.people.circle import scores_with
from games.queries.people.known import player_seen
from games.queries.people.ratings import moved_most, ratings_of, strongest
from games.queries.tables.reliability import Reliability, reliability_of
from games.roster.entries import Bot

if TYPE_CHECKING:
    from games.models import PlayerRating


class BotOut(Schema):
    """A bot that can be seated, by the `name` that is stored with its games.

    `level` is its place on the ladder, from 0; null for a bot beside it. `simulations` are the games that it plays in
    its head for one move.
    """

    name: str
    level: int | None
    character: str
    simulations: int

    @classmethod
    def of(cls, bot: Bot) -> "BotOut":
        """Return a bot that can be seated."""
        return cls(name=bot.name, level=bot.level, character=bot.character, simulations=bot.simulations)


class ResultsOut(Schema):
    """How a player's games of a variant ended, whatever its size."""

    variant: str
    won: int
    tied: int
    lost: int


class RatingOut(Schema):
    """How strong a player is in a family of variants: points, give or take the `deviation`, from so many rated games.

    It is `provisional` until it is known to within 100 points.
    """

    family: str
    points: int
    deviation: int
    games: int
    provisional: bool


class RankedOut(Schema):
    """A player on the list of a family, the strongest first; `provisional` ones last, and only on short lists and those
    of groups.
    """

    name: str
    points: int
    deviation: int
    games: int
    provisional: bool

    @classmethod
    def of(cls, row: "PlayerRating") -> "RankedOut":
        """Return the line of a rating, whose account is fetched."""
        points, deviation = row.strength
        return cls(
            name=row.user.username,
            points=round(points),
            deviation=round(deviation),
            games=row.games,
            provisional=not row.is_listed,
        )


class MoverOut(Schema):
    """A player whose rating of a family yesterday's games moved, and by how much; `points` are those of today."""

    name: str
    points: int
    change: int


class ReliabilityOut(Schema):
    """How far others can rely on a player, from their last 50 turns and 20 games with other people and clocks.

    `in_time` of a hundred turns were made in time, half of the replies took at most `usual` seconds, and of `games`
    that have ended `finished` were played to the end.
    """

    turns: int
    in_time: int
    usual: int
    games: int
    finished: int


class HereOut(Schema):
    """Whether a player is here now, and else the day of their last visit, in UTC."""

    online: bool
    day: date


class PlayerOut(Schema):
    """A player: how their finished games ended, counted where you may see them; and their ratings.

    `reliability` is null for players with fewer than ten turns.
    `against_you` are the games that you have finished together, from your side: who of you two had the better place. It
    is empty for yourself, and without a token. `here` is null where they do not let you see when they were here.
    """

    name: str
    guest: bool
    since: datetime
    won: int
    tied: int
    lost: int
    results: list[ResultsOut]
    reliability: ReliabilityOut | None
    against_you: list[ResultsOut]
    here: HereOut | None
    ratings: list[RatingOut]


class BlockedOut(Schema):
    """A player you have blocked or muted; no one else is told."""

    name: str
    since: datetime


class FollowedOut(Schema):
    """A player you follow; a `friend` follows you too. `here` is null where they do not let you see it."""

    name: str
    friend: bool
    here: HereOut | None


def player_out(viewer: access.Viewer, name: str) -> PlayerOut:
    """Return a player with their totals. Five queries, eight at most where another person looks.

    Raises:
        NotFound: there is no account of this name, or it has been closed.

    """
    seen = player_seen(name, viewer)
    if seen is None:
        raise NotFound(NO_PLAYER)
    user = seen.user
    _lists, found = visible_games(user, viewer)
    results = [
        ResultsOut(variant=variant, won=found[variant, "won"], tied=found[variant, "tied"], lost=found[variant, "lost"])
        for variant in sorted({variant for variant, _result in found})
    ]
    sums = Counter[str]()
    for each in results:
        sums.update(won=each.won, tied=each.tied, lost=each.lost)
    return PlayerOut(
        name=user.username,
        guest=user.is_guest,
        since=user.date_joined,
        won=sums["won"],
        tied=sums["tied"],
        lost=sums["lost"],
        results=results,
        reliability=_reliability(reliability_of(user.pk)),
        against_you=_against(viewer, user),
        here=here_out(user),
        ratings=[
            RatingOut(
                family=each.family,
                points=round(each.strength.points),
                deviation=round(each.strength.deviation),
                games=each.games,
                provisional=each.is_provisional,
            )
            for each in ratings_of(user.pk)
        ],
    )


def here_out(user: User) -> HereOut | None:
    """Return when a person was here, whom a query has fetched for their reader."""
    if user.last_here is None:
        return None
    return HereOut(online=is_online(user.last_here, timezone.now()), day=user.last_here.astimezone(UTC).date())


def ranked_out(family: str, since: str, viewer: access.Viewer, group: str = "") -> list[RankedOut]:
    """Return the list of a family, of all or of a group's members, without those whom the viewer has blocked.

    Three queries at most, and those of the group or of `left_out_for`.

    Raises:
        NotFound: there is no such family, the site has no ratings, or the viewer is no member of the group.

    """
    check_family(family)
    among = group_ranks(viewer, group) if group else None
    rows, left_out = strongest(family, since_of(since, timezone.now()), among), left_out_for(viewer, among)
    return [RankedOut.of(row) for row in rows if row.user_id not in left_out]


def movers_out(family: str, viewer: access.Viewer, group: str = "") -> list[MoverOut]:
    """Return those on the list of a family, of all or of a group's members, whom yesterday's games moved most, but for
    those the viewer has blocked.

    Three queries at most, and those of the group or of `left_out_for`.

    Raises:
        NotFound: there is no such family, the site has no ratings, or the viewer is no member of the group.

    """
    check_family(family)
    among = group_ranks(viewer, group) if group else None
    rows, left_out = moved_most(family, *yesterday(timezone.now()), among), left_out_for(viewer, among)
    return [
        MoverOut(name=row.user.username, points=round(row.points), change=round(change))
        for row, change in rows
        if row.user_id not in left_out
    ]


def _reliability(found: Reliability) -> ReliabilityOut | None:
    if not found.is_known:
        return None
    return ReliabilityOut(
        turns=found.turns,
        in_time=found.share,
        usual=int(found.usual.total_seconds()),
        games=found.games,
        finished=found.finished,
    )


def _against(viewer: access.Viewer, user: User) -> list[ResultsOut]:
    if not isinstance(viewer, User) or viewer.pk == user.pk:
        return []
    scores = scores_with(viewer, {user.pk}).get(user.pk, {})
    return [ResultsOut(variant=variant, **score._asdict()) for variant, score in sorted(scores.items())]
