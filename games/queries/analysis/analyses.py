"""What people have tried on the analysis boards of their games."""

from typing import NamedTuple

from accounts.models import User
from games.base.branches import Branches
from games.models import Analysis, Game


class AnalysisPlace(NamedTuple):
    """A place on an analysis board: after the tried move of that number, or where `node` is 0 in the game itself.

    `after` counts the game's moves up to there, or to where the branch begins.
    """

    node: int
    after: int


def branches_of(user: User, game: Game) -> tuple[Branches, int]:
    """Return a person's branches of a game and their edition, none of edition 0 at first. One query."""
    row = Analysis.objects.filter(game=game, user=user).values_list("tree", "edition").first()
    return (Branches.from_data(row[0]), row[1]) if row else (Branches(), 0)
