"""Many games of one variant at once: stepped, listed and written down as a learner sees them, by machine code.

The legal placements of each colour are kept from turn to turn. What has become impossible is dropped, and only what
starts at attach points that are new since the colour's last turn is looked for; from nothing, the same list takes more
than twice as long. The arrays are the caller's (`games.learning`): a game is a row of each.
"""

from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled
from games.bots.engines.policy import roll
from games.bots.engines.state import (
    BLOCKED,
    CELLS,
    COLOURS,
    PIECES,
    SEATS,
    TO_PLAY,
    Rules,
    SearchState,
    in_stock,
    is_legal,
    mover,
    next_active_colour,
    passes,
    place_piece,
    seat_scores,
    walk_from,
)
from games.bots.engines.tables import Tables

#: Numbers that `Layout.shapes` has for each placement: its cells, the first again where there are fewer, and its piece.
SHAPE = 8

#: The colour to play once a game is over that does not begin again.
NO_COLOUR = -1

#: What `step_games` returns when every action was legal.
ALL_LEGAL = -1

# What `Layout.terms` holds: whether rewards go by rank, how many points a reward of 1 is otherwise, and what a placed
# cell adds to the reward of the turn.
BY_RANK, POINTS, SHAPING = 0, 1, 2

# Where a row of `Many.large` holds, by colour, how long its list is, at how many attach points that begins, and the
# copies of its pieces; before them lies what a state has by colour.
LISTED, KNOWN, COPIES = 24, 28, 32

# How many numbers follow the copies: about the turn, by seat to write on, and last the state of the game's dice.
_AFTER = 7


class Layout(NamedTuple):
    """How games are written down, the same for all of them.

    `order` are the colours in play, `box` the cell at each place of the box around the board (-1: none), `pieces` the
    numbers in the table of the pieces of a stock, `shapes` the cells and the piece of each placement, `base` what a
    score of `seat_scores` lacks, by seat. `terms` say what is rewarded.
    """

    order: Numbers
    box: Numbers
    pieces: Numbers
    shapes: Numbers
    base: Numbers
    terms: Numbers


class Many(NamedTuple):
    """The games: `small` and `large` hold the state and more of each (`state_in`), `lists` what a colour may place."""

    small: Numbers
    large: Numbers
    lists: Numbers


class Shown(NamedTuple):
    """What a learner sees, a row a game; `docs/learning.md` says what the planes and stocks are."""

    masks: Numbers
    planes: Numbers
    stocks: Numbers
    colours: Numbers
    seats: Numbers
    rewards: Numbers
    scores: Numbers
    ended: Numbers


def sizes_of(rules: Rules) -> tuple[int, int]:
    """Return how many numbers a row of `Many.small` (16 bits each) and of `Many.large` (64 bits) has."""
    cells, pieces = int(rules.fixed[CELLS]), int(rules.fixed[PIECES])
    return cells * (1 + 2 * COLOURS), COPIES + COLOURS * pieces + _AFTER


@compiled
def state_in(rules: Rules, small: Numbers, large: Numbers) -> SearchState:
    """Return the state that lies in a row of each; what is written to it is written there."""
    cells, copies = rules.fixed[CELLS], COLOURS * rules.fixed[PIECES]
    spread = COLOURS * cells
    return SearchState(
        small[:cells],
        small[cells : cells + spread],
        small[cells + spread :],
        large[:4],
        large[4:8],
        large[COPIES : COPIES + copies],
        large[8:12],
        large[12:16],
        large[16:20],
        large[20:24],
        large[COPIES + copies : COPIES + copies + 2],
    )


