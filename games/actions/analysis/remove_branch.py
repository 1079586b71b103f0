"""Remove a branch from an analysis; it can be undone."""

from datetime import datetime

from accounts.models import User
from games.base import access
from games.base.branches import Branches
from games.queries.analysis.analyses import AnalysisPlace
from games.queries.play.moves import move_rows
from games.table import analysing


def remove_branch(
    user: User, slug: str, *, node: int, edition: int, token: str = "", now: datetime | None = None
) -> AnalysisPlace:
    """Remove the tried move of that number and all that follow it, and return the place before it.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.
        WrongStatus: the branch is gone, or was changed elsewhere (`no-such-branch`, `analysis-changed`).

    """
    game = access.game_to_analyse(user, slug, token)
    before = AnalysisPlace(0, 0)

    def without(kept: Branches) -> Branches:
        nonlocal before
        first = kept.find(node)
        before = AnalysisPlace(first.parent, first.after)
        return kept.without(node)

    analysing.change_branches(user, game, move_rows(game), without, edition=edition, now=now)
    return before
