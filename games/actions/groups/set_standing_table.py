"""Set the standing table of a group: when its game ends, the next one opens."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.groups import check_keeper, membership_to_change
from games.base.positions import load_board
from games.base.setup import GameSetup, check_setup
from games.base.talk import check_may_write
from games.base.terms import kept_terms
from games.errors import BadRequest
from games.models import Game, StandingTable, Status
from games.rules import get_variant
from games.table.groups import membership, standing
from games.table.moves import moment

NO_NAMED_PIECES = _("A table that always opens again has no named opening pieces. Open a single table for that.")


def set_standing_table(user: User, slug: str, setup: GameSetup, *, now: datetime | None = None) -> Game:
    """Give the group a standing table of this board and with these terms; return the game that it has now.

    Its first one opens at once, as does the next where the table rests. A game that waits or is running goes on as it
    was agreed; the terms are those of the next. Every seat is open to the members of the group. It opens under the name
    of the group's owner; while the owner is suspended, under that of the user.

    Raises:
        BadRequest: the setup makes no sense; `field` names what.
        NotFound: there is no such group, or the user is no member.
        NotSeated: the user is neither owner nor keeper (`not-keeper`), or may not name a table (`silenced`).

    """
    setup = setup.among_members()
    check_setup(setup)
    if get_variant(setup.variant).named_pieces:
        # There is no one there who has named the pieces, opposite whom the others choose.
        raise BadRequest(NO_NAMED_PIECES, field="variant")
    load_board(setup.variant)
    return _set(user, slug, setup, now)


@transaction.atomic
def _set(user: User, slug: str, setup: GameSetup, now: datetime | None) -> Game:
    (person, owner), at = membership.lock_with_owner(user, slug), moment(now)
    own = membership_to_change(person, slug)
    check_keeper(own)
    check_may_write(person, setup.name, at)
    group = own.group
    found, _is_new = StandingTable.objects.get_or_create(group=group, defaults={"variant": setup.variant})
    found = StandingTable.objects.select_for_update(no_key=True, of=("self",)).select_related("game").get(pk=found.pk)
    found.variant, found.terms = setup.variant, kept_terms(setup.agreed())
    found.save(update_fields=["variant", "terms"])
    if found.game is not None and found.due_at is None and found.game.status in (Status.OPEN, Status.RUNNING):
        return found.game
    # Another owner than just now is not locked.
    is_theirs = owner is not None and owner.pk == group.owner_id and not owner.is_suspended
    return standing.open_next(found, owner if owner is not None and is_theirs else person, at)
