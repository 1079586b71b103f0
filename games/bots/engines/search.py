"""The prior engine, which looks at one placement at a time, and the search engine: one policy, once in a tree."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from games.bots.engines.arguments import (
    LARGEST_NUMBER,
    InvalidCallError,
    check_can_place,
    check_rows,
    real_number,
    true_or_false,
    whole_number,
)
from games.bots.engines.compiled import numbers
from games.bots.engines.endings import solve
from games.bots.engines.playout import forget, new_playout_game
from games.bots.engines.policy import PHASES, weigh_all
from games.bots.engines.protocol import Answer, Candidate, dice
from games.bots.engines.sight import ALL_WEIGHTS, KEPT_OUTLOOKS, Outlook, outlook_of, score_by_sight
from games.bots.engines.state import SEATS, TO_PLAY, Rules, SearchState, blank, legal, rules_of, state_of
from games.bots.engines.tables import Tables, tables_of
from games.bots.engines.tree import SIMULATIONS, Tree, Tuning, child_of, clear, lead, new_tree, search, transplant
from games.bots.engines.weights import HEAVIEST, Weights, weights_for, with_bias
from games.rules import Position

#: Candidates reported in an answer.
TOLD = 8

#: A colour's first placements are drawn among those that are at least half as good as the best, so that games differ.
VARIED = 2

#: The number of visits that a prior of 1 counts as then.
VISITS_OF_A_PRIOR = 16

#: Simulations between two looks at the clock and at whether the choice can still change.
STRETCH = 32

#: The same where a search has seconds instead of a number, at least and at most: the fewer, the less it overruns where
#: nothing is compiled. In between it is as many as it simulates in a fiftieth of its seconds.
SHORT_STRETCH, LONG_STRETCH = 8, 512
_LOOKS = 50

#: Positions of an ending that are looked at, at most, for each game that may be simulated.
POSITIONS_A_SIMULATION = 24

#: The part of the seconds of a search after which it looks no further through an ending, and simulates games instead.
PART_FOR_ENDINGS = 0.5

#: Nodes of the largest tree: some 50 MB. A search that has used them goes on in the tree that it has.
MOST_NODES = 800_000
_NODES_A_SIMULATION = 40

#: The bounds of a temperature that is not 0.
LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE = 0.01, 100.0

#: How many sizes of each kind of workspace a thread keeps from one search to the next.
_KEPT = 2


@dataclass(frozen=True)
class SearchBoard:
    """What an engine needs to think about one position."""

    tables: Tables
    rules: Rules
    state: SearchState
    outlook: Outlook


def board_of(position: Position, weights: Weights, temperature: float = 1.0) -> SearchBoard:
    """Return what is needed to think about a position with these weights; a higher temperature evens out the outlook.

    Raises:
        InvalidCallError: the colour to play can place nothing, or a temperature or weight is out of bounds.

    """
    check_can_place(position)
    temperature = real_number("A temperature", temperature, LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE)
    _check_weights("The weights", weights, 2 * HEAVIEST)
    tables, rules = tables_of(position), rules_of(position)
    return SearchBoard(
        tables, rules, state_of(position, tables, rules), outlook_of(position, rules, weights, temperature)
    )


def _weights(position: Position, weights: Weights, bias: Weights) -> Weights:
    """Return the weights of an engine, by default those learned for the variant, with its bias added."""
    check_can_place(position)
    for what, rows in (("The weights", weights), ("The numbers of a bias", bias)):
        if not isinstance(rows, Sequence) or len(rows):
            _check_weights(what, rows, HEAVIEST)
    return with_bias(weights or weights_for(position.variant), bias)


def _check_weights(what: str, rows: object, most: float) -> None:
    """Refuse what are no weights; what was found right is remembered."""
    if isinstance(rows, list | tuple) and len(rows) == PHASES and all(type(row) in (list, tuple) for row in rows):
        try:
            _found_right(what, tuple(map(tuple, rows)), most)
        except TypeError:
            # Some number is something else, of which the check below says so.
            pass
        else:
            return
    check_rows(what, rows, PHASES, ALL_WEIGHTS, most)


@lru_cache(maxsize=2 * KEPT_OUTLOOKS)
def _found_right(what: str, rows: tuple[tuple[float, ...], ...], most: float) -> None:
    check_rows(what, rows, PHASES, ALL_WEIGHTS, most)


@dataclass(frozen=True)
class PriorEngine:
    """Chooses what the policy thinks likeliest, looking no further than the placement itself.

    `temperature` above 0 makes it draw among all placements by their likelihood: the higher, the more even.
    `weights` are by default those learned for the variant; `bias` is added to them.

    Raises:
        InvalidCallError: a temperature out of bounds.

    """

    temperature: float = 0.0
    bias: Weights = ()
    weights: Weights = ()

    def __post_init__(self) -> None:
        real_number("A temperature", self.temperature, 0, HIGHEST_TEMPERATURE)
        if self.temperature:
            real_number("A temperature that is not 0", self.temperature, LOWEST_TEMPERATURE, HIGHEST_TEMPERATURE)

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the likeliest placement; among equals, and with a temperature, drawn by the seed.

        Raises:
            InvalidCallError: the colour to play can place nothing, or a weight is out of bounds.

        """
        board = board_of(position, _weights(position, self.weights, self.bias), self.temperature or 1.0)
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
        chosen = drawn if self.temperature else luck.choice(equals)
        told = tuple(Candidate(position.placement(int(found[i])), int(scores[i]) / total, 0.0) for i in order)
        return Answer(position.placement(int(found[chosen])), candidates=told)


