"""The prior engine, which looks at one placement at a time, and the search engine: one policy, once in a tree."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from games.bots.engines.compiled import numbers
from games.bots.engines.playout import PlayoutGame, forget, new_playout_game
from games.bots.engines.policy import weigh_all
from games.bots.engines.protocol import Answer, Candidate, dice
from games.bots.engines.sight import Outlook, outlook_of, score_by_sight
from games.bots.engines.state import SEATS, TO_PLAY, Rules, SearchState, blank, legal, rules_of, state_of
from games.bots.engines.tables import Tables, tables_of
from games.bots.engines.tree import SIMULATIONS, Tree, Tuning, child_of, clear, new_tree, search, transplant
from games.bots.engines.weights import Weights, weights_for, with_bias
from games.rules import Position

#: Candidates reported in an answer.
TOLD = 8

#: A colour's first placements are drawn among those that are at least half as good as the best, so that games differ.
VARIED = 2

#: The number of visits that a prior of 1 counts as then.
FEW = 16

#: Simulations between two looks at the clock and at whether the choice can still change.
STRETCH = 32

#: The same where a search has seconds instead of a number: the fewer, the less it overruns where nothing is compiled.
SHORT_STRETCH = 8

#: Nodes of the largest tree: some 50 MB. A search that has used them goes on in the tree that it has.
MOST_NODES = 800_000
_NODES_A_SIMULATION = 40


@dataclass(frozen=True)
class SearchBoard:
    """What an engine needs to think about one position."""

    tables: Tables
    rules: Rules
    state: SearchState
    outlook: Outlook


def board_of(position: Position, weights: Weights, warmth: float = 1.0) -> SearchBoard:
    """Return what is needed to think about a position with these weights; a warm outlook is more even."""
    tables, rules = tables_of(position), rules_of(position)
    return SearchBoard(tables, rules, state_of(position, tables, rules), outlook_of(position, rules, weights, warmth))


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
        board = board_of(
            position, with_bias(self.weights or weights_for(position.variant), self.bias), self.warmth or 1.0
        )
        found, scores = numbers([0] * len(board.tables.piece)), numbers([0] * len(board.tables.piece), 64)
        colour = position.variant.colour_number(position.colour or "")
        count = legal(board.tables, board.rules, board.state, colour, found)
        best = score_by_sight(board.tables, board.rules, board.state, board.outlook, colour, found, count, scores)
        total = weigh_all(board.outlook.policy, scores, count, best)
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
    """Simulates many games to the end and chooses the placement that it visited most often.

    `simulations` is its whole budget: it stops early once nothing can change any more. `bias` is added to the learned
    weights (a style); `tuning` steers the search. With a `clock`, which an engine does not have of itself, it also ends
    once that has gone on by `seconds`: what it answers then depends on the machine.
    """

    simulations: int
    bias: Weights = ()
    weights: Weights = ()
    tuning: Tuning = field(default_factory=Tuning)
    told: int = TOLD
    stops_early: bool = True
    seconds: float = 0.0
    clock: Callable[[], float] | None = None

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the placement visited most; one of equals is drawn by the seed, as is all luck of the search."""
        ends = self.clock() + self.seconds if self.clock else None
        board = self.board_of(position)
        tree = _tree(self.nodes)
        clear(tree)
        return self.grown(position, board, tree, seed, number, ends)

    @property
    def nodes(self) -> int:
        """How many nodes a tree has room for."""
        return min(MOST_NODES, 1000 + _NODES_A_SIMULATION * self.simulations)

    def board_of(self, position: Position) -> SearchBoard:
        """Return what the engine thinks of a position with."""
        return board_of(position, with_bias(self.weights or weights_for(position.variant), self.bias))

    def grown(
        self, position: Position, board: SearchBoard, tree: Tree, seed: int, number: int, ends: float | None = None
    ) -> Answer:
        """Let a tree of a position grow, and return what it says then; once the clock shows `ends` at the latest.

        At least one stretch of games is simulated.
        """
        luck = numbers([dice(seed, number).randrange(1, 2147483647)], 64)
        game, work = _game(len(board.tables.piece)), blank(board.rules)
        forget(game)
        left = self.simulations
        while left > 0 and not (self.stops_early and _is_settled(tree, left)):
            stretch = min(left, SHORT_STRETCH if self.clock else STRETCH)
            search(board.tables, board.rules, board.state, work, board.outlook, self.tuning, tree, game, luck, stretch)
            left -= stretch
            if self.clock and ends is not None and self.clock() >= ends:
                break
        answer = _answer(position, board, tree, self.told)
        if board.state.placed[board.state.about[TO_PLAY]] >= VARIED:
            return answer
        chosen = dice(seed, number, 0).choice(_about_as_good(tree))
        return replace(answer, placement=position.placement(int(tree.placement[chosen])))


