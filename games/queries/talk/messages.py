"""What was said at a table."""

from django.db.models import QuerySet

from accounts.models import User
from games.base import access
from games.base.apart import heard_by
from games.base.talk import check_reader, check_watcher
from games.base.welcome import wanted_by
from games.errors import NotSeated, WrongStatus
from games.models import Audience, Game, TalkMessage

#: How many lines a page shows.
SHOWN_LINES = 50


def messages_of(
    game: Game,
    reader: User,
    before: int | None = None,
    number: int = SHOWN_LINES,
    audience: Audience = Audience.PLAYERS,
) -> tuple[list[TalkMessage], bool]:
    """Return the last lines of a game for these readers, or the last before the line of that key, the oldest first.

    Without those of people whose words the reader is not shown, and texts of those who may not write to the reader; at
    a public table, which may have been a private one, without what was said before the reader sat down. The second
    value says whether there are older ones. One query, with the authors, and those of `apart_from`
    (needs the players fetched).
    """
    lines = _heard(game, reader, audience).order_by("-pk")
    found = list((lines if before is None else lines.filter(pk__lt=before))[: number + 1])
    return found[:number][::-1], len(found) > number


def line_heard(game: Game, reader: User, key: int) -> TalkMessage | None:
    """Return the line of that key with its author, said by the players or by those who watch; None where `messages_of`
    has no such line for this reader, or they may not read there. Two queries at most, and those of `apart_from`.
    """
    for audience, check in ((Audience.PLAYERS, check_reader), (Audience.WATCHERS, check_watcher)):
        try:
            check(game, reader)
        except (NotSeated, WrongStatus):
            continue
        if (found := _heard(game, reader, audience).filter(pk=key).first()) is not None:
            return found
    return None


def _heard(game: Game, reader: User, audience: Audience) -> QuerySet[TalkMessage]:
    heard = wanted_by(reader, heard_by(reader, TalkMessage.objects.filter(game=game, audience=audience)))
    seat = access.seat_of(game, reader)
    if audience == Audience.PLAYERS and game.is_public and seat is not None and seat.joined_at is not None:
        heard = heard.filter(created_at__gte=seat.joined_at)
    return heard.select_related("author")