@compiled
def relist(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    shapes: Numbers,
    found: Numbers,
    listed: Numbers,
    known: Numbers,
    colour: int,
) -> int:
    """Bring a colour's list of legal placements up to date; return how many there are.

    `found` has an equal part for each colour, `listed` says how many stand there, and `known` at how many attach points
    they begin.

    Rule: R3, R4, R5, R6
    """
    cells, bit, barred = state.cells, 1 << colour, 16 << colour
    have = in_stock(rules, state, colour)
    start = len(found) // COLOURS * colour
    end = start
    for i in range(start, start + listed[colour]):
        at = SHAPE * found[i]
        if have >> shapes[at + SHAPE - 1] & 1:
            seen = cells[shapes[at]] | cells[shapes[at + 1]] | cells[shapes[at + 2]]
            seen |= cells[shapes[at + 3]] | cells[shapes[at + 4]] | cells[shapes[at + 5]]
            if not seen & barred:
                found[end] = found[i]
                end += 1
    base = colour * len(cells)
    new = base + known[colour]
    count = before = 0
    for i in range(base, base + state.attach_count[colour]):
        cell = state.attach[i]
        if cells[cell] & bit:
            state.attach[base + count] = cell
            count += 1
            if i < new:
                before = count
    state.attach_count[colour] = count
    if count > before:
        # What covers a point that was known stands in the list already, if it is legal.
        for i in range(base, base + before):
            cells[state.attach[i]] |= barred
        for i in range(base + before, base + count):
            end = walk_from(tables, state, state.attach[i], barred, have, found, end)
            cells[state.attach[i]] |= barred
        for i in range(base, base + count):
            cells[state.attach[i]] &= ~barred
    known[colour] = count
    listed[colour] = end - start
    return end - start


@compiled
def to_next_mover(
    tables: Tables, rules: Rules, state: SearchState, shapes: Numbers, found: Numbers, large: Numbers
) -> bool:
    """Let blocked colours pass until one can play, whose list is then up to date; return False if the game is over.

    Rule: R7, R8
    """
    while True:
        colour = state.about[TO_PLAY]
        is_blocked = state.about[BLOCKED] >> colour & 1
        listed, known = large[LISTED:KNOWN], large[KNOWN:COPIES]
        if not is_blocked and relist(tables, rules, state, shapes, found, listed, known, colour):
            return True
        if passes(rules, state, colour, large[-5:-1]):
            return False
        state.about[TO_PLAY] = next_active_colour(rules, colour)


@compiled
def write_view(rules: Rules, layout: Layout, state: SearchState, colour: int, planes: Numbers, stock: Numbers) -> None:
    """Write the planes and the stocks of a game as a colour sees them: itself first, then those who play after it."""
    places, count, held = len(layout.box), len(layout.order), len(layout.pieces)
    first = 0
    while layout.order[first] != colour:
        first += 1
    for turn in range(count):
        seen = layout.order[(first + turn) % count]
        for of, shift in ((turn, 8 + seen), (count + turn, seen)):
            start = of * places
            if places == len(state.cells):
                for place in range(places):
                    planes[start + place] = state.cells[place] >> shift & 1
            else:
                for place in range(places):
                    cell = layout.box[place]
                    planes[start + place] = state.cells[cell] >> shift & 1 if cell >= 0 else 0
        for piece in range(held):
            stock[turn * held + piece] = state.copies[seen * rules.fixed[PIECES] + layout.pieces[piece]]


@compiled
def show(rules: Rules, layout: Layout, many: Many, out: Shown, game: int, has_planes: bool) -> None:
    """Write down whose turn it is in a game, what is legal, and what there is to see."""
    state = state_in(rules, many.small[game], many.large[game])
    colour = state.about[TO_PLAY]
    out.colours[game] = colour
    out.seats[game] = mover(rules, state, colour)
    found, mask = many.lists[game], out.masks[game]
    start = len(found) // COLOURS * colour
    for i in range(start, start + many.large[game][LISTED + colour]):
        mask[found[i]] = 1
    if has_planes:
        write_view(rules, layout, state, colour, out.planes[game], out.stocks[game])


@compiled
def begin_game(
    tables: Tables, rules: Rules, layout: Layout, start: Many, many: Many, out: Shown, game: int, has_planes: bool
) -> None:
    """Begin a game anew and write it down; the mask must be empty. The dice are left as they are."""
    small, large = many.small[game], many.large[game]
    for i in range(len(small)):
        small[i] = start.small[0][i]
    for i in range(len(large) - 1):
        large[i] = start.large[0][i]
    state = state_in(rules, small, large)
    to_next_mover(tables, rules, state, layout.shapes, many.lists[game], large)
    show(rules, layout, many, out, game, has_planes)


