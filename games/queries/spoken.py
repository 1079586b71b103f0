"""A game in words: what the play page has instead of pictures, for whoever plays by ear or by typing."""

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.models import Player
from games.queries import commands, drawing, sentences
from games.queries.look import Look
from games.queries.news import Events
from games.queries.placements import PieceChoice
from games.queries.textboard import TextBoard, text_board
from games.queries.typed import example_of, short_example
from games.rules import Placement, Position
from games.rules.notation import format_cell, format_cells

#: So many placements are listed at once.
PAGE = 20
#: So many of the last moves are listed.
LAST = 10


@dataclass(frozen=True)
class DraftView:
    """A placement that is said back before it is placed: its canonical text, and what to know of it in sentences."""

    text: str
    label: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class ChoiceView:
    """A legal placement as a button: what it sends, and what it says."""

    text: str
    label: str


@dataclass(frozen=True)
class ListView:
    """The legal placements of the colour to play: its pieces, and some of the places of the chosen one.

    `chosen` is empty as long as no piece is. `before` and `after` are where the pages beside this one begin, None at
    the ends.
    """

    colour: str
    pieces: tuple[PieceChoice, ...]
    chosen: str = ""
    choices: tuple[ChoiceView, ...] = ()
    first: int = 0
    last: int = 0
    count: int = 0
    before: int | None = None
    after: int | None = None

    @property
    def shown(self) -> str:
        """Return which places are listed, empty as long as no piece is chosen."""
        values = {"piece": self.chosen, "first": self.first, "last": self.last, "count": self.count}
        return gettext("%(piece)s: places %(first)d to %(last)d of %(count)d") % values if self.chosen else ""


@dataclass(frozen=True)
class StockView:
    """A colour and its unplaced pieces, in words."""

    label: str
    pieces: str


@dataclass(frozen=True)
class SpokenView:
    """What the page in words has beside what every play page has.

    `examples` are placements as they may be typed here. `legal` is None unless it is the viewer's turn. `look` is how
    the page was asked for, `said` what is to be said aloud at once.
    """

    look: Look
    examples: tuple[str, ...]
    legal: ListView | None
    draft: DraftView | None
    answer: commands.Answer | None
    stocks: tuple[StockView, ...]
    last: tuple[str, ...]
    board: TextBoard

    @property
    def said(self) -> str:
        """Return what answers the asker, empty where nothing was asked."""
        if self.draft:
            return " ".join(self.draft.sentences)
        if not self.look.is_asking:
            return ""
        if self.answer:
            return self.answer.aloud
        return self.legal.shown if self.legal else ""


def spoken_view(
    events: Events, colours: Sequence[str], me: Player | None, look: Look, *, allows_hints: bool = True
) -> SpokenView:
    """Return the game in words for whoever plays these colours, none for who only looks. No query.

    Without hints the board does not tell which corners are open. The legal placements are no hint: with them one plays.
    """
    position = events.position
    is_my_turn = me is not None and position.seat == me.seat
    colour = _colour_of(position, colours)
    scene = commands.Scene(events, colour, allows_hints)
    answer = commands.answer(scene, look.say) if look.say else None
    return SpokenView(
        look=look,
        examples=_examples(position),
        legal=_list(position, look) if is_my_turn and position.has_legal() else None,
        draft=draft_view(position, look.draft) if look.draft else None,
        answer=answer,
        stocks=tuple(
            StockView(sentences.colour(one), commands.stock_text(position, one)) for one in position.colours_in_play
        ),
        last=commands.last_moves(events, LAST),
        board=text_board(position, _corners(position, colour if allows_hints else "")),
    )


def _colour_of(position: Position, colours: Sequence[str]) -> str:
    """Return the viewer's colour to play, or to play soonest; empty for who only looks."""
    if not colours or not position.colour:
        return ""
    order = position.colours_in_play
    start = order.index(position.colour)
    coming = [colour for colour in order[start:] + order[:start] if colour in colours]
    return next((colour for colour in coming if position.has_legal(colour)), coming[0])


def _corners(position: Position, colour: str) -> Container[int]:
    return frozenset(position.attach_points(colour)) if colour else frozenset()


def _examples(position: Position) -> tuple[str, ...]:
    """Return a placement in every form that may be typed: with a colon, with a space, the cells alone, turned."""
    placement = example_of(position.variant)
    cells = format_cells(placement.points)
    return str(placement), f"{placement.piece} {cells}", cells, short_example(position.variant)


def _list(position: Position, look: Look) -> ListView:
    legal = position.legal_placements()
    counts = Counter(placement.piece for placement in legal)
    wanted = (look.piece or commands.piece_to_list(look.say)).casefold()
    chosen = next((name for name in counts if name.casefold() == wanted), "")
    pieces = tuple(
        PieceChoice(name, sentences.slot(name, icon.size, True, True), counts[name], name == chosen)
        for name, icon in drawing.icons(position.variant.id).items()
        if counts[name]
    )
    colour = sentences.colour(position.colour or "")
    if not chosen:
        return ListView(colour, pieces)
    count = counts[chosen]
    start = look.start // PAGE * PAGE if look.start < count else 0
    page = [placement for placement in legal if placement.piece == chosen][start : start + PAGE]
    return ListView(
        colour=colour,
        pieces=pieces,
        chosen=chosen,
        choices=tuple(ChoiceView(str(placement), placement_label(placement)) for placement in page),
        first=start + 1,
        last=start + len(page),
        count=count,
        before=start - PAGE if start else None,
        after=start + PAGE if start + PAGE < count else None,
    )


def placement_label(placement: Placement) -> str:
    """Return a placement in words: "F at e5: e5, f5, f6, g6, f7"."""
    cells = format_cells(placement.points).split(",")
    values = {"piece": placement.piece, "cell": cells[0], "cells": ", ".join(cells)}
    return gettext("%(piece)s at %(cell)s: %(cells)s") % values


def draft_view(position: Position, text: str) -> DraftView:
    """Return what to know of a legal placement before it is made: its cells, own corners, and who lies beside it."""
    placement = Placement.parse(text, position.variant)
    label = placement_label(placement)
    return DraftView(text, label, (f"{label}.", *_contacts(position, placement), gettext("Enter again places it.")))


def _contacts(position: Position, placement: Placement) -> list[str]:
    """Return what a placement touches: own corners (or the start cell it covers), and other colours along an edge."""
    grid, colour = position.variant.grid, position.colour
    touched = {near for point in placement.points for near in grid.lattice.corner_neighbours(point)}
    beside = {near for point in placement.points for near in grid.lattice.edge_neighbours(point)}
    corners = [grid.points[cell] for cell in grid.inside(touched) if position.owner(cell) == colour]
    owners = {position.owner(cell) for cell in grid.inside(beside)} - {None, colour}
    told = []
    if corners:
        told.append(
            gettext("It meets your corners at %(cells)s.") % {"cells": format_cells(corners).replace(",", ", ")}
        )
    else:
        told.append(gettext("It covers your start cell %(cells)s.") % {"cells": _start(position, placement)})
    if owners:
        names = [sentences.colour(one) for one in position.colours_in_play if one in owners]
        told.append(gettext("It lies beside %(colours)s.") % {"colours": sentences.listed(names)})
    return told


def _start(position: Position, placement: Placement) -> str:
    starts = position.variant.start_cells[position.colour or ""]
    points = position.variant.grid.points
    return ", ".join(format_cell(points[cell]) for cell in placement.cells if cell in starts)
