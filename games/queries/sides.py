"""How a board lies for its reader: the one place that decides by how much it is turned."""

from collections.abc import Sequence

from games import access
from games.models import Game
from games.rules.geometry import SQUARES
from games.rules.variants import Variant, get_variant


def own_side(game: Game, user: access.Viewer) -> int:
    """Return by how many quarters clockwise a person sees a game's board turned; 0 for a person without a seat.

    It stays the same from the first move to long after the last, and after resigning. It needs the players fetched.
    """
    player = access.seat_of(game, user)
    return 0 if player is None else seat_side(game, player.seat)


def seat_side(game: Game, seat: int) -> int:
    """Return by how many quarters clockwise the board is turned for the player in this seat."""
    variant = get_variant(game.variant)
    return near_side(variant, variant.seat_colours(game.colours or None)[seat])


def near_side(variant: Variant, colours: Sequence[str]) -> int:
    """Return by how many quarters clockwise the board is turned so that a start cell of these colours lies nearest.

    They are a player's own colours, not those that are shared. Boards where a colour may begin on any of several cells
    stay as they are, and so they do without colours.
    """
    cells = [variant.start_cells[colour] for colour in colours]
    if not cells or any(len(few) > 1 for few in cells):
        return 0
    starts = [variant.grid.points[few[0]] for few in cells]
    right, top = variant.width - 1, variant.height - 1
    away = {0: lambda x, y: y, 2: lambda x, y: top - y, 1: lambda x, y: right - x, 3: lambda x, y: x}
    turns = away if variant.grid.lattice == SQUARES else (0, 2)
    return min(turns, key=lambda turn: min(away[turn](x, y) for x, y in starts))
