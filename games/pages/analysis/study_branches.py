"""The game of a study and all its variations on one page, to be read: moves, what is written to them, and boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.base import access
from games.base.branches import Tried
from games.drawing import svg
from games.pages.analysis.board import BranchView, TriedView, branch_steps, tried_label, tried_piece, tried_text
from games.pages.analysis.branches import BRANCHES_PICTURED, BranchBoard, BranchesPage
from games.pages.analysis.studies import variation_extent, variation_title
from games.pages.analysis.study_board import colour_of_turn
from games.queries.analysis.comments import comments_of
from games.queries.play.players import recorded_side
from games.rules import Position
from games.rules.record import play_on
from games.rules.records import GameRecord, has_blksgf
from games.rules.records.variations import ends_of, line_numbers, line_to
from games.table import records
from games.table.studies.variations import settled
from games.table.texts import comments
from games.table.texts.comments import CommentPlace, place_query

#: So many variations are listed with their moves, and so many moves of all together, for what variations share stands
#: in each of them; of further ones only how many there are.
VARIATIONS_READ, VARIED_MOVES_READ = 100, 2000


def study_branches_page(user: access.Viewer, slug: str) -> BranchesPage:
    """Return the game of a study, if it has a move or something is written to its start, and after it the variations
    in their order, with what this reader is shown of what is written. Queries: one, those of `recorded_side` and
    `comments_of`, and at most two more where others write in the study.

    Those who write in the study are led to its board, others to its page.

    Raises:
        NotFound: there is no such study for this person.

    """
    study = access.study_to_view(user, slug)
    game = records.stored(study.record)
    told = comments.with_comments(game, [one for one in comments_of(study, user) if not one.is_hidden])
    address = reverse("study-board" if access.edits(user, study) else "study", args=[study.slug])
    reader, ends = _Reader(address, game, told, recorded_side(game, user)), tuple(ends_of(game.varied))
    count = _readable(game, ends)
    return BranchesPage(
        name=study.title,
        back=reverse("study", args=[study.slug]),
        blksgf=reverse("study-record-blksgf", args=[study.slug]) if has_blksgf(game.variant) else "",
        json=reverse("study-record-json", args=[study.slug]),
        branches=(
            *([reader.game_itself()] if game.record.moves or told.comments.get(0) else ()),
            *(reader.variation(end, is_drawn=at < BRANCHES_PICTURED) for at, end in enumerate(ends[:count])),
        ),
        more=len(ends) - count,
    )


def _readable(game: GameRecord, ends: Sequence[int]) -> int:
    """Return how many variations, of those that end there, are listed with their moves: one at least."""
    lengths = accumulate(len(line_numbers(game.varied, end)) for end in ends[:VARIATIONS_READ])
    return max(sum(length <= VARIED_MOVES_READ for length in lengths), min(len(ends), 1))


@dataclass(frozen=True)
class _Stage:
    """A turn: its text, its place, the position before it and the one after it, and what is written to it."""

    turn: str
    place: CommentPlace
    before: Position
    after: Position
    told: str


class _Reader:
    """Reads a game line by line, with what is `told` to its turns. Each is played once, in however many variations."""

    def __init__(self, address: str, game: GameRecord, told: GameRecord, quarters: int) -> None:
        self.address, self.game, self.told, self.quarters = address, game, told.comments, quarters
        self.played = list(play_on(game.start(), game.record.moves, validate=False))
        self.varied: list[_Stage] = []
        #: The turns of which it stands there what was written to them: once, in however many variations they are.
        self.written: set[CommentPlace] = set()
        for number, one in enumerate(game.varied, 1):
            parent = self.varied[one.parent - 1] if one.parent else None
            before = parent.after if parent else self.played[one.after]
            _before, after = play_on(before, (one.turn,), validate=False)
            move = (parent.place.move if parent else one.after) + 1
            place, said = CommentPlace(number, move), told.varied[number - 1].comment
            self.varied.append(_Stage(one.turn, place, before, after, said))

    def game_itself(self) -> BranchBoard:
        """Return the game that was played."""
        count = len(self.game.record.moves)
        stages = [
            _Stage(
                turn, CommentPlace(0, number), self.played[number - 1], self.played[number], self.told.get(number, "")
            )
            for number, turn in enumerate(self.game.record.moves, 1)
        ]
        view = BranchView(
            address=f"{self.address}?{place_query(CommentPlace(0, count))}",
            name=gettext("The game"),
            about=ngettext("%(n)d move", "%(n)d moves", count) % {"n": count},
            fate="",
            is_current=False,
        )
        picture = svg.board_view(settled(self.played[-1]), quarters=self.quarters)
        return BranchBoard(view, tuple(map(self._move, stages)), picture, (), self.told.get(0, ""))

    def variation(self, end: int, *, is_drawn: bool) -> BranchBoard:
        """Return the variation that ends with the varied turn of a number, its board only if it is to be drawn."""
        line = line_to(self.game.varied, end)
        stages = [self.varied[number - 1] for number in line_numbers(self.game.varied, end)]
        moves = tuple(map(self._move, stages))
        view = BranchView(
            address=f"{self.address}?{place_query(stages[-1].place)}",
            name=variation_title(line),
            about=variation_extent(line),
            fate="",
            is_current=False,
        )
        if not is_drawn:
            return BranchBoard(view, moves, None, ())
        stage, tried = settled(stages[-1].after), [_tried(one) for one in stages]
        steps = branch_steps(stage, tried, line[0].after, self.quarters)
        picture = svg.board_view(stage, apart=len(steps), quarters=self.quarters)
        return BranchBoard(view, moves, picture, steps)

    def _move(self, stage: _Stage) -> TriedView:
        one, told = _tried(stage), "" if stage.place in self.written else stage.told
        self.written.add(stage.place)
        return TriedView(
            address=f"{self.address}?{place_query(stage.place)}",
            number=stage.place.move,
            colour=one.colour,
            label=tried_label(one),
            said=tried_text(one),
            piece=tried_piece(one),
            name="",
            told=told,
        )


def _tried(stage: _Stage) -> Tried:
    return Tried(stage.place.variation, 0, 0, colour_of_turn(stage.before, stage.turn), stage.turn)
