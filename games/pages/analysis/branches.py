"""All branches of a game on one page, to be read: what was tried in each, and the board at its end."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from accounts.models import User
from games.base import access
from games.base.branches import Tried
from games.drawing import svg
from games.drawing.steps import RecentPiece
from games.pages.analysis.board import BranchView, TriedView, branch_steps, branch_views
from games.queries.play.moves import move_rows
from games.queries.play.players import own_side
from games.rules import Position, get_variant
from games.rules.records import has_blksgf
from games.table import analysing
from games.words import names

#: Of so many branches, those tried last, the boards are shown; of all the moves are listed.
BRANCHES_PICTURED = 12


@dataclass(frozen=True)
class BranchBoard:
    """A branch with its moves from the first, and the board at its end with what was tried on it, if it is shown.

    `told` is what is written before the first move, in a study.
    """

    view: BranchView
    moves: tuple[TriedView, ...]
    picture: svg.BoardView | None
    steps: tuple[RecentPiece, ...]
    told: str = ""


@dataclass(frozen=True)
class BranchesPage:
    """The branches of one person in one game, the one tried last first; or the game of a study and its variations.

    `blksgf` and `json` are the addresses of the record with the branches in it; the first is empty where the record of
    the board has no such form. There are `more` that are not listed.
    """

    name: str
    back: str
    blksgf: str
    json: str
    branches: tuple[BranchBoard, ...]
    more: int = 0


def branches_page(user: User, slug: str, token: str = "") -> BranchesPage:
    """Return the branches of a game for reading. Four queries.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.

    """
    game = access.game_to_analyse(user, slug, token)
    played = move_rows(game)
    branches, _edition = analysing.branches_beside(user, game, played)
    secret = f"?token={token}" if access.holds_token(game, token) else ""
    address = reverse("game-analysis", args=[game.slug])
    found = branch_views(address, secret, played, branches)
    ends = branches.ends()
    shown = [
        analysing.position_at(game, played, branches, analysing.find_place(played, branches, end.number, None))
        if at >= len(ends) - BRANCHES_PICTURED
        else None
        for at, end in enumerate(ends)
    ]
    quarters = own_side(game, user)
    boards = [
        _board(view, moves, branches.line(end.number), stage, quarters)
        for (view, moves), end, stage in zip(found, ends, shown, strict=True)
    ]
    return BranchesPage(
        name=names.game_title(game, user.pk),
        back=address + secret,
        blksgf=_file(game.slug, "blksgf", secret) if has_blksgf(get_variant(game.variant)) else "",
        json=_file(game.slug, "json", secret),
        branches=tuple(reversed(boards)),
    )


def _file(slug: str, kind: str, secret: str) -> str:
    """Return the address of the record of a game with the branches of the person who asks in it."""
    return f"{reverse(f'game-record-{kind}', args=[slug])}{secret}{'&' if secret else '?'}branches=yes"


def _board(
    view: BranchView, moves: Sequence[TriedView], line: Sequence[Tried], stage: Position | None, quarters: int
) -> BranchBoard:
    steps = branch_steps(stage, line, line[0].after, quarters) if stage else ()
    picture = svg.board_view(stage, apart=len(steps), quarters=quarters) if stage else None
    return BranchBoard(view, tuple(moves), picture, steps)
