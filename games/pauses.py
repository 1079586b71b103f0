"""The steps of a pause on which people agree: asking for it, agreeing, turning it down, ending it."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from games import cached, counters, events, lifecycle, moves
from games.errors import WrongStatus
from games.models import Game, Player
from games.progress import table_of


def want(game: Game, player: Player, now: datetime) -> None:
    """Note that a player of a locked, running game wants a pause, as the first one or as others do, and tell it.

    It begins once all want it who have to (`cached.settle_pause`).
    """
    game.pause_request = [*(game.pause_request or [game.version + 1, now.isoformat()]), player.seat]
    _change(game, now)


def drop(game: Game, now: datetime) -> None:
    """Note that no pause is asked for any more in a locked, running game, and tell it."""
    game.pause_request = []
    _change(game, now)


def end(game: Game, now: datetime) -> None:
    """Let a locked game that people have paused go on, with the time that was left, and tell it."""
    game.end_pause(now)
    _change(game, now)


def check_request(game: Game, version: int) -> bool:
    """Return whether that request for a pause still waits; False if it has led to a pause or nobody asks any more.

    Raises:
        StaleGame: another player has asked for a pause since.

    """
    request = game.asked_pause
    if request is not None and request.version != version:
        raise moves.stale(game)
    return request is not None


def check_paused_by(game: Game, version: int) -> None:
    """Refuse to agree to a request that waits no more, unless all have agreed to it.

    Raises:
        WrongStatus: it was withdrawn or turned down.

    """
    if not any(paused[0] == version for paused in game.pauses):
        sentence = _("This request for a pause no longer stands. If you want a pause, ask for one.")
        raise WrongStatus(sentence, code="pause-dropped")


def _change(game: Game, now: datetime) -> None:
    """Save what follows from the facts of a pause that have changed, in the next version, and tell it after commit."""
    was_paused = game.is_paused
    played = moves.load_moves(game)
    table = table_of(game, played)
    game.version += 1
    game.changed_at = now
    cached.settle_pause(game, table, now)
    cached.save_rows(game, cached.write_rows(game, table, played))
    counters.touch(lifecycle.lists_of(game))
    if game.is_paused:
        events.publish(events.GamePaused(**lifecycle.about(game)))
    elif was_paused:
        events.publish(events.GameResumed(**lifecycle.about(game), due=lifecycle.due_turn(game)))
    else:
        events.publish(events.PauseAsked(**lifecycle.about(game)))
