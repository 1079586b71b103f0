"""Want no games of a kind any more."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import counters
from games.table import moves, seats, seeking


@transaction.atomic
def drop_seek(user: User, pk: int, *, now: datetime | None = None) -> None:
    """End a standing seek of the user's; games go on, and the table at which the user waits alone for it is cancelled.

    Raises:
        NotFound: the user has none of this key.
        NotSeated: the account is closed, or suspended.

    """
    person = seats.lock_person(user)
    seek = seeking.own_seek(person, pk)
    if seek.table_id is not None:
        with counters.together():
            if game := seeking.table_to_give_up(seek.table_id):
                seeking.give_table_up(seek, moves.moment(now), game)
    seek.delete()
