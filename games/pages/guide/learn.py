"""A lesson as its page shows it: what to do, the board, and what the rules say to an attempt. Nothing is stored."""

from dataclasses import dataclass, replace
from functools import cache

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from games.drawing import outline, svg
from games.errors import BadRequest, Refused
from games.pages.board.board_data import PositionData, Reach, position_data, script_json, shapes_data
from games.pages.board.refusal import NoticeView, notice_view
from games.rules import IllegalPlacement, Placement, Position, UnreadablePlacement
from games.rules.variants import get_variant
from games.words import sentences
from games.words.lessons import COLOUR, LESSONS, RIVAL, START, VARIANT, Lesson, lesson_position

#: The longest text that is read as a placement.
LONGEST_ATTEMPT = 200
#: Units of the letters and numbers beside the board: as large as small print on the smallest phone.
_LETTER = 3


@dataclass(frozen=True)
class LessonLink:
    """A lesson in the line of all of them."""

    key: str
    number: int
    title: str
    is_here: bool


@dataclass(frozen=True)
class GhostView:
    """The piece in the hand: which form lies where, as look-ups count it, and the paths it is drawn of."""

    piece: str
    form: int
    anchor: int
    fits: bool
    shape: str
    glyphs: str
    fault: str


@dataclass(frozen=True)
class AnswerView:
    """A place to choose: its letter, its cells in words, its outline, and what is said of it once it is counted."""

    letter: str
    text: str
    label: str
    shape: str
    outcome: str
    is_chosen: bool


@dataclass(frozen=True, kw_only=True)
class LessonPage:
    """One lesson after one attempt or none.

    `praise` answers an attempt that is right, `notice` any other. `ghost` is None where there is nothing to move (any
    more), and `choices` are none then, unless they are there to be compared. `before` is the board before the attempt.
    `shapes` and `data` are JSON for the page's behaviours, empty where there is nothing to move.
    """

    key: str
    number: int
    count: int
    title: str
    task: str
    steps: tuple[LessonLink, ...]
    board: svg.BoardView
    before: svg.BoardView
    board_label: str
    view: str
    ghost: GhostView | None
    choices: tuple[AnswerView, ...]
    notice: NoticeView | None
    praise: str
    next_key: str
    colour: str
    shapes: str
    data: str

    @property
    def is_done(self) -> bool:
        """Return whether the attempt was right."""
        return bool(self.praise)


@dataclass(frozen=True)
class _Attempt:
    """What the learner tried: the placement if it could be read, and the position after it if it is legal."""

    placement: Placement | None = None
    after: Position | None = None
    notice: NoticeView | None = None


def lesson_page(key: str, text: str = "") -> LessonPage:
    """Return a lesson, the first for a key that is none, with the answer to a placement if there is one."""
    lesson = LESSONS.get(key) or LESSONS[START]
    attempt = _answer(lesson_position(lesson.key), text) if text else _Attempt()
    if lesson.counts:
        attempt = _weighed(lesson, attempt)
    is_done = attempt.after is not None and attempt.notice is None
    before = lesson_position(lesson.key)
    position = attempt.after if is_done and attempt.after else before
    ghost = None if is_done else _ghost(lesson, attempt)
    keys = list(LESSONS)
    at = keys.index(lesson.key)
    return LessonPage(
        key=lesson.key,
        number=at + 1,
        count=len(keys),
        title=str(lesson.title),
        task=str(lesson.task),
        steps=_steps(lesson.key),
        board=_board(position, _corners_of(lesson, is_done)),
        before=svg.board_view(before),
        board_label=_board_label(position),
        view=_view(position),
        ghost=ghost,
        choices=() if is_done and lesson.begin else _choices(lesson, attempt),
        notice=attempt.notice,
        praise=_praise(lesson, attempt.after) if is_done else "",
        next_key=keys[at + 1] if at + 1 < len(keys) else "",
        colour=COLOUR,
        shapes=_shapes(ghost.piece) if ghost else "",
        data=script_json(_data(lesson.key, ghost.piece)) if ghost else "",
    )


def _answer(position: Position, text: str) -> _Attempt:
    """Return what the rules say to an attempt, in the words of play."""
    try:
        placement = Placement.parse(text[:LONGEST_ATTEMPT], VARIANT)
    except UnreadablePlacement:
        unread = BadRequest(gettext("This move could not be read. Choose one of the places below."), field="placement")
        return _Attempt(notice=notice_view(unread, VARIANT))
    try:
        return _Attempt(placement, position.play(placement))
    except IllegalPlacement as illegal:
        return _Attempt(placement, notice=notice_view(Refused.of(illegal), VARIANT))


def _weighed(lesson: Lesson, attempt: _Attempt) -> _Attempt:
    """Return the attempt with a notice if another choice would leave more moves, or fewer to the opponent."""
    if attempt.after is None:
        return attempt
    is_own = lesson.counts == COLOUR
    best = (max if is_own else min)(_after(lesson.key, text).legal_count(lesson.counts) for text in lesson.choices)
    if attempt.after.legal_count(lesson.counts) == best:
        return attempt
    hint = (
        gettext("The other place leaves you %(most)d. Choose that one.") % {"most": best}
        if is_own
        else gettext("Another place leaves only %(fewest)d. Choose that one.") % {"fewest": best}
    )
    return replace(attempt, notice=NoticeView("info", (_counted(attempt.after, lesson.counts), hint)))


def _praise(lesson: Lesson, after: Position | None) -> str:
    """Return the answer to the right attempt, with what it leaves where that is the point."""
    return f"{lesson.praise} {_counted(after, lesson.counts)}" if after and lesson.counts else str(lesson.praise)


