"""Try a move on the analysis board, and keep it. The game does not hear of it."""

from datetime import datetime

from accounts.models import User
from games.base import access
from games.base.branches import Branches
from games.queries.analysis.analyses import AnalysisPlace
from games.queries.play.moves import move_rows
from games.table import analysing


def extend_branch(
    user: User,
    slug: str,
    *,
    move: str,
    node: int = 0,
    after: int | None = None,
    token: str = "",
    now: datetime | None = None,
) -> AnalysisPlace:
    """Return where the board is after the colour to play has placed that, or passed.

    It is tried after the move of number `node`, or in the game after `after` of its moves. What was tried there before
    is found again and not kept twice.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.
        BadRequest, Refused: it cannot be read, or the rules refuse it.
        WrongStatus: what it follows is gone, or the tree is full (`no-such-branch`, `analysis-full`, …).

    """
    game = access.game_to_analyse(user, slug, token)
    played = move_rows(game)
    branches, _edition = analysing.branches_beside(user, game, played)
    place = analysing.find_place(played, branches, node, after)
    # Outside the transaction: what leads to a tried move changes only if moves are taken back, and is looked at then.
    position = analysing.position_at(game, played, branches, place)
    text, colour = analysing.try_in(position, move), position.colour or ""

    def extended(stored: Branches) -> Branches:
        return stored.extended(place.node, place.after, colour, text)[0]

    kept = analysing.change_branches(user, game, played, extended, now=now)
    # The same tree where it is there already.
    return place._replace(node=kept.extended(place.node, place.after, colour, text)[1])
