"""Report what goes on at a table to the moderators."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.errors import BadRequest
from games.models import PlayerReport, Reported
from games.queries.moderation.reports import people_reportable
from games.table.moderation.reporting import keep_report
from games.table.moves import moment


@transaction.atomic
def report_table(
    user: User, slug: str, username: str, *, reason: str, words: str = "", now: datetime | None = None
) -> PlayerReport:
    """Store that a person reports another who sits at a table, or has opened it, with a copy of its name; twice is
    once.

    Raises:
        NotFound: there is no such game for this person.
        BadRequest: the reason is none, it is too long, or no such person sits there.

    """
    game = access.game_to_view(user, slug)
    other = next((each for each in people_reportable(game, user) if each.username == username), None)
    if other is None:
        raise BadRequest(_("Choose a player at this table."), code="person", field="person")
    thing = f"table-{game.pk}-{other.pk}"
    return keep_report(
        user, other, Reported.TABLE, moment(now), thing=thing, shown=game.name, reason=reason, words=words, game=game
    )
