"""Many games of one variant at once: stepped, listed and written down as a learner sees them, by machine code.

Beside the state that the bots search with, a game keeps sets of placements, a bit each, as `games.rules.board` does:
those that cover no covered cell; for each colour those that touch no side of its own and whose piece it has; and those
that cover a cell at a corner of its own. What is legal is in all three. A placement changes them by the sets of those
that cover a cell, which are short: ids ascend row by row. So little is read, and one after the other, where the bots'
walks jump about in megabytes. The arrays are the caller's (`games.learning`): a game is a row of each.
"""

from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, lowest_bit
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
    mover,
    next_active_colour,
    passes,
    place_piece,
    seat_scores,
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

#: Placements in a word of a set: what is left of 64 bits are those that would make it negative.
WORD = 62

#: How many sets a game has.
SETS = 2 + 2 * COLOURS

# Where a row of `Games.large` holds how long the list of the colour to play is, and the copies of every colour's
# pieces; before them lies what a state has by colour.
LISTED, COPIES = 24, 25

# How many numbers follow the copies: about the turn, by seat to write on, and last the state of the game's dice.
_AFTER = 7


class Layout(NamedTuple):
    """How games are written down, the same for all of them.

    `order` are the colours in play, `box` the cell at each place of the box around the board (-1: none), `pieces` the
    numbers in the table of the pieces of a stock, `shapes` the cells and the piece of each placement, `base` what a
    score of `seat_scores` lacks, by seat. `terms` say what is rewarded.

    `covers` are the sets of the placements that cover each cell and then of those of each piece, without the words at
    both ends that are 0; `windows` has for each of them where it begins in `covers`, its number of words, and at which
    word of a set they begin.
    """

    order: Numbers
    box: Numbers
    pieces: Numbers
    shapes: Numbers
    base: Numbers
    terms: Numbers
    covers: Numbers
    windows: Numbers


class Games(NamedTuple):
    """The games: `small` and `large` hold the state and more of each (`state_in`), `lists` what may be placed now.

    `sets` are `SETS` of the same number of words each: open to all, unbarred to each colour, reached by each colour,
    and what is legal now.
    """

    small: Numbers
    large: Numbers
    sets: Numbers
    lists: Numbers


class Observations(NamedTuple):
    """What a learner observes, a row for each game; `docs/learning.md` says what the planes and stocks are."""

    masks: Numbers
    planes: Numbers
    stocks: Numbers
    colours: Numbers
    seats: Numbers
    rewards: Numbers
    scores: Numbers
    ended: Numbers


def sizes_of(rules: Rules) -> tuple[int, int]:
    """Return how many numbers a row of `Games.small` (16 bits each) and of `Games.large` (64 bits) has."""
    cells, pieces = int(rules.fixed[CELLS]), int(rules.fixed[PIECES])
    return cells * (1 + 2 * COLOURS), COPIES + COLOURS * pieces + _AFTER


@compiled
def state_in(rules: Rules, small: Numbers, large: Numbers) -> SearchState:
    """Return the state that lies in a row of each; what is written to it is written there.

    For compiled code alone: what it returns are views, whose references are not counted.
    """
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
def add_set(layout: Layout, number: int, to: Numbers) -> None:
    """Add to a set the placements of a window of `Layout.covers`: those that cover a cell, or of a piece."""
    begin, words, first = layout.windows[3 * number], layout.windows[3 * number + 1], layout.windows[3 * number + 2]
    source, target = layout.covers[begin : begin + words], to[first : first + words]
    for i in range(len(source)):
        target[i] |= source[i]


@compiled
def take_set(layout: Layout, number: int, of: Numbers) -> None:
    """Take from a set the placements of a window of `Layout.covers`."""
    begin, words, first = layout.windows[3 * number], layout.windows[3 * number + 1], layout.windows[3 * number + 2]
    source, target = layout.covers[begin : begin + words], of[first : first + words]
    for i in range(len(source)):
        target[i] &= ~source[i]


