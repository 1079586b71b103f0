"""Endings played perfectly: where few placements are left, every line of play is looked at instead of a sample.

For two seats, or one that alone can still place. Both want the largest margin, so it is a search by alpha and beta
(Knuth and Moore 1975) with a table of positions that were met before (Zobrist 1970). What speeds it up is what an
ending lacks: a placement that does not fit now never will, so each colour's placements are listed once, and every
position keeps those of the one before it that still fit. The cells that any of them covers are few enough for three
numbers of 60 bits.

Rule: R4, R5, R6, R7, R8, R9
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from random import Random
from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, index, inlined, numbers, zeros
from games.bots.engines.state import (
    ACTIVE,
    BLOCKED,
    BONUS,
    COLOURS,
    ENDS_BY_TRAILING,
    MONOMINO_BONUS,
    PIECES,
    SEATED,
    SEATS,
    TO_PLAY,
    Rules,
    SearchState,
    next_active_colour,
)
from games.rules import Position
from games.rules.board import ids_of
from games.rules.placement import table_for

#: Placements left to all colours together, counted as if each could still get everywhere: more are no ending.
MOST_PLACEMENTS = 800

#: Positions to look at for each placement, at least: with fewer, listing the placements costs more than it brings.
POSITIONS_A_PLACEMENT = 8

#: Positions that are looked at between two looks at the clock.
AT_ONCE = 500

#: The bits of a number that stand for cells, and how many such numbers there are.
BITS, WORDS = 60, 3

#: Positions that are remembered: a power of two.
KEPT_POSITIONS = 1 << 15

#: More than any margin.
INFINITE = 1 << 20

#: What a cell more counts for in the order in which placements are tried, and what a placement counts for more each
#: time that it proves another line worse.
A_CELL, A_REFUTATION = 64, 4

# What `Ending.about` holds: how many placements are listed, the best one's id, the margin that it leads to, the seat
# whose margin that is, and the depth at which to go on.
LISTED, BEST, MARGIN, OWN, DEPTH = range(5)

# What `Ending.placements` holds of each: id, colour, piece, size, its part of a position's key, what it is worth being
# tried, and `WORDS` numbers each with the cells that it covers, those that it closes to its colour (these too), and
# those at its corners.
ID, COLOUR, PIECE, SIZE, KEY, WORTH, COVERS = range(7)
BARS, OPENS, FACTS = COVERS + WORDS, COVERS + 2 * WORDS, COVERS + 3 * WORDS

# What `Ending.colours` holds by depth and colour: its cells left, the size of its last piece, from where up to where
# what still fits stands in `lists`, and `WORDS` numbers with its attach points.
LEFT, LAST, BEGINS, ENDS, ATTACH = range(5)
BY_COLOUR = ATTACH + WORDS

# What `Ending.positions` holds by depth: the colours that are blocked, as bits, the one to play, the part of the key
# that the placements make, alpha and beta, what these were at first, the margin so far, the placement that leads to it,
# how many placements `moves` has, and how many were tried.
SHUT, TURN, PLACED, ALPHA, BETA, FLOOR, CEILING, VALUE, CHOSEN, COUNT, TRIED, BY_DEPTH = range(12)

# What `Ending.memory` holds by the lowest bits of a position's key: the key, a margin, how it is meant, a placement.
KNOWN, FOUND, MEANING, ADVISED, BY_KEY = range(5)

# How a remembered margin is meant: as it is, or as one that the true margin does not fall below or does not exceed.
EXACT, AT_LEAST, AT_MOST = 1, 2, 3

#: No placement.
NONE = -1


class Ending(NamedTuple):
    """What an ending is looked through with, as the numbers above name it.

    Placements are numbered from 0, the largest first; after them in `placements` stand the parts of a key for each
    colour's turn, and for each that has placed all with one cell last. By depth, `lists` has what still fits and
    `moves` what is legal. `copies` is by colour and piece, `totals` is to write on.
    """

    placements: Numbers
    colours: Numbers
    positions: Numbers
    lists: Numbers
    moves: Numbers
    memory: Numbers
    copies: Numbers
    totals: Numbers
    about: Numbers


@dataclass(frozen=True)
class Solved:
    """The best placement of an ending, by its id, and how far the seat to play is ahead at the end if all play well.

    Ahead of the best other seat; behind it where that is negative.
    """

    placement: int
    margin: int


@dataclass(frozen=True)
class _Listed:
    """A placement that is left to a colour: what it covers, what it closes to its colour, its corners, as cells."""

    number: int
    colour: str
    covers: int
    bars: int
    opens: int


def solve(
    position: Position, rules: Rules, state: SearchState, most: int, is_time_up: Callable[[], bool] | None = None
) -> Solved | None:
    """Return what is best in a position, or None where looking at `most` positions does not tell.

    `state` is the position as numbers. None too where it is no ending: more than two seats can still place, some colour
    has not begun, or too many placements are left; and once the time is up, which is asked every `AT_ONCE` positions.
    """
    active = [colour for colour in range(COLOURS) if rules.fixed[ACTIVE] >> colour & 1]
    if any(rules.seat_of[colour] < 0 or not state.placed[colour] for colour in active):
        return None
    colours = [position.variant.colours[colour] for colour in active]
    left = sum(position.open_mask(colour).bit_count() for colour in colours)
    if left > min(most // POSITIONS_A_PLACEMENT, MOST_PLACEMENTS):
        return None
    listed = [each for colour in colours for each in _within_reach(position, colour)]
    listed.sort(key=lambda each: -each.covers.bit_count())
    cells = ids_of(reduce(or_, (each.covers for each in listed)))
    if len(cells) > BITS * WORDS or not _are_two(position, rules, listed):
        return None
    ending = _written(position, rules, state, listed, cells)
    if not _is_solved(rules, ending, most, is_time_up):
        return None
    return Solved(int(ending.about[BEST]), int(ending.about[MARGIN]))


def _is_solved(rules: Rules, ending: Ending, most: int, is_time_up: Callable[[], bool] | None) -> bool:
    """Look through an ending at `most` positions, in stretches if there is a clock; return whether that was all."""
    stretch = AT_ONCE if is_time_up else most
    while not look_through(rules, ending, min(stretch, most)):
        most -= stretch
        if most <= 0 or (is_time_up and is_time_up()):
            return False
    return True


def _are_two(position: Position, rules: Rules, listed: Sequence[_Listed]) -> bool:
    """Return whether the game is one of two seats, or one of more in which one seat alone can still place."""
    if int(rules.fixed[SEATED]).bit_count() <= 2:
        return True
    return len({position.seat_of(each.colour) for each in listed}) == 1


def _within_reach(position: Position, colour: str) -> list[_Listed]:
    """Return the placements that a colour can get to, one after another."""
    grid, table = position.variant.grid, table_for(position.variant)
    waiting = list[_Listed]()
    for number in ids_of(position.open_mask(colour)):
        cells = table.cells_of(number)
        covers = sum(1 << cell for cell in cells)
        bars = reduce(or_, (grid.edge_masks[cell] for cell in cells), covers)
        opens = reduce(or_, (grid.corner_masks[cell] for cell in cells)) & ~bars
        waiting.append(_Listed(number, colour, covers, bars, opens))
    reached, attach = list[_Listed](), position.attach_mask(colour)
    while near := [each for each in waiting if each.covers & attach]:
        reached += near
        waiting = [each for each in waiting if not each.covers & attach]
        attach = reduce(or_, (each.opens for each in near), attach)
    return reached


def _written(
    position: Position, rules: Rules, state: SearchState, listed: Sequence[_Listed], cells: Sequence[int]
) -> Ending:
    """Return an ending as numbers, with nothing looked at yet; `cells` are those that matter."""
    variant, table, luck = position.variant, table_for(position.variant), Random("the keys of positions")
    bits = {cell: bit for bit, cell in enumerate(cells)}
    colours = [variant.colour_number(each.colour) for each in listed]
    placements, by_colour, lists, copies = list[int](), list[int](), list[int](), list[int]()
    for each, colour in zip(listed, colours, strict=True):
        size = each.covers.bit_count()
        placements += [each.number, colour, table.forms[table.form_of[each.number]].piece, size]
        placements += [luck.getrandbits(62), A_CELL * size]
        for mask in (each.covers, each.bars, each.opens):
            placements += _words(mask, bits)
    for _ in range(2 * COLOURS):
        placements += [0] * KEY + [luck.getrandbits(62)] + [0] * (FACTS - KEY - 1)
    pieces = int(rules.fixed[PIECES])
    for number in range(COLOURS):
        begins = len(lists)
        lists += [i for i, colour in enumerate(colours) if colour == number]
        attach = position.attach_mask(variant.colours[number]) if number < len(variant.colours) else 0
        by_colour += [state.left[number], state.last[number], begins, len(lists), *_words(attach, bits)]
        copies += [state.copies[number * pieces + piece] for piece in range(pieces)]
    depths = 1 + min(sum(copies), len(listed))
    ending = Ending(
        placements=numbers(placements, 64),
        colours=numbers(by_colour + [0] * (COLOURS * BY_COLOUR * depths), 64),
        positions=zeros(BY_DEPTH * (depths + 1), 64),
        lists=numbers(lists + [0] * (len(listed) * depths), 64),
        moves=zeros(len(listed) * (depths + 1), 64),
        memory=zeros(BY_KEY * KEPT_POSITIONS, 64),
        copies=numbers(copies, 64),
        totals=zeros(COLOURS, 64),
        about=numbers([len(listed), NONE, 0, rules.seat_of[state.about[TO_PLAY]], 0], 64),
    )
    ending.positions[TURN], ending.positions[SHUT] = state.about[TO_PLAY], state.about[BLOCKED]
    ending.positions[ALPHA], ending.positions[BETA] = -INFINITE, INFINITE
    return ending


def _words(mask: int, bits: Mapping[int, int]) -> list[int]:
    """Return the cells of a set that matter, as `WORDS` numbers."""
    words = [0] * WORDS
    for cell in ids_of(mask):
        if cell in bits:
            words[bits[cell] // BITS] |= 1 << bits[cell] % BITS
    return words


@compiled
def look_through(rules: Rules, ending: Ending, most: int) -> bool:
    """Look through all that may follow, at `most` positions; return whether `about` now holds what is best.

    Where it does not, the next call goes on.
    """
    seat, depth = ending.about[OWN], ending.about[DEPTH]
    is_new, looked_at = True, 0
    while True:
        is_known = False
        if is_new:
            looked_at += 1
            if looked_at > most:
                ending.about[DEPTH] = depth
                return False
            is_known = _open(rules, ending, depth, seat)
        if not is_known:
            if (
                ending.positions[BY_DEPTH * depth + TRIED] < ending.positions[BY_DEPTH * depth + COUNT]
                and ending.positions[BY_DEPTH * depth + ALPHA] < ending.positions[BY_DEPTH * depth + BETA]
            ):
                _make(rules, ending, depth, _next_move(ending, depth))
                depth, is_new = depth + 1, True
                continue
            _remember(ending, depth)
        if not depth:
            break
        depth, is_new = depth - 1, False
        _take(rules, ending, depth, seat)
    ending.about[BEST] = ending.placements[FACTS * (ending.positions[CHOSEN]) + ID]
    ending.about[MARGIN] = ending.positions[VALUE]
    return True


@inlined
def _open(rules: Rules, ending: Ending, depth: int, seat: int) -> bool:
    """Begin with a position, after those who must have passed; return whether its value is known at once."""
    ending.positions[BY_DEPTH * depth + FLOOR] = ending.positions[BY_DEPTH * depth + ALPHA]
    ending.positions[BY_DEPTH * depth + CEILING] = ending.positions[BY_DEPTH * depth + BETA]
    ending.positions[BY_DEPTH * depth + CHOSEN] = NONE
    ending.positions[BY_DEPTH * depth + TRIED] = 0
    while True:
        colour = ending.positions[BY_DEPTH * depth + TURN]
        _write_moves(ending, depth, colour)
        if ending.positions[BY_DEPTH * depth + COUNT]:
            break
        ending.positions[BY_DEPTH * depth + SHUT] |= 1 << colour
        if _is_over(rules, ending, depth, colour):
            ending.positions[BY_DEPTH * depth + VALUE] = _margin(rules, ending, depth, seat)
            return True
        ending.positions[BY_DEPTH * depth + TURN] = next_active_colour(rules, colour)
    now = _margin(rules, ending, depth, seat)
    most = now + _gain(rules, ending, depth, seat, True)
    if most <= ending.positions[BY_DEPTH * depth + ALPHA]:
        ending.positions[BY_DEPTH * depth + VALUE] = most
        return True
    least = now - _gain(rules, ending, depth, seat, False)
    if least >= ending.positions[BY_DEPTH * depth + BETA]:
        ending.positions[BY_DEPTH * depth + VALUE] = least
        return True
    key = _key(ending, depth)
    at = key & KEPT_POSITIONS - 1
    if ending.memory[BY_KEY * at + MEANING] and ending.memory[BY_KEY * at + KNOWN] == key:
        margin, meaning = ending.memory[BY_KEY * at + FOUND], ending.memory[BY_KEY * at + MEANING]
        is_enough = meaning == EXACT
        is_enough |= meaning == AT_LEAST and margin >= ending.positions[BY_DEPTH * depth + BETA]
        is_enough |= meaning == AT_MOST and margin <= ending.positions[BY_DEPTH * depth + ALPHA]
        # At the root the placement counts, not its value alone.
        if is_enough and depth:
            ending.positions[BY_DEPTH * depth + VALUE] = margin
            return True
        ending.positions[BY_DEPTH * depth + CHOSEN] = ending.memory[BY_KEY * at + ADVISED]
    ending.positions[BY_DEPTH * depth + VALUE] = (
        -INFINITE if rules.seat_of[ending.positions[BY_DEPTH * depth + TURN]] == seat else INFINITE
    )
    return False


@inlined
def _write_moves(ending: Ending, depth: int, colour: int) -> None:
    """Write to `moves` what a colour may place: what fits and covers one of its attach points."""
    at, start, count = BY_COLOUR * (COLOURS * depth + colour) + ATTACH, depth * ending.about[LISTED], 0
    first, second, third = ending.colours[index(at)], ending.colours[index(at + 1)], ending.colours[index(at + 2)]
    by_colour = COLOURS * depth + colour
    if not ending.positions[BY_DEPTH * depth + SHUT] >> colour & 1:
        for k in range(
            index(ending.colours[BY_COLOUR * by_colour + BEGINS]), index(ending.colours[BY_COLOUR * by_colour + ENDS])
        ):
            if _meets(ending, ending.lists[k], first, second, third):
                ending.moves[index(start + count)] = ending.lists[k]
                count += 1
    ending.positions[BY_DEPTH * depth + COUNT] = count


@inlined
def _meets(ending: Ending, placement: int, first: int, second: int, third: int) -> bool:
    """Return whether a placement covers any of these cells."""
    at, facts = FACTS * placement + COVERS, ending.placements
    return bool(facts[index(at)] & first or facts[index(at + 1)] & second or facts[index(at + 2)] & third)


@inlined
def _is_over(rules: Rules, ending: Ending, depth: int, colour: int) -> bool:
    """Return whether a colour's passing ends the game.

    Rule: R8
    """
    active = rules.fixed[ACTIVE]
    if ending.positions[BY_DEPTH * depth + SHUT] & active == active:
        return True
    if not rules.fixed[ENDS_BY_TRAILING]:
        return False
    _write_totals(rules, ending, depth)
    mine = rules.seat_of[colour]
    for seat in range(rules.fixed[SEATS]):
        if seat != mine and rules.fixed[SEATED] >> seat & 1 and ending.totals[seat] <= ending.totals[mine]:
            return False
    return True


@inlined
def _write_totals(rules: Rules, ending: Ending, depth: int) -> None:
    """Write the scores of the seats."""
    for seat in range(COLOURS):
        ending.totals[seat] = 0
    for colour in range(COLOURS):
        if rules.seat_of[colour] >= 0:
            by_colour = COLOURS * depth + colour
            points = -ending.colours[BY_COLOUR * by_colour + LEFT]
            if not points:
                points = (
                    rules.fixed[MONOMINO_BONUS]
                    if ending.colours[BY_COLOUR * by_colour + LAST] == 1
                    else rules.fixed[BONUS]
                )
            ending.totals[rules.seat_of[colour]] += points


@inlined
def _margin(rules: Rules, ending: Ending, depth: int, mine: int) -> int:
    """Return how far a seat is ahead of the best other one."""
    _write_totals(rules, ending, depth)
    best = -INFINITE
    for seat in range(rules.fixed[SEATS]):
        if seat != mine and rules.fixed[SEATED] >> seat & 1:
            best = max(best, ending.totals[seat])
    margin: int = ending.totals[mine] - best if best > -INFINITE else ending.totals[mine]
    return margin


@inlined
def _gain(rules: Rules, ending: Ending, depth: int, seat: int, is_own: bool) -> int:
    """Return what a seat, or the other one, may gain at most: by each piece that still fits somewhere."""
    gain = 0
    for colour in range(COLOURS):
        by_colour = COLOURS * depth + colour
        if (rules.seat_of[colour] == seat) != is_own or ending.positions[BY_DEPTH * depth + SHUT] >> colour & 1:
            continue
        pieces, cells = 0, 0
        for k in range(
            index(ending.colours[BY_COLOUR * by_colour + BEGINS]), index(ending.colours[BY_COLOUR * by_colour + ENDS])
        ):
            i = ending.lists[k]
            piece = ending.placements[index(FACTS * i + PIECE)]
            if not pieces >> piece & 1:
                pieces |= 1 << piece
                copies = ending.copies[index(colour * rules.fixed[PIECES] + piece)]
                cells += copies * ending.placements[index(FACTS * i + SIZE)]
        gain += cells
        if cells and cells == ending.colours[BY_COLOUR * by_colour + LEFT]:
            gain += max(rules.fixed[BONUS], rules.fixed[MONOMINO_BONUS])
    return gain


@inlined
def _key(ending: Ending, depth: int) -> int:
    """Return a number that says what is placed, whose turn it is, and which colours have placed all, one cell last."""
    key: int = (
        ending.positions[BY_DEPTH * depth + PLACED]
        ^ ending.placements[FACTS * (ending.about[LISTED] + ending.positions[BY_DEPTH * depth + TURN]) + KEY]
    )
    for colour in range(COLOURS):
        by_colour = COLOURS * depth + colour
        if not ending.colours[BY_COLOUR * by_colour + LEFT] and ending.colours[BY_COLOUR * by_colour + LAST] == 1:
            key ^= ending.placements[FACTS * (ending.about[LISTED] + COLOURS + colour) + KEY]
    return key


@inlined
def _next_move(ending: Ending, depth: int) -> int:
    """Return what to try next: what was best here before, then large ones and those that have proved much elsewhere."""
    start = depth * ending.about[LISTED]
    tried = ending.positions[BY_DEPTH * depth + TRIED]
    best, most = start + tried, -1
    for k in range(start + tried, start + ending.positions[BY_DEPTH * depth + COUNT]):
        i = ending.moves[index(k)]
        worth = ending.placements[index(FACTS * i + WORTH)]
        if not tried and i == ending.positions[BY_DEPTH * depth + CHOSEN]:
            worth = INFINITE
        if worth > most:
            best, most = k, worth
    move: int = ending.moves[best]
    ending.moves[best] = ending.moves[start + tried]
    ending.moves[start + tried] = move
    ending.positions[BY_DEPTH * depth + TRIED] = tried + 1
    return move


@inlined
def _make(rules: Rules, ending: Ending, depth: int, move: int) -> None:
    """Make a placement: write the position after it, one deeper."""
    mover, piece = ending.placements[FACTS * move + COLOUR], ending.placements[FACTS * move + PIECE]
    held = mover * rules.fixed[PIECES] + piece
    ending.copies[held] -= 1
    number = (depth + 1) * ending.about[LISTED]
    for colour in range(COLOURS):
        here, after = COLOURS * depth + colour, COLOURS * (depth + 1) + colour
        ending.colours[BY_COLOUR * after + LEFT] = ending.colours[BY_COLOUR * here + LEFT]
        ending.colours[BY_COLOUR * after + LAST] = ending.colours[BY_COLOUR * here + LAST]
        for w in range(WORDS):
            ending.colours[BY_COLOUR * after + ATTACH + w] = ending.colours[BY_COLOUR * here + ATTACH + w]
        # To its own colour a placement closes what lies beside it too.
        at, spent = FACTS * move + (BARS if colour == mover else COVERS), NONE
        first, second, third = ending.placements[at], ending.placements[at + 1], ending.placements[at + 2]
        if colour == mover:
            spent = NONE if ending.copies[held] else piece
            ending.colours[BY_COLOUR * after + LEFT] -= ending.placements[FACTS * move + SIZE]
            ending.colours[BY_COLOUR * after + LAST] = ending.placements[FACTS * move + SIZE]
            for w in range(WORDS):
                ending.colours[BY_COLOUR * after + ATTACH + w] |= ending.placements[FACTS * move + OPENS + w]
        ending.colours[BY_COLOUR * after + BEGINS] = number
        for k in range(
            index(ending.colours[BY_COLOUR * here + BEGINS]), index(ending.colours[BY_COLOUR * here + ENDS])
        ):
            other = ending.lists[k]
            if ending.placements[index(FACTS * other + PIECE)] != spent and not _meets(
                ending, other, first, second, third
            ):
                ending.lists[index(number)] = other
                number += 1
        ending.colours[BY_COLOUR * after + ENDS] = number
    ending.positions[BY_DEPTH * (depth + 1) + PLACED] = (
        ending.positions[BY_DEPTH * depth + PLACED] ^ ending.placements[FACTS * move + KEY]
    )
    ending.positions[BY_DEPTH * (depth + 1) + SHUT] = ending.positions[BY_DEPTH * depth + SHUT]
    ending.positions[BY_DEPTH * (depth + 1) + TURN] = next_active_colour(rules, mover)
    ending.positions[BY_DEPTH * (depth + 1) + ALPHA] = ending.positions[BY_DEPTH * depth + ALPHA]
    ending.positions[BY_DEPTH * (depth + 1) + BETA] = ending.positions[BY_DEPTH * depth + BETA]


@inlined
def _take(rules: Rules, ending: Ending, depth: int, seat: int) -> None:
    """Take back the placement tried last, and note what it leads to."""
    move = ending.moves[depth * ending.about[LISTED] + ending.positions[BY_DEPTH * depth + TRIED] - 1]
    held = ending.placements[FACTS * move + COLOUR] * rules.fixed[PIECES] + ending.placements[FACTS * move + PIECE]
    ending.copies[held] += 1
    value = ending.positions[BY_DEPTH * (depth + 1) + VALUE]
    if rules.seat_of[ending.positions[BY_DEPTH * depth + TURN]] == seat:
        if value > ending.positions[BY_DEPTH * depth + VALUE]:
            ending.positions[BY_DEPTH * depth + VALUE] = value
            ending.positions[BY_DEPTH * depth + CHOSEN] = move
        ending.positions[BY_DEPTH * depth + ALPHA] = max(ending.positions[BY_DEPTH * depth + ALPHA], value)
    else:
        if value < ending.positions[BY_DEPTH * depth + VALUE]:
            ending.positions[BY_DEPTH * depth + VALUE] = value
            ending.positions[BY_DEPTH * depth + CHOSEN] = move
        ending.positions[BY_DEPTH * depth + BETA] = min(ending.positions[BY_DEPTH * depth + BETA], value)
    if ending.positions[BY_DEPTH * depth + ALPHA] >= ending.positions[BY_DEPTH * depth + BETA]:
        ending.placements[FACTS * move + WORTH] += A_REFUTATION


@inlined
def _remember(ending: Ending, depth: int) -> None:
    """Remember what was found out about a position."""
    value, key = ending.positions[BY_DEPTH * depth + VALUE], _key(ending, depth)
    at = key & KEPT_POSITIONS - 1
    meaning = EXACT
    if value <= ending.positions[BY_DEPTH * depth + FLOOR]:
        meaning = AT_MOST
    elif value >= ending.positions[BY_DEPTH * depth + CEILING]:
        meaning = AT_LEAST
    ending.memory[BY_KEY * at + KNOWN] = key
    ending.memory[BY_KEY * at + FOUND] = value
    ending.memory[BY_KEY * at + MEANING] = meaning
    ending.memory[BY_KEY * at + ADVISED] = ending.positions[BY_DEPTH * depth + CHOSEN]