class FollowingEngine:
    """A search that follows one game and keeps, from one of its turns to the next, what is still possible of its tree.

    For matches, where one process sees the turns of a game in order. Its answers depend on what it was asked
    before; bots' turns may lie days and processes apart, and must be repeatable, so they start again (`SearchEngine`).
    """

    def __init__(self, simulations: int, **options: Any) -> None:
        """Make a follower of a `SearchEngine` with that budget and those options."""
        self._engine = SearchEngine(simulations, **options)
        self._tree, self._spare = new_tree(self._engine.nodes), new_tree(self._engine.nodes)
        self._thought_of: Position | None = None

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the placement visited most, now and in the thoughts of the turns before."""
        node = self._node_of(position)
        if node < 0:
            clear(self._tree)
        elif node > 0:
            transplant(self._tree, node, self._spare)
            self._tree, self._spare = self._spare, self._tree
        self._thought_of = position
        return self._engine.grown(position, self._engine.board_of(position), self._tree, seed, number)

    def _node_of(self, position: Position) -> int:
        """Return the node of a position in the tree, -1 if it has none."""
        before = self._thought_of
        if before is None or before.variant != position.variant or before.retired != position.retired:
            return -1
        old, new = before.history, position.history
        if new[: len(old)] != old:
            return -1
        node = 0
        for turn in new[len(old) :]:
            if turn.placement is not None:
                node = child_of(self._tree, node, turn.placement.id or 0)
                if node < 0:
                    return -1
        return node


@lru_cache(maxsize=2)
def _tree(nodes: int) -> Tree:
    """Return room for a tree, used again by the next search of that budget: a process thinks of one game at a time."""
    return new_tree(nodes)


@lru_cache(maxsize=2)
def _game(placements: int) -> PlayoutGame:
    return new_playout_game(placements)


def _children(tree: Tree) -> list[int]:
    """Return the children of the root, the most visited first; of equals the likelier."""
    first = int(tree.first[0])
    children = range(first, first + int(tree.count[0]))
    return sorted(children, key=lambda child: (-tree.visits[child], -tree.prior[child]))


def _is_settled(tree: Tree, left: int) -> bool:
    """Return whether `left` more simulations cannot change what is visited most."""
    if not tree.about[SIMULATIONS]:
        return False
    children = _children(tree)
    return len(children) == 1 or bool(tree.visits[children[0]] - tree.visits[children[1]] > left)


def _about_as_good(tree: Tree) -> list[int]:
    """Return the children of the root that are at least half as good as the best, by visits and prior."""
    worth = {child: tree.visits[child] + FEW * tree.prior[child] for child in _children(tree)}
    enough = max(worth.values()) / 2
    return [child for child in worth if worth[child] >= enough]


def _answer(position: Position, board: SearchBoard, tree: Tree, most: int) -> Answer:
    children = _children(tree)
    visits = sum(int(tree.visits[child]) for child in children)
    told = tuple(
        Candidate(
            position.placement(int(tree.placement[child])),
            float(tree.visits[child] / visits),
            float(tree.wins[child] / tree.visits[child]),
        )
        for child in children[:most]
        if tree.visits[child]
    )
    done = int(tree.about[SIMULATIONS])
    values = tuple(float(tree.chances[seat] / done) for seat in range(int(board.rules.fixed[SEATS])))
    return Answer(position.placement(int(tree.placement[children[0]])), done, values, told)
