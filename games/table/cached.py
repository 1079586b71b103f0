"""What the rows hold of a game beside its moves: worked out from the moves, and kept so that queries find it."""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from accounts.database.prepared import PreparedSave
from games import clock
from games.base import counters
from games.lines.matching import followed_lines, line_of_seat
from games.models import FEATURED_FROM, LONGEST_PAUSE, Game, Kind, Move, Player, Reason, SeatResult, Status, TallyKey
from games.queries.tables.pauses import still_to_agree
from games.queries.tables.turns import is_turn_planned
from games.rules import Position
from games.table.progress import Table

#: What the moves alone say: the fields that `recompute` rebuilds.
GAME_CACHE = (
    "status",
    "finished_at",
    "move_count",
    "spent_numbers",
    "board",
    "turn_colour",
    "turn_seat",
    "turn_since",
    "deadline",
    "reason",
    "turn_user_id",
    "is_bot_due",
    "is_of_bots",
    "is_featured",
    "is_paused",
    "pause_ends_at",
)
_SAVED = PreparedSave(Game)
#: So many seats are saved one by one, which costs a third of what the statement for several does: most moves change one
#: seat's clock, the end of a duel two.
FEW_SEATS = 2
SEAT_CACHE = (
    *("clock", "missed", "retired", "score", "is_winner"),
    *("is_going", "ended_at", "result", "place", "variant", "is_public", "opening"),
)


def cached_of_seat(player: Player) -> tuple[object, ...]:
    """Return what the seat's row holds of the cache."""
    return tuple(getattr(player, name) for name in SEAT_CACHE)


def write_rows(game: Game, table: Table, moves: Sequence[Move]) -> "RowChanges":
    """Write what the table and the moves say into the cached fields; return what else is to be saved for that."""
    position, tallies = table.position, Counter(dict.fromkeys(counters.tallied(game), -1))
    retired = {move.seat: move.retired for move in moves if move.kind == Kind.RETIRE}
    game.board = position.board
    _write_pause(game)
    if position.is_over:
        game.reason = _reason(position, moves)
        is_void = game.reason == Reason.VOID
        game.status = Status.CANCELLED if is_void else Status.FINISHED
        game.finished_at = None if is_void else moves[-1].played_at
        game.turn_colour, game.turn_seat, game.turn_since, game.deadline = "", None, None, None
    else:
        seat = position.seat or 0
        game.status, game.finished_at, game.reason = Status.RUNNING, None, ""
        game.turn_colour, game.turn_seat, game.turn_since = position.colour or "", seat, table.since
        game.deadline = _deadline(game, table, retired)
    _write_facts(game, table)
    changes = _write_seats(game, table, retired)
    tallies.update(counters.tallied(game))
    changes.tallies.update((key, change) for key, change in tallies.items() if change)
    return changes


def _deadline(game: Game, table: Table, retired: Container[int]) -> datetime | None:
    """Return when the time of the player to move runs out, None where no clock runs."""
    seat = table.position.seat or 0
    people = sum(not player.bot and player.seat not in retired for player in game.players.all())
    if game.is_paused or table.is_away(seat) or not game.time_control.runs_among(people):
        return None
    return table.deadline(seat)


def settle_pause(game: Game, table: Table, now: datetime) -> None:
    """Update a pause, or the request for one, to the present state of the table, without saving.

    It begins once all want it who still play and are not away. A request goes with the player who made it, a pause with
    the last person who could end it, and both with the game.
    """
    gone = table.position.retired
    people = {player.seat for player in game.players.all() if player.user_id is not None and player.seat not in gone}
    request = game.asked_pause
    if table.position.is_over or not people:
        game.end_pause(now, game.version)
    elif request and request.seats[0] in gone:
        game.pause_request = []
    elif request and not still_to_agree(game, request.seats, [*gone, *filter(table.is_away, people)]):
        game.begin_pause(now, game.version)


def _write_pause(game: Game) -> None:
    """Write whether a game in which people sit is paused; in one of bots no fact but the row itself says so."""
    game.is_of_bots = all(player.bot for player in game.players.all())
    since = game.paused_since
    game.pause_ends_at = since and since + LONGEST_PAUSE
    if not game.is_of_bots:
        game.is_paused = since is not None


