"""The search: a tree of positions grown by simulating games to the end.

Each simulation walks down the tree by value, prior and what placements brought elsewhere in the same games (RAVE),
opens a node that has been visited often enough, plays on to the end (`playout`), and adds to every node on its way what
each seat got. Every seat maximises its own result (max-n), so two, three and four players and shared colours are
one case. The sources of the ideas: UCT (Kocsis and Szepesvari 2006), RAVE (Gelly and Silver 2007), PUCT (Rosin 2011).
"""

from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, fractions, index, inlined, whole, zeros
from games.bots.engines.playout import (
    DEEPEST,
    LENGTH,
    LEVELS,
    NUMBER,
    PlayoutGame,
    begin,
    make,
    play_out,
    remember,
    write_rewards,
)
from games.bots.engines.policy import Policy
from games.bots.engines.sight import Outlook, score_by_sight
from games.bots.engines.state import (
    BLOCKED,
    COLOURS,
    TO_PLAY,
    Rules,
    SearchState,
    copy,
    legal,
    limit_reach,
    next_active_colour,
    passes,
)
from games.bots.engines.tables import Tables

# `Tree.first` of a node that was not opened yet, and of one after which the game is over.
UNOPENED, OVER = -1, -2

# What `Tree.about` holds: nodes in use, simulations since it was made or transplanted.
USED, SIMULATIONS = 0, 1


class Tuning(NamedTuple):
    """The numbers that steer a search.

    `explore` weighs priors, `rave` is how many visits outweigh the RAVE value, `unknown` is what an unvisited child is
    held to be worth less than its parent. A node is opened after `visits`, with at most that number of `children`.
    """

    explore: float = 0.9
    rave: float = 300.0
    unknown: float = 0.25
    visits: int = 1
    children: int = 64


class Tree(NamedTuple):
    """Nodes by number, 0 the root; a node's children follow one another from `first` on.

    Of a node: the placement that leads to it, its prior, how often it was visited, what the seat that placed it got in
    all (`value`) and won (`wins`), and what the seat to play next got (`owned`); the RAVE figures; its first child and
    how many; the colour to play there and the colours known to be blocked. `chances` adds up the wins, by seat. The
    rest is paper to write on.
    """

    placement: Numbers
    prior: Numbers
    visits: Numbers
    value: Numbers
    wins: Numbers
    owned: Numbers
    rave_visits: Numbers
    rave_value: Numbers
    first: Numbers
    count: Numbers
    colour: Numbers
    blocked: Numbers
    about: Numbers
    chances: Numbers
    path: Numbers


def new_tree(nodes: int) -> Tree:
    """Return an empty tree with room for that number of nodes."""
    return Tree(
        placement=zeros(nodes),
        prior=fractions(nodes),
        visits=zeros(nodes),
        value=fractions(nodes),
        wins=fractions(nodes),
        owned=fractions(nodes),
        rave_visits=zeros(nodes),
        rave_value=fractions(nodes),
        first=zeros(nodes),
        count=zeros(nodes),
        colour=zeros(nodes, 8),
        blocked=zeros(nodes, 8),
        about=zeros(2, 64),
        chances=fractions(COLOURS),
        path=zeros(DEEPEST),
    )


@compiled
def clear(tree: Tree) -> None:
    """Leave nothing of a tree but an unopened root."""
    _blank(tree, whole(0), whole(-1), 0.0)
    _begin(tree, 1)


@inlined
def _begin(tree: Tree, used: int) -> None:
    tree.about[USED] = used
    tree.about[SIMULATIONS] = 0
    for seat in range(COLOURS):
        tree.chances[seat] = 0.0


@compiled
def _blank(tree: Tree, node: int, placement: int, prior: float) -> None:
    tree.placement[node] = placement
    tree.prior[node] = prior
    tree.visits[node] = 0
    tree.value[node] = 0.0
    tree.wins[node] = 0.0
    tree.owned[node] = 0.0
    tree.rave_visits[node] = 0
    tree.rave_value[node] = 0.0
    tree.first[node] = UNOPENED
    tree.count[node] = 0


