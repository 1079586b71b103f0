"""The search: a tree of positions grown by playing games to the end in thought.

Each simulation walks down the tree by value, prior and what placements brought elsewhere in the same games (RAVE),
opens a node that has been visited often enough, plays on to the end with the policy, and tells every node on its way
what each seat got. Every seat maximises its own result (max-n), so two, three and four players and shared colours are
one case. The sources of the ideas: UCT (Kocsis and Szepesvari 2006), RAVE (Gelly and Silver 2007), PUCT (Rosin 2011).
"""

from typing import NamedTuple

from games.bots.engines.compiled import Numbers, compiled, fractions, zeros
from games.bots.engines.policy import Policy, pick, roll, score_all, score_quickly, weigh_all
from games.bots.engines.state import (
    BLOCKED,
    COLOURS,
    SEATED,
    SEATS,
    TO_PLAY,
    Rules,
    State,
    copy,
    legal,
    mover,
    next_colour,
    passes,
    place,
    seat_scores,
)
from games.bots.engines.tables import Tables

#: Children that a node may have at most.
MOST_CHILDREN = 128

#: Turns on the way from the root that are kept: more than any game has.
DEEPEST = 256

# `Tree.first` of a node that was not opened yet, and of one after which the game is over.
UNOPENED, OVER = -1, -2

# What `Tree.about` holds: nodes in use, simulations so far.
USED, SIMULATIONS = 0, 1


class Tuning(NamedTuple):
    """The numbers that steer a search.

    `explore` weighs priors, `rave` is how many visits outweigh what RAVE tells, `unknown` is what an unvisited child is
    held to be worth less than its parent; `margin` is the part of a reward that is no win, and `margin_scale` the
    points that make half of it. A node is opened after `visits`, with at most so many `children`; playing to the end
    weighs at most `sample` placements a turn.
    """

    explore: float = 0.9
    rave: float = 300.0
    unknown: float = 0.25
    margin: float = 0.5
    margin_scale: float = 8.0
    visits: int = 1
    children: int = 64
    sample: int = 48


class Tree(NamedTuple):
    """Nodes by number, 0 the root; a node's children follow one another from `first` on.

    Of a node: the placement that leads to it, its prior, how often it was visited, what whoever placed that got in all
    (`value`) and whoever plays next (`owned`); what RAVE tells; its first child and how many; the colour to play there
    and the colours known to be blocked. `wins` adds up who won, `root_wins` for whoever is to play by child of the
    root. The rest is paper to write on.
    """

    placement: Numbers
    prior: Numbers
    visits: Numbers
    value: Numbers
    owned: Numbers
    rave_visits: Numbers
    rave_value: Numbers
    first: Numbers
    count: Numbers
    colour: Numbers
    blocked: Numbers
    about: Numbers
    wins: Numbers
    path: Numbers
    movers: Numbers
    played: Numbers
    found: Numbers
    scores: Numbers
    totals: Numbers
    reward: Numbers
    won: Numbers
    root_wins: Numbers


def new_tree(placements: int, nodes: int) -> Tree:
    """Return an empty tree with room for so many nodes, on a board with so many placements."""
    return Tree(
        placement=zeros(nodes),
        prior=fractions(nodes),
        visits=zeros(nodes),
        value=fractions(nodes),
        owned=fractions(nodes),
        rave_visits=zeros(nodes),
        rave_value=fractions(nodes),
        first=zeros(nodes),
        count=zeros(nodes),
        colour=zeros(nodes, 8),
        blocked=zeros(nodes, 8),
        about=zeros(2, 64),
        wins=fractions(COLOURS),
        path=zeros(DEEPEST),
        movers=zeros(DEEPEST),
        played=zeros(COLOURS * placements, 64),
        found=zeros(placements),
        scores=zeros(placements, 64),
        totals=zeros(COLOURS, 64),
        reward=fractions(COLOURS),
        won=fractions(COLOURS),
        root_wins=fractions(MOST_CHILDREN + 1),
    )


@compiled
def clear(tree: Tree) -> None:
    """Leave nothing of a tree but an unopened root."""
    tree.first[0] = UNOPENED
    tree.visits[0] = 0
    tree.owned[0] = 0.0
    tree.about[USED] = 1
    tree.about[SIMULATIONS] = 0
    for seat in range(COLOURS):
        tree.wins[seat] = 0.0
    for child in range(MOST_CHILDREN + 1):
        tree.root_wins[child] = 0.0
    for i in range(len(tree.played)):
        tree.played[i] = 0


