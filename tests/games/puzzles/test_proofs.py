"""Every puzzle that comes with the program is true: a search of its own, by the rules alone, refutes none.

It knows nothing of how they were found: it plays whatever the rules allow, to the end.
"""

from collections import Counter
from collections.abc import Sequence

import pytest

from games.bots.puzzles.finding import best_ending, only_win, place_all, shut_out
from games.bots.puzzles.shipped import FILE, shipped_puzzles
from games.puzzles.puzzle import ENDING, KINDS, PLACE_ALL, SHUT_OUT, WIN, Puzzle, format_puzzle, parse_puzzle
from games.rules import Position
from games.rules.record import replay
from tests.games.puzzles.samples import ALL, SAMPLES

#: What a search by the rules may look at in the quick tests, of which each kind has some.
QUICK = 12
FINDERS = {ENDING: best_ending, PLACE_ALL: place_all, SHUT_OUT: shut_out, WIN: only_win}


def after_passes(position: Position) -> Position:
    while not position.is_over and not position.has_legal():
        position = position.pass_turn()
    return position


class Naive:
    """How far a seat is ahead at the end if all play their best, by playing everything."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._known: dict[object, int] = {}

    def margin(self, position: Position) -> int:
        position = after_passes(position)
        if position.is_over:
            scores = position.seat_scores()
            return scores[self.seat] - max(score for seat, score in enumerate(scores) if seat != self.seat)
        key = position.key
        if key not in self._known:
            aim = max if position.seat == self.seat else min
            self._known[key] = aim(self.margin(position.play_id(each)) for each in position.legal_ids())
        return self._known[key]


class Bound:
    """Whether a seat is ahead by so much at the end if all play their best: less has to be played for that."""

    def __init__(self, seat: int, margin: int) -> None:
        self.seat, self.least = seat, margin
        self._known: dict[object, bool] = {}

    def is_reached(self, position: Position) -> bool:
        position = after_passes(position)
        scores = position.seat_scores()
        if position.is_over:
            return scores[self.seat] - scores[1 - self.seat] >= self.least
        key = position.key
        if key not in self._known:
            choices = sorted(position.legal_ids(), key=lambda each: -len(position.placement(each).cells))
            reached = (self.is_reached(position.play_id(each)) for each in choices)
            self._known[key] = any(reached) if position.seat == self.seat else all(reached)
        return self._known[key]


def refuted_win(puzzle: Puzzle, position: Position) -> str:
    """Return what is wrong with the only winning placement of two, an empty text for nothing."""
    seat, proof = position.seat or 0, puzzle.proof
    after = {str(each): position.play(each) for each in position.legal_placements()}
    answer = after.pop(puzzle.solutions[0][0])
    margin, following = proof["margin"], proof["next"]
    is_true = (
        following < 1 <= margin
        and Bound(seat, margin).is_reached(answer)
        and not Bound(seat, margin + 1).is_reached(answer)
        and Bound(seat, following).is_reached(after[proof["other"]])
    )
    if not is_true:
        return f"{margin} and {following}"
    better = Bound(seat, following + 1)
    return ", ".join(text for text, then in after.items() if better.is_reached(then))


def ways(position: Position, colour: str, placed: frozenset[str], known: set[frozenset[str]]) -> set[frozenset[str]]:
    """Return the sets of placements by which a colour places all that it has, by placing whatever is legal."""
    if placed in known:
        return set()
    known.add(placed)
    if not position.stock(colour):
        return {placed}
    position = after_passes(position)
    found: set[frozenset[str]] = set()
    if not position.is_over:
        for each in position.legal_placements():
            found |= ways(position.play(each), colour, placed | {str(each)}, known)
    return found


def refuted(puzzle: Puzzle) -> str:
    """Return what is wrong with a puzzle, an empty text for nothing."""
    position = replay(puzzle.variant, puzzle.moves)
    seat, colour = position.seat or 0, position.colour or ""
    if puzzle.kind == PLACE_ALL:
        found = ways(position, colour, frozenset(), set())
        return "" if found == set(map(frozenset, puzzle.solutions)) else f"{len(found)} ways"
    if puzzle.kind == WIN:
        return refuted_win(puzzle, position)
    ((answer,),) = puzzle.solutions
    if puzzle.kind == SHUT_OUT:
        others = [each for each in position.colours_in_play if position.seat_of(each) != seat]
        shutting = [
            str(each)
            for each in position.legal_placements()
            if all(position.play(each).is_blocked(other) for other in others)
        ]
        before = sum(position.legal_count(other) for other in others)
        is_true = shutting == [answer] and before == puzzle.proof["before"]
        return "" if is_true else f"{shutting}, {before} before"
    naive = Naive(seat)
    margins = {str(each): naive.margin(position.play(each)) for each in position.legal_placements()}
    best, second = sorted(margins.values(), reverse=True)[:2]
    is_true = margins[answer] == best == puzzle.proof["margin"] and second == puzzle.proof["next"] < best
    return "" if is_true and margins[puzzle.proof["other"]] == second else str(sorted(margins.items()))


def quick(puzzles: Sequence[Puzzle]) -> list[Puzzle]:
    """Return a few of each kind, those in which least is left."""
    by_size = sorted(puzzles, key=lambda each: each.position.legal_count())
    return [each for kind in KINDS for each in [one for one in by_size if one.kind == kind][: QUICK // len(KINDS)]]


def test_a_search_by_the_rules_alone_refutes_none_of_a_sample() -> None:
    assert [each.key for each in quick(ALL) if refuted(each)] == []


@pytest.mark.proof
def test_a_search_by_the_rules_alone_refutes_none_of_all() -> None:
    assert [each.key for each in ALL if refuted(each)] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_false_answer_is_refuted(kind: str) -> None:
    puzzle = min((each for each in ALL if each.kind == kind), key=lambda each: each.position.legal_count())
    right = {text for each in puzzle.solutions for text in each}
    other = next(str(each) for each in puzzle.position.legal_placements() if str(each) not in right)
    assert refuted(Puzzle(kind, puzzle.variant, puzzle.moves, ((other, *puzzle.solutions[0][1:]),), puzzle.proof))


def test_a_year_of_puzzles_fits_in_a_hundred_kilobytes_and_no_two_are_alike() -> None:
    assert FILE.stat().st_size < 100_000
    assert len({each.key for each in ALL}) == len(ALL)


def test_each_kind_has_its_days_and_no_answer_of_an_ending_or_a_win_is_a_largest_piece() -> None:
    counts = Counter(each.kind for each in ALL)
    assert set(counts) == set(KINDS)
    for each in ALL:
        if each.kind in {ENDING, WIN}:
            sizes = {str(one): len(one.cells) for one in each.position.legal_placements()}
            assert sizes[each.solutions[0][0]] < max(sizes.values())


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_puzzle_is_found_again_in_its_position(kind: str) -> None:
    assert FINDERS[kind](SAMPLES[kind].position) == SAMPLES[kind]


def test_a_puzzle_is_read_as_it_was_written() -> None:
    for found in shipped_puzzles():
        assert format_puzzle(found.puzzle) == found.text
        assert parse_puzzle(found.text) == found.puzzle
