"""What a finished game hands on to a new table: its terms, and who sat in its seats."""

from datetime import datetime

from accounts.models import User
from games.base import access, apart
from games.base.setup import GameSetup
from games.base.talk import silenced_until
from games.base.terms import terms_of
from games.models import Access, Game, Membership, Player
from games.rules import variants
from games.table import seats


def setup_of(game: Game, asker: User, now: datetime, *, rotates: bool = False) -> GameSetup:
    """Return the terms of a finished game for a new table; with `rotates` the seats are neither drawn nor chosen.

    A person who may write no words of their own opens a table without a name. One at which somebody has two seats, one
    of them by a bot account, is not rated: they could not accept it.
    """
    terms = terms_of(game)
    terms["is_rated"] = terms["is_rated"] and not seats.is_one_person_twice(game.players.all())
    if silenced_until(asker, now) is not None:
        terms["name"] = ""
    # Whoever asks for a rematch of bots wants to see it.
    terms["is_paused"] = False
    if rotates:
        terms["is_shuffled"] = terms["lets_choose"] = False
    variant = variants.drawn_again(game.variant, seats.any_seed())
    return GameSetup(variant=variant, seats=(), colours=tuple(game.colours), **terms)


def group_again(game: Game, asker: User) -> int | None:
    """Return the group of which the new table is: that of the old one, if who asks still belongs to it.

    Two queries for a game of a group, none for others.

    Raises:
        TooMany: the new table would wait for people, as do as many of the asker's in this group as one may have there.

    """
    if not access.is_of_its_group(asker, game):
        return None
    if game.group_id is not None and any(player.user_id not in (None, asker.pk) for player in game.players.all()):
        seats.check_listed_in(game.group_id, asker)
    return game.group_id


def strangers(game: Game, group: int | None) -> apart.People:
    """Return who played a game and is no member of the group of which the new table is, where it is of one.

    The person who answers for a bot account belongs to groups in its place. A query for a table of a group, none for
    others.
    """
    players = [player.user for player in game.players.all() if player.user is not None] if group is not None else []
    if not players:
        return apart.NOBODY
    members = set(Membership.objects.filter(group=group).values_list("person", flat=True))
    return frozenset(user.pk for user in players if (user.operator_id or user.pk) not in members)


def seat_again(player: Player, asker: User, away: apart.People, free: Access = Access.OPEN) -> Player:
    """Return the same person's or bot's seat at the new table; `free` where the person is gone, or is one of `away`."""
    if player.bot:
        told = {name: getattr(player, name) for name in ("bot_opening", "bot_simulations", "bot_seconds")}
        return Player(bot=player.bot, bot_seed=seats.any_seed(), **told)
    if player.is_local:
        return Player(user=player.user, is_local=True, local_name=player.local_name)
    if player.user_id == asker.pk:
        return Player(user=asker)
    if player.user is None or not player.user.is_active or player.user_id in away:
        return Player(access=free)
    return Player(access=Access.NAMED, invitee=player.user)