def _counted(after: Position, colour: str) -> str:
    """Return how many ways a position leaves a colour to go on."""
    corners, left = len(after.attach_points(colour)), after.legal_count(colour)
    reached = ngettext("%(n)d corner", "%(n)d corners", corners) % {"n": corners}
    places = ngettext("%(n)d possible move", "%(n)d possible moves", left) % {"n": left}
    words = {"corners": reached, "placements": places}
    if colour != COLOUR:
        return gettext("Your opponent now has %(corners)s and %(placements)s.") % words
    return gettext("You now have %(corners)s and %(placements)s.") % words


@cache
def _after(lesson: str, text: str) -> Position:
    return lesson_position(lesson).play(Placement.parse(text, VARIANT))


def _steps(here: str) -> tuple[LessonLink, ...]:
    return tuple(
        LessonLink(lesson.key, number, str(lesson.title), lesson.key == here)
        for number, lesson in enumerate(LESSONS.values(), start=1)
    )


def _ghost(lesson: Lesson, attempt: _Attempt) -> GhostView | None:
    """Return the piece to move: where the attempt left it, if it is this lesson's and on the board."""
    if not lesson.begin:
        return None
    tried, begin = attempt.placement, Placement.parse(lesson.begin, VARIANT)
    is_it = tried is not None and tried.id is not None and tried.piece == begin.piece
    held = tried if is_it and tried else begin
    height = get_variant(VARIANT).height
    return GhostView(
        piece=held.piece,
        form=held.orientation or 0,
        anchor=held.anchor[1] * get_variant(VARIANT).width + held.anchor[0],
        fits=held.id in lesson_position(lesson.key).legal_ids(),
        shape=outline.piece_path(held.points, height),
        glyphs=outline.glyph_path(COLOUR, held.points, height),
        fault=attempt.notice.faults if attempt.notice else "",
    )


def _choices(lesson: Lesson, attempt: _Attempt) -> tuple[AnswerView, ...]:
    """Return the places to choose from; where they are weighed, with their counts once one has been chosen."""
    is_counted = bool(lesson.counts) and attempt.after is not None
    return tuple(
        _choice(letter, Placement.parse(text, VARIANT), _outcome(lesson, text) if is_counted else "", attempt.placement)
        for letter, text in zip("ABCDEF", lesson.choices, strict=False)
    )


def _outcome(lesson: Lesson, text: str) -> str:
    left = _after(lesson.key, text).legal_count(lesson.counts)
    return ngettext("%(n)d possible move left", "%(n)d possible moves left", left) % {"n": left}


def _choice(letter: str, placement: Placement, outcome: str, tried: Placement | None) -> AnswerView:
    variant = get_variant(VARIANT)
    cells = sentences.listed([variant.cells[cell] for cell in placement.cells])
    return AnswerView(
        letter=letter,
        text=str(placement),
        label=gettext("%(piece)s at %(cells)s") % {"piece": placement.piece, "cells": cells},
        shape=outline.piece_path(placement.points, variant.height),
        outcome=outcome,
        is_chosen=placement == tried,
    )


def _corners_of(lesson: Lesson, is_done: bool) -> str | None:
    """Return the colour whose corners the lesson shows: the opponent's where it is to be blocked."""
    if lesson.counts == RIVAL:
        return RIVAL
    return COLOUR if is_done or lesson.key != START else None


def _board(position: Position, corners_of: str | None) -> svg.BoardView:
    return replace(svg.board_view(position, corners_of), frame=_frame())


@cache
def _frame() -> svg.FrameView:
    """Return the frame of the board with letters as large as this board is small."""
    frame, rows = svg.frame_view(VARIANT), range(get_variant(VARIANT).height)
    return replace(
        frame,
        letter_size=_LETTER,
        letters_y=f"{frame.height + _LETTER + 0.6:g}",
        digits_x=" ".join("-2.4" for _row in rows),
        digits_y=" ".join(f"{frame.height - outline.CELL * (row + 0.5) + 1:g}" for row in rows),
    )


def _view(position: Position) -> str:
    """Return the part of the plane that shows the board and what stands beside it."""
    frame, size = svg.frame_view(position.variant.id), _LETTER + 1.5
    return f"{-size:g} -0.5 {frame.width + size + 0.5:g} {frame.height + size + 0.5:g}"


def _board_label(position: Position) -> str:
    """Return the board in words: its size, the start cell while it is free, and who lies where."""
    variant = position.variant
    words = [gettext("Board, %(width)d by %(height)d.") % {"width": variant.width, "height": variant.height}]
    if position.last_piece(COLOUR) is None:
        starts = [variant.cells[cell] for cell in variant.start_cells[COLOUR]]
        words.append(gettext("Your start cell is %(cell)s.") % {"cell": sentences.listed(starts)})
    for turn in position.history:
        if turn.placement:
            cells = sentences.listed([variant.cells[cell] for cell in turn.placement.cells])
            said = {"colour": sentences.colour(turn.colour or ""), "cells": cells}
            words.append(gettext("%(colour)s at %(cells)s.") % said)
    return " ".join(words)


@cache
def _shapes(piece: str) -> SafeString:
    """Return the shapes that the play page carries, of one piece alone."""
    shapes = shapes_data(VARIANT)
    return script_json({**shapes, "pieces": {piece: shapes["pieces"][piece]}})


def _data(lesson: str, piece: str) -> PositionData:
    """Return what the play page carries of a position, of one piece alone."""
    position = lesson_position(lesson)
    data = position_data(position, {COLOUR: Reach.of(position, COLOUR)})
    legal = data["colours"][COLOUR]["legal"]
    data["colours"][COLOUR]["legal"] = {piece: legal[piece]}
    return data