@compiled
def narrow(tables: Tables, layout: Layout, state: SearchState, sets: Numbers, colour: int, placement: int) -> None:
    """Bring the sets up to date after a placement of a colour.

    Rule: R1, R3, R4, R5, R6
    """
    words, cells = len(sets) // SETS, len(state.cells)
    unbarred = sets[(1 + colour) * words : (2 + colour) * words]
    reached = sets[(1 + COLOURS + colour) * words : (2 + COLOURS + colour) * words]
    if state.placed[colour] == 1:
        for i in range(len(reached)):
            reached[i] = 0
    edges, corners = tables.edges_at[placement], tables.corners_at[placement]
    for i in range(tables.cells_at[placement], edges):
        take_set(layout, tables.near[i], sets[:words])
    for i in range(edges, corners):
        take_set(layout, tables.near[i], unbarred)
    for i in range(corners, tables.cells_at[placement + 1]):
        add_set(layout, tables.near[i], reached)
    piece = tables.piece[placement]
    if not state.have[colour] >> piece & 1:
        take_set(layout, cells + piece, unbarred)


@compiled
def relist(sets: Numbers, found: Numbers, mask: Numbers, colour: int) -> int:
    """Write the ids of a colour's legal placements to `found`, ascending, and a 1 for each to the mask.

    Return how many there are. The mask must be empty.
    """
    words = len(sets) // SETS
    opened, legal = sets[:words], sets[(SETS - 1) * words :]
    unbarred = sets[(1 + colour) * words : (2 + colour) * words]
    reached = sets[(1 + COLOURS + colour) * words : (2 + COLOURS + colour) * words]
    # Apart from what follows, since this goes on many words at a time.
    for i in range(len(opened)):
        legal[i] = opened[i] & unbarred[i] & reached[i]
    count = 0
    for i in range(len(legal)):
        left = legal[i]
        while left:
            placement = i * WORD + lowest_bit(left)
            left &= left - 1
            found[count] = placement
            mask[placement] = 1
            count += 1
    return count


@compiled
def to_next_mover(rules: Rules, state: SearchState, games: Games, game: int, mask: Numbers) -> bool:
    """Pass for blocked colours until one can play, and list what it may place; return False if the game is over.

    Rule: R7, R8
    """
    large, sets, found = games.large[game], games.sets[game], games.lists[game]
    while True:
        colour = state.about[TO_PLAY]
        if not state.about[BLOCKED] >> colour & 1:
            large[LISTED] = relist(sets, found, mask, colour)
            if large[LISTED]:
                return True
        if passes(rules, state, colour, large[-5:-1]):
            large[LISTED] = 0
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
            plane = planes[start : start + places]
            if places == len(state.cells):
                for place in range(len(plane)):
                    plane[place] = state.cells[place] >> shift & 1
            else:
                for place in range(len(plane)):
                    cell = layout.box[place]
                    plane[place] = state.cells[cell] >> shift & 1 if cell >= 0 else 0
        for piece in range(held):
            stock[turn * held + piece] = state.copies[seen * rules.fixed[PIECES] + layout.pieces[piece]]


@compiled
def write_view_of(rules: Rules, layout: Layout, games: Games, game: int, colour: int, out: Observations) -> None:
    """Write the planes and the stocks of one game, as a colour sees it, to the first rows of `out`."""
    state = state_in(rules, games.small[game], games.large[game])
    write_view(rules, layout, state, colour, out.planes[0], out.stocks[0])


@compiled
def write_turn(
    rules: Rules, layout: Layout, state: SearchState, out: Observations, game: int, has_planes: bool
) -> None:
    """Write down whose turn it is in a game, and what there is to see."""
    colour = state.about[TO_PLAY]
    out.colours[game] = colour
    out.seats[game] = mover(rules, state, colour)
    if has_planes:
        write_view(rules, layout, state, colour, out.planes[game], out.stocks[game])


@compiled
def begin_game(
    rules: Rules, layout: Layout, start: Games, games: Games, out: Observations, game: int, has_planes: bool
) -> None:
    """Begin a game anew and write it down; the mask must be empty. The dice are left as they are."""
    small, large, sets = games.small[game], games.large[game], games.sets[game]
    for i in range(len(small)):
        small[i] = start.small[0, i]
    for i in range(len(large) - 1):
        large[i] = start.large[0, i]
    for i in range(len(sets)):
        sets[i] = start.sets[0, i]
    state = state_in(rules, small, large)
    to_next_mover(rules, state, games, game, out.masks[game])
    write_turn(rules, layout, state, out, game, has_planes)


