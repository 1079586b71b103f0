"""Versions of lists, and which games have changed: what open pages are compared with."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import F

from games.events import GameEvent
from games.models import Game, Group, ListVersion, Membership, Player


def lists_version(user_pk: int) -> str:
    """Return a text that differs whenever any of the person's games has changed, finished ones included. One query."""
    return _version(user_pk)


def lists_versions(user_pks: Collection[int]) -> dict[int, str]:
    """Return `lists_version` of each of these people by their keys. One query."""
    found = dict(ListVersion.objects.filter(owner__in=user_pks).values_list("owner", "version"))
    return {pk: str(found.get(pk, 0)) for pk in user_pks}


def lobby_version() -> str:
    """Return a text that differs whenever the list of open tables has changed. One query."""
    return _version(ListVersion.LOBBY)


def version_of_group(slug: str) -> str:
    """Return a text that differs whenever the games of a group have changed; "0" where there is none. One query."""
    owner = Group.objects.filter(slug=slug).values(list=-F("pk"))
    return str(ListVersion.objects.filter(owner__in=owner).values_list("version", flat=True).first() or 0)


def group_versions(asked: Collection[tuple[int | None, int]]) -> dict[tuple[int | None, int], str]:
    """Return `version_of_group` for each person and group, by their keys, where the person is a member. Two queries."""
    people, groups = {person for person, _group in asked}, {group for _person, group in asked}
    members = set(
        Membership.objects.filter(person__in=people - {None}, group__in=groups).values_list("person", "group")
    )
    owners = {ListVersion.of_group(group) for _person, group in members}
    found = dict(ListVersion.objects.filter(owner__in=owners).values_list("owner", "version"))
    return {pair: str(found.get(ListVersion.of_group(pair[1]), 0)) for pair in asked if pair in members}


def _version(owner: int) -> str:
    return str(ListVersion.objects.filter(owner=owner).values_list("version", flat=True).first() or 0)


def changed_after(moment: datetime) -> list[tuple[datetime, GameEvent]]:
    """Return every game changed after a moment as the event that says so, with its time. Two queries, one if none."""
    fields = ("pk", "slug", "version", "is_public", "creator_id", "changed_at", "group_id")
    games = list(Game.objects.filter(changed_at__gt=moment).values_list(*fields))
    users: dict[int, set[int]] = {pk: {creator} for pk, _slug, _version, _public, creator, _at, _group in games}
    if games:
        seats = Player.objects.filter(game__in=users).values_list("game_id", "user_id", "invitee_id")
        for pk, *concerned in seats:
            users[pk].update(one for one in concerned if one is not None)
    return [
        (
            at,
            GameEvent(
                game_id=pk,
                slug=slug,
                version=version,
                is_public=public,
                users=tuple(sorted(users[pk])),
                group=group,
            ),
        )
        for pk, slug, version, public, _creator, at, group in games
    ]
