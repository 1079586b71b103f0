"""Puzzles by the API: anybody tries them and takes hints without a token; with one it is kept what its owner tried."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Scope, User
from games.actions.puzzles.store_puzzles import store_puzzles
from games.api.endpoints import puzzles
from games.models import PuzzleTry
from games.puzzles.puzzle import ENDING, PLACE_ALL
from games.queries.puzzles.days import today_of
from tests.games.api.conftest import Program
from tests.games.puzzles.samples import SAMPLES, in_order, wrong

pytestmark = pytest.mark.django_db

ANSWER = SAMPLES[ENDING].solutions[0][0]
NOBODY = Program()


@pytest.fixture
def today() -> str:
    """Store a puzzle for yesterday, where all that is left is to be placed, and an ending for today; return today's."""
    day = today_of(timezone.now())
    for kind, first in ((PLACE_ALL, day - timedelta(days=1)), (ENDING, day)):
        assert store_puzzles([(1, SAMPLES[kind])], source="bots", first=first)
    return f"puzzles/{day}"


def told(answer: Any) -> tuple[int, Any]:
    return answer.status_code, answer.json()


def test_without_a_token_the_answer_is_right_and_solves_it(today: str) -> None:
    assert NOBODY.get(today).json()["answers"] is None
    right = {"right": True, "solved": True, "placed": [ANSWER]}
    assert told(NOBODY.post(f"{today}/try", move=ANSWER)) == (200, right)
    assert NOBODY.get(today).json()["answers"] is None
    assert not PuzzleTry.objects.exists()


def test_without_a_token_a_wrong_placement_is_said_to_be_wrong_and_not_kept(today: str) -> None:
    answer = NOBODY.post(f"{today}/try", move=wrong(SAMPLES[ENDING]))
    assert told(answer) == (200, {"right": False, "solved": False, "placed": []})
    assert not PuzzleTry.objects.exists()


def test_what_takes_several_placements_goes_on_from_those_that_were_right(today: str) -> None:
    path = f"puzzles/{today_of(timezone.now()) - timedelta(days=1)}"
    moves = in_order(SAMPLES[PLACE_ALL])
    assert NOBODY.get(path).json()["pieces"] == len(moves) > 1
    for count, move in enumerate(moves, 1):
        found = NOBODY.post(f"{path}/try", move=move, placed=moves[: count - 1]).json()
        assert found == {"right": True, "solved": count == len(moves), "placed": moves[:count]}


def test_an_illegal_placement_gets_the_reasons_and_cells_of_the_board(today: str, alice: User) -> None:
    puzzle = SAMPLES[ENDING]
    taken = next(str(turn.placement) for turn in puzzle.position.history if turn.colour == puzzle.colour)
    status, found = told(NOBODY.post(f"{today}/try", move=taken))
    assert (status, found["code"]) == (422, "illegal-placement")
    assert "overlap" in found["reasons"]
    assert sorted(found["cells"]["overlap"]) == sorted(taken.partition(":")[2].split(","))
    status, found = told(NOBODY.post(f"{today}/try", move="nonsense"))
    assert (status, found["code"], found["field"]) == (400, "bad-request", "placement")


def test_hints_need_no_token(today: str) -> None:
    piece, _colon, cells = ANSWER.partition(":")
    told_by_level = [NOBODY.post(f"{today}/hint", level=level).json() for level in (1, 2, 3)]
    assert [each["piece"] for each in told_by_level] == [piece] * 3
    assert [each["cell"] in cells.split(",") if each["cell"] else None for each in told_by_level] == [None, True, True]
    assert [each["placement"] for each in told_by_level] == [None, None, ANSWER]


def test_with_a_token_it_is_kept_what_its_owner_tried(today: str, alice: User, program: Callable[..., Program]) -> None:
    mine = program(alice, [Scope.PLAY, Scope.READ])
    mine.post(f"{today}/try", move=wrong(SAMPLES[ENDING]))
    assert mine.get(today).json()["tries"] == 1
    mine.post(f"{today}/try", move=ANSWER)
    found = mine.get(today).json()
    assert (found["tries"], found["solved"], found["answers"]) == (2, True, [[ANSWER]])


def test_a_token_that_is_shown_has_to_be_one_that_may_play(
    today: str, alice: User, program: Callable[..., Program]
) -> None:
    reader = program(alice, [Scope.READ])
    assert told(reader.post(f"{today}/try", move=ANSWER))[1]["code"] == "scope"
    assert Program("blockyou_" + "a" * 32).post(f"{today}/try", move=ANSWER).status_code == 401
    assert not PuzzleTry.objects.exists()


def test_a_day_that_has_not_come_is_not_found(today: str) -> None:
    later = today_of(timezone.now()) + timedelta(days=1)
    for answer in (NOBODY.get(f"puzzles/{later}"), NOBODY.post(f"puzzles/{later}/try", move=ANSWER)):
        assert told(answer)[1]["code"] == "no-puzzle"


def test_tries_are_counted_by_address_and_by_person(
    today: str, alice: User, program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puzzles, "PUZZLES_AN_HOUR", 2)
    mine = program(alice)
    # An hour may begin meanwhile, so that twice as many fit.
    answers = [NOBODY.post(f"{today}/try", move=ANSWER) for _ in range(5)]
    assert {answer.status_code for answer in answers[:2]} == {200}
    assert answers[-1].status_code == 429
    assert int(answers[-1]["Retry-After"]) > 0
    assert mine.post(f"{today}/try", move=ANSWER).status_code == 200
