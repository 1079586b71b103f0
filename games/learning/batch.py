"""Many games of one variant, stepped together by the bots' compiled engine: for learners that ask for speed."""

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.bots.engines.arguments import InvalidCallError, number_text, real_number, true_or_false, whole_number
from games.bots.engines.batches import (
    ALL_LEGAL,
    COPIES,
    SETS,
    SHAPE,
    WORD,
    Games,
    Layout,
    Observations,
    add_set,
    begin_game,
    sample_games,
    sizes_of,
    step_games,
    write_view_of,
)
from games.bots.engines.state import CELLS, COLOURS, PIECES, Rules, SearchState, rules_of, state_of
from games.bots.engines.tables import MOST_BOARDS, Tables, tables_of
from games.rules import Position, action_count
from games.rules.errors import shown
from games.rules.placement import PlacementTable, table_for
from games.rules.variants import COVERAGE

#: What is rewarded at the end: +1 for the first seat and -1 for the last, or the points ahead of the others.
RANK, MARGIN = "rank", "margin"
REWARDS = (RANK, MARGIN)

#: Games of the largest batch; more of them go into several.
MOST_GAMES = 65_536

#: The largest part that shaping may give a placement.
MOST_SHAPING = 1e6

Bytes = NDArray[np.int8]

_INT64 = np.dtype(np.int64)


class IllegalActionError(ValueError):
    """An action is no legal placement in the game of that number; nothing has changed."""

    def __init__(self, game: int, action: int) -> None:
        super().__init__(f"Action {number_text(action)} is not legal in game {game}.")
        self.game, self.action = game, action


class EngineArrays(NamedTuple):
    """The arrays of a batch as compiled code reads them; `state_in` makes the state of a game from its row."""

    tables: Tables
    rules: Rules
    games: Games