@dataclass(frozen=True)
class SearchEngine:
    """Simulates many games to the end and chooses the placement that it visited most often.

    `simulations` is its whole budget: it stops early once nothing can change any more. An ending that can be looked
    through with such a budget is played perfectly (`endings`), unless it is told not to. `bias` is added to the learned
    weights (a style); `tuning` steers the search. With a `clock`, which an engine does not have of itself, it also ends
    once that has gone on by `seconds`, of which an ending has a part: what it answers then depends on the machine.
    It stops early there too, once what it can simulate in the rest of the time can change nothing.
    Threads may think with it at once.

    Raises:
        InvalidCallError: a number out of bounds.

    """

    simulations: int
    bias: Weights = ()
    weights: Weights = ()
    tuning: Tuning = field(default_factory=Tuning)
    told: int = TOLD
    stops_early: bool = True
    solves_endings: bool = True
    seconds: float = 0.0
    clock: Callable[[], float] | None = None

    def __post_init__(self) -> None:
        whole_number("A number of simulations", self.simulations, 1, LARGEST_NUMBER)
        whole_number("A number of candidates to tell", self.told, 0, LARGEST_NUMBER)
        real_number("A number of seconds", self.seconds, 0, LARGEST_NUMBER)
        true_or_false("Whether it stops early", self.stops_early)
        true_or_false("Whether it solves endings", self.solves_endings)
        _check_tuning(self.tuning)
        if self.clock is not None and not callable(self.clock):
            raise InvalidCallError("A clock is called without arguments and returns seconds.")

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the placement visited most; one of equals is drawn by the seed, as is all luck of the search.

        Raises:
            InvalidCallError: the colour to play can place nothing, or a weight is out of bounds.

        """
        ends = self.ends()
        board = self.board_of(position)
        with _workspaces.lent("tree", self.nodes, new_tree) as tree:
            clear(tree)
            return _grown(self, position, board, tree, seed, number, ends)

    def ends(self) -> float | None:
        """Return what the clock will show when a search that begins now has had its seconds; None without a clock."""
        return self.clock() + self.seconds if self.clock else None

    @property
    def nodes(self) -> int:
        """How many nodes a tree has room for."""
        return min(MOST_NODES, 1000 + _NODES_A_SIMULATION * int(self.simulations))

    def board_of(self, position: Position) -> SearchBoard:
        """Return the board on which the engine thinks about a position."""
        return board_of(position, _weights(position, self.weights, self.bias))


class FollowingEngine:
    """A search that follows one game and keeps, from one of its turns to the next, what is still possible of its tree.

    For programs, where one process sees the turns of a game in order. Its answers depend on what it was asked
    before; bots' turns may lie days and processes apart, and must be repeatable, so they start again (`SearchEngine`).
    The same questions in the same order, from the first of a game or from `forget` on, have the same answers, and a
    position that it is asked about twice running is thought of anew. A second thread that asks it waits.
    """

    def __init__(self, simulations: int, **options: Any) -> None:
        """Make a follower of a `SearchEngine` with that budget and those options, its `search`."""
        self.search = SearchEngine(simulations, **options)
        self._tree, self._spare = new_tree(self.search.nodes), new_tree(self.search.nodes)
        self._thought_of: Position | None = None
        self._lock = threading.RLock()

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the placement visited most, now and in the thoughts of the turns before.

        Raises:
            InvalidCallError: the colour to play can place nothing, or a weight is out of bounds.

        """
        ends = self.search.ends()
        board = self.search.board_of(position)
        with self._lock:
            node = self._node_of(position)
            if node < 0:
                clear(self._tree)
            elif node > 0:
                transplant(self._tree, node, self._spare)
                self._tree, self._spare = self._spare, self._tree
            self._thought_of = position
            return _grown(self.search, position, board, self._tree, seed, number, ends)

    def forget(self) -> None:
        """Begin the next turn with an empty tree."""
        with self._lock:
            self._thought_of = None

    def _node_of(self, position: Position) -> int:
        """Return the node of a position in the tree, -1 if it has none or was thought of last."""
        before = self._thought_of
        if before is None or before.variant != position.variant or before.retired != position.retired:
            return -1
        old, new = before.history, position.history
        if new == old or new[: len(old)] != old:
            return -1
        node = 0
        for turn in new[len(old) :]:
            if turn.placement is not None:
                node = child_of(self._tree, node, turn.placement.id or 0)
                if node < 0:
                    return -1
        return node


