"""Positions of running games in which a person may ask no engine: none helps there by way of another game either."""

from django.utils.functional import Promise

from accounts.models import User
from games.base import access
from games.errors import WrongStatus
from games.models import Game, Player, Status
from games.rules import Position
from games.rules.symmetry import boards_alike

#: With fewer moves alike, games have the same opening and no more.
COMMON = 4


def check_no_help(user: access.Viewer, position: Position, refusal: str | Promise) -> None:
    """Refuse a position of a running game against others in which the person may ask no engine.

    It is one if all that lies on one of the two boards lies so on the other, in whatever order it was placed, turned or
    mirrored, and whatever pieces were named or drawn; a few moves that many games begin with are no one's, unless the
    game stands there. One query.

    Raises:
        WrongStatus: it is (`running-game`), with the sentence that is given.

    """
    if not isinstance(user, User):
        return
    seated = Player.objects.filter(user=user, is_going=True).order_by().values("game")
    games = Game.objects.filter(pk__in=seated, status=Status.RUNNING)
    unadvised = games.exclude(allows_hints=True, allows_advice=True).exclude(move_count=0)
    size = len(position.board)
    boards = [each for each in unadvised.values_list("board", "move_count") if len(each[0]) == size]
    if not boards:
        return
    placed = sum(turn.placement is not None for turn in position.history)
    for asked in boards_alike(position.variant, position.board, position.colours_in_play):
        for board, count in boards:
            is_its = _is_within(board, asked) or _is_within(asked, board)
            if is_its and (min(count, placed) >= COMMON or board == asked):
                raise WrongStatus(refusal, code="running-game")


def _is_within(board: str, other: str) -> bool:
    """Return whether all that lies on one board lies so on another of its size, too."""
    return all(cell in (".", there) for cell, there in zip(board, other, strict=True))
