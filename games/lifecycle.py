"""What follows a change at a table: start, automatic passes, next colour, clocks, deadline, end, scores.

A `Table` is a game in progress as a value in memory. It is advanced move by move, whether the move is being made or was
made long ago; so the cache in the rows is always what the moves say, and `rebuild` can prove it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from games import clock, events, positions
from games.errors import Refused
from games.models import Game, Kind, Move, Player, Reason, Status
from games.queries import sentences
from games.rules import IllegalPlacement, Position

#: What the moves alone say: the fields that `recall` rebuilds.
GAME_CACHE = (
    "status",
    "finished_at",
    "move_count",
    "board",
    "turn_colour",
    "turn_seat",
    "turn_since",
    "deadline",
    "reason",
)
SEAT_CACHE = ("clock", "retired", "score", "is_winner")


@dataclass(frozen=True)
class Outcome:
    """The answer to a move: its number, and the game's version just after it. The same request has the same answer."""

    game: Game
    number: int
    version: int
    is_repeat: bool = False


@dataclass
class Table:
    """A running game: the position, when the turn began, and each seat's clock when its next turn begins."""

    position: Position
    since: datetime
    clocks: dict[int, int | None]
    control: clock.TimeControl

    def advance(self, move: Move) -> None:
        """Play one move on. A retirement out of turn leaves the running turn and its clock alone.

        Raises:
            IllegalPlacement: the rules refuse it; nothing has changed.

        """
        after = positions.step(self.position, move)
        if move.kind != Kind.RETIRE and not move.is_automatic:
            left = self.clocks[move.seat]
            self.clocks[move.seat] = clock.after_move(self.control, left, self.since, move.played_at)
        if move.kind != Kind.RETIRE or move.seat == self.position.seat:
            self.since = move.played_at
        self.position = after

    def automatic_pass(self, declares_passes: bool) -> Move | None:
        """Return the pass that the colour to play makes without being asked, if it makes one.

        Rule: R7 (a blocked colour, unless passes are declared; every colour once none can place)
        """
        position = self.position
        colour, seat = position.colour, position.seat
        if colour is None or seat is None or not position.is_blocked(colour):
            return None
        if declares_passes and not all(map(position.is_blocked, position.colours_in_play)):
            return None
        return Move(kind=Kind.PASS, seat=seat, colour=colour, is_automatic=True)


def cached_of_seat(player: Player) -> tuple[object, ...]:
    """Return what the seat's row holds of the cache."""
    return tuple(getattr(player, name) for name in SEAT_CACHE)


def users_of(game: Game) -> tuple[int, ...]:
    """Return the accounts whose lists the game is in: seated, invited, or its creator."""
    seats = (pk for player in game.players.all() for pk in (player.user_id, player.invitee_id))
    return tuple(sorted({game.creator_id, *(pk for pk in seats if pk is not None)}))


def time_of(game: Game) -> clock.TimeControl:
    """Return what was agreed about time."""
    return clock.TimeControl(game.time_initial, game.time_increment, game.time_cap)


def grow(game: Game, now: datetime) -> None:
    """Save that something visible has changed: the next version."""
    game.version += 1
    game.changed_at = now
    game.save(update_fields=["version", "changed_at"])


def pause(game: Game, now: datetime) -> None:
    """Let the bots of a locked, running game wait, and tell it after commit."""
    _hold(game, True, now)
    events.publish(events.GamePaused(**about(game)))


def resume(game: Game, now: datetime) -> None:
    """Let the bots of a locked, paused game go on, and tell it after commit."""
    _hold(game, False, now)
    events.publish(events.GameResumed(**about(game)))


def _hold(game: Game, is_paused: bool, now: datetime) -> None:
    game.is_paused = is_paused
    game.save(update_fields=["is_paused"])
    grow(game, now)


def start(game: Game, now: datetime) -> None:
    """Let the game begin and save it: move 1 is due and its clock runs. Nobody is told."""
    game.status = Status.RUNNING
    game.started_at = now
    _save(game, _write(game, _first_table(game, now), ()))


def start_if_full(game: Game, now: datetime) -> bool:
    """Start the open game, in this transaction, if no seat is empty; return whether it did."""
    if any(player.user_id is None and not player.bot for player in game.players.all()):
        return False
    start(game, now)
    turn_seat = game.turn_seat or 0
    events.publish(events.GameStarted(**about(game), turn_seat=turn_seat))
    return True


def play(game: Game, played: Sequence[Move], move: Move, now: datetime) -> Outcome:
    """Record one move of a locked, running game and all that follows from it, and tell it after commit.

    `played` are all moves so far. `move` needs kind and seat (and what belongs to its kind); the rest is filled in.

    Raises:
        Refused: the rules refuse it; nothing has changed (R11).

    """
    table = _table_of(game, played)
    game.version += 1
    rows = [move]
    _date(game, rows, now)
    try:
        table.advance(move)
    except IllegalPlacement as illegal:
        raise refused(illegal) from illegal
    while automatic := table.automatic_pass(game.declares_passes):
        rows.append(automatic)
        _date(game, rows, now)
        table.advance(rows[-1])
    Move.objects.bulk_create(rows)
    game.move_count += len(rows)
    game.changed_at = now
    _save(game, _write(game, table, [*played, *rows]))
    _tell(game, rows)
    return Outcome(game, move.number, game.version)


