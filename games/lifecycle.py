"""What follows a change at a table: start, automatic passes, next colour, clocks, deadline, end, scores.

A game is advanced move by move (`games.progress`), whether the move is being made or was made long ago; so the cache in
the rows (`games.cached`) is always what the moves say, and `rebuild` can prove it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games import cached, counters, events
from games.errors import Refused
from games.models import (
    AWAY_AFTER,
    Access,
    Game,
    Kind,
    ListVersion,
    Move,
    Notification,
    Occasion,
    Player,
    Reason,
    Return,
    Status,
    Webhook,
    WebhookPost,
)
from games.progress import first_table, table_of
from games.queries.pauses import still_to_agree
from games.queries.turns import next_number
from games.rules import IllegalPlacement, Position

#: An open table is cancelled when no one has joined or left it for so long.
OPEN_FOR = timedelta(days=14)


@dataclass(frozen=True)
class Outcome:
    """The answer to a move: its number, and the game's version just after it. The same request has the same answer.

    `moves` are all moves of the game and `position` is where they have led; None says that this is not known any more.
    """

    game: Game
    number: int
    version: int
    is_repeat: bool = False
    moves: Sequence[Move] = ()
    position: Position | None = None


def users_of(game: Game) -> tuple[int, ...]:
    """Return the accounts whose lists the game is in: seated, invited, or its creator."""
    seats = (pk for player in game.players.all() for pk in (player.user_id, player.invitee_id))
    return tuple(sorted({game.creator_id, *(pk for pk in seats if pk is not None)}))


def grow(game: Game, now: datetime, former: Iterable[int] = ()) -> None:
    """Save that something visible has changed: the next version, of the lists too that the game is in.

    `former` are the accounts that have just left it.
    """
    game.version += 1
    game.changed_at = now
    keep_waiting(game, game.players.all(), now)
    game.save(update_fields=["version", "changed_at", "expires_at", "is_listed"])
    counters.touch({*lists_of(game), *former})


def keep_waiting(game: Game, players: Iterable[Player], now: datetime) -> None:
    """Work out how long an open table waits from now on, and whether the lobby shows it: a seat is free for anyone."""
    if game.status == Status.OPEN:
        game.expires_at = now + OPEN_FOR
        game.is_listed = game.is_public and any(map(_is_for_anyone, players))


def stop_waiting(game: Game) -> None:
    """Note that a table has started or was cancelled."""
    game.expires_at, game.is_listed = None, False
    game.fill_at, game.fill_bot = None, ""


def _is_for_anyone(player: Player) -> bool:
    return player.user_id is None and not player.bot and player.access == Access.OPEN


def lists_of(game: Game) -> set[int]:
    """Return the owners of the lists that the game is in: its people, and the lobby while it is a public open table."""
    is_listed = game.is_public and game.status == Status.OPEN
    return {*users_of(game), *([ListVersion.LOBBY] if is_listed else [])}


def pause_bots(game: Game, now: datetime) -> None:
    """Let the bots of a locked, running game wait, and tell it after commit."""
    _hold(game, True, now)
    events.publish(events.GamePaused(**about(game)))


def resume_bots(game: Game, now: datetime) -> None:
    """Let the bots of a locked, paused game go on, and tell it after commit."""
    _hold(game, False, now)
    events.publish(events.GameResumed(**about(game), due=due_turn(game)))


def _hold(game: Game, is_paused: bool, now: datetime) -> None:
    game.is_paused, game.pause_version = is_paused, game.version + 1
    game.is_bot_due = game.turn_seat is not None and not is_paused
    game.save(update_fields=["is_paused", "pause_version", "is_bot_due"])
    grow(game, now)


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
        people = _seated(each for each in game.players.all() if each.seat in asked)
        record(game, Occasion.PAUSE, people, now, event=game.version, other=player.user_id)


def drop_request(game: Game, now: datetime) -> None:
    """Note that a pause is asked for no more in a locked, running game, and tell it."""
    game.pause_request = []
    _follow_pause(game, now)


def finish_pause(game: Game, now: datetime, by: int | None = None) -> None:
    """Let a locked game that people have paused go on, with the time that was left, and tell it.

    Those who play are notified, but for the person `by` whom it ends.
    """
    game.end_pause(now, game.version + 1)
    _follow_pause(game, now)
    people = _seated(player for player in game.players.all() if not player.retired) - {by}
    record(game, Occasion.RESUMED, people, now, event=game.version, other=by)


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
    counters.touch(lists_of(game))
    if game.is_paused:
        _record_pause(game, now, {by})
        events.publish(events.GamePaused(**about(game)))
    elif was_paused:
        events.publish(events.GameResumed(**about(game), due=due_turn(game)))
    else:
        events.publish(events.PauseAsked(**about(game)))


def _record_pause(game: Game, now: datetime, by: Collection[int | None]) -> None:
    """Store for those who still play, but for those by whose doing it is, that a pause has just begun, if one has."""
    if game.is_paused and game.pause_version == game.version:
        people = _seated(player for player in game.players.all() if not player.retired)
        record(game, Occasion.PAUSED, people.difference(by), now, event=game.version)


def start(game: Game, now: datetime) -> None:
    """Let the game begin and save it: move 1 is due and its clock runs. No event is published."""
    game.status = Status.RUNNING
    game.started_at = now
    stop_waiting(game)
    noted = [
        player for player in game.players.all() if game.time_control.allows_rests and player.note_quiet_hours(None)
    ]
    changes = cached.write_rows(game, first_table(game, now), ())
    for player in noted:
        changes.note_field(player, "quiet_hours")
    cached.save_rows(game, changes)


def start_if_full(game: Game, now: datetime) -> bool:
    """Start the open game, in this transaction, if no seat is empty; return whether it did."""
    if any(player.user_id is None and not player.bot for player in game.players.all()):
        return False
    start(game, now)
    counters.count_start(game)
    # Those who have just sat down see it begin.
    waiting = [player for player in game.players.all() if player.joined_at != now]
    record(game, Occasion.STARTED, _seated(waiting), now)
    _post(game, Occasion.STARTED, now)
    _post_turn(game, now)
    events.publish(events.GameStarted(**about(game), turn_seat=game.turn_seat or 0, due=due_turn(game)))
    return True


def play(game: Game, played: Sequence[Move], move: Move, now: datetime) -> Outcome:
    """Record one move of a locked, running game and all that follows from it, and tell it after commit.

    `played` are all moves so far. `move` needs kind and seat (and what belongs to its kind); the rest is filled in.

    Raises:
        Refused: the rules refuse it; nothing has changed (R11).

    """
    table = table_of(game, played)
    game.version += 1
    rows = [move]
    _date(game, rows, now)
    try:
        table.advance(move)
    except IllegalPlacement as illegal:
        raise Refused.of(illegal) from illegal
    while automatic := table.automatic_pass(game.declares_passes):
        rows.append(automatic)
        _date(game, rows, now)
        table.advance(rows[-1])
    Move.objects.bulk_create(rows)
    game.move_count += len(rows)
    game.changed_at = now
    cached.settle_pause(game, table, now)
    moves = [*played, *rows]
    cached.save_rows(game, cached.write_rows(game, table, moves))
    _count(game)
    _record_pause(game, now, _actor(game, move))
    if move.bot:
        _note_missed(game, move, now)
    if game.status == Status.FINISHED:
        record(game, Occasion.OVER, _seated(game.players.all()) - _actor(game, move), now)
        _post(game, Occasion.OVER, now)
    _post_turn(game, now)
    _tell(game, rows)
    return Outcome(game, move.number, game.version, moves=moves, position=table.position)


def retire(
    game: Game, played: Sequence[Move], player: Player, reason: Reason, key: str | None, now: datetime
) -> Outcome:
    """Record that a seat gives up or has run out of time.

    Rule: R12
    """
    move = Move(kind=Kind.RETIRE, seat=player.seat, retired=reason, client_key=key or None)
    return play(game, played, move, now)


def bring_back(game: Game, played: Sequence[Move], player: Player, now: datetime) -> Outcome:
    """Record that a player who was away plays again in a locked, running game, and tell it after commit."""
    table = table_of(game, played)
    table.come_back(player.seat, now)
    Return.objects.create(player=player, number=game.move_count + 1, returned_at=now)
    game.version += 1
    game.changed_at = now
    cached.save_rows(game, cached.write_rows(game, table, played))
    counters.touch(lists_of(game))
    events.publish(events.PlayerReturned(**about(game), seat=player.seat))
    return Outcome(game, game.move_count, game.version, moves=played, position=table.position)


def recall(game: Game, moves: Sequence[Move]) -> cached.RowChanges:
    """Work out the cached fields of a started game again from its moves and returns; return what else that changes.

    Nothing is saved. Every move is checked by the rules as if it were played now.

    Raises:
        IllegalPlacement: a stored move is not lawful.

    """
    if game.started_at is None:
        raise ValueError(f"game {game.pk} has not started")
    table = first_table(game, game.started_at)
    table.replay(moves, [one for player in game.players.all() for one in player.returns.all()])
    game.move_count = len(moves)
    return cached.write_rows(game, table, moves)


def rebuild(game: Game) -> None:
    """Save what `recall` says about a locked game."""
    cached.save_rows(game, recall(game, list(game.moves.all())))


def record(
    game: Game,
    occasion: Occasion,
    people: Iterable[int],
    now: datetime,
    *,
    event: int = 0,
    other: int | None = None,
    detail: str = "",
) -> None:
    """Store what these people are to be notified of, and tell it after commit. One insert, none for no one.

    `event` tells one such event of the game from the next, `other` is the person who caused it, `detail` is a code of
    what is said beside.
    """
    if Notification.objects.record(occasion, game, people, now, event=event, other=other, detail=detail):
        events.publish(events.NoticesRecorded(game_id=game.pk))


def _post_turn(game: Game, now: datetime) -> None:
    if game.turn_user_id is not None:
        _post(game, Occasion.TURN, now, event=game.move_count + 1)


def _post(game: Game, occasion: Occasion, now: datetime, event: int = 0) -> None:
    """Store that the game's chat is to hear of it, and tell it after commit. No query for a game without a chat."""
    if game.is_posted:
        WebhookPost.objects.record(game, occasion, event, now)
        events.publish(events.PostsRecorded(game_id=game.pk))


