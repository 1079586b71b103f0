"""The placements that players react to."""

from django.utils.translation import gettext_lazy as _

from games.errors import NotFound, StaleGame, WrongStatus
from games.models import Game, Kind, Move
from games.queries.tables.turns import next_number

NO_PLACEMENT = _("No piece was placed with this move.")
GIVEN = _("This piece was there when the game began. React to what the players place.")
OWN = _("You placed this piece yourself. React to what others place.")
REPLACED = _("This piece was taken back meanwhile. Look at the board.")


def placement_at(game: Game, number: int, placement: str) -> Move:
    """Return the move of that number, by which that piece was placed, if it is said which. One query.

    Raises:
        NotFound: no piece was placed with it.
        WrongStatus: it was given when the game began, no one has placed it (`given-move`).
        StaleGame: another one was, or none any more.

    """
    if number <= game.given_moves:
        raise WrongStatus(GIVEN, code="given-move")
    move = Move.objects.filter(game=game, number=number).first()
    if placement and (move is None or move.placement != placement):
        raise StaleGame(REPLACED, version=game.version, number=next_number(game))
    if move is None or move.kind != Kind.PLACE:
        raise NotFound(NO_PLACEMENT)
    return move
