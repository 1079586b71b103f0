"""Branches and mistakes as programs read them: what the owner of the token has tried, and has to try again."""

from datetime import datetime

from ninja import Field, Schema

from accounts.models import User
from games.api.schemas import Sent
from games.base import access
from games.base.branches import MAX_BRANCH_NAME
from games.queries.analysis.mistakes import mistakes_of
from games.queries.play.moves import move_rows
from games.rules.notation import LONGEST_PLACEMENT
from games.table import analysing

#: The highest number of a tried move, or edition, that is looked at.
_HIGHEST = 10**9


class TriedMove(Schema):
    """A move that you have tried: it follows the tried one of number `parent`, or where that is 0 the game after so
    many moves. `name` is what you call what begins here.
    """

    number: int
    parent: int
    after: int
    colour: str
    move: str
    name: str


class BranchesOut(Schema):
    """What you have tried from the positions of a game, which no one else sees. `edition` goes with what changes it."""

    edition: int
    moves: list[TriedMove]


class TriedIn(BranchesOut):
    """Your branches after a move was tried, and its number."""

    number: int


class Trying(Sent):
    """A `move` to try, or `pass`: after the tried one of number `node`, or in the game after so many moves, null for
    all. `token` is the secret of an invitation link, if you came with it.
    """

    move: str = Field(max_length=LONGEST_PLACEMENT)
    node: int = Field(default=0, ge=0, le=_HIGHEST)
    after: int | None = Field(default=None, ge=0, le=_HIGHEST)
    token: str = ""


class BranchChange(Sent):
    """The number of a tried move, and the `edition` of your branches that you have read."""

    node: int = Field(ge=1, le=_HIGHEST)
    edition: int = Field(ge=0, le=_HIGHEST)
    token: str = ""


class BranchName(BranchChange):
    """What begins with that move is to have this name, or none."""

    name: str = Field(max_length=MAX_BRANCH_NAME)


class Undoing(Sent):
    """With `redo` what was undone last is made again."""

    edition: int = Field(ge=0, le=_HIGHEST)
    redo: bool = False
    token: str = ""


class MistakeOut(Schema):
    """A placement of yours that a review found to have cost much, in percent: the move of that number of a game.

    It is to be tried again at `due_at`, null once you have found better placements often enough.
    """

    slug: str
    number: int
    cost: int
    due_at: datetime | None


def own_branches(user: User, slug: str, token: str = "") -> BranchesOut:
    """Return the person's branches of a game. Four queries.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.

    """
    game = access.game_to_analyse(user, slug, token)
    branches, edition = analysing.branches_beside(user, game, move_rows(game))
    return BranchesOut(edition=edition, moves=[TriedMove(**one._asdict()) for one in branches.tried.values()])


def own_mistakes(user: User) -> list[MistakeOut]:
    """Return the person's mistakes, first what is due. Four queries at most."""
    return [
        MistakeOut(slug=each.game.slug, number=each.number, cost=each.cost, due_at=each.due_at)
        for each in mistakes_of(user)
    ]
