"""Give a branch of an analysis a name."""

from datetime import datetime

from accounts.models import User
from games.base import access
from games.base.branches import MAX_BRANCH_NAME
from games.base.text import plain
from games.queries.play.moves import move_rows
from games.table import analysing


def name_branch(
    user: User, slug: str, *, node: int, name: str, edition: int, token: str = "", now: datetime | None = None
) -> None:
    """Name what begins with the tried move of that number; an empty name takes its name away.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.
        WrongStatus: the branch is gone, or was changed elsewhere (`no-such-branch`, `analysis-changed`).

    """
    game = access.game_to_analyse(user, slug, token)
    called = plain(name, MAX_BRANCH_NAME)
    analysing.change_branches(
        user, game, move_rows(game), lambda kept: kept.named(node, called), edition=edition, now=now
    )
