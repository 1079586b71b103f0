"""Moves taken back: alone, or asked for and agreed on; what goes is kept beside the moves that stand."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _

from games import events
from games.base import counters
from games.errors import StaleGame, WrongStatus
from games.models import MOST_SPENT_NUMBERS, Game, Kind, Move, Occasion, Player, Return, Takeback
from games.queries.play.takebacks import MOVE_FIELDS, asked_of
from games.queries.tables.turns import next_number
from games.table import alone, cached, changes, lifecycle


def check_takebacks_allowed(game: Game) -> None:
    """Refuse where moves stay, or so many have been taken back that no more can be.

    Raises:
        WrongStatus: the table says so (`no-takebacks`), or it was done too often (`taken-back-enough`).

    """
    if not game.allows_takebacks:
        raise WrongStatus(_("Moves cannot be taken back at this table."), code="no-takebacks")
    if game.spent_numbers >= MOST_SPENT_NUMBERS:
        sentence = _("Too many moves of this game have been taken back. Play on or resign.")
        raise WrongStatus(sentence, code="taken-back-enough")


def point_to_return(game: Game, played: Sequence[Move], player: Player) -> Move:
    """Return the last placement that this player made: the first move that goes.

    Raises:
        WrongStatus: there is none, or a player has left or come back since.

    """
    own = played[game.given_moves :]
    mine = (move for move in reversed(own) if _is_own_placement(move, player))
    point = next(mine, None)
    if point is None:
        raise WrongStatus(_("You have not placed a piece that you could take back."), code="no-placement")
    back = Return.objects.filter(player__game=game, number__gt=point.number)
    if any(move.kind == Kind.RETIRE for move in played[point.number :]) or back.exists():
        sentence = _("A player has left or come back since your last move, so it can no longer be taken back.")
        raise WrongStatus(sentence, code="too-late")
    return point


def seat_to_undo(game: Game, player: Player, played: Sequence[Move]) -> Player:
    """Return the seat whose last placement a player takes back: their own; at one device that of who placed last."""
    if not game.is_on_one_device:
        return player
    seats = {each.seat: each for each in game.players.all() if not each.bot}
    own = (move for move in reversed(played[game.given_moves :]) if move.kind == Kind.PLACE and move.seat in seats)
    last = next(own, None)
    return player if last is None else seats[last.seat]


def _is_own_placement(move: Move, player: Player) -> bool:
    return move.kind == Kind.PLACE and move.seat == player.seat and not move.bot


def take_moves_back(
    game: Game, played: Sequence[Move], player: Player, back_to: int, now: datetime, *, is_unseen: bool = False
) -> None:
    """Take a player's moves from that number on back in a locked, running game, with all others' since; tell it after
    commit.

    Clocks stand as they stood before the first of them, and its turn begins anew. Of what no other person has been
    shown nobody is notified.
    """
    request = game.asked_takeback
    taken, kept = played[back_to - 1 :], list(played[: back_to - 1])
    row = Takeback(
        game=game,
        number=next_number(game),
        back_to=back_to,
        seat=player.seat,
        agreed=list(request.seats[1:]) if request else [],
        request=request.version if request else 0,
        version=game.version + 1,
        taken_at=now,
        moves=[_as_kept(move) for move in taken],
    )
    row.save()
    Move.objects.filter(game=game, number__gte=back_to).delete()
    game.version += 1
    game.changed_at, game.takeback_request = now, []
    alone.end_alone(game)
    rows = lifecycle.recompute(game, kept)
    cached.save_rows(game, rows)
    counters.touch(changes.lists_of(game))
    events.publish(events.MovesTakenBack(**changes.about(game), back_to=back_to, due=changes.due_turn(game)))
    if not is_unseen:
        others = changes.people_seated(each for each in game.players.all() if not each.retired) - {player.user_id}
        changes.record(game, Occasion.TAKEN_BACK, others, now, event=game.version, other=player.user_id)
    changes.post_turn(game, now)


def _as_kept(move: Move) -> list[Any]:
    """Return a move as a takeback keeps it, in the order of `MOVE_FIELDS`."""
    values = (getattr(move, name) for name in MOVE_FIELDS)
    return [value.isoformat() if isinstance(value, datetime) else value for value in values]


def want_takeback(game: Game, player: Player, back_to: int, now: datetime) -> None:
    """Note that a player of a locked, running game asks the others for their moves back to that one, and tell it."""
    game.takeback_request = [game.version + 1, now.isoformat(), back_to, player.seat]
    _grow(game, now)
    people = changes.people_seated(each for each in game.players.all() if each.seat in asked_of(game, player.seat))
    changes.record(game, Occasion.TAKEBACK, people, now, event=game.version, other=player.user_id)


def join_takeback(game: Game, played: Sequence[Move], player: Player, now: datetime) -> None:
    """Note that a player agrees to what is asked for in a locked, running game; once all have, take the moves back."""
    game.takeback_request = [*game.takeback_request, player.seat]
    request = game.asked_takeback
    if request is None:
        raise ValueError(f"nothing is asked for in game {game.pk}")
    if any(seat not in request.seats for seat in asked_of(game, request.seats[0])):
        _grow(game, now)
        return
    asker = next(each for each in game.players.all() if each.seat == request.seats[0])
    take_moves_back(game, played, asker, request.back_to, now)


def drop_takeback(game: Game, now: datetime) -> None:
    """Note that nothing is asked for any more in a locked, running game, and tell it."""
    game.takeback_request = []
    _grow(game, now)


def _grow(game: Game, now: datetime) -> None:
    game.save(update_fields=["takeback_request"])
    changes.grow(game, now)
    events.publish(events.TakebackAsked(**changes.about(game)))


def is_takeback_asked_for(game: Game, request: int) -> bool:
    """Return whether that request stands; False once it has been carried out or was dropped.

    Raises:
        StaleGame: another request stands by now.

    """
    asked = game.asked_takeback
    if asked is not None and asked.version != request:
        sentence = _("The game has moved on since this page was loaded. Look at the board, then try again.")
        raise StaleGame(sentence, version=game.version, number=next_number(game))
    return asked is not None


def check_taken_back(game: Game, request: int) -> None:
    """Refuse to agree to a request that stands no more, unless it has been carried out. One query.

    Raises:
        WrongStatus: it was withdrawn or declined, or the game went on (`takeback-dropped`).

    """
    if not Takeback.objects.filter(game=game, request=request).exists():
        sentence = _(
            "Nothing is to be taken back any more: the game went on, or the request was withdrawn or declined."
        )
        raise WrongStatus(sentence, code="takeback-dropped")


def was_taken_back(game: Game, number: int, player: Player) -> bool:
    """Return whether this player took moves back when the move of that number was due. One query.

    At one device it may have been anybody there.
    """
    rows = Takeback.objects.filter(game=game, number=number)
    return (rows if game.is_on_one_device else rows.filter(seat=player.seat)).exists()
