"""Reminding players of a deadline that is near."""

from datetime import datetime

from django.db import transaction

from games import clock, events
from games.models import Game, Notification, Occasion
from games.queries.tables.turns import first_reminder, rest_of_turn

#: At most this many games are looked at in one round; the rest comes next.
REMINDERS_AT_ONCE = 200


def remind(now: datetime) -> set[int]:
    """Store that deadlines are near, each reminder once; return the games. One query where none is due.

    A game says by `remind_at` when to look at it. What is due then follows from its deadline as it is now, which may
    have been put off.
    """
    due = Game.objects.filter(remind_at__lte=now).order_by("remind_at")
    return {game.pk for game in due[:REMINDERS_AT_ONCE] if _remind_of(game, now)}


@transaction.atomic
def _remind_of(game: Game, now: datetime) -> bool:
    marks = clock.reminders(game.turn_since, game.deadline, rest_of_turn(game))
    passed = [number for number, mark in enumerate(marks) if mark <= now]
    turn = {"move_count": game.move_count, "spent_numbers": game.spent_numbers}
    same = Game.objects.filter(pk=game.pk, remind_at=game.remind_at, **turn)
    if not same.update(remind_at=min((mark for mark in marks if mark > now), default=None)):
        return False
    # A site that was down reminds once, by the latest; and of what is over it does not remind.
    if not passed or game.turn_user_id is None or clock.is_past(game.deadline, now):
        return False
    event = first_reminder(game) + passed[-1]
    events.publish(events.NoticesRecorded(game_id=game.pk))
    return Notification.objects.record(Occasion.DEADLINE, game, [game.turn_user_id], now, event=event)
