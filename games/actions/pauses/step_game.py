"""Ask for one move of a paused game."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games import events
from games.base import access
from games.errors import WrongStatus
from games.table import changes, moves
from games.table.lifecycle import Outcome


@transaction.atomic
def step_game(user: access.Viewer, slug: str, *, number: int, pause_version: int) -> Outcome:
    """Ask for the bot's move of that number, and no other, in the paused game of bots that the user has opened.

    The move is played by a job, and the version grows with it: the version returned is the one before the move, or the
    one after it once it has been played. Asked for twice during one pause it is played once. `pause_version` is the
    game's as the page showed it.

    Raises:
        StaleGame: another move is due, or the bots have been resumed and paused again.
        NotFound, NotSeated, WrongStatus: nothing will happen.

    """
    game = access.game_to_conduct(user, slug)
    moves.check_pause(game, pause_version)
    known = moves.stepped_before(game, number)
    if known:
        return known
    moves.check_due(game, number)
    moves.check_running(game)
    if not game.is_paused:
        raise WrongStatus(_("Pause the game before you ask for a single move."), code="not-paused")
    bot = next(player.bot for player in game.players.all() if player.seat == game.turn_seat)
    events.publish(events.StepAsked(**changes.about(game), number=number, bot=bot))
    return Outcome(game, number, game.version)
