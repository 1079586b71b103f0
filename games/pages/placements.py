"""Every legal placement of the colour to play, piece by piece: how to move without a picture or JavaScript."""

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts.models import User
from games.base import access, positions
from games.drawing import svg
from games.errors import NotSeated, WrongStatus
from games.models import Status
from games.queries.moves import move_rows
from games.queries.turns import next_number
from games.words import names, sentences


@dataclass(frozen=True)
class PieceChoice:
    """A piece that fits somewhere, and in how many ways."""

    name: str
    label: str
    count: int
    is_chosen: bool


@dataclass(frozen=True)
class PlacementsPage:
    """The pieces that can be placed, and the placements of the chosen one as the server reads them.

    `colour` is the viewer's to play, empty if it is another player's turn or the game `is_paused`.
    """

    slug: str
    name: str
    number: int
    is_paused: bool
    colour: str
    colour_label: str
    pieces: tuple[PieceChoice, ...]
    chosen: str
    placements: tuple[str, ...]
    can_advise: bool


def placements_page(user: User, slug: str, piece: str) -> PlacementsPage:
    """Return the list for a player of a running game; three queries.

    Raises:
        NotFound, NotSeated, WrongStatus

    """
    game = access.game_to_view(user, slug)
    me = access.seat_of(game, user)
    if me is None:
        raise NotSeated(_("You are not playing in this game."))
    if game.status != Status.RUNNING:
        raise WrongStatus(_("No piece can be placed in this game right now."))
    position = positions.position_of(game, move_rows(game))
    colour = position.colour if position.colour and position.seat == me.seat and not game.is_paused else ""
    legal = position.legal_placements(colour) if colour else ()
    counts = Counter(placement.piece for placement in legal)
    chosen = piece if piece in counts else ""
    icons = svg.icons(game.variant)
    return PlacementsPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        number=next_number(game),
        is_paused=game.is_paused,
        colour=colour,
        colour_label=sentences.colour(colour) if colour else "",
        pieces=tuple(
            PieceChoice(name, sentences.slot(name, icon.size, True, True), counts[name], name == chosen)
            for name, icon in icons.items()
            if counts[name]
        ),
        chosen=chosen,
        placements=tuple(str(placement) for placement in legal if placement.piece == chosen),
        can_advise=bool(legal) and game.is_advised,
    )
