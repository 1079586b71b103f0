"""Take one's last placement back, or ask the others to agree to it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.base import access
from games.errors import WrongStatus
from games.models import Game
from games.queries.play.takebacks import asked_of
from games.table import moves, takebacks
from games.table.alone import is_unseen


@transaction.atomic
def ask_for_takeback(
    user: access.Viewer, slug: str, *, number: int, alone: bool = False, now: datetime | None = None
) -> Game:
    """Ask for the user's last placement, and all moves after it, to be taken back.

    At once where only bots play too, and for ten seconds while no other person has been shown the placement; with
    `alone`, so or not at all. `number` is that of the move which the page showed to be due: which moves would go is
    fixed by it. Asking twice is asking once.

    Raises:
        StaleGame: another move is due.
        WrongStatus: the table does not allow it, there is nothing to take back, it is too late, another player has
            asked already (`takeback-asked`), nobody was to be asked and another person has been shown the move
            (`move-shown`), or the game is paused or not running.
        NotFound, NotSeated: nothing has changed.

    """
    game, player = access.game_to_pause(user, slug)
    if takebacks.was_taken_back(game, number, player):
        return game
    moves.check_due(game, number)
    moves.check_running(game)
    takebacks.check_takebacks_allowed(game)
    moves.check_not_paused(game, user)
    asked = game.asked_takeback
    if asked is not None:
        if asked.seats[0] == player.seat:
            return game
        sentence = _("Another player has asked for moves to be taken back. Answer first.")
        raise WrongStatus(sentence, code="takeback-asked")
    played, at = moves.load_moves(game), moves.moment(now)
    player = takebacks.seat_to_undo(game, player, played)
    point = takebacks.point_to_return(game, played, player)
    others = asked_of(game, player.seat)
    if game.is_rated and not others:
        raise WrongStatus(_("This game is rated, and no one is left who could agree."), code="rated-alone")
    unseen = bool(others) and user.pk is not None and is_unseen(game, user.pk, played[point.number :], at)
    if not others or unseen:
        takebacks.take_moves_back(game, played, player, point.number, at, is_unseen=unseen)
    elif alone:
        sentence = _(
            "Another player may have seen your move, or ten seconds have passed. You can still ask the others to agree."
        )
        raise WrongStatus(sentence, code="move-shown")
    else:
        takebacks.want_takeback(game, player, point.number, at)
    return game
