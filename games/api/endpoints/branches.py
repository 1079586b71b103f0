"""What people try from the positions of games, for themselves alone; and their mistakes."""

from django.http import HttpRequest
from ninja import Query

from accounts import limits
from accounts.doors import person
from games.actions.analysis.extend_branch import extend_branch as _extend_branch
from games.actions.analysis.name_branch import name_branch as _name_branch
from games.actions.analysis.remove_branch import remove_branch as _remove_branch
from games.actions.analysis.retry_mistake import retry_mistake as _retry_mistake
from games.actions.analysis.undo_branch import undo_branch as _undo_branch
from games.api.analysis import ByLink
from games.api.branches import (
    BranchChange,
    BranchesOut,
    BranchName,
    MistakeOut,
    TriedIn,
    Trying,
    Undoing,
    own_branches,
    own_mistakes,
)
from games.api.door import PLAYING, READING
from games.api.endpoints.answers import responses, router
from games.table.counting import TRIED_AN_HOUR


@router.get(
    "games/{slug}/branches",
    auth=READING,
    response=responses(BranchesOut, 404, 409),
    url_name="api-branches",
    tags=["branches"],
)
def list_branches(request: HttpRequest, slug: str, wish: Query[ByLink]) -> BranchesOut:
    """List the moves that you have tried from the positions of a game; only you can see them."""
    return own_branches(person(request), slug, wish.token)


@router.post(
    "games/{slug}/branches",
    auth=PLAYING,
    response=responses(TriedIn, 404, 409, 422),
    url_name="api-branches",
    tags=["branches"],
)
def extend_branch(request: HttpRequest, slug: str, wish: Trying) -> TriedIn:
    """Try a move for the colour whose turn it is there, and keep it; it is never sent to the game."""
    user = person(request)
    _count(user.pk)
    there = _extend_branch(user, slug, move=wish.move, node=wish.node, after=wish.after, token=wish.token)
    if not wish.node:
        _retry_mistake(user, slug, number=there.after + 1, move=wish.move, token=wish.token)
    found = own_branches(user, slug, wish.token)
    return TriedIn(edition=found.edition, moves=found.moves, number=there.node)


@router.post(
    "games/{slug}/branches/name",
    auth=PLAYING,
    response=responses(BranchesOut, 404, 409),
    url_name="api-branch-name",
    tags=["branches"],
)
def name_branch(request: HttpRequest, slug: str, wish: BranchName) -> BranchesOut:
    """Name what begins with a tried move; an empty name takes its name away."""
    user = person(request)
    _count(user.pk)
    _name_branch(user, slug, node=wish.node, name=wish.name, edition=wish.edition, token=wish.token)
    return own_branches(user, slug, wish.token)


@router.post(
    "games/{slug}/branches/remove",
    auth=PLAYING,
    response=responses(BranchesOut, 404, 409),
    url_name="api-branch-remove",
    tags=["branches"],
)
def remove_branch(request: HttpRequest, slug: str, wish: BranchChange) -> BranchesOut:
    """Remove a tried move and all that follow it."""
    user = person(request)
    _count(user.pk)
    _remove_branch(user, slug, node=wish.node, edition=wish.edition, token=wish.token)
    return own_branches(user, slug, wish.token)


@router.post(
    "games/{slug}/branches/undo",
    auth=PLAYING,
    response=responses(BranchesOut, 404, 409),
    url_name="api-branch-undo",
    tags=["branches"],
)
def undo_branch(request: HttpRequest, slug: str, wish: Undoing) -> BranchesOut:
    """Undo the last change of your branches, or make it again."""
    user = person(request)
    _count(user.pk)
    _undo_branch(user, slug, edition=wish.edition, is_redo=wish.redo, token=wish.token)
    return own_branches(user, slug, wish.token)


@router.get("mistakes", auth=READING, response=responses(list[MistakeOut]), url_name="api-mistakes", tags=["branches"])
def list_mistakes(request: HttpRequest) -> list[MistakeOut]:
    """List your mistakes in reviewed games, those that are due first, a hundred at most."""
    return own_mistakes(person(request))


def _count(user: int) -> None:
    limits.count_use(f"tried:{user}", TRIED_AN_HOUR, 3600)
