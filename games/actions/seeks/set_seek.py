"""Want games of a kind to be under way always, or another number of them."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import counters
from games.errors import NotFound, TooMany
from games.models import Seek
from games.table import moves, seats, seeking

#: What is written where there is such a seek already.
CHANGED = ("number", "wait", "set_at", "due_at", "rests_until", "is_idle")


def set_seek(
    user: User,
    *,
    variant: str,
    pace: str,
    is_rated: bool,
    number: int,
    wait: int = 0,
    is_change: bool = False,
    now: datetime | None = None,
) -> Seek:
    """Keep that the user wants up to so many games of this kind to be under way; the site seats them from now on.

    There is one standing seek a kind: the same again changes its number and after how many minutes bots take empty
    seats, and one that rested goes on. Games that are under way go on where fewer are wanted. A table at which the user
    waits alone is given up where bots would take its seats at another time than is wanted now.

    With `is_change` the user sees the seek that is to be changed: where it was ended meanwhile, no other is set.

    Raises:
        BadRequest: `field` is variant, pace, number or wait.
        NotFound: the seek that is to be changed is there no more.
        NotSeated: no such thing for this account (`child`, `bot-seek`, `guest-seek`), or the user lets no one invite
            them (`invites-no-one`).
        TooMany: the user has five standing seeks.

    """
    seeking.check_seek(variant, pace, number, wait)
    sought = Seek(variant=variant, pace=pace, is_rated=is_rated, number=number, wait=wait)
    return _set(user, sought, now, is_change=is_change)


@transaction.atomic
def _set(user: User, sought: Seek, now: datetime | None, *, is_change: bool) -> Seek:
    person, at = seats.lock_person(user), moves.moment(now)
    seeking.check_seeker(person)
    own = Seek.objects.filter(person=person)
    found = seeking.same_seek(own, sought)
    if found is None:
        _check_new(own, is_change=is_change)
        sought.person, found = person, sought
    elif found.wait != sought.wait and found.table_id is not None:
        _give_up(found, found.table_id, at)
    found.number, found.wait = sought.number, sought.wait
    found.set_at = found.due_at = at
    found.rests_until, found.is_idle = None, False
    # Not the table: it may have been deleted since it was read, for which nobody waits for the person's row.
    found.save(update_fields=CHANGED if found.pk else None)
    events.publish(events.SeekDue(seek_id=found.pk))
    return found


def _check_new(own: QuerySet[Seek], *, is_change: bool) -> None:
    """Refuse a seek that the person has not, where one is to be changed or they have as many as one may have."""
    if is_change:
        raise NotFound(seeking.NO_SEEK)
    if own.count() >= seeking.MOST_SEEKS:
        raise TooMany(_("You have five standing seeks already. End one of them first."), retry_after=3600)


def _give_up(seek: Seek, table: int, at: datetime) -> None:
    with counters.together():
        if game := seeking.table_to_give_up(table):
            seeking.give_table_up(seek, at, game)
