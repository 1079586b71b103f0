"""The people and bots of a game in a list: their colours, and where their names lead."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from games.base.positions import bonus_in, cells_placed
from games.pages.board.faces import Face, face
from games.rules.variants import get_variant
from games.words import names, sentences

if TYPE_CHECKING:
    from games.models import Game, Player


@dataclass(frozen=True)
class SeatLink:
    """One seat that is taken: the name, the address of the page about it (empty where there is none), its colours.

    The reader's own seat has no face. `placed` is how much of its cells a seat of a finished game has placed, `bonus`
    what it got besides for having placed everything: "+20".
    """

    name: str
    address: str
    colours: tuple[str, ...] = ()
    face: Face | None = None
    is_you: bool = False
    is_to_play: bool = False
    placed: str = ""
    bonus: str = ""


def seat_links(game: "Game", user_id: int | None) -> tuple[SeatLink, ...]:
    """Return the seats that are taken in the order of play, this person's own first (needs the players fetched)."""
    colours = get_variant(game.variant).seat_colours(game.colours or None)
    taken = [player for player in game.players.all() if player.is_taken]
    called = dict(zip(taken, names.seat_names((each.occupant for each in taken), is_short=True), strict=True))
    taken.sort(key=lambda player: user_id is None or player.user_id != user_id)
    return tuple(_link(game, player, called[player], tuple(colours[player.seat]), user_id) for player in taken)


def _link(game: "Game", player: "Player", name: str, colours: tuple[str, ...], user_id: int | None) -> SeatLink:
    is_you = user_id is not None and player.user_id == user_id
    placed, bonus = ("", "") if player.score is None else _score(game, player.score, colours)
    return SeatLink(
        name=gettext("you") if is_you else name,
        address="" if is_you else names.page_of(player.occupant),
        colours=colours,
        face=None if is_you else face(player.occupant),
        is_you=is_you,
        is_to_play=player.seat == game.turn_seat,
        placed=placed,
        bonus=bonus,
    )


def _score(game: "Game", score: int, colours: tuple[str, ...]) -> tuple[str, str]:
    """Return how much of its cells a seat with these colours has placed, and what it got besides."""
    placed, cells = cells_placed(game.variant, colours, game.board)
    bonus = bonus_in(score, game.scoring, placed, cells)
    return sentences.placed_text(placed, cells), f"+{bonus}" if bonus else ""
