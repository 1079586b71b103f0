"""Claim that the player to move is out of time."""

from datetime import datetime

from django.db import transaction
from django.utils import formats, timezone
from django.utils.translation import gettext_lazy as _

from games import access, clock, lifecycle, moves
from games.errors import NotSeated, NotYourTurn, WrongStatus
from games.lifecycle import Outcome
from games.models import Game, Player, Reason


@transaction.atomic
def claim_timeout(user: access.Viewer, slug: str, *, version: int, key: str, now: datetime | None = None) -> Outcome:
    """Retire the seat whose deadline has passed, for an opponent who still plays. Until then it may move, however late.

    Raises:
        WrongStatus: there is no deadline, or it is yet to come (`too-early`; the sentence tells when).
        NotYourTurn: the user's own clock is the one that ran out.
        NotFound, NotSeated, BadRequest, StaleGame: nothing has changed.

    Rule: R12

    """
    moves.check_key(key)
    game = access.game_to_play(user, slug)
    claimant = access.own_seat(game, user)
    played = moves.moves_of(game)
    known = moves.claimed_before(game, played, key, claimant)
    if known:
        return known
    moves.check_version(game, version)
    moves.check_running(game)
    late = _late_player(game, claimant, moves.moment(now))
    return lifecycle.retire(game, played, late, Reason.OUT_OF_TIME, key, moves.moment(now))


def _late_player(game: Game, claimant: Player, now: datetime) -> Player:
    if claimant.retired:
        raise NotSeated(_("You no longer play in this game."), code="retired")
    if claimant.seat == game.turn_seat:
        raise NotYourTurn(_("It is your own turn: you can still move."), code="own-clock")
    if game.deadline is None:
        raise WrongStatus(_("This turn has no deadline."), code="no-deadline")
    if not clock.is_past(game.deadline, now):
        sentence = _("This turn runs until %(moment)s. Then you can claim the time.")
        raise WrongStatus(sentence % {"moment": _in_words(game.deadline)}, code="too-early")
    return next(player for player in game.players.all() if player.seat == game.turn_seat)


def _in_words(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{formats.date_format(local, 'DATETIME_FORMAT')} {local:%Z}"
