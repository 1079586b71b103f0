"""The prior engine, which looks at one placement at a time, and the search engine: one policy, once in a tree."""

from dataclasses import dataclass, field, replace
from functools import lru_cache

from games.bots.engines.compiled import Numbers, numbers
from games.bots.engines.policy import Policy, policy_of, score_all, weigh_all
from games.bots.engines.protocol import Answer, Candidate, dice
from games.bots.engines.state import SEATS, TO_PLAY, Rules, State, blank, legal, rules_of, state_of
from games.bots.engines.tables import Tables, tables_of
from games.bots.engines.tree import SIMULATIONS, Tree, Tuning, clear, new_tree, search
from games.bots.engines.weights import Weights, weights_for, with_bias
from games.rules import Position

#: Candidates told in an answer.
TOLD = 8

#: A colour's first placements are drawn among those that are at least half as good as the best, so that games differ.
VARIED = 2

#: A prior of 1 counts as so many visits then.
FEW = 16

#: Simulations between two looks at the clock and at whether the choice can still change.
STRETCH = 32

#: Nodes of the largest tree: some 25 MB. A search that has used them goes on in the tree that it has.
MOST_NODES = 400_000
_NODES_A_SIMULATION = 40


@dataclass(frozen=True)
class _Board:
    """What an engine needs to think about one position."""

    tables: Tables
    rules: Rules
    state: State
    policy: Policy


def _board_of(position: Position, weights: Weights, warmth: float = 1.0) -> _Board:
    tables, rules = tables_of(position), rules_of(position)
    return _Board(tables, rules, state_of(position, tables, rules), policy_of(position, rules, weights, warmth))


@dataclass(frozen=True)
class PriorEngine:
    """Chooses what the policy thinks likeliest, looking no further than the placement itself.

    `warmth` above 0 makes it draw among all placements by their likelihood: the warmer, the more even.
    `weights` are by default those learned for the variant; `bias` is added to them.
    """

    warmth: float = 0.0
    bias: Weights = ()
    weights: Weights = ()

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the likeliest placement; among equals, and where the engine is warm, drawn by the seed."""
        board = _board_of(
            position, with_bias(self.weights or weights_for(position.variant), self.bias), self.warmth or 1.0
        )
        found, scores = numbers([0] * len(board.tables.piece)), numbers([0] * len(board.tables.piece), 64)
        colour = position.variant.colour_number(position.colour or "")
        count = legal(board.tables, board.rules, board.state, colour, found)
        best = score_all(board.tables, board.rules, board.state, board.policy, colour, found, count, scores)
        total = weigh_all(board.policy, scores, count, best)
        enough = max(scores[:count]) // (2 if board.state.placed[colour] < VARIED else 1)
        equals = [i for i in range(count) if scores[i] >= enough]
        order = sorted(range(count), key=lambda i: -scores[i])[:TOLD]
        luck = dice(seed, number)
        drawn = luck.choices(range(count), [int(scores[i]) for i in range(count)])[0]
        chosen = drawn if self.warmth else luck.choice(equals)
        told = tuple(Candidate(position.placement(int(found[i])), int(scores[i]) / total, 0.0) for i in order)
        return Answer(position.placement(int(found[chosen])), candidates=told)


@dataclass(frozen=True)
class SearchEngine:
    """Plays many games to the end in thought and chooses what it came back to most often.

    `simulations` is its whole budget: it stops early once nothing can change any more. `bias` is added to the learned
    weights (a style); `tuning` steers the search.
    """

    simulations: int
    bias: Weights = ()
    weights: Weights = ()
    tuning: Tuning = field(default_factory=Tuning)
    told: int = TOLD
    stops_early: bool = True

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the placement visited most; one of equals is drawn by the seed, as is all luck in thought."""
        board = _board_of(position, with_bias(self.weights or weights_for(position.variant), self.bias))
        tree = _tree(len(board.tables.piece), min(MOST_NODES, 1000 + _NODES_A_SIMULATION * self.simulations))
        clear(tree)
        luck = numbers([dice(seed, number).randrange(1, 2147483647)], 64)
        self._grow(board, tree, luck)
        answer = _answer(position, board, tree, self.told)
        if board.state.placed[board.state.about[TO_PLAY]] >= VARIED:
            return answer
        chosen = dice(seed, number, 0).choice(_about_as_good(tree))
        return replace(answer, placement=position.placement(int(tree.placement[chosen])))

    def _grow(self, board: _Board, tree: Tree, luck: Numbers) -> None:
        work = blank(board.rules)
        left = self.simulations
        while left > 0 and not (self.stops_early and _is_settled(tree, left)):
            stretch = min(left, STRETCH)
            search(board.tables, board.rules, board.state, work, board.policy, self.tuning, tree, luck, stretch)
            left -= stretch


@lru_cache(maxsize=2)
def _tree(placements: int, nodes: int) -> Tree:
    """Return room for a tree, used again by the next search on a like board: a process thinks of one game at a time."""
    return new_tree(placements, nodes)


def _children(tree: Tree) -> list[int]:
    """Return the children of the root, the most visited first; of equals the likelier."""
    first = int(tree.first[0])
    children = range(first, first + int(tree.count[0]))
    return sorted(children, key=lambda child: (-tree.visits[child], -tree.prior[child]))


def _is_settled(tree: Tree, left: int) -> bool:
    """Return whether so many more simulations cannot change what is visited most."""
    if not tree.about[SIMULATIONS]:
        return False
    children = _children(tree)
    return len(children) == 1 or bool(tree.visits[children[0]] - tree.visits[children[1]] > left)


def _about_as_good(tree: Tree) -> list[int]:
    """Return the children of the root that are at least half as good as the best, by visits and prior."""
    worth = {child: tree.visits[child] + FEW * tree.prior[child] for child in _children(tree)}
    enough = max(worth.values()) / 2
    return [child for child in worth if worth[child] >= enough]


def _answer(position: Position, board: _Board, tree: Tree, most: int) -> Answer:
    children = _children(tree)
    done = int(tree.about[SIMULATIONS])
    told = tuple(
        Candidate(
            position.placement(int(tree.placement[child])),
            float(tree.visits[child] / done),
            float(tree.root_wins[child] / tree.visits[child]),
        )
        for child in children[:most]
        if tree.visits[child]
    )
    values = tuple(float(tree.wins[seat] / done) for seat in range(int(board.rules.fixed[SEATS])))
    return Answer(position.placement(int(tree.placement[children[0]])), done, values, told)