@compiled
def step_games(
    tables: Tables,
    rules: Rules,
    layout: Layout,
    start: Many,
    many: Many,
    out: Shown,
    actions: Numbers,
    has_planes: bool,
    begins_again: bool,
) -> int:
    """Make one placement in every game and write down what follows.

    Return the number of the first game whose placement is not legal, and change nothing then, else ALL_LEGAL.

    Rule: R7, R8, R9
    """
    for game in range(len(actions)):
        state = state_in(rules, many.small[game], many.large[game])
        colour, placement = state.about[TO_PLAY], actions[game]
        if colour < 0 or not 0 <= placement < len(tables.piece):
            return game
        if not is_legal(tables, rules, state, colour, placement):
            return game
    for game in range(len(actions)):
        _step(tables, rules, layout, start, many, out, game, actions[game], has_planes, begins_again)
    return ALL_LEGAL


@compiled
def _step(
    tables: Tables,
    rules: Rules,
    layout: Layout,
    start: Many,
    many: Many,
    out: Shown,
    game: int,
    placement: int,
    has_planes: bool,
    begins_again: bool,
) -> None:
    large, found, mask, rewards = many.large[game], many.lists[game], out.masks[game], out.rewards[game]
    state = state_in(rules, many.small[game], large)
    colour = state.about[TO_PLAY]
    first = len(found) // COLOURS * colour
    for i in range(first, first + large[LISTED + colour]):
        mask[found[i]] = 0
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    if rules.seat_of[colour] >= 0:
        rewards[rules.seat_of[colour]] = layout.terms[SHAPING] * tables.size[placement]
    if not state.placed[colour]:
        # Its next placement may be of any piece, and starts elsewhere.
        large[LISTED + colour] = large[KNOWN + colour] = 0
    place_piece(tables, rules, state, colour, placement)
    state.about[TO_PLAY] = next_active_colour(rules, colour)
    if to_next_mover(tables, rules, state, layout.shapes, found, large):
        out.ended[game] = 0
        show(rules, layout, many, out, game, has_planes)
        return
    out.ended[game] = 1
    _write_result(rules, layout, state, out, game, large[-5:-1])
    if begins_again:
        begin_game(tables, rules, layout, start, many, out, game, has_planes)
    else:
        state.about[TO_PLAY] = out.colours[game] = out.seats[game] = NO_COLOUR


@compiled
def _write_result(rules: Rules, layout: Layout, state: SearchState, out: Shown, game: int, paper: Numbers) -> None:
    """Write each seat's score, and add its reward: by rank or by how far it is ahead of the mean of the others.

    Rule: R9
    """
    seats, scores, rewards = rules.fixed[SEATS], out.scores[game], out.rewards[game]
    seat_scores(rules, state, paper)
    total = 0
    for seat in range(seats):
        scores[seat] = paper[seat] + layout.base[seat]
        total += scores[seat]
    for seat in range(seats):
        if layout.terms[BY_RANK]:
            beaten = 0
            for other in range(seats):
                beaten += (scores[other] < scores[seat]) - (scores[other] > scores[seat])
            rewards[seat] += beaten / (seats - 1)
        else:
            ahead = scores[seat] - (total - scores[seat]) / (seats - 1)
            rewards[seat] += ahead / layout.terms[POINTS]


@compiled
def sample_games(many: Many, colours: Numbers, actions: Numbers) -> None:
    """Draw a legal placement in every game that goes on, each as likely as the others, by the game's own dice."""
    for game in range(len(actions)):
        colour = colours[game]
        if colour >= 0:
            found, large = many.lists[game], many.large[game]
            drawn = roll(large[-1:], large[LISTED + colour])
            actions[game] = found[len(found) // COLOURS * colour + drawn]
