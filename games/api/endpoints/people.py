"""Players and bots."""

from typing import Literal

from django.http import HttpRequest
from ninja import Query

from accounts.doors import person
from accounts.models import User
from games.actions.moderation.report_player import report_player as _report_player
from games.actions.people.block_person import block_person as _block_person
from games.actions.people.follow_person import follow_person as _follow_person
from games.actions.people.mute_person import mute_person as _mute_person
from games.actions.people.unblock_person import unblock_person as _unblock_person
from games.actions.people.unfollow_person import unfollow_person as _unfollow_person
from games.actions.people.unmute_person import unmute_person as _unmute_person
from games.api.door import LOOKING, MEETING
from games.api.endpoints.answers import PUBLIC, doing, responses, router
from games.api.finished import FinishedPage, Paging, finished_page
from games.api.people import (
    BlockedOut,
    BotOut,
    FollowedOut,
    MoverOut,
    PlayerOut,
    RankedOut,
    here_out,
    movers_out,
    player_out,
    ranked_out,
)
from games.api.schemas import ReportRequest
from games.pages.people.profile import named_player
from games.queries.lists.finished import visible_games
from games.queries.people.blocking import avoided_by
from games.queries.people.circle import followed_by
from games.roster.offered import offered_bots
from games.table.counting import count_person, count_report
from games.table.people.relations import LONGEST_LIST


@router.get("bots", auth=LOOKING, response=responses(list[BotOut]), url_name="api-bots", tags=["players", PUBLIC])
def list_bots(request: HttpRequest) -> list[BotOut]:
    """List the bots that can be seated, from the weakest."""
    return [BotOut.of(bot) for bot in offered_bots().values()]


@router.get(
    "players/{name}",
    auth=LOOKING,
    response=responses(PlayerOut, 404),
    url_name="api-player",
    tags=["players", PUBLIC],
)
def show_player(request: HttpRequest, name: str) -> PlayerOut:
    """Show a player: how their finished games ended that you may see."""
    return player_out(request.user, name)


@router.get(
    "players/{name}/games",
    auth=LOOKING,
    response=responses(FinishedPage, 404),
    url_name="api-player-games",
    tags=["players", PUBLIC],
)
def list_games_of_player(request: HttpRequest, name: str, paging: Query[Paging]) -> FinishedPage:
    """List the finished games of a player that you may see, the latest first; `me` is the player's seat."""
    lists, _counts = visible_games(named_player(name, request.user), request.user)
    return finished_page(lists, paging.cursor, paging.limit)


@router.get(
    "ratings/{family}",
    auth=LOOKING,
    response=responses(list[RankedOut], 404),
    url_name="api-ratings",
    tags=["players", PUBLIC],
)
def list_ratings(request: HttpRequest, family: str, since: Literal["", "year", "month"] = "") -> list[RankedOut]:
    """List the people with the highest ratings in a family of variants, such as blockyou-4, duo or trigon.

    With `since` those alone who have finished a rated game of it in the last twelve months, or in the last thirty days.
    """
    return ranked_out(family, since, request.user)


@router.get(
    "ratings/{family}/movers",
    auth=LOOKING,
    response=responses(list[MoverOut], 404),
    url_name="api-movers",
    tags=["players", PUBLIC],
)
def list_movers(request: HttpRequest, family: str) -> list[MoverOut]:
    """List those on the list of a family whose ratings yesterday's games (UTC) moved most, up or down."""
    return movers_out(family, request.user)


@router.get("blocked", auth=MEETING, response=responses(list[BlockedOut]), url_name="api-blocked", tags=["players"])
def list_blocked(request: HttpRequest) -> list[BlockedOut]:
    """List the people you have blocked, the last first."""
    return [BlockedOut(name=other.username, since=made_at) for other, made_at in avoided_by(person(request), "blocked")]


@doing("players/{name}/block", "api-block", MEETING, "players")
def block_person(request: HttpRequest, name: str) -> None:
    """Block a player: from now on neither of you joins or invites the other; they are not told. Running games go on."""
    _block_person(_counted(request), name)


@doing("players/{name}/unblock", "api-unblock", MEETING, "players")
def unblock_person(request: HttpRequest, name: str) -> None:
    """Unblock a player."""
    _unblock_person(_counted(request), name)


@router.get("muted", auth=MEETING, response=responses(list[BlockedOut]), url_name="api-muted", tags=["players"])
def list_muted(request: HttpRequest) -> list[BlockedOut]:
    """List the people you have muted, the last first."""
    return [BlockedOut(name=other.username, since=made_at) for other, made_at in avoided_by(person(request), "muted")]


@doing("players/{name}/mute", "api-mute", MEETING, "players")
def mute_person(request: HttpRequest, name: str) -> None:
    """Mute a player: you are not shown what they write at your tables; they are not told."""
    _mute_person(_counted(request), name)


@doing("players/{name}/unmute", "api-unmute", MEETING, "players")
def unmute_person(request: HttpRequest, name: str) -> None:
    """Unmute a player."""
    _unmute_person(_counted(request), name)


@doing("players/{name}/report", "api-report", MEETING, "players")
def report_player(request: HttpRequest, name: str, wish: ReportRequest) -> None:
    """Report a player to the moderators, who see a copy of the name. Twice is once."""
    user = person(request)
    count_report(user)
    _report_player(user, name, reason=wish.reason, words=wish.words)


@router.get("people", auth=MEETING, response=responses(list[FollowedOut]), url_name="api-people", tags=["players"])
def list_followed(request: HttpRequest) -> list[FollowedOut]:
    """List the people you follow, by their names."""
    found = followed_by(person(request), 0, LONGEST_LIST)
    return [FollowedOut(name=other.username, friend=is_friend, here=here_out(other)) for other, is_friend in found]


@doing("players/{name}/follow", "api-follow", MEETING, "players", 409)
def follow_person(request: HttpRequest, name: str) -> None:
    """Follow a player, who is not notified."""
    _follow_person(_counted(request), name)


@doing("players/{name}/unfollow", "api-unfollow", MEETING, "players")
def unfollow_person(request: HttpRequest, name: str) -> None:
    """Follow a player no longer."""
    _unfollow_person(_counted(request), name)


def _counted(request: HttpRequest) -> User:
    user = person(request)
    count_person(user)
    return user
