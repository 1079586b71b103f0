"""A game as two graphs by move: how many placements every colour had, and how many cells every seat has placed.

Everything is worked out from the positions of the game: the rules know at any position where a colour may lie.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext

from games.drawing import outline
from games.pages.board.table import PlayerView
from games.rules import Position
from games.words import sentences

#: The picture, in units, and where the lines begin and end in it; the marks at their ends stand right of them.
WIDTH, HEIGHT = 320, 150
LEFT, RIGHT, TOP, BOTTOM = 34, 294, 12, 128
_MARK = 307
#: How far apart these marks are at least, and the numbers of moves above a graph.
_APART, _NUMBERS_APART = 13, 17
#: Room above a graph for lines that lead from moves to their numbers.
_LEADERS = 10


@dataclass(frozen=True)
class LineView:
    """One line of a graph: its colours and name, the points of its path, its dashes by number, its mark's height."""

    colours: tuple[str, ...]
    label: str
    points: str
    dash: int
    glyph: str
    mark: float


@dataclass(frozen=True)
class GraphView:
    """A graph: lines, the highest and the lowest value with their heights, and the place of the move shown.

    `events` are moves to point out, each with its place and with that of its number, which leaves room for the next.
    """

    key: str
    title: str
    about: str
    lines: tuple[LineView, ...]
    marks: tuple[tuple[str, float], ...]
    now: float
    events: tuple[tuple[int, float, float], ...] = ()


@dataclass(frozen=True)
class GraphsView:
    """The graphs of a game of `last` moves, and the same as a table: a head, and what stands beside each number.

    `above` is the room over the pictures in which lines lead to the numbers of moves.
    """

    last: int
    graphs: tuple[GraphView, ...]
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM
    mark: int = _MARK
    above: int = 0

    @property
    def box(self) -> str:
        """Return the part of the plane that every picture shows."""
        return f"0 {-self.above} {self.width} {self.height + self.above}"

    @property
    def numbers(self) -> int:
        """Return how far down the lines end that lead to the numbers of moves."""
        return self.top - self.above


@dataclass(frozen=True)
class _Series:
    """The values of one line, one a position."""

    colours: tuple[str, ...]
    label: str
    values: tuple[int, ...]


def graphs_view(
    stages: Sequence[Position], totals: Sequence[Sequence[int]], players: Sequence[PlayerView], shown: int
) -> GraphsView:
    """Return the graphs of a game by its positions and what each seat has placed in them, marked at the move shown.

    Rule: R4
    """
    placements, placed = _placements(stages), _placed(totals, players)
    about = gettext("How many moves each colour could choose from, after every move.")
    grown = gettext("How many cells each player had placed, after every move.")
    full = max(player.cells for player in players)
    series, most = (*placements, *placed), max(max(line.values) for line in placements)
    return GraphsView(
        last=len(stages) - 1,
        graphs=(
            _graph("placements", gettext("Possible moves"), about, placements, shown, (0, most)),
            _graph("placed", gettext("Cells placed"), grown, placed, shown, (0, full)),
        ),
        head=(
            *(gettext("%(colour)s: possible moves") % {"colour": line.label} for line in placements),
            *(gettext("%(name)s: cells placed") % {"name": line.label} for line in placed),
        ),
        rows=tuple(tuple(str(line.values[number]) for line in series) for number in range(len(stages))),
    )


def chances_graph(
    chances: Sequence[Sequence[float]], players: Sequence[PlayerView], events: Iterable[int]
) -> GraphsView:
    """Return each seat's chance of winning before every move and after the last, 0 to 1, as one graph in percent.

    `events` are the numbers of moves to point out.
    """
    series = tuple(
        _Series(
            tuple(colour.code for colour in player.colours),
            player.name,
            tuple(round(100 * row[seat]) for row in chances),
        )
        for seat, player in enumerate(players)
    )
    about = gettext("Each player's chance of winning before every move, and the result, in percent.")
    title = gettext("Chances of winning")
    last = len(chances) - 1
    graph = _graph("chances", title, about, series, 0, (0, 100))
    return GraphsView(
        last=last,
        graphs=(replace(graph, events=_events(events, last)),),
        head=tuple(gettext("%(name)s: chance") % {"name": line.label} for line in series),
        rows=tuple(tuple(sentences.percent(line.values[number]) for line in series) for number in range(len(chances))),
        above=_LEADERS,
    )


def _events(numbers: Iterable[int], last: int) -> tuple[tuple[int, float, float], ...]:
    shown = tuple(numbers)
    places = [_across(number, last) for number in shown]
    return tuple(zip(shown, places, _apart(places, _NUMBERS_APART, LEFT, RIGHT), strict=True))


def _placements(stages: Sequence[Position]) -> tuple[_Series, ...]:
    return tuple(
        _Series((colour,), sentences.colour(colour), tuple(stage.legal_count(colour) for stage in stages))
        for colour in stages[0].colours_in_play
    )


def _placed(totals: Sequence[Sequence[int]], players: Sequence[PlayerView]) -> tuple[_Series, ...]:
    return tuple(
        _Series(tuple(colour.code for colour in player.colours), player.name, tuple(row[seat] for row in totals))
        for seat, player in enumerate(players)
    )


def _graph(
    key: str, title: str, about: str, series: Sequence[_Series], shown: int, bounds: tuple[int, int] | None = None
) -> GraphView:
    """Return the graph; `bounds` are its lowest and highest value where these are no values of its lines."""
    low, high = bounds or (min(min(line.values) for line in series), max(max(line.values) for line in series))
    ends = [_height(line.values[-1], low, high) for line in series]
    lines = tuple(
        LineView(
            colours=line.colours,
            label=line.label,
            points=_points(line.values, low, high),
            dash=number,
            glyph=outline.glyph(line.colours[0]),
            mark=mark,
        )
        for number, (line, mark) in enumerate(zip(series, _apart(ends, _APART, TOP, BOTTOM), strict=True))
    )
    values = (high, low) if high > low else (high,)
    marks = tuple((str(value), _height(value, low, high)) for value in values)
    return GraphView(key, title, about, lines, marks, _across(shown, len(series[0].values) - 1))


def _points(values: Sequence[int], low: int, high: int) -> str:
    """Return a line through the values. It is broken where its direction changes, and nowhere else."""
    last = len(values) - 1
    kept = [
        number
        for number in range(len(values))
        if number in (0, last) or values[number] - values[number - 1] != values[number + 1] - values[number]
    ]
    return " ".join(f"{_across(number, last):g},{_height(values[number], low, high):g}" for number in kept)


def _across(number: int, last: int) -> float:
    return round(LEFT + (RIGHT - LEFT) * number / max(last, 1), 1)


def _height(value: int, low: int, high: int) -> float:
    return round(BOTTOM - (BOTTOM - TOP) * (value - low) / max(high - low, 1), 1)


def _apart(places: Sequence[float], step: float, least: float, most: float) -> list[float]:
    """Return the places moved as little apart as needed to be seen each by itself, between two bounds."""
    placed = list(places)
    order = sorted(range(len(placed)), key=lambda number: placed[number])
    _push(placed, reversed(order), most, -step)
    _push(placed, order, least, step)
    return placed


def _push(placed: list[float], order: Iterable[int], bound: float, step: float) -> None:
    """Move each place to its bound or beyond, in the direction of the step, and the next bound behind it."""
    for number in order:
        placed[number] = max(placed[number], bound) if step > 0 else min(placed[number], bound)
        bound = placed[number] + step
