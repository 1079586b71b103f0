"""The page of puzzles: that of today, and the earlier ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.urls import reverse
from django.utils.formats import date_format

from games.base.access import Viewer
from games.drawing.thumbnails import Thumbnail, thumbnail
from games.queries.puzzles.days import (
    DAYS_A_PAGE,
    PuzzleDay,
    PuzzleResult,
    first_try_shares,
    own_results,
    puzzles_until,
    streak,
)
from games.words import names
from games.words.puzzles import texts


@dataclass(frozen=True)
class PuzzleCard:
    """A puzzle in the list: where it is, its day and kind, what is known of it, and what the reader has made of it."""

    address: str
    day: str
    title: str
    task: str
    about: str
    result: str
    is_solved: bool
    thumb: Thumbnail


@dataclass(frozen=True)
class PuzzlesPage:
    """The puzzle of today, None on a page of earlier ones or where there is none, and those before it.

    `older` is the day with which the next page begins, "" after the last.
    """

    today: PuzzleCard | None
    cards: Sequence[PuzzleCard]
    streak: str
    older: str


def puzzles_page(user: Viewer, today: date, last: date | None = None) -> PuzzlesPage:
    """Return the puzzles up to a day, today's by default. Six queries at most."""
    first = min(last or today, today)
    days = puzzles_until(first)
    mine = own_results(user, [each.day for each in days])
    shares = first_try_shares([each.pk for each in days])
    cards = [_card(each, mine.get(each.day, PuzzleResult()), shares.get(each.pk)) for each in days]
    is_latest = bool(days) and days[0].day == today
    return PuzzlesPage(
        today=cards[0] if is_latest else None,
        cards=cards[is_latest:],
        streak=texts.streak_text(streak(user, today)),
        older=days[-1].day.isoformat() if len(days) == DAYS_A_PAGE else "",
    )


def _card(found: PuzzleDay, mine: PuzzleResult, share: int | None) -> PuzzleCard:
    puzzle = found.puzzle
    return PuzzleCard(
        address=reverse("puzzle", args=[found.day.isoformat()]),
        day=date_format(found.day, "DATE_FORMAT"),
        title=texts.puzzle_title(puzzle.kind),
        task=texts.puzzle_task(puzzle),
        about=" · ".join(filter(None, (names.variant_name(puzzle.variant), texts.first_try_text(share)))),
        result=texts.own_result_text(tries=mine.tries, hints=mine.hints, is_solved=mine.is_solved),
        is_solved=mine.is_solved,
        thumb=thumbnail(puzzle.position.board, puzzle.variant),
    )
