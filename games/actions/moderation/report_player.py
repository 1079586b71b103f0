"""Report a player, by name, to the moderators."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import PlayerReport, Reported
from games.table.moderation.reporting import keep_report
from games.table.moves import moment
from games.table.people.relations import player_named


@transaction.atomic
def report_player(
    user: User, username: str, *, reason: str, words: str = "", now: datetime | None = None
) -> PlayerReport:
    """Store that a person reports a player, with a copy of the name; twice is once.

    Raises:
        NotFound: there is no player of this name.
        BadRequest: the reason is none, it is too long, or it is the person, or a bot of theirs.

    """
    other = player_named(username, user)
    thing, shown = f"player-{other.pk}", other.username
    return keep_report(user, other, Reported.NAME, moment(now), thing=thing, shown=shown, reason=reason, words=words)
