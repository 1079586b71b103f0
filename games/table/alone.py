"""A move that only its player has been shown yet: for ten seconds it can be taken back without asking anyone."""

from collections.abc import Sequence
from datetime import datetime

from games.models import MOST_SPENT_NUMBERS, Game, Kind, Move, Status
from games.queries.play.takebacks import ALONE_FOR, asked_of


def note_move(game: Game, move: Move, now: datetime) -> None:
    """Note in a locked game, without saving, whether a move that has just been made may be taken back alone, and until
    when.

    What bots answer ends nothing, while the game goes on: they mind nothing, and show nobody anything.
    """
    if move.bot and game.status == Status.RUNNING:
        return
    end_alone(game)
    is_allowed = game.allows_takebacks and game.spent_numbers < MOST_SPENT_NUMBERS
    if game.status == Status.RUNNING and is_allowed and move.kind == Kind.PLACE and asked_of(game, move.seat):
        person = next(player.user_id for player in game.players.all() if player.seat == move.seat)
        if person is not None:
            game.alone_until, game.alone_person = now + ALONE_FOR, person


def end_alone(game: Game) -> None:
    """Note, without saving, that no move of the game can be taken back alone any more."""
    game.alone_until = game.alone_person = None


def is_unseen(game: Game, person: int, since: Sequence[Move], now: datetime) -> bool:
    """Return whether the last placement in a locked game is this person's, and shown to no other one in ten seconds.

    `since` are the moves after it.
    """
    is_theirs = game.alone_until is not None and game.alone_person == person and now <= game.alone_until
    return is_theirs and all(move.bot or move.is_automatic for move in since)
