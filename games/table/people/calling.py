"""Telling the members of a group that a table of theirs waits."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef

from accounts.models import User
from games.base.apart import apart_from
from games.models import Access, Game, Membership, Notification, Occasion, Player, Status
from games.table import changes

#: The members of a group are told of its new tables once in this time at most: the next ones are seen beside the first.
CALLED_EVERY = timedelta(hours=1)


#: By one person they are called so often in that time, whatever becomes of the tables.
CALLS_OF_ONE = 3


def call_members(game: Game, opener: User, now: datetime, *, is_standing: bool = False) -> None:
    """Notify the members of a group, which is locked, of a table that has just been opened for them, if it has a seat.

    Not those who sit there or are invited, nor those who are kept apart from the one who opened it; nor that one, but
    where it is the group's standing table, which opens by itself. Four queries at most, and those of `apart_from`; none
    for a table of no group.
    """
    if game.group_id is None or game.status != Status.OPEN or not _has_seat(game):
        return
    lately = Notification.objects.filter(occasion=Occasion.GROUP_TABLE, created_at__gt=now - CALLED_EVERY)
    lately = lately.filter(game__group=game.group_id)
    seats = Player.objects.filter(game=OuterRef("game"), user=None, bot="").exclude(access=Access.NAMED)
    # A table that is gone or full silences nobody.
    if lately.filter(Exists(seats), game__status=Status.OPEN).exists():
        return
    if not is_standing and lately.filter(other=opener).values("game").distinct().count() >= CALLS_OF_ONE:
        return
    invited = {player.invitee_id for player in game.players.all() if player.invitee_id is not None}
    seated = changes.people_seated(game.players.all())
    left_out = {*seated, *(() if is_standing else (opener.pk,)), *invited, *apart_from(opener)}
    members = Membership.objects.filter(group=game.group_id).exclude(person__in=left_out)
    people = members.values_list("person", flat=True)
    changes.record(game, Occasion.GROUP_TABLE, people, now, other=opener.pk)


def _has_seat(game: Game) -> bool:
    return any(
        player.user_id is None and not player.bot and player.access != Access.NAMED for player in game.players.all()
    )