class Batch:
    """N games that are stepped at once. Their observations lie in arrays that every step overwrites.

    `masks[n]` has a 1 for every legal placement id of game n. `planes[n]` shows the cells of the colour to play, then
    those of the colours after it in the order of play, then the attach points of the same; rows from the bottom.
    `stocks[n]` counts the pieces in hand of the same colours, by `variant.pieces`. `colours[n]` and `seats[n]` say who
    is to play, `rewards[n]` what each seat got for the last step, `ended[n]` whether it ended a game, and `scores[n]`
    each seat's score in the latest game that ended. Write to none of them.

    A game that has ended begins again in the same step, unless `autoreset` is False: then it rests, with no colour,
    no seat (-1) and no legal placement, stays `ended`, gets no more rewards, and what stands for it among the actions
    is ignored. Forced passes are made; no one else may pass.

    Threads may call one batch at once: one of them waits. It cannot be copied: what is shown lies in arrays that others
    hold.
    """

    def __init__(
        self,
        variant: str = "blockyou-4",
        games: int = 64,
        *,
        scoring: str | None = None,
        rewards: str = RANK,
        shaping: float = 0.0,
        seeds: Sequence[int] | None = None,
        masks: NDArray[Any] | None = None,
        planes: NDArray[Any] | None = None,
        stocks: NDArray[Any] | None = None,
        has_planes: bool = True,
        autoreset: bool = True,
    ) -> None:
        """Make a batch of new games.

        `rewards` is one of `REWARDS`. A placement adds `shaping` times the part of its seat's cells that it places, so
        that all of them add `shaping`; those of a shared colour add nothing. `seeds` are those of each game's dice
        (`sample`), by default the games' numbers. `masks`, `planes` and `stocks` are the arrays to write to, of a byte
        a number and of the shapes that those made here have. Without planes, only masks and who is to play are written.

        Raises:
            UnknownVariant, UnknownScoring: the rules know none of that name.
            InvalidCallError: no such rewards, no such number of games, or an array of another shape, of more than a
                byte, or with gaps.

        """
        if not isinstance(rewards, str) or rewards not in REWARDS:
            raise InvalidCallError(f"There are no rewards {shown(rewards)}. Choose from: {', '.join(REWARDS)}.")
        games = whole_number("The number of games of a batch", games, 1, MOST_GAMES)
        shaping = real_number("Shaping", shaping, -MOST_SHAPING, MOST_SHAPING)
        self.start = position = Position.start(variant, scoring=scoring)
        self.variant = kind = position.variant
        self.games, self.actions, self.colour_count = games, action_count(kind), len(position.colours_in_play)
        self._has_planes = true_or_false("Whether there are planes", has_planes)
        self._autoreset = true_or_false("Whether games begin again", autoreset)
        self._lock = threading.Lock()
        self._asked = np.zeros(games, np.int64)
        self._tables, self._rules = tables_of(position), rules_of(position)
        self._layout = _layout(position, rewards == RANK, shaping)
        self._start = _first(position, self._tables, self._rules, self._layout)
        small, large = sizes_of(self._rules)
        self._games = Games(
            np.zeros((games, small), np.int16),
            np.zeros((games, large), np.int64),
            np.zeros((games, self._start.sets.shape[1]), np.int64),
            np.zeros((games, self.actions), np.int32),
        )
        seats = len(position.seats)
        seen, held = 2 * self.colour_count, len(kind.pieces)
        self.masks: Bytes = _taken(masks, (games, self.actions))
        self.planes: Bytes = _taken(planes, (games, seen, kind.height, kind.width))
        self.stocks: Bytes = _taken(stocks, (games, self.colour_count, held))
        self.colours = np.zeros(games, np.int64)
        self.seats = np.zeros(games, np.int64)
        self.rewards = np.zeros((games, seats), np.float32)
        self.scores = np.zeros((games, seats), np.int64)
        self.ended = np.zeros(games, np.bool_)
        self._observations = Observations(
            self.masks,
            self.planes.reshape(games, -1),
            self.stocks.reshape(games, -1),
            self.colours,
            self.seats,
            self.rewards,
            self.scores,
            self.ended,
        )
        self._order = frozenset(self._layout.order.tolist())
        self._step_arguments = (self._tables, self._rules, self._layout, self._start, self._games, self._observations)
        self.reset(seeds)

    def reset(self, seeds: Sequence[int] | None = None) -> None:
        """Begin every game anew, with dice of these seeds, by default the games' numbers.

        Raises:
            InvalidCallError: the seeds are not whole numbers, one for each game.

        """
        given = [*range(self.games)] if seeds is None else checked_seeds(seeds, self.games)
        with self._lock:
            # Neighbouring seeds are to begin far from each other; a Lehmer generator never stands at 0.
            self._games.large[:, -1] = [1 + seed * 2654435761 % 2147483646 for seed in given]
            self.masks[:] = 0
            self.rewards[:] = 0
            self.ended[:] = False
            for game in range(self.games):
                begin_game(
                    self._rules, self._layout, self._start, self._games, self._observations, game, self._has_planes
                )

    def step(self, actions: NDArray[np.integer[Any]]) -> None:
        """Make a placement in every game that goes on, by id, and the passes that follow from it.

        Raises:
            IllegalActionError: one is not legal; nothing has changed in any game.
            InvalidCallError: the actions are no array of whole numbers, one for each game; nothing has changed.

        """
        self._check_actions(actions)
        with self._lock:
            # They are read more than once, and someone else may write to the caller's array meanwhile.
            self._asked[:] = actions
            bad = step_games(*self._step_arguments, self._asked, self._has_planes, self._autoreset)
            if bad != ALL_LEGAL:
                raise IllegalActionError(bad, int(self._asked[bad]))

    def sample(self, actions: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return a legal placement of every game that goes on, each as likely as the others, written to `actions`.

        Raises:
            InvalidCallError: `actions` cannot take them: it is no array of the type int64, one for each game.

        """
        if actions is None:
            drawn = np.zeros(self.games, np.int64)
            with self._lock:
                sample_games(self._games, drawn)
            return drawn
        drawn = actions
        self._check_actions(drawn)
        if drawn.dtype != _INT64 or not drawn.flags.writeable:
            raise InvalidCallError("Give an array of the type int64 that can be written to.")
        with self._lock:
            if drawn.flags.carray:
                sample_games(self._games, drawn)
            else:
                self._asked[:] = drawn
                sample_games(self._games, self._asked)
                drawn[...] = self._asked
        return drawn

    def _check_actions(self, actions: object) -> None:
        if not isinstance(actions, np.ndarray):
            raise InvalidCallError(f"Give the actions as an array of numpy, not {shown(actions)}.")
        if actions.dtype.kind not in "iu" or actions.shape != self._asked.shape:
            raise InvalidCallError(
                f"Give an array of {self.games} whole numbers in one row, an action for each game,"
                f" not one of {actions.dtype} of the shape {actions.shape}."
            )

    @property
    def engine_arrays(self) -> EngineArrays:
        """The arrays for compiled code of your own, which only reads them: docs/learning.md, *Many games at once*."""
        return EngineArrays(self._tables, self._rules, self._games)

    def view(self, game: int, colour: int) -> tuple[Bytes, Bytes]:
        """Return new planes and stocks of a game as the colour of that number sees them, whoever is to play.

        Raises:
            InvalidCallError: there is no such game or no such colour in play.

        """
        game = whole_number("A game of this batch", game, 0, self.games - 1)
        colour = whole_number("A colour", colour)
        if colour not in self._order:
            raise InvalidCallError(f"There is no colour {number_text(colour)}. Choose from: {sorted(self._order)}.")
        planes, stocks = np.zeros_like(self.planes[0]), np.zeros_like(self.stocks[0])
        out = self._observations._replace(planes=planes.reshape(1, -1), stocks=stocks.reshape(1, -1))
        with self._lock:
            write_view_of(self._rules, self._layout, self._games, game, colour, out)
        return planes, stocks

    def __reduce__(self) -> Any:
        """Refuse to be copied or pickled."""
        raise InvalidCallError("A batch cannot be copied: make another one, and repeat its actions.")


def checked_seeds(seeds: object, games: int) -> list[int]:
    """Return the seeds as an array, one for each game.

    Raises:
        InvalidCallError: they are no whole numbers, or not as many as games.

    """
    if isinstance(seeds, np.ndarray):
        seeds = seeds.tolist()
    if not isinstance(seeds, Sequence):
        raise InvalidCallError(f"Give the seeds as a list of {games} whole numbers, not {shown(seeds)}.")
    if len(seeds) != games:
        raise InvalidCallError(f"There are {games} games and {len(seeds)} seeds.")
    return [whole_number("A seed", seed) for seed in seeds]


def _taken(given: NDArray[Any] | None, shape: tuple[int, ...]) -> Bytes:
    """Return an array of bytes: the one given, if it has that shape, or a new one."""
    if given is None:
        return np.zeros(shape, np.int8)
    fits = isinstance(given, np.ndarray) and given.shape == shape and given.dtype.kind in "biu" and given.itemsize == 1
    if not fits or not given.flags.c_contiguous or not given.flags.writeable:
        raise InvalidCallError(f"Give a whole array of bytes of the shape {shape}.")
    return np.asarray(given).view(np.int8)


class _Sets(NamedTuple):
    """What `Layout` says of placements and sets of them."""

    shapes: NDArray[np.int16]
    covers: NDArray[np.int64]
    windows: NDArray[np.int64]


@lru_cache(maxsize=MOST_BOARDS)
def _sets(table: PlacementTable) -> _Sets:
    cells = [table.cells_of(number) for number in range(len(table))]
    piece = np.array([table.forms[form].piece for form in table.form_of])
    shapes = np.array([(*own, *own[:1] * (SHAPE - 1 - len(own)), 0) for own in cells], np.int16)
    shapes[:, -1] = piece
    ids, count = np.arange(len(table)), len(table.grid.points)
    bits = np.left_shift(1, ids % WORD)
    full = np.zeros((count + len(table.pieces), 1 + len(table) // WORD), np.int64)
    for column in (*shapes.T[:-1], count + piece):
        np.bitwise_or.at(full, (column, ids // WORD), bits)
    covers: list[NDArray[np.int64]] = []
    windows: list[tuple[int, int, int]] = []
    for row in full:
        used = np.flatnonzero(row)
        first, last = (used[0], used[-1] + 1) if len(used) else (0, 0)
        windows.append((sum(len(each) for each in covers), int(last - first), int(first)))
        covers.append(row[first:last])
    return _Sets(shapes.reshape(-1), np.concatenate(covers), np.array(windows, np.int64).reshape(-1))


def _layout(position: Position, by_rank: bool, shaping: float) -> Layout:
    variant = position.variant
    table = table_for(variant)
    index = variant.grid.index
    sets = _sets(table)
    stock = variant.stock_cells * len(position.seats[0])
    base = stock if position.scoring == COVERAGE else 0
    return Layout(
        order=np.array([variant.colour_number(colour) for colour in position.colours_in_play], np.int64),
        box=np.array([index.get((x, y), -1) for y in range(variant.height) for x in range(variant.width)], np.int32),
        pieces=np.array([table.piece_number[piece.name] for piece in variant.pieces], np.int64),
        shapes=sets.shapes,
        base=np.full(len(position.seats), base, np.int64),
        terms=np.array([float(by_rank), stock, shaping / stock]),
        covers=sets.covers,
        windows=sets.windows,
    )


def _first(position: Position, tables: Tables, rules: Rules, layout: Layout) -> Games:
    """Return the beginning of a game as the only row."""
    state: SearchState = state_of(position, tables, rules)
    small, large = sizes_of(rules)
    words = 1 + action_count(position.variant) // WORD
    first = Games(
        np.zeros((1, small), np.int16),
        np.zeros((1, large), np.int64),
        np.zeros((1, SETS * words), np.int64),
        np.zeros((1, 1), np.int32),
    )
    first.small[0] = np.concatenate([state.cells, state.attach, state.reach])
    by_colour = [state.attach_count, state.have, state.left, state.placed, state.last, state.latest]
    first.large[0, : COLOURS * len(by_colour)] = np.concatenate(by_colour)
    first.large[0, COPIES : COPIES + len(state.copies)] = state.copies
    first.large[0, COPIES + len(state.copies) :][:2] = state.about
    sets = first.sets[0].reshape(-1, words)
    known, cells = table_for(position.variant).piece_number, int(rules.fixed[CELLS])
    for each in position.variant.pieces:
        add_set(layout, cells + known[each.name], sets[0])
    sets[1 : 1 + COLOURS] = sets[0]
    for colour in layout.order:
        opening, reached = np.zeros(words, np.int64), sets[1 + COLOURS + colour]
        for cell in position.variant.start_cells[position.variant.colours[colour]]:
            add_set(layout, cell, reached)
        for piece in range(int(rules.fixed[PIECES])):
            if rules.openers[colour] >> piece & 1:
                add_set(layout, cells + piece, opening)
        reached &= opening
    return first