def forget_chat(game: Game, owner: int | None = None) -> None:
    """Post nothing about a game any more, or nothing to the address of one person. No query without a chat."""
    if game.is_posted:
        hooks = Webhook.objects.filter(game=game)
        (hooks if owner is None else hooks.filter(owner=owner)).delete()
        game.is_posted = owner is not None and hooks.exists()
        game.save(update_fields=["is_posted"])


def people_at(game: Game) -> set[int]:
    """Return the people at a table: those who sit there, and the one who opened it."""
    return {game.creator_id, *_seated(game.players.all())}


def _seated(players: Iterable[Player]) -> set[int]:
    return {player.user_id for player in players if player.user_id is not None}


def _note_missed(game: Game, move: Move, now: datetime) -> None:
    """Store for a player for whom a bot has just played that it did, and once that it goes on doing so."""
    player = next(player for player in game.players.all() if player.seat == move.seat)
    if player.user_id is not None and player.missed in (1, AWAY_AFTER) and game.status == Status.RUNNING:
        occasion = Occasion.AWAY if player.is_away else Occasion.MISSED
        record(game, occasion, [player.user_id], now, event=move.number)


def _actor(game: Game, move: Move) -> set[int]:
    """Return the person who made the move; no one's time runs out by their own hand."""
    if move.retired == Reason.OUT_OF_TIME:
        return set()
    return _seated(player for player in game.players.all() if player.seat == move.seat)


