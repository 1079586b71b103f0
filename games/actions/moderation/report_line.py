"""Report a line of talk to the moderators."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access
from games.base.talk import NO_LINE
from games.errors import NotFound
from games.models import PlayerReport, Reported
from games.queries.talk.messages import line_heard
from games.table.moderation.reporting import keep_report
from games.table.moves import moment


@transaction.atomic
def report_line(
    user: User, slug: str, line: int, *, reason: str, shown: str, words: str = "", now: datetime | None = None
) -> PlayerReport:
    """Store that a player reports what another has said at their table, with a copy of it; twice is once.

    `shown` is what the reporter reads there: a ready phrase is in their language.

    Raises:
        NotFound: there is no such game for this person, or no such line that they are shown.
        NotSeated: the account is closed.
        BadRequest: the reason is none, it is too long, or the line is the person's own.

    """
    game = access.game_to_view(user, slug)
    message = line_heard(game, user, line)
    if message is None or message.author is None:
        raise NotFound(NO_LINE)
    return keep_report(
        user,
        message.author,
        Reported.LINE,
        moment(now),
        thing=f"line-{message.pk}",
        shown=shown,
        reason=reason,
        words=words,
        game=game,
        message=message,
    )