@compiled
def to_mover(tables: Tables, rules: Rules, state: State, tree: Tree) -> int:
    """Let blocked colours pass; return how many placements the colour that can play has, 0 once the game is over.

    They are left in `tree.found`.
    """
    while True:
        colour = state.about[TO_PLAY]
        if not state.about[BLOCKED] >> colour & 1:
            count = legal(tables, rules, state, colour, tree.found)
            if count:
                return count
        if passes(rules, state, colour, tree.totals):
            return 0
        state.about[TO_PLAY] = next_colour(rules, colour)


@compiled
def open_node(
    tables: Tables, rules: Rules, state: State, policy: Policy, tuning: Tuning, tree: Tree, node: int
) -> bool:
    """Give a node its children, those of little likelihood left out; return whether there was room."""
    count = to_mover(tables, rules, state, tree)
    if not count:
        tree.first[node] = OVER
        return True
    colour = state.about[TO_PLAY]
    best = score_all(tables, rules, state, policy, colour, tree.found, count, tree.scores)
    total = weigh_all(policy, tree.scores, count, best)
    kept = _select(tree, count, tuning.children)
    start = tree.about[USED]
    if start + kept > len(tree.placement):
        return False
    tree.about[USED] += kept
    tree.first[node] = start
    tree.count[node] = kept
    tree.colour[node] = colour
    tree.blocked[node] = state.about[BLOCKED]
    for i in range(kept):
        child = start + i
        tree.placement[child] = tree.found[i]
        tree.prior[child] = tree.scores[i] / total
        tree.visits[child] = 0
        tree.value[child] = 0.0
        tree.owned[child] = 0.0
        tree.rave_visits[child] = 0
        tree.rave_value[child] = 0.0
        tree.first[child] = UNOPENED
    return True


@compiled
def _select(tree: Tree, count: int, most: int) -> int:
    """Move the likeliest placements to the front, best first, with their scores; return how many are worth keeping."""
    found, scores = tree.found, tree.scores
    kept = 0
    for i in range(count):
        score = scores[i]
        if not score or (kept == most and score <= scores[kept - 1]):
            continue
        placement = found[i]
        k = kept if kept < most else most - 1
        # Placements are moved only to places that were looked at before.
        while k > 0 and scores[k - 1] < score:
            scores[k] = scores[k - 1]
            found[k] = found[k - 1]
            k -= 1
        scores[k] = score
        found[k] = placement
        if kept < most:
            kept += 1
    return kept


@compiled
def choose_child(tuning: Tuning, tree: Tree, node: int) -> int:
    """Return the child to walk to: the best by value, what RAVE tells, and prior against visits."""
    first, visits = tree.first[node], tree.visits[node]
    here = tree.owned[node] / visits if visits else 0.5
    root = tuning.explore * (visits + 1) ** 0.5
    best: int = first
    best_worth = -1e9
    for child in range(first, first + tree.count[node]):
        seen, rave = tree.visits[child], tree.rave_visits[child]
        worth = tree.value[child] / seen if seen else here - tuning.unknown
        if rave:
            trust = rave / (rave + seen + seen * rave / tuning.rave)
            worth = (1.0 - trust) * worth + trust * tree.rave_value[child] / rave
        worth += root * tree.prior[child] / (1 + seen)
        if worth > best_worth:
            best, best_worth = child, worth
    return best


@compiled
def play_out(
    tables: Tables, rules: Rules, state: State, policy: Policy, tree: Tree, depth: int, luck: Numbers, sample: int
) -> None:
    """Play on to the end of the game, each placement drawn by the policy; note what was played when."""
    stamp = tree.about[SIMULATIONS] * DEEPEST
    room = len(tree.found)
    while True:
        count = to_mover(tables, rules, state, tree)
        if not count:
            return
        colour = state.about[TO_PLAY]
        if count > sample:
            count = _thin(tree.found, count, sample, luck)
        best = score_quickly(tables, state, policy, colour, tree.found, count, tree.scores)
        total = weigh_all(policy, tree.scores, count, best)
        placement = tree.found[pick(tree.scores, count, total, luck)]
        tree.played[colour * room + placement] = stamp + depth
        place(tables, rules, state, colour, placement)
        state.about[TO_PLAY] = next_colour(rules, colour)
        depth += 1


