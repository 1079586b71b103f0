"""Which finished games the same group can play again."""

from collections.abc import Collection, Sequence

from accounts.models import User, Welcome
from games.base.apart import People
from games.base.children import may_meet_at
from games.base.welcome import followers_among, lets
from games.models import Game, Membership, Status


def games_to_repeat(reader: User, games: Sequence[Game], away: People) -> frozenset[int]:
    """Return the keys of those of these games whose group the reader can invite again, everyone who played.

    They are over, the reader was there, and of the others at least one is a person; `away` is from whom the reader is
    kept apart. None for guests, who invite by link, and for children. No query where everybody lets everyone invite
    them, at tables of no group and without a child; otherwise one for each of these three (needs the players and their
    users fetched).
    """
    if reader.is_guest or reader.is_child:
        return frozenset()
    tables = [(game, others) for game in games if _has_person(others := _others(game, reader))]
    everyone = {other.pk: other for _game, others in tables for other in others}
    shut = away | _not_inviting(everyone.values(), reader)
    members = _members([game for game, _others in tables], [reader, *everyone.values()])
    meet = may_meet_at([[reader, *others] for _game, others in tables])
    return frozenset(
        game.pk
        for (game, others), may_meet in zip(tables, meet, strict=True)
        if may_meet and shut.isdisjoint(other.pk for other in others) and _belong(game, reader, others, members)
    )


def _others(game: Game, reader: User) -> list[User]:
    """Return the other people and bot accounts of a finished game of the reader's, none where one of them is gone."""
    players = list(game.players.all())
    if game.status != Status.FINISHED or reader.pk not in (game.creator_id, *(player.user_id for player in players)):
        return []
    seats = [player for player in players if not (player.bot or player.is_local or player.user_id == reader.pk)]
    others = [player.user for player in seats if player.user is not None and player.user.is_active]
    return others if len(others) == len(seats) else []


def _has_person(others: Collection[User]) -> bool:
    return any(not other.is_bot for other in others)


def _not_inviting(people: Collection[User], reader: User) -> set[int]:
    """Return the keys of those who do not let the reader invite them. One query where someone asks to be followed."""
    followers = followers_among({other.pk for other in people if other.invited_by == Welcome.FOLLOWED}, reader)
    return {other.pk for other in people if not _lets_invite(other, reader, followers)}


def _lets_invite(other: User, reader: User, followers: Collection[int]) -> bool:
    """Return whether someone who has played with the reader lets them invite; the reader's own bots always do."""
    return other.operator_id == reader.pk or lets(other.invited_by, has_played=True, follows=other.pk in followers)


def _belong(game: Game, reader: User, others: Collection[User], members: Collection[tuple[int | None, int]]) -> bool:
    """Return whether all belong to the group of which the new table is: that of the game, if the reader does."""
    is_of_group = (game.group_id, reader.pk) in members
    return not is_of_group or all((game.group_id, _payer(other)) in members for other in others)


def _members(games: Collection[Game], people: Collection[User]) -> set[tuple[int | None, int]]:
    """Return to which of the groups of these games which of these people belong. One query, none without a group."""
    groups = {game.group_id for game in games if game.group_id is not None}
    if not groups:
        return set()
    rows = Membership.objects.filter(group__in=groups, person__in={_payer(person) for person in people})
    return {*rows.values_list("group", "person")}


def _payer(person: User) -> int:
    return person.operator_id or person.pk
