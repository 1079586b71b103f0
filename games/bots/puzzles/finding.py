"""Finding puzzles in a finished game: each position near its end is looked through, and what is proved is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from games.bots.engines.endings import solve
from games.bots.engines.state import rules_of, state_of
from games.bots.engines.tables import tables_of
from games.puzzles.puzzle import ENDING, PLACE_ALL, SHUT_OUT, WIN, Puzzle, after_passes
from games.rules import Position
from games.rules.board import ids_of
from games.rules.placement import table_for
from games.rules.record import format_turn, positions

#: How many moves of a game, counted from its end, are looked at.
LAST_MOVES = 16
#: An ending has so many placements to choose from, and so many are left to all together, at most: few enough to think.
FEWEST_TO_CHOOSE, MOST_TO_CHOOSE, MOST_LEFT = 6, 30, 60
#: Positions to look through for each placement of an ending.
MOST_POSITIONS = 4_000
#: A win is looked for earlier in the game than an ending: while more placements are left than there, up to so many, of
#: which each takes so many positions at most.
MOST_LEFT_TO_WIN, MOST_POSITIONS_TO_WIN = 140, 20_000
#: So many pieces are left where all are to be placed, and so many ways there are to do it at most.
FEWEST_REST, MOST_REST, MOST_WAYS = 3, 6, 8
#: Of the placements to begin with, at most one in so many is part of an answer.
ONE_IN = 2
#: Combinations to look at for one such puzzle.
MOST_COMBINED = 40_000
#: So many placements the others have before they are shut out, at least, and so many there are to choose from.
FEWEST_SHUT, FEWEST_SHUTTING = 4, 6


def puzzles_in(variant: str, moves: Sequence[str], kinds: Sequence[str]) -> Iterator[Puzzle]:
    """Yield the puzzles of these kinds in a finished game, one of a kind at most: that which is found first."""
    stages = list(positions(variant, moves, validate=False))
    for kind in kinds:
        finder = _FINDERS[kind]
        for position in stages[-2 : -LAST_MOVES - 2 : -1]:
            if position.is_over or not position.has_legal() or position.retired:
                continue
            found = finder(position)
            if found is not None:
                yield found
                break


def _made(kind: str, position: Position, solutions: Sequence[Sequence[int]], **proof: object) -> Puzzle:
    return Puzzle(
        kind=kind,
        variant=position.variant.id,
        moves=tuple(map(format_turn, position.history)),
        solutions=tuple(tuple(str(position.placement(each)) for each in ids) for ids in solutions),
        proof=proof,
    )


def _size(position: Position, number: int) -> int:
    return len(table_for(position.variant).cells_of(number))


def _is_largest(position: Position, number: int, legal: Sequence[int]) -> bool:
    return _size(position, number) == max(_size(position, each) for each in legal)


def best_ending(position: Position) -> Puzzle | None:
    """Return the puzzle of a position in which one placement is better than all others, and it is not a largest one."""
    return None if _left(position) > MOST_LEFT else _alone(ENDING, position, MOST_POSITIONS)


def only_win(position: Position) -> Puzzle | None:
    """Return the puzzle of a position in which one placement alone wins for certain, and it is not a largest one.

    Of two sides with a colour each: what another colour of the same side does would be part of the answer.
    """
    if len(position.seats) != 2 or len(position.colours_in_play) != 2:
        return None
    is_early = MOST_LEFT < _left(position) <= MOST_LEFT_TO_WIN
    return _alone(WIN, position, MOST_POSITIONS_TO_WIN) if is_early else None


def _left(position: Position) -> int:
    """Return how many placements are left to all together, counted as if each could still get everywhere."""
    return sum(position.open_mask(colour).bit_count() for colour in position.colours_in_play)


def _alone(kind: str, position: Position, most: int) -> Puzzle | None:
    """Return the puzzle of one placement that alone is the best or alone wins, after at most so many positions each."""
    legal = position.legal_ids()
    if not FEWEST_TO_CHOOSE <= len(legal) <= MOST_TO_CHOOSE:
        return None
    seat = position.seat or 0
    best = _solved(position, most)
    if best is None or _is_largest(position, best[0], legal):
        return None
    number, margin = best
    enough = 1 if kind == WIN else margin
    if margin < enough:
        return None
    others = []
    # Large ones first, since they tell soonest that another one does as well.
    for other in sorted(legal, key=lambda each: -_size(position, each)):
        if other != number:
            value = _margin(after_passes(position.play_id(other)), seat, most)
            if value is None or value >= enough:
                return None
            others.append((value, -other))
    second, other = max(others)
    line = _best_play(after_passes(position.play_id(number)), most)
    if line is None or not line:
        return None
    other_text = str(position.placement(-other))
    return _made(kind, position, [[number]], margin=margin, next=second, other=other_text, line=line)


def _solved(position: Position, most: int) -> tuple[int, int] | None:
    """Return the best placement and the margin it leads to for the seat to play, None where that is not found out."""
    rules = rules_of(position)
    found = solve(position, rules, state_of(position, tables_of(position), rules), most)
    return None if found is None else (found.placement, found.margin)


def _margin(position: Position, seat: int, most: int) -> int | None:
    """Return how far a seat is ahead at the end if all play well, None where that is not found out."""
    if position.is_over:
        scores = position.seat_scores()
        return scores[seat] - max(score for each, score in enumerate(scores) if each != seat)
    found = _solved(position, most)
    if found is None:
        return None
    if position.seat == seat:
        return found[1]
    # Of more than two seats one alone can place here, and it is not this one: what that one wants is another thing.
    return -found[1] if len(position.seats) == 2 else None


def _best_play(position: Position, most: int) -> list[str] | None:
    """Return the placements of best play to the end, each with its colour before it."""
    line: list[str] = []
    while not position.is_over:
        found = _solved(position, most)
        if found is None:
            return None
        line.append(f"{position.colour} {position.placement(found[0])}")
        position = after_passes(position.play_id(found[0]))
    return line


def place_all(position: Position) -> Puzzle | None:
    """Return the puzzle of a position in which one colour alone can still place, and can place all that it has."""
    colour = position.colour or ""
    stock = position.stock(colour)
    if not FEWEST_REST <= len(stock) <= MOST_REST:
        return None
    if any(not position.is_blocked(each) for each in position.colours_in_play if each != colour):
        return None
    ways = _Ways(position, colour).all()
    if ways is None or not 0 < len(ways) <= MOST_WAYS:
        return None
    legal = position.legal_ids()
    right = {number for way in ways for number in way} & set(legal)
    if len(right) * ONE_IN > len(legal):
        return None
    return _made(PLACE_ALL, position, ways, first=len(legal))


@dataclass(frozen=True)
class _Choice:
    """A placement that is left: what it covers, what it closes to its colour (these too), its corners, as cells."""

    number: int
    covers: int
    bars: int
    opens: int


class _Ways:
    """All ways to place every piece that a colour has left: one placement of each that leave each other alone."""

    def __init__(self, position: Position, colour: str) -> None:
        grid, table = position.variant.grid, table_for(position.variant)
        self.attach = position.attach_mask(colour)
        self.looked_at = 0
        by_piece: dict[int, list[_Choice]] = {}
        for number in ids_of(position.open_mask(colour)):
            cells = table.cells_of(number)
            covers = sum(1 << cell for cell in cells)
            bars = reduce(or_, (grid.edge_masks[cell] for cell in cells), covers)
            opens = reduce(or_, (grid.corner_masks[cell] for cell in cells)) & ~bars
            piece = table.forms[table.form_of[number]].piece
            by_piece.setdefault(piece, []).append(_Choice(number, covers, bars, opens))
        stock = position.stock(colour)
        self.is_whole = len(by_piece) == len(stock) == len(set(stock))
        self.pieces = sorted(by_piece.values(), key=len)

    def all(self) -> list[list[int]] | None:
        """Return each as ids in ascending order; None where there are too many to look at."""
        if not self.is_whole:
            return []
        found: list[list[int]] = []
        return sorted(found) if self._go_on([], 0, found) else None

    def _go_on(self, chosen: list[_Choice], barred: int, found: list[list[int]]) -> bool:
        if len(chosen) == len(self.pieces):
            if self._reaches(chosen):
                found.append(sorted(each.number for each in chosen))
            return len(found) <= MOST_WAYS
        for choice in self.pieces[len(chosen)]:
            self.looked_at += 1
            if self.looked_at > MOST_COMBINED:
                return False
            if not choice.covers & barred and not self._go_on([*chosen, choice], barred | choice.bars, found):
                return False
        return True

    def _reaches(self, chosen: Sequence[_Choice]) -> bool:
        """Return whether they can be placed one after another, each at a corner that is there by then."""
        attach, waiting = self.attach, list(chosen)
        while near := [each for each in waiting if each.covers & attach]:
            waiting = [each for each in waiting if not each.covers & attach]
            attach = reduce(or_, (each.opens for each in near), attach)
        return not waiting


def shut_out(position: Position) -> Puzzle | None:
    """Return the puzzle of a position in which one placement alone leaves no other side anything to place."""
    seat, legal = position.seat or 0, position.legal_ids()
    if len(legal) < FEWEST_SHUTTING:
        return None
    others = [colour for colour in position.colours_in_play if position.seat_of(colour) != seat]
    before = sum(position.legal_count(colour) for colour in others)
    if before < FEWEST_SHUT:
        return None
    shutting = [number for number in legal if _shuts(position, number, others)]
    if len(shutting) != 1 or (_is_largest(position, shutting[0], legal) and before < 2 * FEWEST_SHUT):
        return None
    return _made(SHUT_OUT, position, [shutting], before=before, legal=len(legal))


def _shuts(position: Position, number: int, others: Sequence[str]) -> bool:
    then = position.play_id(number)
    return all(then.is_blocked(colour) for colour in others)


_FINDERS = {ENDING: best_ending, PLACE_ALL: place_all, SHUT_OUT: shut_out, WIN: only_win}
