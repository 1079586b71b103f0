"""Trying a puzzle: the rules refuse, the answer judges, and what a person has tried is counted once."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.erasure import close_account
from accounts.models import User
from games.actions.puzzles.store_puzzles import store_puzzles
from games.actions.puzzles.take_hint import take_hint
from games.actions.puzzles.try_puzzle import try_puzzle
from games.errors import BadRequest, NotFound, Refused
from games.models import DailyPuzzle, PuzzleTry
from games.puzzles.puzzle import ENDING, KINDS, PLACE_ALL
from games.queries.puzzles.days import FEWEST_TRIED, first_try_shares, own_results, puzzle_of, puzzles_until, streak
from tests.games.puzzles.samples import DAY, SAMPLES, in_order, wrong

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
NOBODY = AnonymousUser()


@pytest.fixture
def days() -> None:
    """Store a puzzle of each kind, in the order of the kinds, from DAY on."""
    for kind in KINDS:
        assert store_puzzles([(1, SAMPLES[kind])], source="bots", first=DAY)


@pytest.mark.usefixtures("days")
def test_the_right_placement_solves_it_and_a_second_one_counts_no_more(alice: User) -> None:
    puzzle = SAMPLES[ENDING]
    answer = puzzle.solutions[0][0]
    assert not try_puzzle(alice, DAY, placed=(), move=wrong(puzzle), now=NOON).is_right
    assert try_puzzle(alice, DAY, placed=(), move=answer, now=NOON).is_solved
    try_puzzle(alice, DAY, placed=(), move=wrong(puzzle), now=NOON)
    row = PuzzleTry.objects.get()
    assert (row.tries, row.hints, row.solved_at) == (2, 0, NOON)


@pytest.mark.usefixtures("days")
def test_all_that_is_left_is_placed_one_after_another_and_is_one_try(alice: User) -> None:
    puzzle, day = SAMPLES[PLACE_ALL], DAY + timedelta(days=KINDS.index(PLACE_ALL))
    order = in_order(puzzle)
    assert len(order) == len(puzzle.solutions[0]) > 1
    placed: tuple[str, ...] = ()
    for number, move in enumerate(order, start=1):
        tried = try_puzzle(alice, day, placed=placed, move=move, now=NOON + timedelta(days=9))
        placed = tried.placed
        assert (tried.is_right, tried.is_solved) == (True, number == len(order))
    assert PuzzleTry.objects.get().tries == 1


@pytest.mark.usefixtures("days")
def test_what_the_rules_refuse_is_no_try_and_has_their_reason(alice: User) -> None:
    taken = next(
        str(turn.placement) for turn in SAMPLES[ENDING].position.history if turn.colour == SAMPLES[ENDING].colour
    )
    with pytest.raises(Refused) as refused:
        try_puzzle(alice, DAY, placed=(), move=taken, now=NOON)
    assert "overlap" in refused.value.reasons
    with pytest.raises(BadRequest):
        try_puzzle(alice, DAY, placed=(), move="nonsense", now=NOON)
    assert not PuzzleTry.objects.exists()


@pytest.mark.usefixtures("days")
def test_what_was_not_right_before_is_left_out(alice: User) -> None:
    puzzle = SAMPLES[ENDING]
    tried = try_puzzle(alice, DAY, placed=[wrong(puzzle)], move=puzzle.solutions[0][0], now=NOON)
    assert tried.is_solved
    assert tried.placed == puzzle.solutions[0]


@pytest.mark.usefixtures("days")
def test_no_day_is_there_before_it_has_come() -> None:
    with pytest.raises(NotFound):
        try_puzzle(NOBODY, DAY + timedelta(days=1), placed=(), move="1:a1", now=NOON)
    with pytest.raises(NotFound):
        take_hint(NOBODY, DAY - timedelta(days=1), level=1, now=NOON)


@pytest.mark.usefixtures("days")
def test_a_visitor_is_judged_and_nothing_is_kept() -> None:
    assert try_puzzle(NOBODY, DAY, placed=(), move=SAMPLES[ENDING].solutions[0][0], now=NOON).is_solved
    assert take_hint(NOBODY, DAY, level=2, now=NOON) == 2
    assert not PuzzleTry.objects.exists()


@pytest.mark.usefixtures("days")
def test_hints_are_noted_until_it_is_solved(alice: User) -> None:
    take_hint(alice, DAY, level=2, now=NOON)
    take_hint(alice, DAY, level=1, now=NOON)
    assert own_results(alice, [DAY])[DAY].hints == 2
    try_puzzle(alice, DAY, placed=(), move=SAMPLES[ENDING].solutions[0][0], now=NOON)
    take_hint(alice, DAY, level=3, now=NOON)
    mine = own_results(alice, [DAY])[DAY]
    assert (mine.hints, mine.is_solved) == (2, True)


@pytest.mark.usefixtures("days")
def test_days_in_a_row_end_with_one_that_was_missed_or_solved_later(alice: User) -> None:
    today = DAY + timedelta(days=2)
    on_time = [(DAY, 0), (DAY + timedelta(days=1), 0), (today, 0)]
    for day, late in on_time:
        at = datetime(day.year, day.month, day.day, 23, 59, tzinfo=UTC) + timedelta(days=late)
        PuzzleTry.objects.create(user=alice, puzzle=DailyPuzzle.objects.get(day=DAY), day=day, tries=1, solved_at=at)
    assert streak(alice, today) == 3
    assert streak(alice, today + timedelta(days=1)) == 3
    assert streak(alice, today + timedelta(days=2)) == 0
    PuzzleTry.objects.filter(day=DAY + timedelta(days=1)).update(solved_at=NOON + timedelta(days=5))
    assert streak(alice, today) == 1
    assert streak(NOBODY, today) == 0


@pytest.mark.usefixtures("days")
def test_how_hard_it_is_is_told_once_enough_people_have_tried() -> None:
    puzzle = DailyPuzzle.objects.get(day=DAY)
    people = [User.objects.create_user(f"person{number}") for number in range(FEWEST_TRIED)]
    for number, person in enumerate(people):
        assert first_try_shares([puzzle.pk]) == {}
        solved = {"tries": 1, "solved_at": NOON} if number < 2 else {"tries": 3}
        PuzzleTry.objects.create(user=person, puzzle=puzzle, day=DAY, **solved)
    assert first_try_shares([puzzle.pk]) == {puzzle.pk: 40}
    PuzzleTry.objects.filter(user=people[0]).update(hints=1)
    assert first_try_shares([puzzle.pk]) == {puzzle.pk: 20}
    User.objects.filter(pk=people[0].pk).update(operator=people[1])
    assert first_try_shares([puzzle.pk]) == {}


@pytest.mark.usefixtures("days")
def test_how_hard_it_is_is_said_by_the_first_people_who_have_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.queries.puzzles.days.FIRST_TRIED", FEWEST_TRIED)
    puzzle, other = DailyPuzzle.objects.order_by("day")[:2]
    for number in range(2 * FEWEST_TRIED):
        person = User.objects.create_user(f"person{number}")
        solved = {"tries": 1, "solved_at": NOON} if number < FEWEST_TRIED else {"tries": 3}
        PuzzleTry.objects.create(user=person, puzzle=puzzle, day=puzzle.day, **solved)
        PuzzleTry.objects.create(user=person, puzzle=other, day=other.day, tries=2)
    assert first_try_shares([puzzle.pk, other.pk]) == {puzzle.pk: 100, other.pk: 0}


@pytest.mark.usefixtures("days")
def test_once_all_days_have_had_their_turn_they_begin_again() -> None:
    count = len(KINDS)
    later = DAY + timedelta(days=50 * count)
    assert puzzle_of(later, later).puzzle == SAMPLES[KINDS[0]]
    assert puzzle_of(later + timedelta(days=count + 1), later + timedelta(days=9)).puzzle == SAMPLES[KINDS[1]]
    listed = puzzles_until(DAY + timedelta(days=count + 1))
    assert [each.puzzle.kind for each in listed] == [KINDS[1], KINDS[0], *reversed(KINDS)]


@pytest.mark.usefixtures("days")
def test_puzzles_that_come_after_they_have_begun_again_change_no_day_before_them() -> None:
    new = DAY + timedelta(days=10)
    between = [DAY + timedelta(days=number) for number in range(10)]
    before = [puzzle_of(day, new).pk for day in between]
    row = DailyPuzzle.objects.get(day=DAY)
    row.pk, row.day, row.key = None, new, "new"
    row.save()
    assert [puzzle_of(day, new).pk for day in between] == before
    assert [each.pk for each in puzzles_until(new)] == [row.pk, *reversed(before)]


@pytest.mark.usefixtures("days")
def test_one_like_it_is_not_stored_again_and_each_has_a_day_of_its_own() -> None:
    assert store_puzzles([(7, SAMPLES[ENDING])], source="game", first=DAY) == 0
    assert list(DailyPuzzle.objects.order_by("day").values_list("day", flat=True)) == [
        DAY + timedelta(days=index) for index in range(len(KINDS))
    ]


@pytest.mark.usefixtures("days")
def test_what_a_person_has_tried_goes_with_the_account(alice: User) -> None:
    take_hint(alice, DAY, level=1, now=NOON)
    close_account(alice)
    assert not PuzzleTry.objects.exists()
