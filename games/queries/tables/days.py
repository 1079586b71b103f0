"""The days that players give each other: who may give one now."""

from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games import clock
from games.models import Game, Player
from games.queries.tables.turns import rest_now

A_DAY = timedelta(days=1)


def why_no_day(game: Game, giver: Player, user: User | AnonymousUser, now: datetime) -> str:
    """Return the code of why a player of a running game can give no day at this moment; empty where they can.

    Needs the players fetched.
    """
    if giver.retired:
        return "retired"
    if isinstance(user, User) and user.is_bot:
        return "program"
    if game.is_paused:
        return "paused"
    if game.turn_seat == giver.seat:
        return "own-turn"
    if game.deadline is None:
        return "no-clock"
    if not game.time_control.allows_rests:
        return "quick-game"
    if any(day.giver == giver.seat for day in game.days_given):
        return "day-given"
    is_late = clock.is_past(game.deadline, now)
    return "time-is-up" if is_late and clock.is_past(clock.after(game.deadline, A_DAY, rest_now(game)), now) else ""
