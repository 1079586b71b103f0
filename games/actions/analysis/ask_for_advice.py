"""Ask to be shown a good placement. The game does not change, and no other player is notified."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access, positions
from games.events import AdviceAsked, publish
from games.models import Advice, Game, Player
from games.queries.analysis.advising import ADVICE_SECONDS
from games.queries.tables.turns import next_number
from games.table import moves
from games.table.unadvised import check_no_help

NO_ADVICE_YET = _("This is a position of a game that you still play. Moves can be suggested here once it is over.")


@transaction.atomic
def ask_for_advice(user: User, slug: str, *, now: datetime | None = None) -> bool:
    """Request good placements for the user's turn; return whether an engine has to look for them now.

    Asking twice for the same move is asking once.

    Raises:
        NotFound, NotSeated, WrongStatus, NotYourTurn: nothing has changed.

    """
    game = access.game_to_play(user, slug)
    player = access.own_seat(game, user)
    moves.check_running(game)
    access.check_advised(game)
    moves.check_turn(game, player)
    moves.check_not_paused(game, user)
    if game.is_on_one_device:
        # One person may place for all there, and so come to any position.
        check_no_help(user, positions.position_of(game), NO_ADVICE_YET)
    return _ask(game, player, moves.moment(now))


def _ask(game: Game, player: Player, now: datetime) -> bool:
    number = next_number(game)
    known = Advice.objects.filter(player=player, number=number).first()
    is_thought_about = known and known.choices is None and now < known.asked_at + timedelta(seconds=ADVICE_SECONDS)
    if known and (known.choices or is_thought_about):
        return False
    Advice.objects.update_or_create(player=player, defaults={"number": number, "asked_at": now, "choices": None})
    publish(AdviceAsked(player_id=player.pk, number=number))
    return True
