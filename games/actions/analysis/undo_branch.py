"""Undo the last change of an analysis, or make it again."""

from datetime import datetime

from accounts.models import User
from games.base import access
from games.base.branches import Branches
from games.queries.analysis.analyses import AnalysisPlace
from games.queries.play.moves import move_rows
from games.table import analysing


def undo_branch(
    user: User, slug: str, *, edition: int, is_redo: bool = False, token: str = "", now: datetime | None = None
) -> AnalysisPlace:
    """Undo the last change of a person's branches, or make again what was undone last; return the place it was about.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.
        WrongStatus: there is nothing to undo or redo (`nothing-to-undo`, `nothing-to-redo`), or they were changed
            elsewhere (`analysis-changed`).

    """
    game = access.game_to_analyse(user, slug, token)
    change = Branches.redo if is_redo else Branches.undo
    kept = analysing.change_branches(user, game, move_rows(game), change, edition=edition, now=now)
    gone, there = kept.done[-1] if is_redo else reversed(kept.undone[-1])
    first = (there or gone)[0]
    return AnalysisPlace(first.number if there else first.parent, first.after)
