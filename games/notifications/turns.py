"""Notifying a player that it is their turn: once a turn, and not while they look at the game."""

from collections.abc import Iterable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, Case, F, Q, QuerySet, When

from accounts.database.prepared import Prepared
from games.models import Game, Notification, Occasion, Player
from games.notifications.announce import announce_game
from games.notifications.channels import CHANNELS, REACHED
from games.notifications.known import knows_turn
from games.queries.notices.notices import has_doubtful_device
from games.queries.tables.turns import next_number, to_play

#: At most this many turns are settled by one query.
TURNS_AT_ONCE = 200


def _ways(player: Any) -> QuerySet[Player, tuple[bool, ...]]:
    by = {f"by_{channel.name}": Case(When(channel.players, then=True), default=False) for channel in CHANNELS}
    # Of several devices of a person each is a row, all alike.
    found = Player.objects.filter(pk=player).annotate(**by, is_doubtful=has_doubtful_device("user"))
    return found.values_list("is_doubtful", *by)[:1]


_WAYS = Prepared(_ways, player=BigIntegerField())


def ways_of_turn(player_id: int) -> list[tuple[str, bool]]:
    """Return the channels by which the person in this seat can perhaps be notified; none for a bot.

    Each with whether some device of theirs has not answered. One query, for which every move waits.
    """
    is_doubtful, *reached = _WAYS.first(player=player_id) or (True,)
    return [(channel.name, is_doubtful) for channel, is_reached in zip(CHANNELS, reached, strict=False) if is_reached]


def announce_turn(player_id: int, number: int, *, now: datetime) -> list[int]:
    """Announce to the player that this move is theirs, if that is due; return the deliveries to be sent now.

    Safe to repeat and to run twice at once: of two workers one settles the turn, in the transaction that stores the
    notification. What is lost after that the sweep finds in the outbox.
    """
    player = to_play().filter(REACHED, pk=player_id, game__is_notice_due=True).first()
    if player is None or next_number(player.game) != number or not _record(player, number, now):
        return []
    # Nothing else that has happened there: it has a grace of its own, in which people may see it themselves.
    own = Q(user=player.user_id, occasion=Occasion.TURN, event=number)
    return announce_game(player.game_id, now=now, only=own)


@transaction.atomic
def _record(player: Player, number: int, now: datetime) -> bool:
    """Settle the turn, and store that the player is to be notified; return whether that is so."""
    if not settle_turns([(player.game_id, number)]) or player.user_id is None or knows_turn(player, number, now):
        return False
    return Notification.objects.record(Occasion.TURN, player.game, [player.user_id], now, event=number)


def settle_turns(turns: Iterable[tuple[int, int]]) -> int:
    """Remember that no one is to be notified of these turns any more, each a game and the number of the move.

    Return how many were not settled yet. One query for 200, none without turns. A game that has moved on meanwhile
    keeps its new turn.
    """
    due = [Q(pk=game, move_count=number - 1 - F("spent_numbers")) for game, number in turns]
    batches = [reduce(or_, due[start : start + TURNS_AT_ONCE]) for start in range(0, len(due), TURNS_AT_ONCE)]
    return sum(Game.objects.filter(batch, is_notice_due=True).update(is_notice_due=False) for batch in batches)