@compiled
def transplant(source: Tree, node: int, target: Tree) -> None:
    """Make a node of a tree the root of another, with all that hangs on it."""
    _copy_node(source, node, target, 0)
    used, at = 1, 0
    while at < used:
        # Breadth first: a node that was copied names its first child in the source until its children follow.
        first, count = target.first[at], target.count[at]
        if first >= 0:
            if used + count > len(target.first):
                target.first[at] = UNOPENED
            else:
                for i in range(count):
                    _copy_node(source, first + i, target, used + i)
                target.first[at] = used
                used += count
        at += 1
    _begin(target, used)


@inlined
def _copy_node(source: Tree, node: int, target: Tree, to: int) -> None:
    target.placement[to] = source.placement[node]
    target.prior[to] = source.prior[node]
    target.visits[to] = source.visits[node]
    target.value[to] = source.value[node]
    target.wins[to] = source.wins[node]
    target.owned[to] = source.owned[node]
    target.rave_visits[to] = source.rave_visits[node]
    target.rave_value[to] = source.rave_value[node]
    target.first[to] = source.first[node]
    target.count[to] = source.count[node]
    target.colour[to] = source.colour[node]
    target.blocked[to] = source.blocked[node]


@compiled
def child_of(tree: Tree, node: int, placement: int) -> int:
    """Return the child to which a placement leads, -1 if the tree has none."""
    first: int = tree.first[node]
    if first >= 0:
        for child in range(first, first + tree.count[node]):
            if tree.placement[child] == placement:
                return child
    return -1


@compiled
def lead(tree: Tree) -> int:
    """Return how many visits the most visited child of the root is ahead of the next; 2**40 where there is no other."""
    first, best, second = tree.first[0], whole(0), whole(0)
    for child in range(index(first), index(first + tree.count[0])):
        seen = tree.visits[child]
        if seen > best:
            best, second = whole(seen), best
        elif seen > second:
            second = whole(seen)
    return best - second if tree.count[0] > 1 else whole(1 << 40)


@inlined
def to_mover(tables: Tables, rules: Rules, state: SearchState, game: PlayoutGame) -> int:
    """Pass for blocked colours; return how many placements the colour that can play has, 0 once the game is over.

    They are left in `game.found`.
    """
    while True:
        colour = state.about[TO_PLAY]
        if not state.about[BLOCKED] >> colour & 1:
            count = legal(tables, rules, state, colour, game.found)
            if count:
                return count
        if passes(rules, state, colour, game.totals):
            return 0
        state.about[TO_PLAY] = next_active_colour(rules, colour)


@inlined
def open_node(
    tables: Tables,
    rules: Rules,
    state: SearchState,
    outlook: Outlook,
    tuning: Tuning,
    tree: Tree,
    game: PlayoutGame,
    node: int,
) -> bool:
    """Give a node its children, the likeliest of more than it may have; return whether there was room."""
    count = to_mover(tables, rules, state, game)
    if not count:
        tree.first[node] = OVER
        return True
    colour = state.about[TO_PLAY]
    best = score_by_sight(tables, rules, state, outlook, colour, game.found, count, game.scores)
    kept = min(count, tuning.children)
    start = tree.about[USED]
    if start + kept > len(tree.placement):
        return False
    tree.about[USED] += kept
    tree.first[node] = start
    tree.count[node] = kept
    tree.colour[node] = colour
    tree.blocked[node] = state.about[BLOCKED]
    _add_likeliest(outlook.policy, tree, game, count, best, start, kept)
    return True


