"""Open the next game of a group's standing table."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base.positions import load_board
from games.models import Game, StandingTable
from games.table.groups import membership, standing
from games.table.moves import moment
from games.table.people.calling import call_members


def open_standing_table(pk: int, *, now: datetime | None = None) -> Game | None:
    """Return the next game of the standing table of this key, opened by its group's owner; None if it is not due.

    However often it is asked for, one opens. Where the owner is suspended the table rests.
    """
    found = _due(pk)
    if found is None:
        return None
    # The tables of a board of a chosen size take 0.1 s to build, for which no other write is to wait.
    load_board(found.variant)
    return _open(found, now)


@transaction.atomic
def _open(found: StandingTable, now: datetime | None) -> Game | None:
    owners = User.objects.select_for_update(no_key=True, of=("self",)).filter(is_active=True)
    owner = owners.filter(own_groups=found.group_id).first()
    membership.lock_group(found.group_id)
    locked = StandingTable.objects.select_for_update(no_key=True).filter(pk=found.pk, due_at__isnull=False)
    # Asked once more: another worker may have been quicker, or the group has another owner now.
    still = locked.filter(group__owner=owner).first() if owner else None
    if still is None or owner is None:
        return None
    if owner.is_suspended:
        StandingTable.objects.filter(pk=still.pk).update(due_at=None)
        return None
    at = moment(now)
    game = standing.open_next(still, owner, at)
    call_members(game, owner, at, is_standing=True)
    return game


def _due(pk: int) -> StandingTable | None:
    return StandingTable.objects.select_related("group").filter(pk=pk, due_at__isnull=False).first()
