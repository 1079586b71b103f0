"""Find out whether a placement could be made now. Nothing is changed."""

from accounts.models import User
from games.base import access, positions
from games.errors import Refused
from games.rules import IllegalPlacement
from games.table import moves
from games.table.typed import read_typed


def try_placement(user: User, slug: str, *, text: str, number: int) -> str:
    """Return the canonical text of what was typed, if the colour to play may place that; three queries.

    Raises:
        NotFound, NotSeated, BadRequest, WrongStatus, StaleGame, NotYourTurn, Refused: as for the move itself.

    """
    game = access.game_to_view(user, slug)
    player = access.own_seat(game, user)
    moves.check_running(game)
    moves.check_due(game, number)
    moves.check_turn(game, player)
    moves.check_not_paused(game, user)
    position = positions.position_of(game)
    placement = read_typed(text, position.variant)
    try:
        position.check(placement)
    except IllegalPlacement as illegal:
        raise Refused.of(illegal) from illegal
    return str(placement)