@inlined
def _add_likeliest(policy: Policy, tree: Tree, game: PlayoutGame, count: int, best: int, start: int, kept: int) -> None:
    """Make the likeliest of the placements found nodes from `start` on, best first; of equals those found first.

    By counting how many there are of each score, from the best on.
    """
    found, scores, levels, likely = game.found, game.scores, game.levels, policy.likely
    for level in range(LEVELS):
        levels[level] = 0
    for i in range(index(count)):
        levels[index(min(best - scores[i], LEVELS - 1))] += 1
    total, place, last = whole(0), whole(0), len(likely) - 1
    for level in range(LEVELS):
        number = levels[index(level)]
        levels[index(level)] = place
        place += number
        total += number * likely[index(min(level, last))]
    for i in range(index(count)):
        below = best - scores[i]
        place = levels[index(min(below, LEVELS - 1))]
        levels[index(min(below, LEVELS - 1))] += 1
        if place < kept:
            _blank(tree, start + place, whole(found[i]), likely[index(min(below, last))] / total)


@inlined
def choose_child(tuning: Tuning, tree: Tree, node: int) -> int:
    """Return the child to walk to: the best by value, RAVE value, and prior against visits."""
    first, visits = tree.first[node], tree.visits[node]
    here = tree.owned[node] / visits if visits else 0.5
    root = tuning.explore * (visits + 1) ** 0.5
    best: int = first
    best_worth = -1e9
    for child in range(first, first + tree.count[node]):
        at = index(child)
        seen, rave = tree.visits[at], tree.rave_visits[at]
        worth = tree.value[at] / seen if seen else here - tuning.unknown
        if rave:
            trust = rave / (rave + seen + seen * rave / tuning.rave)
            worth = (1.0 - trust) * worth + trust * tree.rave_value[at] / rave
        worth += root * tree.prior[at] / (1 + seen)
        if worth > best_worth:
            best, best_worth = child, worth
    return best


@inlined
def backpropagate(tree: Tree, game: PlayoutGame, depth: int) -> None:
    """Add the result to the nodes on the way, and by RAVE to their children."""
    stamp = game.about[NUMBER] * DEEPEST
    room = len(game.found)
    tree.visits[0] += 1
    for i in range(depth):
        node = tree.path[i]
        reward, won = game.reward[game.movers[i]], game.won[game.movers[i]]
        tree.owned[node] += reward
        first = tree.first[node]
        played = tree.colour[node] * room
        for child in range(index(first), index(first + tree.count[node])):
            if game.played[index(played + tree.placement[child])] >= stamp + i:
                tree.rave_visits[child] += 1
                tree.rave_value[child] += reward
        child = tree.path[i + 1]
        tree.visits[child] += 1
        tree.value[child] += reward
        tree.wins[child] += won
    for seat in range(COLOURS):
        tree.chances[seat] += game.won[seat]


@compiled
def search(
    tables: Tables,
    rules: Rules,
    start: SearchState,
    state: SearchState,
    outlook: Outlook,
    tuning: Tuning,
    tree: Tree,
    game: PlayoutGame,
    luck: Numbers,
    simulations: int,
) -> None:
    """Simulate games to the end, from `start`, whose `reach` is narrowed; `state` is written over."""
    limit_reach(tables, start, game.found)
    for _ in range(simulations):
        tree.about[SIMULATIONS] += 1
        begin(game)
        copy(state, start)
        node = whole(0)
        while True:
            tree.path[game.about[LENGTH]] = node
            if tree.first[node] == UNOPENED and (node == 0 or tree.visits[node] >= tuning.visits):
                open_node(tables, rules, state, outlook, tuning, tree, game, node)
            if tree.first[node] < 0:
                break
            colour = whole(tree.colour[node])
            state.about[BLOCKED] = tree.blocked[node]
            node = choose_child(tuning, tree, node)
            make(tables, rules, state, game, colour, whole(tree.placement[node]))
        depth = game.about[LENGTH]
        if tree.first[node] != OVER:
            play_out(tables, rules, state, outlook.playing_on, game, luck)
        write_rewards(rules, state, game)
        remember(game)
        backpropagate(tree, game, depth)
