"""Groups of people, their members and their games."""

from typing import Literal

from django.http import HttpRequest

from accounts.doors import person
from accounts.models import User
from games.actions.groups.create_group import create_group as _create_group
from games.actions.groups.delete_group import delete_group as _delete_group
from games.actions.groups.drop_standing_table import drop_standing_table as _drop_standing_table
from games.actions.groups.join_group import join_group as _join_group
from games.actions.groups.leave_group import leave_group as _leave_group
from games.actions.groups.remove_member import remove_member as _remove_member
from games.actions.groups.rename_group import rename_group as _rename_group
from games.actions.groups.renew_group_link import renew_group_link as _renew_group_link
from games.actions.groups.set_role import set_role as _set_role
from games.actions.groups.set_standing_table import set_standing_table as _set_standing_table
from games.api.door import MEETING, READING
from games.api.endpoints.answers import doing, responses, router
from games.api.groups import (
    GivingRole,
    GroupGamesOut,
    GroupLineOut,
    GroupOut,
    JoiningGroup,
    NamingGroup,
    StandingRequest,
    group_games_out,
    group_out,
)
from games.api.people import MoverOut, RankedOut, movers_out, ranked_out
from games.queries.people.groups import groups_joined_by
from games.table.counting import count_group


@router.get("groups", auth=READING, response=responses(list[GroupLineOut]), url_name="api-groups", tags=["groups"])
def list_groups(request: HttpRequest) -> list[GroupLineOut]:
    """List the groups to which you belong, the last joined first."""
    return [GroupLineOut.of(own) for own in groups_joined_by(person(request))]


@router.post("groups", auth=MEETING, response=responses(GroupOut), url_name="api-groups", tags=["groups"])
def create_group(request: HttpRequest, wish: NamingGroup) -> GroupOut:
    """Make a group, which you own."""
    user = _counted(request)
    return group_out(user, _create_group(user, wish.name).slug)


@router.post("groups/join", auth=MEETING, response=responses(GroupOut, 404), url_name="api-group-join", tags=["groups"])
def join_group(request: HttpRequest, wish: JoiningGroup) -> GroupOut:
    """Join a group by the secret of its link. Twice is once."""
    user = _counted(request)
    return group_out(user, _join_group(user, wish.token).slug)


@router.get("groups/{group}", auth=READING, response=responses(GroupOut, 404), url_name="api-group", tags=["groups"])
def show_group(request: HttpRequest, group: str) -> GroupOut:
    """Show a group of yours with its members."""
    return group_out(person(request), group)


@router.get(
    "groups/{group}/games",
    auth=READING,
    response=responses(GroupGamesOut, 404),
    url_name="api-group-games",
    tags=["groups"],
)
def list_games_of_group(request: HttpRequest, group: str) -> GroupGamesOut:
    """List the tables and running games of a group of yours, a dozen each, and its last finished games."""
    return group_games_out(person(request), group)


@router.get(
    "groups/{group}/ratings/{family}",
    auth=READING,
    response=responses(list[RankedOut], 404),
    url_name="api-group-ratings",
    tags=["groups"],
)
def list_ratings_of_group(
    request: HttpRequest, group: str, family: str, since: Literal["", "year", "month"] = ""
) -> list[RankedOut]:
    """List the ratings of a group's members in a family of variants, the strongest first, provisional ones last."""
    return ranked_out(family, since, person(request), group)


@router.get(
    "groups/{group}/ratings/{family}/movers",
    auth=READING,
    response=responses(list[MoverOut], 404),
    url_name="api-group-movers",
    tags=["groups"],
)
def list_movers_of_group(request: HttpRequest, group: str, family: str) -> list[MoverOut]:
    """List the members of a group whose ratings of a family yesterday's games (UTC) moved most, up or down."""
    return movers_out(family, person(request), group)


@doing("groups/{group}/leave", "api-group-leave", MEETING, "groups")
def leave_group(request: HttpRequest, group: str) -> None:
    """Leave a group, and its tables that wait for players. What you own passes to its oldest keeper or member."""
    _leave_group(_counted(request), group)


@doing("groups/{group}/name", "api-group-rename", MEETING, "groups")
def rename_group(request: HttpRequest, group: str, wish: NamingGroup) -> None:
    """Give a group that you own or keep another name."""
    _rename_group(_counted(request), group, wish.name)


@router.post(
    "groups/{group}/link", auth=MEETING, response=responses(GroupOut, 404), url_name="api-group-link", tags=["groups"]
)
def renew_group_link(request: HttpRequest, group: str) -> GroupOut:
    """Give a group that you own or keep another link; the one before leads nowhere."""
    user = _counted(request)
    return group_out(user, _renew_group_link(user, group).slug)


@doing("groups/{group}/members/{name}/remove", "api-group-remove", MEETING, "groups")
def remove_member(request: HttpRequest, group: str, name: str) -> None:
    """Take a member out of a group that you own or keep; its link is renewed."""
    _remove_member(_counted(request), group, name)


@doing("groups/{group}/members/{name}/role", "api-group-role", MEETING, "groups")
def set_role(request: HttpRequest, group: str, name: str, wish: GivingRole) -> None:
    """Say what a member may do in a group that you own, or hand it on to them."""
    _set_role(_counted(request), group, name, wish.role)


@router.post(
    "groups/{group}/standing",
    auth=MEETING,
    response=responses(GroupOut, 404),
    url_name="api-group-standing",
    tags=["groups"],
)
def set_standing_table(request: HttpRequest, group: str, wish: StandingRequest) -> GroupOut:
    """Set the standing table of a group that you own or keep: when its game ends, the next one opens."""
    user = _counted(request)
    _set_standing_table(user, group, wish.setup())
    return group_out(user, group)


@doing("groups/{group}/standing/stop", "api-group-standing-stop", MEETING, "groups")
def drop_standing_table(request: HttpRequest, group: str) -> None:
    """Remove the standing table of a group: no further one opens. The current game goes on."""
    _drop_standing_table(_counted(request), group)


@doing("groups/{group}/delete", "api-group-delete", MEETING, "groups")
def delete_group(request: HttpRequest, group: str) -> None:
    """End a group that you own. Its games stay with their players."""
    _delete_group(_counted(request), group)


def _counted(request: HttpRequest) -> User:
    user = person(request)
    count_group(user)
    return user
