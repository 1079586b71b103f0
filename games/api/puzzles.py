"""Puzzles as programs see them: the position and what to do; the answers once they have found one."""

from collections.abc import Sequence
from datetime import date

from django.utils import timezone
from ninja import Field, Schema

from games.actions.puzzles.take_hint import ANSWER, PART, PIECE
from games.actions.puzzles.try_puzzle import position_with
from games.api.schemas import Sent
from games.base.access import Viewer
from games.queries.puzzles.days import (
    PuzzleDay,
    PuzzleResult,
    first_try_shares,
    own_results,
    parse_day,
    puzzle_of,
    puzzles_until,
    today_of,
)
from games.rules.notation import LONGEST_PLACEMENT

#: No puzzle takes so many placements.
_MOST_PLACED = 12


class UntilDay(Schema):
    """The last day to list, today by default."""

    until: str = ""


class PuzzleOut(Schema):
    """The puzzle of a day: after these `moves` `colour` is to place `pieces` pieces. `kind` says what for.

    `ending`: the placement that leaves it furthest ahead at the end; `rest`: all that it has left; `shut`: the one
    after which no other can place any; `win`: the only one with which it wins. `share` is how many in a hundred people
    solve it at their first try, null where too few have tried. `tries`, `hints` and `solved` are your own, and
    `answers`, each a set of placements, are null until you have solved it.
    """

    day: date
    kind: str
    variant: str
    moves: list[str]
    colour: str
    pieces: int
    share: int | None
    tries: int
    hints: int
    solved: bool
    answers: list[list[str]] | None


class PuzzleTryIn(Sent):
    """A `move` to try, after what was `placed` right before it where a puzzle takes several."""

    move: str = Field(max_length=LONGEST_PLACEMENT)
    placed: list[str] = Field(default_factory=list, max_length=_MOST_PLACED)


class PuzzleTriedOut(Schema):
    """What became of a try: `placed` is what is right so far, without a placement that was wrong."""

    right: bool
    solved: bool
    placed: list[str]


class PuzzleHintIn(Sent):
    """How much to tell: 1 which piece, 2 also about where, 3 the answer; `placed` as in a try."""

    level: int = Field(ge=PIECE, le=ANSWER)
    placed: list[str] = Field(default_factory=list, max_length=_MOST_PLACED)


class PuzzleHintOut(Schema):
    """A hint: the piece of a placement that is right, from level 2 a cell that it covers, at 3 the placement.

    The piece is empty where all is placed.
    """

    level: int
    piece: str
    cell: str | None
    placement: str | None


def puzzle_list(user: Viewer, until: str) -> list[PuzzleOut]:
    """Return the puzzles up to a day, the latest first. Five queries at most.

    Raises:
        NotFound: the text names no day.

    """
    today = today_of(timezone.now())
    days = puzzles_until(min(parse_day(until), today) if until else today)
    return _outs(user, days)


def puzzle_out(user: Viewer, day: str) -> PuzzleOut:
    """Return the puzzle of a day. Three queries for a person.

    Raises:
        NotFound: it has none.

    """
    return _outs(user, [puzzle_of(parse_day(day), today_of(timezone.now()))])[0]


def _outs(user: Viewer, days: Sequence[PuzzleDay]) -> list[PuzzleOut]:
    mine, shares = own_results(user, [each.day for each in days]), first_try_shares([each.pk for each in days])
    return [_out(each, mine.get(each.day, PuzzleResult()), shares.get(each.pk)) for each in days]


def _out(found: PuzzleDay, mine: PuzzleResult, share: int | None) -> PuzzleOut:
    puzzle = found.puzzle
    return PuzzleOut(
        day=found.day,
        kind=puzzle.kind,
        variant=puzzle.variant,
        moves=list(puzzle.moves),
        colour=puzzle.colour,
        pieces=len(puzzle.solutions[0]),
        share=share,
        tries=mine.tries,
        hints=mine.hints,
        solved=mine.is_solved,
        answers=[list(each) for each in puzzle.solutions] if mine.is_solved else None,
    )


def answer_text(day: date, placed: Sequence[str]) -> str:
    """Return a placement that is right after these. One query.

    Raises:
        NotFound: the day has no puzzle.
        BadRequest, Refused: what was placed cannot be.

    """
    found = puzzle_of(day, today_of(timezone.now()))
    position, kept = position_with(found, placed)
    answer = found.puzzle.next_answer(position, kept)
    return "" if answer is None else str(answer)


def hint_out(level: int, answer: str) -> PuzzleHintOut:
    """Return as much of a right placement as a level tells."""
    piece, _colon, cells = answer.partition(":")
    return PuzzleHintOut(
        level=level,
        piece=piece,
        cell=cells.split(",")[0] if level >= PART else None,
        placement=answer if level >= ANSWER else None,
    )
