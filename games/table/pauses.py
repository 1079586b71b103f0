"""Pauses of a running game: asked for, begun, ended, by its people or for its bots alone."""

from collections.abc import Collection
from datetime import datetime

from games import events
from games.base import counters
from games.models import Game, Occasion, Player
from games.queries.tables.pauses import still_to_agree
from games.table import cached, changes
from games.table.progress import table_of


def pause_bots(game: Game, now: datetime) -> None:
    """Pause a locked, running game between bots, and tell it after commit."""
    _hold(game, True, now)
    events.publish(events.GamePaused(**changes.about(game)))


def resume_bots(game: Game, now: datetime) -> None:
    """Resume a locked, paused game between bots, and tell it after commit."""
    _hold(game, False, now)
    events.publish(events.GameResumed(**changes.about(game), due=changes.due_turn(game)))


def _hold(game: Game, is_paused: bool, now: datetime) -> None:
    game.is_paused, game.pause_version = is_paused, game.version + 1
    game.is_bot_due = game.turn_seat is not None and not is_paused
    game.save(update_fields=["is_paused", "pause_version", "is_bot_due"])
    changes.grow(game, now)


def want_pause(game: Game, player: Player, now: datetime) -> None:
    """Note that a player of a locked, running game wants a pause, as the first one or as others do, and tell it.

    It begins once all want it who have to (`cached.settle_pause`). Those who are waited for are notified of the first,
    and all but the last one that it begins.
    """
    is_first = not game.pause_request
    game.pause_request = [*(game.pause_request or [game.version + 1, now.isoformat()]), player.seat]
    _follow_pause(game, now, player.user_id)
    if is_first and game.pause_request:
        free = [each.seat for each in game.players.all() if each.retired or each.is_away]
        asked = still_to_agree(game, [player.seat], free)
        people = changes.people_seated(each for each in game.players.all() if each.seat in asked)
        changes.record(game, Occasion.PAUSE, people, now, event=game.version, other=player.user_id)


def drop_request(game: Game, now: datetime) -> None:
    """Note that a pause is asked for no more in a locked, running game, and tell it."""
    game.pause_request = []
    _follow_pause(game, now)


def finish_pause(game: Game, now: datetime, by: int | None = None) -> None:
    """End the pause of a locked game between people, with the time that was left, and tell it.

    Those who play are notified, but for the person `by` whom it ends.
    """
    game.end_pause(now, game.version + 1)
    _follow_pause(game, now)
    people = changes.people_seated(player for player in game.players.all() if not player.retired) - {by}
    changes.record(game, Occasion.RESUMED, people, now, event=game.version, other=by)


def _follow_pause(game: Game, now: datetime, by: int | None = None) -> None:
    """Save what follows from the facts of a pause that have changed, in the next version, and tell it after commit.

    If it begins by the doing of the person `by`, the others are notified.
    """
    was_paused, played = game.is_paused, list(game.moves.all())
    table = table_of(game, played)
    game.version += 1
    game.changed_at = now
    cached.settle_pause(game, table, now)
    cached.save_rows(game, cached.write_rows(game, table, played))
    counters.touch(changes.lists_of(game))
    if game.is_paused:
        events.publish(events.GamePaused(**changes.about(game)))
        record_pause(game, now, {by})
    elif was_paused:
        events.publish(events.GameResumed(**changes.about(game), due=changes.due_turn(game)))
    else:
        events.publish(events.PauseAsked(**changes.about(game)))


def record_pause(game: Game, now: datetime, by: Collection[int | None]) -> None:
    """Store for those who still play, but for those by whose doing it is, that a pause has just begun, if one has."""
    if game.is_paused and game.pause_version == game.version:
        people = changes.people_seated(player for player in game.players.all() if not player.retired)
        changes.record(game, Occasion.PAUSED, people.difference(by), now, event=game.version)
