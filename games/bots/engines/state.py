"""A position as small mutable arrays: which placements are open to a colour, placing one, the next colour, the score.

`cells[x]` says everything about a cell in bits: bit c, that the cell is an attach point of colour c; bit 4 + c, that
colour c may never cover it (it is covered, or beside that colour's own); bit 8 + c, that colour c covers it. Covered
cells have all four bits in the middle.
Colours and seats are counted from 0; there are at most four of each.

Rule: R3 (the start cells are the attach points before the first placement), R4, R5, R6, R7, R8, R9
"""

from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, index, inlined, numbers, whole, zeros
from games.bots.engines.tables import NEAREST, Tables
from games.rules import Position
from games.rules.variants import BASIC

COLOURS = 4
COVERED = 0xF0

#: The bits of the cells around a cell that choose a list of what fits.
FIRST = (1 << NEAREST) - 1

#: The bits of a cell that say what it is to each colour, without the colour that covers it.
OPEN_TO = 0xFF

#: The value of `SearchState.reach` for an attach point that nothing is known about: no piece is as large.
ANY_SIZE = 99

#: Seats of a colour whose pieces are played by all in turn, and of one that is not in the game.
SHARED, ABSENT = -1, -2

# What `SearchState.about` holds: the colour to play, and as bits the colours that can place nothing any more.
TO_PLAY, BLOCKED = 0, 1


class Rules(NamedTuple):
    """What stays the same during a game: numbers by colour, and in `fixed` the single ones named below."""

    seat_of: Numbers
    openers: Numbers
    fixed: Numbers


# What `Rules.fixed` holds; as bits, ACTIVE the colours that still have turns, SEATED the seats that have not retired.
# IS_OF_TWO is 1 on boards for two colours, as Duo's, else 0.
ACTIVE, SEATED, SEATS, BONUS, MONOMINO_BONUS, ENDS_BY_TRAILING, CELLS, PIECES, STOCK, IS_OF_TWO = range(10)


class SearchState(NamedTuple):
    """What changes with every placement, by colour except for `cells` and `about`.

    `attach` lists each colour's attach points (some may be closed by now), `reach` for each how many cells a piece
    there has at most, as far as was found out. `have` are its pieces in stock as bits, `copies` how many of each,
    `left` how many cells they have, `placed` how many lie on the board, `latest` the latest placement, `last` its size.
    """

    cells: Numbers
    attach: Numbers
    reach: Numbers
    attach_count: Numbers
    have: Numbers
    copies: Numbers
    left: Numbers
    placed: Numbers
    last: Numbers
    latest: Numbers
    about: Numbers


def rules_of(position: Position) -> Rules:
    """Return the rules of a game as numbers. A shared colour has seat -1."""
    variant = position.variant
    seat_of = [_seat_of(position, colour) for colour in variant.colours]
    numbered = _piece_numbers(position)
    every = sum(1 << numbered[piece.name] for piece in variant.pieces)
    openers = [
        sum(1 << numbered[name] for name in variant.openers.get(colour, ())) or every for colour in variant.colours
    ]
    has_bonus = position.scoring != BASIC
    fixed = [
        sum(1 << n for n, seat in enumerate(seat_of) if seat != ABSENT and seat not in position.retired),
        sum(1 << seat for seat in range(len(position.seats)) if seat not in position.retired),
        len(position.seats),
        variant.bonus.all_placed if has_bonus else 0,
        variant.bonus.monomino_last if has_bonus else 0,
        int(variant.ends_by_trailing_pass),
        variant.cell_count,
        len(numbered),
        variant.stock_cells,
        int(len(variant.colours) == 2),
    ]
    missing = COLOURS - len(seat_of)
    seats = [max(seat, SHARED) for seat in seat_of] + [SHARED] * missing
    return Rules(numbers(seats, 64), numbers(openers + [0] * missing, 64), numbers(fixed, 64))


def _seat_of(position: Position, colour: str) -> int:
    if colour not in position.colours_in_play:
        return ABSENT
    return SHARED if colour in position.variant.shared else position.seat_of(colour)


def _piece_numbers(position: Position) -> dict[str, int]:
    """Return the numbers of the pieces of a game, those of the table of placements, by name."""
    variant = position.variant
    return {piece.name: number for number, piece in enumerate(variant.numbered or variant.pieces)}


