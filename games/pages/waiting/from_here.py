"""The page on which a new game is begun at a position of a finished game or of a study."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext

from games.base import access
from games.base.given import GivenStart
from games.drawing import svg
from games.table.given.starts import start_in_game, start_in_study
from games.table.records import seat_name
from games.words import names, sentences


@dataclass(frozen=True)
class FromHerePage:
    """A position, where a new game can begin at it, and the way back to where it comes from.

    `address` is the page's own and `hidden` what has to be sent with the form. `seats` are the colours of each seat in
    words, `to_play` the number of the seat that is to play first, and `colour` the one with which it does.
    """

    given: GivenStart
    name: str
    board: str
    address: str
    back: str
    hidden: tuple[tuple[str, str], ...]
    number: int
    pictured: svg.BoardView
    seats: tuple[str, ...]
    to_play: int
    colour: str


def from_game_page(user: access.Viewer, slug: str, after: int | None, node: int = 0, token: str = "") -> FromHerePage:
    """Return the page for a position of a finished game, or for a move that the person has tried in it.

    As many queries as `start_in_game`.

    Raises:
        NotFound, WrongStatus: as `start_in_game`.

    """
    given = start_in_game(user, slug, after, node, token)
    sent = {"node": str(node)} if node else {} if after is None else {"move": str(after)}
    if token:
        sent["token"] = token
    back = reverse("game-analysis", args=[slug]) if node else reverse("replay", args=[slug])
    query = "&".join(f"{name}={value}" for name, value in sent.items())
    return _page(given, reverse("from-game", args=[slug]), f"{back}?{query}", sent)


def from_study_page(user: access.Viewer, slug: str, after: int | None, branch: int = 0) -> FromHerePage:
    """Return the page for a position of a study, or of the variation of that number in it. One query.

    Raises:
        NotFound, WrongStatus: as `start_in_study`.

    """
    given = start_in_study(user, slug, after, branch)
    sent = {"branch": str(branch)} if branch else {}
    if after is not None:
        sent["move"] = str(after)
    query = "&".join(f"{name}={value}" for name, value in sent.items())
    return _page(given, reverse("from-study", args=[slug]), f"{reverse('study', args=[slug])}?{query}", sent)


def _page(given: GivenStart, address: str, back: str, sent: dict[str, str]) -> FromHerePage:
    position = given.position
    return FromHerePage(
        given=given,
        name=gettext("After move %(number)d") % {"number": len(given.moves)},
        board=names.variant_name(position.variant.id),
        address=address,
        back=back,
        hidden=tuple(sent.items()),
        number=len(given.moves),
        pictured=svg.board_view(position, quarters=given.side),
        seats=tuple(seat_name(position, seat) for seat in range(len(position.seats))),
        to_play=position.seat or 0,
        colour=sentences.colour(position.colour or ""),
    )
