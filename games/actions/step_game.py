"""Ask for one move of a paused game."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import access, events, lifecycle, moves
from games.errors import BadRequest, WrongStatus
from games.lifecycle import Outcome
from games.queries.turns import next_number


@transaction.atomic
def step_game(user: access.Viewer, slug: str, *, number: int, version: int) -> Outcome:
    """Ask for the bot's move of that number, and no other, in the paused game of bots that the user has opened.

    The move is played by a job, and the version grows with it: the one that is told here is that before it, or that
    after it once it has been played. Asked for twice from the same version it is played once.

    Raises:
        BadRequest: another move is due; `field` is number.
        NotFound, NotSeated, WrongStatus, StaleGame: nothing will happen.

    """
    game = access.game_to_conduct(user, slug)
    known = moves.stepped_before(game, number, version)
    if known:
        return known
    moves.check_version(game, version)
    moves.check_running(game)
    if not game.is_paused:
        raise WrongStatus(_("The game is not paused. Pause it before you ask for a single move."), code="not-paused")
    if number != next_number(game):
        raise BadRequest(_("This is not the move that is due. Reload the page and try again."), field="number")
    bot = next(player.bot for player in game.players.all() if player.seat == game.turn_seat)
    events.publish(events.StepAsked(**lifecycle.about(game), number=number, bot=bot))
    return Outcome(game, number, game.version)