def _grown(
    engine: SearchEngine,
    position: Position,
    board: SearchBoard,
    tree: Tree,
    seed: int,
    number: int,
    ends: float | None = None,
) -> Answer:
    """Grow the tree of a position, and return its answer; once the clock shows `ends` at the latest.

    At least one stretch of games is simulated. Where an ending can be looked through instead, that is all.
    """
    if engine.solves_endings and (perfect := _perfect(engine, position, board, ends)):
        return perfect
    luck = numbers([dice(seed, number).randrange(1, 2147483647)], 64)
    work, left = blank(board.rules), int(engine.simulations)
    pace = _Pace(engine.clock, engine.seconds, ends or 0.0) if engine.clock else None
    with _workspaces.lent("game", len(board.tables.piece), new_playout_game) as game:
        forget(game)
        while left > 0 and not (engine.stops_early and _is_settled(tree, min(left, pace.coming) if pace else left)):
            stretch = min(left, pace.stretch if pace else STRETCH)
            search(
                board.tables, board.rules, board.state, work, board.outlook, engine.tuning, tree, game, luck, stretch
            )
            left -= stretch
            if pace and pace.is_over(stretch):
                break
    answer = _answer(position, board, tree, engine.told)
    if board.state.placed[board.state.about[TO_PLAY]] >= VARIED:
        return answer
    chosen = dice(seed, number, 0).choice(_about_as_good(tree))
    return replace(answer, placement=position.placement(int(tree.placement[chosen])))


class _Pace:
    """How quickly a search with a clock simulates games: how many until it looks again, and how many until its end."""

    def __init__(self, clock: Callable[[], float], seconds: float, ends: float) -> None:
        self._clock, self._seconds, self._ends = clock, seconds, ends
        self._since: float | None = None
        self._simulated = 0
        self.stretch, self.coming = SHORT_STRETCH, LARGEST_NUMBER

    def is_over(self, simulated: int) -> bool:
        """Look at the clock after so many more games; return whether the time is up."""
        now = self._clock()
        if self._since is None:
            self._since = now
        else:
            self._simulated += simulated
        if now > self._since:
            speed = self._simulated / (now - self._since)
            self.coming = int(speed * (self._ends - now)) + 1
            self.stretch = min(max(SHORT_STRETCH, int(speed * self._seconds / _LOOKS)), LONG_STRETCH)
        return now >= self._ends