def _date(game: Game, rows: Sequence[Move], now: datetime) -> None:
    row = rows[-1]
    row.game, row.number, row.version, row.played_at = game, game.move_count + len(rows), game.version, now


def about(game: Game) -> events.About:
    """Return what every event says about its game."""
    return {
        "game_id": game.pk,
        "slug": game.slug,
        "version": game.version,
        "is_public": game.is_public,
        "users": users_of(game),
    }


def due_turn(game: Game) -> events.DueTurn | None:
    """Return the turn that is due in a game and who takes it, None while no one is to move or its bots are paused."""
    player = next((player for player in game.players.all() if player.seat == game.turn_seat), None)
    if player is None or game.is_paused:
        return None
    bot = player.bot or (game.absent_bot if player.is_away else "")
    return events.DueTurn(player.pk, next_number(game), bot, game.bot_pause)


def _count(game: Game) -> None:
    """Keep the counters in step with a move that has been saved."""
    with counters.together():
        counters.touch(lists_of(game))
        if game.status == Status.FINISHED:
            counters.count_end(game)


def _tell(game: Game, rows: Sequence[Move]) -> None:
    first, last, due = rows[0].number, rows[-1].number, due_turn(game)
    events.publish(
        events.MovePlayed(**about(game), first_number=first, last_number=last, turn_seat=game.turn_seat, due=due)
    )
    if game.status == Status.FINISHED:
        events.publish(events.GameFinished(**about(game), reason=game.reason))