def retire(
    game: Game, played: Sequence[Move], player: Player, reason: Reason, key: str | None, now: datetime
) -> Outcome:
    """Record that a seat gives up or has run out of time.

    Rule: R12
    """
    move = Move(kind=Kind.RETIRE, seat=player.seat, retired=reason, client_key=key or None)
    return play(game, played, move, now)


def recall(game: Game, moves: Sequence[Move]) -> list[Player]:
    """Work out the cached fields of a started game again from its moves alone; return the seats that it changed.

    Nothing is saved. Every move is checked by the rules as if it were played now.

    Raises:
        IllegalPlacement: a stored move is not lawful.

    """
    if game.started_at is None:
        raise ValueError(f"game {game.pk} has not started")
    table = _first_table(game, game.started_at)
    for move in moves:
        table.advance(move)
    game.move_count = len(moves)
    return _write(game, table, moves)


def rebuild(game: Game) -> None:
    """Save what `recall` says about a locked game."""
    _save(game, recall(game, list(game.moves.all())))


def _first_table(game: Game, now: datetime) -> Table:
    control = time_of(game)
    # Nobody waits for a bot as for a person: a bot's seat has no clock, and the sweep sees to it that it moves.
    clocks = {player.seat: None if player.bot else control.initial for player in game.players.all()}
    return Table(positions.start_of(game), now, clocks, control)


def _table_of(game: Game, played: Iterable[Move]) -> Table:
    if game.turn_since is None:
        raise ValueError(f"game {game.pk} is not running")
    clocks = {player.seat: player.clock for player in game.players.all()}
    return Table(positions.position_of(game, played), game.turn_since, clocks, time_of(game))


def refused(illegal: IllegalPlacement) -> Refused:
    """Return the app's error for a refusal of the rules, with their reasons and cells unchanged."""
    sentence = " ".join(sentences.reason(code, illegal.names[code]) for code in illegal.reasons)
    return Refused(sentence, reasons=illegal.reasons, cells=illegal.cells)


def _date(game: Game, rows: Sequence[Move], now: datetime) -> None:
    row = rows[-1]
    row.game, row.number, row.version, row.played_at = game, game.move_count + len(rows), game.version, now


def _write(game: Game, table: Table, moves: Sequence[Move]) -> list[Player]:
    """Write what the table and the moves say into the cached fields; return the seats that it changed."""
    position = table.position
    game.board = position.board
    if position.is_over:
        game.status = Status.FINISHED
        game.finished_at = moves[-1].played_at
        game.reason = _reason(position, moves)
        game.turn_colour, game.turn_seat, game.turn_since, game.deadline = "", None, None, None
    else:
        seat = position.seat or 0
        game.status, game.finished_at, game.reason = Status.RUNNING, None, ""
        game.turn_colour, game.turn_seat, game.turn_since = position.colour or "", seat, table.since
        game.deadline = clock.deadline(table.since, table.clocks[seat])
    return _write_seats(game, table, {move.seat: move.retired for move in moves if move.kind == Kind.RETIRE})


def _write_seats(game: Game, table: Table, retired: dict[int, str]) -> list[Player]:
    scores = table.position.seat_scores() if table.position.is_over else ()
    winners, changed = table.position.winners(), []
    for player in game.players.all():
        before = cached_of_seat(player)
        player.clock = table.clocks[player.seat]
        player.retired = retired.get(player.seat, "")
        player.score = scores[player.seat] if scores else None
        player.is_winner = player.seat in winners
        if cached_of_seat(player) != before:
            changed.append(player)
    return changed


def _save(game: Game, changed: Sequence[Player]) -> None:
    game.save()
    if changed:
        Player.objects.bulk_update(changed, SEAT_CACHE)


def _reason(position: Position, moves: Sequence[Move]) -> str:
    """Return why the game ended: by the retirement that left one seat, by passes, or by a single one.

    Rule: R8, R12
    """
    if len(position.retired) < len(position.seats) - 1:
        return Reason.PLAYED_OUT if position.has_all_passed else Reason.TRAILING
    return next(move.retired for move in reversed(moves) if move.kind == Kind.RETIRE)


def about(game: Game) -> events.About:
    """Return what every event says about its game."""
    return {
        "game_id": game.pk,
        "slug": game.slug,
        "version": game.version,
        "is_public": game.is_public,
        "users": users_of(game),
    }


def _tell(game: Game, rows: Sequence[Move]) -> None:
    first, last = rows[0].number, rows[-1].number
    events.publish(events.MovePlayed(**about(game), first_number=first, last_number=last, turn_seat=game.turn_seat))
    if game.status == Status.FINISHED:
        events.publish(events.GameFinished(**about(game), reason=game.reason))
