"""Two branches of a game side by side: where each of them leads, or one of them and the game itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext

from accounts.models import User
from games.base import access
from games.base.branches import Branches
from games.drawing import svg
from games.drawing.steps import RecentPiece
from games.pages.analysis.board import branch_extent, branch_steps, branch_title
from games.pages.board.table import PlayerView, players_at
from games.queries.play.moves import MoveRow, move_rows
from games.queries.play.players import own_side, seated_of
from games.rules import Position
from games.table import analysing
from games.values import Status
from games.words import names, sentences

if TYPE_CHECKING:
    from games.models import Game


@dataclass(frozen=True)
class ComparedSide:
    """One of the two: what it is, the board at its end with what was tried on it, and the way there."""

    key: str
    node: int
    name: str
    about: str
    address: str
    picture: svg.BoardView
    steps: tuple[RecentPiece, ...]


@dataclass(frozen=True)
class ComparePage:
    """Two sides, what can be chosen for either, and figures of both: what each is of, then a value for each side.

    There are no sides where nothing has been tried: the game would stand beside itself.
    """

    name: str
    address: str
    back: str
    token: str
    sides: tuple[ComparedSide, ...]
    choices: tuple[tuple[int, str], ...]
    figures: tuple[tuple[str, tuple[str, ...]], ...]


def compare_page(user: User, slug: str, one: int | None, other: int | None, token: str = "") -> ComparePage:
    """Return two branches by the numbers of their last moves, 0 for the game as it stands. Four queries.

    By default, and in place of what is no branch, the game is compared with what was tried last.

    Raises:
        NotFound, WrongStatus, NotSeated: as `access.game_to_analyse`.

    """
    game = access.game_to_analyse(user, slug, token)
    played = move_rows(game)
    branches, _edition = analysing.branches_beside(user, game, played)
    ends = [each.number for each in branches.ends()]
    first = _known(branches, one, 0)
    second = _known(branches, other, next(reversed(ends), 0))
    secret = f"?token={token}" if access.holds_token(game, token) else ""
    address = reverse("game-analysis", args=[game.slug])
    is_over = game.status == Status.FINISHED
    titles = {0: gettext("The end of the game") if is_over else gettext("The game now")}
    titles |= {number: branch_title(branches.line(number)) for number in (*ends, first, second) if number}
    quarters = own_side(game, user)
    stages = [_stage(game, played, branches, number) for number in (first, second)]
    return ComparePage(
        name=names.game_title(game, user.pk),
        address=reverse("game-compare", args=[game.slug]),
        back=address + secret,
        token=token if secret else "",
        sides=tuple(
            _side(key, number, titles[number], stage, branches, f"{address}{secret}{'&' if secret else '?'}", quarters)
            for key, number, stage in zip(("one", "other"), (first, second), stages, strict=True)
        )
        if branches.tried
        else (),
        choices=tuple(sorted(titles.items())),
        figures=(
            *placed_figures([players_at(stage, seated_of(game)) for stage in stages]),
            *(move_figures(stages) if game.allows_hints or is_over else ()),
        ),
    )


def _known(branches: Branches, number: int | None, otherwise: int) -> int:
    return number if number is not None and number in {0, *branches.tried} else otherwise


def _stage(game: "Game", played: Sequence[MoveRow], branches: Branches, number: int) -> Position:
    return analysing.position_at(game, played, branches, analysing.find_place(played, branches, number, None))


def _side(
    key: str, number: int, title: str, stage: Position, branches: Branches, address: str, quarters: int
) -> ComparedSide:
    line = branches.line(number)
    steps = branch_steps(stage, line, line[0].after, quarters) if line else ()
    return ComparedSide(
        key=key,
        node=number,
        name=title,
        about=branch_extent(line) if line else "",
        address=f"{address}node={number}" if number else address.rstrip("?&"),
        picture=svg.board_view(stage, apart=len(steps), quarters=quarters),
        steps=steps,
    )


def placed_figures(sides: Sequence[Sequence[PlayerView]]) -> list[tuple[str, tuple[str, ...]]]:
    """Return how many cells each player has placed on either side."""
    return [(both[0].name, tuple(each.placed_text for each in both)) for both in zip(*sides, strict=True)]


def move_figures(stages: Sequence[Position]) -> list[tuple[str, tuple[str, ...]]]:
    """Return how many placements each colour could make on either side."""
    said = gettext("Possible moves of %(colour)s")
    return [
        (
            said % {"colour": sentences.colour(colour)},
            tuple(number_format(stage.legal_count(colour), force_grouping=True) for stage in stages),
        )
        for colour in stages[0].colours_in_play
    ]
