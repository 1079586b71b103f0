"""Puzzles: those of the days, trying one, and hints."""

from django.http import HttpRequest
from ninja import Query

from accounts import limits
from games.actions.puzzles.take_hint import take_hint as _take_hint
from games.actions.puzzles.try_puzzle import try_puzzle as _try_puzzle
from games.api.door import LOOKING, TRYING
from games.api.endpoints.answers import PUBLIC, responses, router
from games.api.puzzles import (
    PuzzleHintIn,
    PuzzleHintOut,
    PuzzleOut,
    PuzzleTriedOut,
    PuzzleTryIn,
    UntilDay,
    answer_text,
    hint_out,
    puzzle_list,
    puzzle_out,
)
from games.queries.puzzles.days import parse_day
from games.table.counting import PUZZLES_AN_HOUR


@router.get(
    "puzzles",
    auth=LOOKING,
    response=responses(list[PuzzleOut], 404),
    url_name="api-puzzles",
    tags=["puzzles", PUBLIC],
)
def list_puzzles(request: HttpRequest, wish: Query[UntilDay]) -> list[PuzzleOut]:
    """List the puzzles of the last 30 days, or of those up to a day."""
    return puzzle_list(request.user, wish.until)


@router.get(
    "puzzles/{day}",
    auth=LOOKING,
    response=responses(PuzzleOut, 404),
    url_name="api-puzzle",
    tags=["puzzles", PUBLIC],
)
def show_puzzle(request: HttpRequest, day: str) -> PuzzleOut:
    """Show the puzzle of a day that has come, such as 2026-11-29."""
    return puzzle_out(request.user, day)


@router.post(
    "puzzles/{day}/try",
    auth=TRYING,
    response=responses(PuzzleTriedOut, 404, 422),
    url_name="api-puzzle-try",
    tags=["puzzles", PUBLIC],
)
def try_puzzle(request: HttpRequest, day: str, wish: PuzzleTryIn) -> PuzzleTriedOut:
    """Try a placement. What the rules refuse is no try.

    With a token a wrong one is counted for its owner, and so is the one that solves it; without one nothing is kept.
    """
    limits.count_use(f"puzzle:{limits.requester(request)}", PUZZLES_AN_HOUR, 3600)
    tried = _try_puzzle(request.user, parse_day(day), placed=wish.placed, move=wish.move)
    return PuzzleTriedOut(right=tried.is_right, solved=tried.is_solved, placed=list(tried.placed))


@router.post(
    "puzzles/{day}/hint",
    auth=TRYING,
    response=responses(PuzzleHintOut, 404, 422),
    url_name="api-puzzle-hint",
    tags=["puzzles", PUBLIC],
)
def take_hint(request: HttpRequest, day: str, wish: PuzzleHintIn) -> PuzzleHintOut:
    """Take a hint, which is noted for the owner of a token until they have solved the puzzle."""
    limits.count_use(f"puzzle:{limits.requester(request)}", PUZZLES_AN_HOUR, 3600)
    on = parse_day(day)
    answer = answer_text(on, wish.placed)
    return hint_out(_take_hint(request.user, on, level=wish.level), answer)