def _write_facts(game: Game, table: Table) -> None:
    """Write what jobs, lists and the first page find the game by."""
    players = list(game.players.all())
    to_play = next((player for player in players if player.seat == game.turn_seat), None)
    is_away = to_play is not None and table.is_away(to_play.seat)
    # No one is waited for in a pause.
    game.turn_user_id = _waited_for(game, to_play) if to_play and not is_away and not game.is_paused else None
    game.is_bot_due = to_play is not None and (is_away or bool(to_play.bot)) and not game.is_paused
    game.is_notice_due = game.turn_user_id is not None and not game.is_on_one_device
    rest = table.rest(game.turn_seat or 0)
    marks = clock.reminders(game.turn_since, game.deadline, rest) if game.is_notice_due else ()
    game.remind_at = min(marks, default=None)
    game.is_featured = game.is_public and game.move_count - game.given_moves >= FEATURED_FROM


def _waited_for(game: Game, player: Player) -> int | None:
    """Return the account that is to play a seat: that of its person, or the one at whose device the person sits."""
    return game.creator_id if player.is_local else player.user_id


def _write_seats(game: Game, table: Table, retired: dict[int, str]) -> "RowChanges":
    is_over, changes = game.status == Status.FINISHED, RowChanges()
    scores, winners = (table.position.seat_scores(), table.position.winners()) if is_over else ((), ())
    places = table.position.places() if is_over else ()
    # Where moves were given it is no whole game: it is listed, and counts as neither won nor lost. Nor does one against
    # people who are only names.
    is_whole = is_over and not game.given_moves and not game.is_on_one_device
    opened = followed_lines(table.position) if is_whole else ()
    for player in game.players.all():
        before = cached_of_seat(player)
        player.clock = table.clocks[player.seat]
        player.missed = table.missed.get(player.seat, 0)
        player.retired = retired.get(player.seat, "")
        player.score = scores[player.seat] if scores else None
        player.is_winner = player.seat in winners
        player.is_going, player.ended_at = game.status == Status.RUNNING, game.finished_at
        player.result = _result(player, winners) if is_whole else ""
        player.place = places[player.seat] if places and is_whole else None
        player.variant = game.variant_kind if is_over else ""
        player.is_public = game.is_public and is_over
        followed = line_of_seat(opened, table.position.seats[player.seat])
        player.opening = followed.line.key if followed else None
        changes.note(player, before)
        if player.is_planning != (is_planned := is_turn_planned(game, player)):
            player.is_planning = is_planned
            changes.note_field(player, "is_planning")
    return changes


def _result(player: Player, winners: Sequence[int]) -> SeatResult:
    """Return how the game ended for a seat.

    Rule: R9, R12
    """
    if player.seat not in winners:
        return SeatResult.LOST
    return SeatResult.WON if len(winners) == 1 else SeatResult.TIED


@dataclass(frozen=True)
class RowChanges:
    """What is to be saved beside a game's own row: seats and their fields that changed, and what to add to tallies."""

    seats: list[Player] = field(default_factory=list)
    fields: set[str] = field(default_factory=set)
    tallies: dict[TallyKey, int] = field(default_factory=dict)

    def note(self, player: Player, before: Sequence[object]) -> None:
        """Note what differs in a seat from what it held before."""
        differing = {name for name, old in zip(SEAT_CACHE, before, strict=True) if getattr(player, name) != old}
        if differing:
            self.seats.append(player)
            self.fields.update(differing)

    def note_field(self, player: Player, name: str) -> None:
        """Note that a field of a seat is to be saved that is no part of the cache."""
        if player not in self.seats:
            self.seats.append(player)
        self.fields.add(name)


def save_rows(game: Game, changes: RowChanges) -> None:
    """Save the game, and what has changed beside it."""
    _SAVED.save(game)
    if len(changes.seats) <= FEW_SEATS:
        for player in changes.seats:
            player.save(update_fields=changes.fields)
    else:
        Player.objects.bulk_update(changes.seats, changes.fields)
    counters.tally(changes.tallies)


def _reason(position: Position, moves: Sequence[Move]) -> str:
    """Return why the game ended: by the retirement that left one seat, by passes, or by a single one.

    Where that retirement says that the game had not begun, it has no result.

    Rule: R8, R12
    """
    if len(position.retired) < len(position.seats) - 1:
        return Reason.PLAYED_OUT if position.has_all_passed else Reason.TRAILING
    return next(move.retired for move in reversed(moves) if move.kind == Kind.RETIRE)