@compiled
def _thin(found: Numbers, count: int, sample: int, luck: Numbers) -> int:
    """Keep every so-manieth of what was found, from a random one on; return how many those are.

    What was found is ordered by attach point and piece, so a few of each are kept.
    """
    offset = roll(luck, count)
    for i in range(sample):
        k = (offset + i * count // sample) % count
        found[i], found[k] = found[k], found[i]
    return sample


@compiled
def judge(rules: Rules, state: State, tuning: Tuning, tree: Tree) -> None:
    """Write what each seat gets for a finished game to `tree.reward`, and add up who won.

    A part of the reward is the win, shared by those who tie; the rest grows with the margin over the best other seat.
    """
    totals = tree.totals
    seat_scores(rules, state, totals)
    best, winners = -(1 << 30), 0
    for seat in range(rules.fixed[SEATS]):
        if rules.fixed[SEATED] >> seat & 1:
            if totals[seat] > best:
                best, winners = totals[seat], 0
            if totals[seat] == best:
                winners += 1
    for seat in range(rules.fixed[SEATS]):
        if not rules.fixed[SEATED] >> seat & 1:
            tree.reward[seat] = tree.won[seat] = 0.0
            continue
        other = -(1 << 30)
        for rival in range(rules.fixed[SEATS]):
            if rival != seat and rules.fixed[SEATED] >> rival & 1 and totals[rival] > other:
                other = totals[rival]
        ahead = (totals[seat] - other) / tuning.margin_scale
        margin = 0.5 + 0.5 * ahead / (1.0 + abs(ahead))
        won = 1.0 / winners if totals[seat] == best else 0.0
        tree.wins[seat] += won
        tree.won[seat] = won
        tree.reward[seat] = (1.0 - tuning.margin) * won + tuning.margin * margin


@compiled
def learn(tree: Tree, depth: int) -> None:
    """Tell the nodes on the way, and by RAVE their children, what came of it."""
    stamp = tree.about[SIMULATIONS] * DEEPEST
    room = len(tree.found)
    tree.visits[0] += 1
    for i in range(depth):
        node = tree.path[i]
        reward = tree.reward[tree.movers[i]]
        tree.owned[node] += reward
        first = tree.first[node]
        played = tree.colour[node] * room
        for child in range(first, first + tree.count[node]):
            if tree.played[played + tree.placement[child]] >= stamp + i:
                tree.rave_visits[child] += 1
                tree.rave_value[child] += reward
        child = tree.path[i + 1]
        tree.visits[child] += 1
        tree.value[child] += reward
    if depth:
        tree.root_wins[tree.path[1]] += tree.won[tree.movers[0]]


@compiled
def search(
    tables: Tables,
    rules: Rules,
    start: State,
    state: State,
    policy: Policy,
    tuning: Tuning,
    tree: Tree,
    luck: Numbers,
    simulations: int,
) -> None:
    """Play so many games to the end in thought, from `start`; `state` is written over."""
    room = len(tree.found)
    for _ in range(simulations):
        tree.about[SIMULATIONS] += 1
        stamp = tree.about[SIMULATIONS] * DEEPEST
        copy(state, start)
        node, depth = 0, 0
        while True:
            tree.path[depth] = node
            if tree.first[node] == UNOPENED and (node == 0 or tree.visits[node] >= tuning.visits):
                open_node(tables, rules, state, policy, tuning, tree, node)
            if tree.first[node] < 0:
                break
            colour = tree.colour[node]
            state.about[TO_PLAY] = colour
            state.about[BLOCKED] = tree.blocked[node]
            tree.movers[depth] = mover(rules, state, colour)
            node = choose_child(tuning, tree, node)
            placement = tree.placement[node]
            tree.played[colour * room + placement] = stamp + depth
            place(tables, rules, state, colour, placement)
            state.about[TO_PLAY] = next_colour(rules, colour)
            depth += 1
        if tree.first[node] != OVER:
            play_out(tables, rules, state, policy, tree, depth, luck, tuning.sample)
        judge(rules, state, tuning, tree)
        learn(tree, depth)