def blank(rules: Rules) -> SearchState:
    """Return a state with room for a position of these rules, to be written to."""
    cells, pieces = int(rules.fixed[CELLS]), int(rules.fixed[PIECES])
    return SearchState(
        cells=zeros(cells, 16),
        attach=zeros(COLOURS * cells, 16),
        reach=zeros(COLOURS * cells, 16),
        attach_count=zeros(COLOURS, 64),
        have=zeros(COLOURS, 64),
        copies=zeros(COLOURS * pieces, 64),
        left=zeros(COLOURS, 64),
        placed=zeros(COLOURS, 64),
        last=zeros(COLOURS, 64),
        latest=zeros(COLOURS, 64),
        about=zeros(2, 64),
    )


def state_of(position: Position, tables: Tables, rules: Rules) -> SearchState:
    """Return a position that is not over as a state."""
    variant, state = position.variant, blank(rules)
    number_of = {colour: number for number, colour in enumerate(variant.colours)}
    numbered = _piece_numbers(position)
    for colour in position.colours_in_play:
        number = number_of[colour]
        for piece in variant.pieces:
            state.have[number] |= 1 << numbered[piece.name]
            state.copies[number * len(numbered) + numbered[piece.name]] = variant.copies
        state.left[number] = variant.stock_cells
        for cell in variant.start_cells[colour]:
            _attach(state, rules, number, cell)
    for turn in position.history:
        if turn.placement is not None and turn.colour is not None and turn.placement.id is not None:
            place_piece(tables, rules, state, number_of[turn.colour], turn.placement.id)
    state.about[TO_PLAY] = number_of[position.colour or ""]
    return state


def _attach(state: SearchState, rules: Rules, colour: int, cell: int) -> None:
    state.cells[cell] |= 1 << colour
    end = colour * int(rules.fixed[CELLS]) + int(state.attach_count[colour])
    state.attach[end], state.reach[end] = cell, ANY_SIZE
    state.attach_count[colour] += 1


@inlined
def copy(to: SearchState, source: SearchState) -> None:
    """Write a state over another one."""
    for i in range(index(len(source.cells))):
        to.cells[i] = source.cells[i]
    room = len(source.cells)
    for colour in range(COLOURS):
        count = source.attach_count[colour]
        to.attach_count[colour] = count
        for i in range(index(colour * room), index(colour * room + count)):
            to.attach[i] = source.attach[i]
            to.reach[i] = source.reach[i]
        to.have[colour] = source.have[colour]
        to.left[colour] = source.left[colour]
        to.placed[colour] = source.placed[colour]
        to.last[colour] = source.last[colour]
        to.latest[colour] = source.latest[colour]
    for i in range(index(len(source.copies))):
        to.copies[i] = source.copies[i]
    for i in range(len(source.about)):
        to.about[i] = source.about[i]


@inlined
def attach_points(state: SearchState, colour: int) -> int:
    """Forget the attach points of a colour that are closed or lead to nothing; return how many are left."""
    bit, base = 1 << colour, colour * len(state.cells)
    count = 0
    for i in range(index(base), index(base + state.attach_count[colour])):
        if state.reach[i] and state.cells[index(state.attach[i])] & bit:
            to = index(base + count)
            state.attach[to] = state.attach[i]
            state.reach[to] = state.reach[i]
            count += 1
    state.attach_count[colour] = count
    return count


@inlined
def in_stock(rules: Rules, state: SearchState, colour: int) -> int:
    """Return as bits the pieces that a colour may place now."""
    have: int = state.have[colour]
    return have if state.placed[colour] else have & rules.openers[colour]