def _perfect(engine: SearchEngine, position: Position, board: SearchBoard, ends: float | None) -> Answer | None:
    """Return the best placement of an ending, with what it brings for certain; None where that is not found out.

    Once the clock shows that the part of the time for endings has gone it is not.
    """
    most = POSITIONS_A_SIMULATION * int(engine.simulations)
    solved = solve(position, board.rules, board.state, most, _time_for_endings(engine, ends))
    if solved is None:
        return None
    seat, scores = position.seat or 0, list(position.seat_scores())
    seated = [each for each in range(len(scores)) if each not in position.retired]
    scores[seat] = max((scores[each] for each in seated if each != seat), default=0) + solved.margin
    best = max(scores[each] for each in seated)
    winners = [each for each in seated if scores[each] == best]
    values = tuple(1 / len(winners) if each in winners else 0.0 for each in range(len(scores)))
    placement = position.placement(solved.placement)
    told = (Candidate(placement, 1.0, values[seat]),)
    return Answer(placement, values=values, candidates=told[: engine.told], is_proved=True)


def _time_for_endings(engine: SearchEngine, ends: float | None) -> Callable[[], bool] | None:
    """Return what says whether the time for an ending is up, None without a clock."""
    clock = engine.clock
    if clock is None or ends is None:
        return None
    stops = ends - (1 - PART_FOR_ENDINGS) * engine.seconds
    return lambda: clock() >= stops


def _check_tuning(tuning: Tuning) -> None:
    if not isinstance(tuning, Tuning):
        raise InvalidCallError("What steers a search is a Tuning.")
    for name in ("explore", "unknown"):
        real_number(f"The tuning's {name!r}", getattr(tuning, name), -LARGEST_NUMBER, LARGEST_NUMBER)
    real_number("The tuning's 'rave'", tuning.rave, 1 / LARGEST_NUMBER, LARGEST_NUMBER)
    whole_number("The tuning's 'visits'", tuning.visits, 0, LARGEST_NUMBER)
    whole_number("The tuning's 'children'", tuning.children, 1, LARGEST_NUMBER)


class _Workspaces(threading.local):
    """The arrays that searches work in: trees and games, used again by the next search of that size in the same thread.

    Compiled code lets other threads run meanwhile, so none is ever in two hands: it is taken out while it is lent, and
    a search within a search, as a clock might begin one, finds another one.
    """

    def __init__(self) -> None:
        self._free: dict[tuple[str, int], Any] = {}

    @contextmanager
    def lent(self, kind: str, size: int, new: Callable[[int], Any]) -> Iterator[Any]:
        """Lend a workspace of a kind and size, made by `new` where none is free; the two sizes used last are kept."""
        workspace = self._free.pop((kind, size), None) or new(size)
        try:
            yield workspace
        finally:
            self._free[kind, size] = workspace
            same = [key for key in self._free if key[0] == kind]
            for key in same[:-_KEPT]:
                del self._free[key]


_workspaces = _Workspaces()


def _children(tree: Tree) -> list[int]:
    """Return the children of the root, the most visited first; of equals the likelier."""
    first = int(tree.first[0])
    children = range(first, first + int(tree.count[0]))
    return sorted(children, key=lambda child: (-tree.visits[child], -tree.prior[child]))


def _is_settled(tree: Tree, left: int) -> bool:
    """Return whether `left` more simulations cannot change what is visited most."""
    return bool(tree.about[SIMULATIONS]) and lead(tree) > left


def _about_as_good(tree: Tree) -> list[int]:
    """Return the children of the root that are at least half as good as the best, by visits and prior."""
    worth = {child: tree.visits[child] + VISITS_OF_A_PRIOR * tree.prior[child] for child in _children(tree)}
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
