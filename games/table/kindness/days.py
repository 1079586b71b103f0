"""Days that players give each other: a fact of the game, from which the clock of one turn is longer."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import counters
from games.errors import NotSeated, WrongStatus
from games.models import Game, Move, Occasion, Player
from games.queries.tables.days import why_no_day
from games.queries.tables.turns import next_number
from games.table import changes, lifecycle

#: Why the site refuses, by the codes of `why_no_day`: what the player is not, and what stands in the way now.
_NOT_A_GIVER: Mapping[str, Promise] = {
    "retired": _("You are no longer playing in this game."),
    "program": _("Bots have no day to give."),
}
_NOT_NOW: Mapping[str, Promise] = {
    "paused": _("The game is paused, and all clocks stand still. Give your day later."),
    "own-turn": _("It is your own turn. Only the other players can give you a day."),
    "no-clock": _("No clock is running for this move. A day would change nothing."),
    "quick-game": _("The clocks of this game hold less than a day. Ask for a pause instead."),
    "day-given": _("You have already given a day in this game. Each player can give one."),
    "time-is-up": _("The time for this move ran out more than a day ago. One more day would not help."),
}


def check_may_give(game: Game, giver: Player, user: User, now: datetime) -> None:
    """Refuse a player of a running game who can give no day at this moment.

    Raises:
        NotSeated, WrongStatus: with the code of `why_no_day`.

    """
    code = why_no_day(game, giver, user, now)
    if code in _NOT_A_GIVER:
        raise NotSeated(_NOT_A_GIVER[code], code=code)
    if code:
        raise WrongStatus(_NOT_NOW[code], code=code)


def give(game: Game, played: Sequence[Move], giver: Player, now: datetime, *, silent_for: Collection[int] = ()) -> None:
    """Record that a player of a locked, running game gives a day to the one who is to play, and tell it after commit.

    The person who gets it is notified, unless they are among `silent_for`.
    """
    receiver = next(player for player in game.players.all() if player.seat == game.turn_seat)
    game.version += 1
    game.changed_at = now
    # Another server's clock may have been ahead: no day is given before the turn that it is for.
    at = max(now, game.turn_since or now)
    day = [game.version, next_number(game), giver.seat, receiver.seat, at.isoformat(), game.move_count + 1]
    game.given_days = [*game.given_days, day]
    lifecycle.put_off(game, played, now)
    counters.touch(changes.lists_of(game))
    events.publish(events.DayGiven(**changes.about(game), seat=receiver.seat))
    people = changes.people_seated([receiver]).difference(silent_for)
    changes.record(game, Occasion.DAY_GIVEN, people, now, event=game.version, other=giver.user_id)