@inlined
def add_fitting(
    tables: Tables, state: SearchState, cell: int, colour: int, have: int, size: int, found: Numbers, number: int
) -> int:
    """Add to the `number` first of `found` a colour's placements of that size on an open cell; return how many then.

    Those of these pieces; a size of 0 is any.
    """
    cells, around, shift = state.cells, tables.around, 4 + colour
    base = cell * (len(around) // len(cells))
    closed = tables.outside[index(cell)]
    for k in range(NEAREST):
        closed |= (cells[around[index(base + k)]] >> shift & 1) << k
    at = ((tables.kind[index(cell)] + size) << NEAREST) + (closed & FIRST)
    begin, end = tables.fits_at[index(at)], tables.fits_at[index(at + 1)]
    if begin == end:
        return number
    for k in range(index(tables.needs_at[index(at)]), index(tables.needs_at[index(at + 1)])):
        near = tables.needs[k]
        closed |= (cells[around[index(base + near)]] >> shift & 1) << near
    fits, pieces, base = tables.fits, tables.fit_pieces, cell * (len(tables.ids) // len(cells))
    for i in range(index(begin), index(end)):
        if not fits[i] & closed and have >> pieces[i] & 1:
            found[index(number)] = tables.ids[index(base + tables.fit_shapes[i])]
            number += 1
    return number


@compiled
def legal(tables: Tables, rules: Rules, state: SearchState, colour: int, found: Numbers) -> int:
    """Write the ids of a colour's legal placements to `found`, each once, and return how many there are.

    Order: attach point after attach point, in the order in which they came to be.
    """
    cells, barred = state.cells, 16 << colour
    base = colour * len(cells)
    count = attach_points(state, colour)
    have = in_stock(rules, state, colour)
    number = whole(0)
    for i in range(index(base), index(base + count)):
        cell = state.attach[i]
        number = add_fitting(tables, state, cell, colour, have, whole(0), found, number)
        # Closed for what is placed on the other attach points, so that none finds the same placement again.
        cells[index(cell)] |= barred
    for i in range(index(base), index(base + count)):
        cells[index(state.attach[i])] &= ~barred
    return number


@inlined
def is_legal(tables: Tables, rules: Rules, state: SearchState, colour: int, placement: int) -> bool:
    """Return whether a placement would be legal if it were this colour's turn."""
    if not in_stock(rules, state, colour) >> tables.piece[placement] & 1:
        return False
    bit, barred = 1 << colour, 16 << colour
    attached = 0
    for i in range(index(tables.cells_at[index(placement)]), index(tables.edges_at[index(placement)])):
        cell = state.cells[tables.near[i]]
        if cell & barred:
            return False
        attached |= cell & bit
    return bool(attached)


@inlined
def largest(
    tables: Tables, rules: Rules, state: SearchState, colour: int, start: int, enough: int, found: Numbers
) -> int:
    """Write some of a colour's largest legal placements to `found`; return how many, 0 if none is legal.

    They are those of one attach point after another, from number `start` on, until there are enough; one that covers
    two of these is found twice. What does not fit at an attach point never will, so it is not tried again.
    """
    base = colour * len(state.cells)
    count = attach_points(state, colour)
    if not count:
        return 0
    have = in_stock(rules, state, colour)
    first = start % count
    for size in range(len(tables.sized) - 1, 0, -1):
        wanted = have & tables.sized[size]
        if not wanted:
            continue
        number = whole(0)
        for k in range(first, first + count):
            i = index(base + (k if k < count else k - count))
            if state.reach[i] < size:
                continue
            before = number
            number = add_fitting(tables, state, state.attach[i], colour, wanted, size, found, number)
            if number == before:
                state.reach[i] = size - 1
            if number >= enough:
                return number
        if number:
            return number
    return 0


@inlined
def answering(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    colour: int,
    latest: int,
    whose: int,
    start: int,
    least: int,
    found: Numbers,
) -> int:
    """Write some of a colour's largest legal placements that cover a corner of a rival's placement to `found`.

    Return how many, 0 if there are none of `least` cells or more. They are those on one of the corners that the rival
    could go on from, tried in their order from number `start` on.
    """
    cells, barred = state.cells, 16 << colour
    have = in_stock(rules, state, colour)
    first, last = tables.corners_at[index(latest)], tables.cells_at[index(latest + 1)]
    corners = whole(last - first)
    for size in range(len(tables.sized) - 1, least - 1, -1):
        wanted = have & tables.sized[size]
        if not wanted:
            continue
        for k in range(start, start + corners):
            corner = tables.near[index(first + k % corners)]
            if cells[corner] >> whose & 1 and not cells[corner] & barred:
                count = _add_reaching(tables, state, whole(corner), colour, wanted, size, found)
                if count:
                    return count
    return 0


@inlined
def _add_reaching(
    tables: Tables, state: SearchState, cell: int, colour: int, have: int, size: int, found: Numbers
) -> int:
    """Write a colour's legal placements of that size, 2 or more, on an open cell to `found`; return how many.

    As `add_fitting`, where the cell need be no attach point: one of those covered is.
    """
    cells, around, shift = state.cells, tables.around, 4 + colour
    width = len(around) // len(cells)
    base = cell * width
    closed, attached = tables.outside[index(cell)], whole(0)
    for k in range(width):
        near = cells[around[index(base + k)]]
        closed |= (near >> shift & 1) << k
        attached |= (near >> colour & 1) << k
    if cells[index(cell)] >> colour & 1:
        attached = whole(-1)
    if not attached:
        return 0
    at = ((tables.kind[index(cell)] + size) << NEAREST) + (closed & FIRST)
    fits, pieces, base = tables.fits, tables.fit_pieces, cell * (len(tables.ids) // len(cells))
    number = whole(0)
    for i in range(index(tables.fits_at[index(at)]), index(tables.fits_at[index(at + 1)])):
        if not fits[i] & closed and fits[i] & attached and have >> pieces[i] & 1:
            found[index(number)] = tables.ids[index(base + tables.fit_shapes[i])]
            number += 1
    return number


@inlined
def limit_reach(tables: Tables, state: SearchState, found: Numbers) -> None:
    """Note at every attach point how large a piece fits there at most, since none that does not ever will.

    A point where nothing fits keeps a reach of 1 and its place in the list, so that what is drawn stays the same.
    """
    for colour in range(COLOURS):
        base = colour * len(state.cells)
        for i in range(base, base + state.attach_count[colour]):
            size = min(state.reach[index(i)], len(tables.sized) - 1)
            while size > 1:
                wanted = state.have[colour] & tables.sized[index(size)]
                if wanted and add_fitting(tables, state, state.attach[index(i)], colour, wanted, size, found, whole(0)):
                    break
                size -= 1
            state.reach[index(i)] = size


@inlined
def place_piece(tables: Tables, rules: Rules, state: SearchState, colour: int, placement: int) -> None:
    """Make a placement for a colour, without checking it and without passing the turn on."""
    cells, bit, barred = state.cells, 1 << colour, 16 << colour
    base = colour * len(cells)
    if not state.placed[colour]:
        for i in range(state.attach_count[colour]):
            cells[state.attach[base + i]] &= ~bit
        state.attach_count[colour] = 0
    edges, corners = index(tables.edges_at[index(placement)]), index(tables.corners_at[index(placement)])
    for i in range(index(tables.cells_at[index(placement)]), edges):
        cells[tables.near[i]] = COVERED | 256 << colour
    for i in range(edges, corners):
        cell = tables.near[i]
        cells[cell] = (cells[cell] | barred) & ~bit
    for i in range(corners, index(tables.cells_at[index(placement + 1)])):
        cell = tables.near[i]
        if not cells[cell] & (bit | barred):
            cells[cell] |= bit
            end = index(base + state.attach_count[colour])
            state.attach[end] = cell
            state.reach[end] = ANY_SIZE
            state.attach_count[colour] += 1
    piece = tables.piece[placement]
    held = colour * rules.fixed[PIECES] + piece
    state.copies[held] -= 1
    if not state.copies[held]:
        state.have[colour] &= ~(1 << piece)
    state.left[colour] -= tables.size[placement]
    state.last[colour] = tables.size[placement]
    state.latest[colour] = placement
    state.placed[colour] += 1


@inlined
def next_active_colour(rules: Rules, colour: int) -> int:
    """Return the colour after this one in the order of those that have turns."""
    active = rules.fixed[ACTIVE]
    colour = (colour + 1) % COLOURS
    while not active >> colour & 1:
        colour = (colour + 1) % COLOURS
    return colour


@inlined
def mover(rules: Rules, state: SearchState, colour: int) -> int:
    """Return the seat that plays a colour's next piece: those of a shared colour are played in turn."""
    seat: int = rules.seat_of[colour]
    if seat >= 0:
        return seat
    seat = state.placed[colour] % rules.fixed[SEATS]
    while not rules.fixed[SEATED] >> seat & 1:
        seat = (seat + 1) % rules.fixed[SEATS]
    return seat


@inlined
def score(rules: Rules, state: SearchState, colour: int) -> int:
    """Return a colour's score, up to a number that is the same for all colours.

    Rule: R9, S1, S2, S3
    """
    points: int = -state.left[colour]
    if not points:
        points = rules.fixed[MONOMINO_BONUS] if state.last[colour] == 1 else rules.fixed[BONUS]
    return points


@inlined
def seat_scores(rules: Rules, state: SearchState, scores: Numbers) -> None:
    """Write each seat's score to `scores`."""
    for seat in range(COLOURS):
        scores[seat] = 0
    for colour in range(COLOURS):
        if rules.seat_of[colour] >= 0:
            scores[rules.seat_of[colour]] += score(rules, state, colour)


@inlined
def passes(rules: Rules, state: SearchState, colour: int, scores: Numbers) -> bool:
    """Note that a colour can place nothing any more; return whether that ends the game.

    Rule: R8
    """
    state.about[BLOCKED] |= 1 << colour
    active = rules.fixed[ACTIVE]
    if state.about[BLOCKED] & active == active:
        return True
    if not rules.fixed[ENDS_BY_TRAILING]:
        return False
    seat_scores(rules, state, scores)
    mine = rules.seat_of[colour]
    for seat in range(rules.fixed[SEATS]):
        if seat != mine and rules.fixed[SEATED] >> seat & 1 and scores[seat] <= scores[mine]:
            return False
    return True
