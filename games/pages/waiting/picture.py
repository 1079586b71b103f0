"""A table that waits for players as a picture, for those who are sent its link."""

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext

from games.base import access
from games.drawing import svg
from games.drawing.raster.shared_game import SharedGame, SideView
from games.drawing.raster.text import can_write
from games.errors import NotFound
from games.pages.waiting.invitation import invitation_page, waiting_for
from games.rules import Position
from games.words import clocks


def shared_invitation(token: str) -> SharedGame:
    """Return the empty board of a table that waits for players, and who sits there. Two queries.

    Raises:
        NotFound: there is none with this token that still waits for players.

    """
    table = invitation_page(AnonymousUser(), token)
    if not table.state.is_open:
        raise NotFound(access.NO_GAME)
    game = table.state.game
    sides = [
        SideView(seat.colours, gettext("free") if seat.is_free else seat.name, ("",), is_winner=False, place="")
        for seat in table.seats
    ]
    return SharedGame(
        name=f"block-you-{game.slug}",
        variant=game.variant,
        title=table.title if can_write(table.title) else table.variant,
        about=f"{table.variant} · {clocks.pace_name(game.time)}",
        say=waiting_for(sum(seat.is_free for seat in table.seats)),
        more="",
        sides=tuple(sides),
        starts=svg.start_marks(Position.start(game.variant)),
        begun=None,
        pieces=(),
        is_public=False,
    )
