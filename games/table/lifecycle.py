"""What follows a move at a table: start, automatic passes, next colour, clocks, deadline, end, scores.

A game is advanced move by move (`games.table.progress`), whether the move is being made or was made long ago; so the
cache in the rows (`games.table.cached`) is always what the moves say, and `rebuild` can prove it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games import clock, events
from games.base import counters
from games.errors import Refused
from games.models import AWAY_AFTER, Game, Holiday, Kind, Move, Occasion, Player, Reason, Return, StandingTable, Status
from games.rules import IllegalPlacement, Position
from games.table import alone, cached, changes, pauses
from games.table.progress import first_table, table_of


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


def start(game: Game, now: datetime) -> None:
    """Start the game and save it: its first move is due, after those that are given, and the clock runs.

    No event is published. Two queries more where moves are given, whose time is then that of the start.
    """
    game.status = Status.RUNNING
    game.started_at = now
    changes.stop_waiting(game)
    noted = [
        player for player in game.players.all() if game.time_control.allows_rests and player.note_quiet_hours(None)
    ]
    on_holiday = _note_holidays(game, now)
    table, given = first_table(game, now), list(game.moves.all()) if game.given_moves else []
    if given:
        game.moves.update(played_at=now)
        table.replay(given, ())
    rows = cached.write_rows(game, table, given)
    for player in noted:
        rows.note_field(player, "quiet_hours")
    for player in on_holiday:
        rows.note_field(player, "holidays")
    cached.save_rows(game, rows)


def _note_holidays(game: Game, now: datetime) -> list[Player]:
    """Note the holidays of the people of a game that begins; return the seats that have any. One query, or none."""
    people = {player.user_id: player for player in game.players.all() if player.user_id is not None}
    if not people or not game.time_control.allows_rests:
        return []
    taken = list(Holiday.objects.filter(user__in=people, ends_at__gt=now).order_by("begins_at"))
    for each in taken:
        people[each.user_id].note_holiday(game.version, max(each.begins_at, now), each.ends_at)
    return [player for player in people.values() if player.holidays]


def start_if_full(game: Game, now: datetime, *, seen_since: datetime | None = None) -> bool:
    """Start the open game, in this transaction, if no seat is empty; return whether it did.

    Those who have just sat down see it begin, now or from the other moment on; the others are notified.
    """
    if not all(player.is_taken for player in game.players.all()):
        return False
    start(game, now)
    counters.count_start(game)
    events.publish(events.GameStarted(**changes.about(game), turn_seat=game.turn_seat or 0, due=changes.due_turn(game)))
    since = seen_since or now
    waiting = [each for each in game.players.all() if each.joined_at is None or not since <= each.joined_at <= now]
    changes.record(game, Occasion.STARTED, changes.people_seated(waiting), now)
    changes.post_occasion(game, Occasion.STARTED, now)
    changes.post_turn(game, now)
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
    game.changed_at, game.takeback_request = now, []
    cached.settle_pause(game, table, now)
    moves = [*played, *rows]
    changed = cached.write_rows(game, table, moves)
    alone.note_move(game, move, now)
    cached.save_rows(game, changed)
    if game.status == Status.FINISHED:
        _call_for_next(game, now)
    _count(game)
    # Before notices are recorded: what is published first is told first after the commit, and pages wait for a move.
    _tell(game, rows)
    pauses.record_pause(game, now, _actor(game, move))
    if move.bot:
        _note_missed(game, move, now)
    if game.status == Status.FINISHED:
        changes.record(game, Occasion.OVER, changes.people_seated(game.players.all()) - _actor(game, move), now)
        changes.post_occasion(game, Occasion.OVER, now)
    changes.post_turn(game, now)
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
    game.changed_at, game.takeback_request = now, []
    alone.end_alone(game)
    cached.save_rows(game, cached.write_rows(game, table, played))
    counters.touch(changes.lists_of(game))
    events.publish(events.PlayerReturned(**changes.about(game), seat=player.seat))
    return Outcome(game, game.move_count, game.version, moves=played, position=table.position)


def put_off(game: Game, played: Sequence[Move], now: datetime, noted: Player | None = None) -> None:
    """Save the later end of a turn that goes on, with the holidays of a player in whose seat they are noted.

    Who has been told of the turn is not told again.
    """
    is_notice_due, table = game.is_notice_due, table_of(game, played)
    rows = cached.write_rows(game, table, played)
    game.is_notice_due = is_notice_due
    marks = clock.reminders(game.turn_since, game.deadline, table.rest(game.turn_seat or 0))
    game.remind_at = min((mark for mark in marks if mark > now), default=None)
    if noted is not None:
        rows.note_field(noted, "holidays")
    cached.save_rows(game, rows)


def recompute(game: Game, moves: Sequence[Move]) -> cached.RowChanges:
    """Work out the cached fields of a started game again from its facts; return what else that changes.

    Those are the moves that stand, the returns of players, and what was taken back (a query each).

    Nothing is saved. Every move is checked by the rules as if it were played now.

    Raises:
        IllegalPlacement: a stored move is not lawful.

    """
    if game.started_at is None:
        raise ValueError(f"game {game.pk} has not started")
    table = first_table(game, game.started_at)
    takebacks = game.takebacks.all()
    table.replay(moves, [one for player in game.players.all() for one in player.returns.all()], takebacks)
    game.move_count = len(moves)
    game.spent_numbers = sum(1 + len(one.moves) for one in takebacks)
    return cached.write_rows(game, table, moves)


def rebuild(game: Game) -> None:
    """Save what `recompute` says about a locked game."""
    cached.save_rows(game, recompute(game, list(game.moves.all())))


def _note_missed(game: Game, move: Move, now: datetime) -> None:
    """Store for a player for whom a bot has just played that it did, and once that it goes on doing so."""
    player = next(player for player in game.players.all() if player.seat == move.seat)
    if player.user_id is not None and player.missed in (1, AWAY_AFTER) and game.status == Status.RUNNING:
        occasion = Occasion.AWAY if player.is_away else Occasion.MISSED
        changes.record(game, occasion, [player.user_id], now, event=move.number)


def _actor(game: Game, move: Move) -> set[int]:
    """Return the person who made the move; no one's time runs out by their own hand."""
    if move.retired == Reason.OUT_OF_TIME:
        return set()
    return changes.people_seated(player for player in game.players.all() if player.seat == move.seat)


def _date(game: Game, rows: Sequence[Move], now: datetime) -> None:
    row = rows[-1]
    row.game, row.number, row.version, row.played_at = game, game.move_count + len(rows), game.version, now


def _call_for_next(game: Game, now: datetime) -> None:
    """Note that the next game is due where this one was of a standing table. No query for a game that is of no group.

    Before counters, whose rows are locked last.
    """
    if game.group_id is None:
        return
    for standing in StandingTable.objects.select_for_update(no_key=True).filter(game=game):
        StandingTable.objects.filter(pk=standing.pk).update(due_at=now)
        events.publish(events.StandingTableDue(standing_id=standing.pk))


def _count(game: Game) -> None:
    """Keep the counters in step with a move that has been saved."""
    with counters.together():
        counters.touch(changes.lists_of(game))
        if game.status == Status.FINISHED:
            counters.count_end(game)


def _tell(game: Game, rows: Sequence[Move]) -> None:
    about, due = changes.about(game), changes.due_turn(game)
    first, last = rows[0].number, rows[-1].number
    events.publish(events.MovePlayed(**about, first_number=first, last_number=last, turn_seat=game.turn_seat, due=due))
    if game.status == Status.FINISHED:
        events.publish(events.GameFinished(**about, reason=game.reason))
