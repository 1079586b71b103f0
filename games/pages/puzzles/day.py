"""A day's puzzle as its page shows it: what to do, the board with a hand, hints, and the answer once it is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext

from accounts.models import User
from games.actions.puzzles.take_hint import ANSWER, PART, PIECE
from games.actions.puzzles.try_puzzle import TriedPuzzle, position_with
from games.base.access import Viewer
from games.drawing import svg
from games.drawing.steps import RecentPiece, recent_pieces
from games.errors import GameError
from games.pages.board.board_data import Reach, position_data, script_json, shapes_json
from games.pages.board.refusal import NoticeView, notice_view
from games.pages.board.trays import TrayView, trays, usable_first
from games.pages.board.view_request import ViewRequest
from games.pages.spoken.page import LegalView, StockView, legal_view, placement_examples, stock_views
from games.pages.spoken.textboard import TextBoard, text_board
from games.puzzles.puzzle import Puzzle
from games.queries.play.players import colour_states
from games.queries.puzzles.days import (
    PuzzleDay,
    PuzzleResult,
    first_try_shares,
    has_earlier,
    own_results,
    puzzle_of,
    streak,
)
from games.rules import Placement, Position
from games.rules.record import Record
from games.rules.records import GameRecord, write_json
from games.words import names, sentences
from games.words.puzzles import texts

#: What a request asks for that says nothing.
_AS_A_PICTURE = ViewRequest()

#: What stands between the placements of a try in an address.
SEPARATOR = ";"


@dataclass(frozen=True)
class PuzzleHand:
    """What may be placed: `data` is JSON for the hand. `chosen` is the piece whose `placements` are listed."""

    data: str = ""
    trays: tuple[TrayView, ...] = ()
    can_place: bool = False
    chosen: str = ""
    placements: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class ColourSide:
    """A colour with what it has left, and of its cells how many are placed, beside the board."""

    colour: str
    name: str
    left: str
    placed: int
    cells: int
    of_cells: str
    is_to_play: bool


@dataclass(frozen=True)
class SpokenPuzzle:
    """What the page in words has instead of pictures; `legal` is None once nothing is to be placed.

    `examples` are placements as they may be typed here.
    """

    legal: LegalView | None
    stocks: tuple[StockView, ...]
    board: TextBoard
    examples: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PuzzlePage:
    """A day's puzzle after what was placed.

    `current_address` is its address with what was placed, `placed` the same as a field's value. `verdict` answers the
    last try. `hints` are those that were taken; the next one is `next_hint`, 0 after the last. `why` explains the
    answer once it is known; then `record` is the game up to the puzzle, with which a study begins at its position.
    `spoken` is None where the page has a picture.
    """

    day: date
    day_text: str
    title: str
    task: str
    about: str
    address: str
    current_address: str
    placed: str
    sides: tuple[ColourSide, ...]
    picture: svg.BoardView
    steps: tuple[RecentPiece, ...]
    icons: tuple[svg.IconView, ...]
    shapes: str
    hand: PuzzleHand
    label: str
    verdict: str
    is_solved: bool
    is_right: bool
    hints: tuple[str, ...]
    hint_level: int
    next_hint: int
    hint_label: str
    why: tuple[str, ...]
    record: str
    streak: str
    earlier: str
    later: str
    notice: NoticeView | None
    spoken: SpokenPuzzle | None
    has_hints: bool = True
    near: int = 0

    @property
    def is_spoken(self) -> bool:
        """Whether the page is in words."""
        return self.spoken is not None

    @property
    def part(self) -> str:
        """Return the template of the part that changes."""
        return "games/puzzles/_spoken.html" if self.is_spoken else "games/puzzles/_puzzle.html"

    @property
    def key(self) -> str:
        """Return what differs whenever there is something new to say."""
        listed = self.spoken.legal if self.spoken else None
        return f"{self.placed}.{self.hint_level}.{self.verdict}.{listed.shown if listed else ''}"

    @property
    def asks(self) -> str:
        """Return what an address says of how far its reader is: what was placed, and the hints that were taken."""
        return urlencode({"placed": self.placed, "level": self.hint_level})


@dataclass(frozen=True)
class _Standing:
    """How far a person is with a puzzle: where what was placed has led, and the `level` of hints that were taken."""

    puzzle: Puzzle
    position: Position
    kept: Sequence[str]
    level: int

    @property
    def is_solved(self) -> bool:
        return self.puzzle.is_solved(self.kept)

    @property
    def is_known(self) -> bool:
        """Whether the answer may be explained."""
        return self.is_solved or self.level >= ANSWER

    @property
    def next_hint(self) -> int:
        return 0 if self.is_known else self.level + 1

    @property
    def answer(self) -> Placement | None:
        """The placement that hints are about, None once there is none."""
        return None if self.is_solved else self.puzzle.next_answer(self.position, self.kept)

    @property
    def reach(self) -> Reach | None:
        """What can be placed, None once nothing is to be."""
        return None if self.is_solved else Reach.of(self.position, self.puzzle.colour)


def puzzle_page(
    user: Viewer,
    day: date,
    today: date,
    *,
    placed: Sequence[str] = (),
    tried: TriedPuzzle | None = None,
    level: int = 0,
    error: GameError | None = None,
    view_request: ViewRequest = _AS_A_PICTURE,
) -> PuzzlePage:
    """Return the puzzle of a day after what was placed. Five queries at most, three for a visitor.

    Raises:
        NotFound: the day has no puzzle.
        BadRequest, Refused: what was placed cannot be.

    """
    found = puzzle_of(day, today)
    puzzle, mine = found.puzzle, own_results(user, [day]).get(day, PuzzleResult())
    position, kept = position_with(found, tried.placed if tried else placed)
    standing = _Standing(puzzle, position, kept, _told(user, mine, level))
    is_solved, reach = standing.is_solved, standing.reach
    address = reverse("puzzle", args=[day.isoformat()])
    text = SEPARATOR.join(kept)
    steps = _steps(position, len(kept))
    return PuzzlePage(
        day=day,
        day_text=date_format(day, "DATE_FORMAT"),
        title=texts.puzzle_title(puzzle.kind),
        task=texts.puzzle_task(puzzle),
        about=_about(found, mine),
        address=address,
        current_address=f"{address}?{urlencode({'placed': text})}" if text else address,
        placed=text,
        sides=_sides(position),
        picture=_picture(position, reach, puzzle.colour, len(steps)),
        steps=steps,
        icons=tuple(svg.icons(puzzle.variant).values()),
        shapes=shapes_json(puzzle.variant),
        hand=_hand(position, puzzle, reach, view_request.piece),
        label=_label(position),
        verdict=_verdict(puzzle, tried, len(kept)),
        is_solved=is_solved,
        is_right=tried is not None and tried.is_right,
        hints=_hints(puzzle, standing.answer, standing.level),
        hint_level=0 if is_solved else standing.level,
        next_hint=standing.next_hint,
        hint_label=_hint_label(standing.level),
        why=texts.answer_lines(puzzle) if standing.is_known else (),
        record=_record(puzzle) if standing.is_known or mine.is_solved or mine.hints >= ANSWER else "",
        streak=texts.streak_text(streak(user, today) if is_solved else 0),
        earlier=_day_beside(day, -1, is_there=has_earlier(day)),
        later=_day_beside(day, 1, is_there=day < today),
        notice=notice_view(error, puzzle.variant) if error else None,
        spoken=_spoken(position, reach, view_request) if view_request.is_spoken else None,
    )


def _told(user: Viewer, mine: PuzzleResult, level: int) -> int:
    """Return how far hints are told: as far as is asked for, to a person who has not solved it as far as is noted."""
    if not level:
        return 0
    return mine.hints if isinstance(user, User) and not mine.is_solved else max(level, mine.hints)


def _spoken(position: Position, reach: Reach | None, view_request: ViewRequest) -> SpokenPuzzle:
    return SpokenPuzzle(
        legal=legal_view(position, view_request) if reach else None,
        stocks=stock_views(position),
        board=text_board(position, frozenset(reach.attach) if reach else frozenset()),
        examples=placement_examples(position),
    )


def _record(puzzle: Puzzle) -> str:
    return write_json(GameRecord(Record(puzzle.variant, puzzle.moves)))


def _picture(position: Position, reach: Reach | None, colour: str, placed: int) -> svg.BoardView:
    if reach is None:
        return svg.board_view(position, None, None, apart=placed)
    return svg.board_view(position, colour, reach.attach, apart=placed)


def _day_beside(day: date, days: int, *, is_there: bool) -> str:
    return (day + timedelta(days=days)).isoformat() if is_there else ""


def _about(found: PuzzleDay, mine: PuzzleResult) -> str:
    share = first_try_shares([found.pk]).get(found.pk)
    own = texts.own_result_text(tries=mine.tries, hints=mine.hints, is_solved=mine.is_solved)
    parts = (names.variant_name(found.puzzle.variant), own, texts.first_try_text(share))
    return " · ".join(filter(None, parts))


def _hints(puzzle: Puzzle, answer: Placement | None, level: int) -> tuple[str, ...]:
    if answer is None:
        return ()
    said = {
        PIECE: texts.piece_hint(answer),
        PART: texts.part_hint(answer, puzzle.variant),
        ANSWER: texts.answer_hint(answer),
    }
    return tuple(text for step, text in said.items() if step <= level)


def _hint_label(level: int) -> str:
    labels = {0: gettext("Hint: which piece"), PIECE: gettext("Hint: where"), PART: gettext("Show the answer")}
    return labels.get(level, "")


def _verdict(puzzle: Puzzle, tried: TriedPuzzle | None, count: int) -> str:
    if tried is None:
        return ""
    if tried.is_solved:
        return gettext("Solved.")
    if not tried.is_right:
        return texts.wrong_text(puzzle.kind)
    return gettext("Right so far: %(placed)d of %(all)d placed.") % {
        "placed": count,
        "all": len(puzzle.solutions[0]),
    }


def _hand(position: Position, puzzle: Puzzle, reach: Reach | None, piece: str) -> PuzzleHand:
    if reach is None:
        return PuzzleHand()
    places = sentences.placement_choices(position.legal_placements() if piece else (), piece)
    return PuzzleHand(
        data=script_json(position_data(position, {puzzle.colour: reach})),
        trays=tuple(map(usable_first, trays(position, (puzzle.colour,)))),
        can_place=position.has_legal(),
        chosen=piece if places else "",
        placements=places,
    )


def _sides(position: Position) -> tuple[ColourSide, ...]:
    cells = position.variant.stock_cells
    left = {state.code: state.cells_left for state in colour_states(position)}
    return tuple(
        ColourSide(
            colour=colour,
            name=sentences.colour(colour),
            left=gettext("no moves left")
            if position.is_blocked(colour)
            else sentences.pieces(len(position.stock(colour))),
            placed=cells - left[colour],
            cells=cells,
            of_cells=pgettext("cells placed", "of %(total)d") % {"total": cells},
            is_to_play=colour == position.colour,
        )
        for colour in position.colours_in_play
    )


def _steps(position: Position, count: int) -> tuple[RecentPiece, ...]:
    """Return what was placed here, drawn after all else with its number."""
    if not count:
        return ()
    drawn = [turn.placement for turn in position.history if turn.placement is not None]
    pieces = svg.pieces_of(position)
    latest = zip(range(1, count + 1), drawn[-count:], pieces[-count:], strict=True)
    return recent_pieces(position.variant, latest, 0)


def _label(position: Position) -> str:
    """Return the board in words: its size, and which cells each colour covers."""
    variant = position.variant
    words = [gettext("Board, %(width)d by %(height)d.") % {"width": variant.width, "height": variant.height}]
    for colour in position.colours_in_play:
        cells = [name for cell, name in enumerate(variant.cells) if position.owner(cell) == colour]
        said = {"colour": sentences.colour(colour), "cells": ", ".join(cells)}
        words.append(gettext("%(colour)s at %(cells)s.") % said)
    return " ".join(words)
