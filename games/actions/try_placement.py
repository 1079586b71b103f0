"""Find out whether a placement could be made now. Nothing is changed."""

from accounts.models import User
from games import access, lifecycle, moves, positions
from games.queries.typed import read_typed
from games.rules import IllegalPlacement


def try_placement(user: User, slug: str, *, text: str, version: int) -> str:
    """Return the canonical text of what somebody has typed, if the colour to play may place that; three queries.

    Raises:
        NotFound, NotSeated, BadRequest, WrongStatus, StaleGame, NotYourTurn, Refused: as for the move itself.

    """
    game = access.game_to_view(user, slug)
    player = access.own_seat(game, user)
    moves.check_running(game)
    moves.check_version(game, version)
    moves.check_turn(game, player)
    position = positions.position_of(game)
    placement = read_typed(text, position.variant)
    try:
        position.check(placement)
    except IllegalPlacement as illegal:
        raise lifecycle.refused(illegal) from illegal
    return str(placement)
