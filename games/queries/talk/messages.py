"""What was said at a table."""

from games.models import Audience, Game, TalkMessage

#: How many lines a page shows.
SHOWN = 50


def messages_of(game: Game, before: int | None = None, number: int = SHOWN) -> tuple[list[TalkMessage], bool]:
    """Return the last lines of a game's players, or the last before the line of that key, the oldest first.

    The second value says whether there are older ones. One query, with the authors.
    """
    lines = TalkMessage.objects.filter(game=game, audience=Audience.PLAYERS).select_related("author").order_by("-pk")
    found = list((lines if before is None else lines.filter(pk__lt=before))[: number + 1])
    return found[:number][::-1], len(found) > number