@compiled
def step_games(
    tables: Tables,
    rules: Rules,
    layout: Layout,
    start: Games,
    games: Games,
    out: Observations,
    actions: Numbers,
    has_planes: bool,
    autoreset: bool,
) -> int:
    """Make one placement in every game that goes on and write down what follows; the others only get no reward.

    Return the number of the first game whose placement is not legal, and change nothing then, else ALL_LEGAL.
    `actions` has one for every game, and nobody else writes to it.

    Rule: R7, R8, R9
    """
    for game in range(len(actions)):
        if games.large[game, LISTED] and not _is_open(
            rules, layout.shapes, games.small, games.large, game, actions[game]
        ):
            return game
    for game in range(len(actions)):
        if not games.large[game, LISTED]:
            for seat in range(out.rewards.shape[1]):
                out.rewards[game, seat] = 0.0
            continue
        _step(tables, rules, layout, start, games, out, game, actions[game], has_planes, autoreset)
    return ALL_LEGAL


@compiled
def _is_open(rules: Rules, shapes: Numbers, small: Numbers, large: Numbers, game: int, placement: int) -> bool:
    """Return what `is_legal` returns for the colour to play in a game, without making a state of its row."""
    colour = large[game, -7]
    if colour < 0 or not 0 <= placement < len(shapes) // SHAPE:
        return False
    have = large[game, 4 + colour]
    if not large[game, 12 + colour]:
        have &= rules.openers[colour]
    at = SHAPE * placement
    seen = 0
    for i in range(at, at + SHAPE - 1):
        seen |= small[game, shapes[i]]
    return bool(have >> shapes[at + SHAPE - 1] & seen >> colour & ~(seen >> 4 + colour) & 1)


@compiled
def _step(
    tables: Tables,
    rules: Rules,
    layout: Layout,
    start: Games,
    games: Games,
    out: Observations,
    game: int,
    placement: int,
    has_planes: bool,
    autoreset: bool,
) -> None:
    large, found, mask, rewards = games.large[game], games.lists[game], out.masks[game], out.rewards[game]
    state = state_in(rules, games.small[game], large)
    colour = state.about[TO_PLAY]
    for i in range(large[LISTED]):
        mask[found[i]] = 0
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    if rules.seat_of[colour] >= 0:
        rewards[rules.seat_of[colour]] = layout.terms[SHAPING] * tables.size[placement]
    place_piece(tables, rules, state, colour, placement)
    narrow(tables, layout, state, games.sets[game], colour, placement)
    state.about[TO_PLAY] = next_active_colour(rules, colour)
    if to_next_mover(rules, state, games, game, mask):
        out.ended[game] = 0
        write_turn(rules, layout, state, out, game, has_planes)
        return
    out.ended[game] = 1
    _write_result(rules, layout, state, out, game, large[-5:-1])
    if autoreset:
        begin_game(rules, layout, start, games, out, game, has_planes)
    else:
        state.about[TO_PLAY] = out.colours[game] = out.seats[game] = NO_COLOUR


@compiled
def _write_result(
    rules: Rules, layout: Layout, state: SearchState, out: Observations, game: int, paper: Numbers
) -> None:
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
                if scores[other] < scores[seat]:
                    beaten += 1
                elif scores[other] > scores[seat]:
                    beaten -= 1
            rewards[seat] += beaten / (seats - 1)
        else:
            ahead = scores[seat] - (total - scores[seat]) / (seats - 1)
            rewards[seat] += ahead / layout.terms[POINTS]


@compiled
def sample_games(games: Games, actions: Numbers) -> None:
    """Draw a legal placement in every game that goes on, each as likely as the others, by the game's own dice."""
    for game in range(len(actions)):
        found, large = games.lists[game], games.large[game]
        if large[LISTED]:
            actions[game] = found[roll(large[-1:], large[LISTED])]
