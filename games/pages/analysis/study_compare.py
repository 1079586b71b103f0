"""Two variations of a study side by side: where each of them leads, or one of them and the game itself."""

from django.urls import reverse
from django.utils.translation import gettext

from games.base import access
from games.base.branches import Tried
from games.drawing import svg
from games.pages.analysis.board import branch_steps
from games.pages.analysis.compare import ComparedSide, ComparePage, move_figures, placed_figures
from games.pages.analysis.studies import variation_extent, variation_title
from games.pages.board.table import players_at
from games.rules import Position
from games.rules.records import GameRecord
from games.rules.records.variations import ends_of, line_to
from games.table import records
from games.table.studies.variations import settled_at
from games.table.texts.comments import CommentPlace, place_query


def study_compare_page(user: access.Viewer, slug: str, one: int | None, other: int | None) -> ComparePage:
    """Return two variations by the numbers of their last turns, 0 for the game to its end. One query, and at most two
    more where others write in the study.

    By default, and in place of what is no variation, the game is compared with the variation that is listed last. Those
    who write in the study are led to its board, others to its page.

    Raises:
        NotFound: there is no such study for this person.

    """
    study = access.study_to_view(user, slug)
    game = records.stored(study.record)
    ends = tuple(ends_of(game.varied))
    chosen = (_known(game, one, 0), _known(game, other, ends[-1] if ends else 0))
    titles = {0: gettext("The end of the game")}
    titles |= {number: variation_title(line_to(game.varied, number)) for number in (*ends, *chosen) if number}
    address = reverse("study-board" if access.edits(user, study) else "study", args=[study.slug])
    stages = [settled_at(game, _place(game, number)) for number in chosen]
    return ComparePage(
        name=study.title,
        address=reverse("study-compare", args=[study.slug]),
        back=reverse("study", args=[study.slug]),
        token="",
        sides=tuple(
            _side(key, number, titles[number], stage, game, address)
            for key, number, stage in zip(("one", "other"), chosen, stages, strict=True)
        )
        if ends
        else (),
        choices=tuple(sorted(titles.items())),
        figures=(
            *placed_figures([players_at(stage, records.seated(game, stage)) for stage in stages]),
            *move_figures(stages),
        )
        if ends
        else (),
    )


def _known(game: GameRecord, number: int | None, otherwise: int) -> int:
    return number if number is not None and 0 <= number <= len(game.varied) else otherwise


def _place(game: GameRecord, number: int) -> CommentPlace:
    """Return the position after a varied turn, or at the end of the game."""
    line = line_to(game.varied, number)
    return CommentPlace(number, line[0].after + len(line) if line else len(game.record.moves))


def _side(key: str, number: int, title: str, stage: Position, game: GameRecord, address: str) -> ComparedSide:
    line = line_to(game.varied, number)
    # Whose colour each was does not matter here: the pieces on the board have theirs.
    tried = [Tried(0, one.parent, one.after, "", one.turn) for one in line]
    steps = branch_steps(stage, tried, line[0].after) if line else ()
    return ComparedSide(
        key=key,
        node=number,
        name=title,
        about=variation_extent(line) if line else "",
        address=f"{address}?{place_query(_place(game, number))}",
        picture=svg.board_view(stage, apart=len(steps)),
        steps=steps,
    )
