"""A game in words: what the play page has instead of pictures, to play by ear or by typing."""

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass

from django.utils.translation import gettext

from games.drawing import svg
from games.pages.board.placements import PieceChoice
from games.pages.board.takebacks import TakenBackView, taken_back_views
from games.pages.board.view_request import ViewRequest
from games.pages.spoken import commands
from games.pages.spoken.news import Narrator
from games.pages.spoken.textboard import TextBoard, text_board
from games.queries.tables.turns import soonest
from games.rules import Placement, Position
from games.rules.notation import format_cell, format_cells
from games.table.typed import example_of, short_example
from games.words import moments, sentences
from games.words.moments import When
from games.words.sentences import placement_label

#: The number of placements that are listed at once.
PAGE = 20
#: The number of moves that are listed.
LISTED_MOVES = 10


@dataclass(frozen=True)
class DraftView:
    """A placement that is said back before it is placed: its canonical text, and what to know of it in sentences."""

    text: str
    label: str
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class PlacementChoice:
    """A legal placement as a button: what it sends, and what it says."""

    text: str
    label: str


@dataclass(frozen=True)
class LegalView:
    """The legal placements of the colour to play: its pieces, and some of the places of the chosen one.

    `chosen` is empty as long as no piece is. `before` and `after` are where the pages beside this one begin, None at
    the ends.
    """

    colour: str
    pieces: tuple[PieceChoice, ...]
    chosen: str = ""
    choices: tuple[PlacementChoice, ...] = ()
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

    `examples` are placements as they may be typed here. `legal` is None unless it is the viewer's turn.
    `view_request` is how the page was asked for. `last` are the last moves, the latest first, each with its moment.
    `pauses` say when the game was paused and for how long, the latest first, and `taken_back` which moves were taken
    back.
    """

    view_request: ViewRequest
    examples: tuple[str, ...]
    legal: LegalView | None
    draft: DraftView | None
    reply: commands.Reply | None
    stocks: tuple[StockView, ...]
    last: tuple[tuple[str, When | None], ...]
    pauses: tuple[str, ...]
    taken_back: tuple[TakenBackView, ...]
    board: TextBoard

    @property
    def said(self) -> str:
        """Return what is said aloud as the answer, empty where nothing was asked."""
        if self.draft:
            return " ".join(self.draft.sentences)
        if not self.view_request.is_asking:
            return ""
        if self.reply:
            return self.reply.aloud
        return self.legal.shown if self.legal else ""


def spoken_view(narrator: Narrator, view_request: ViewRequest) -> SpokenView:
    """Return the game in words for this viewer. No query.

    Without hints the board does not show which corners are open. The legal placements are no hint: they are needed to
    play.
    """
    state, position = narrator.state, narrator.state.position
    context = commands.Context(narrator, soonest(position, state.hand))
    reply = commands.reply(context, view_request.say) if view_request.say else None
    return SpokenView(
        view_request=view_request,
        examples=placement_examples(position),
        legal=legal_view(position, view_request) if state.rights.can_place else None,
        draft=draft_view(position, view_request.draft) if view_request.draft else None,
        reply=reply,
        stocks=stock_views(position),
        last=tuple(
            (line, moments.when(move.played_at, state.now))
            for line, move in zip(
                commands.last_moves(narrator, LISTED_MOVES), state.moves[-LISTED_MOVES:][::-1], strict=True
            )
        ),
        pauses=tuple(
            moments.pause_line(began, None if state.pause.is_on and not number else ended)
            for number, (began, ended) in enumerate(state.game.pauses[: -LISTED_MOVES - 1 : -1])
        ),
        taken_back=taken_back_views(state.taken_back, narrator.players, now=state.now)[: -LISTED_MOVES - 1 : -1],
        board=text_board(position, _corners(position, context.colour if state.game.allows_hints else "")),
    )


def _corners(position: Position, colour: str) -> Container[int]:
    return frozenset(position.attach_points(colour)) if colour else frozenset()


def stock_views(position: Position) -> tuple[StockView, ...]:
    """Return the colours that are played, each with what it has left."""
    return tuple(
        StockView(sentences.colour(one), commands.stock_text(position, one)) for one in position.colours_in_play
    )


def placement_examples(position: Position) -> tuple[str, ...]:
    """Return a placement in every form that may be typed: with a colon, with a space, the cells alone, turned."""
    placement = example_of(position.variant)
    cells = format_cells(placement.points)
    return str(placement), f"{placement.piece} {cells}", cells, short_example(position.variant)


def legal_view(position: Position, view_request: ViewRequest) -> LegalView:
    """Return the pieces that can be placed, and a page of the places of the one that is chosen."""
    legal = position.legal_placements()
    counts = Counter(placement.piece for placement in legal)
    wanted = (view_request.piece or commands.piece_to_list(view_request.say)).casefold()
    chosen = next((name for name in counts if name.casefold() == wanted), "")
    pieces = tuple(
        PieceChoice(name, sentences.slot(name, icon.size, True, True), counts[name], name == chosen)
        for name, icon in svg.icons(position.variant.id).items()
        if counts[name]
    )
    colour = sentences.colour(position.colour or "")
    if not chosen:
        return LegalView(colour, pieces)
    count = counts[chosen]
    start = view_request.start // PAGE * PAGE if view_request.start < count else 0
    page = [placement for placement in legal if placement.piece == chosen][start : start + PAGE]
    return LegalView(
        colour=colour,
        pieces=pieces,
        chosen=chosen,
        choices=tuple(PlacementChoice(str(placement), placement_label(placement)) for placement in page),
        first=start + 1,
        last=start + len(page),
        count=count,
        before=start - PAGE if start else None,
        after=start + PAGE if start + PAGE < count else None,
    )


def draft_view(position: Position, text: str) -> DraftView:
    """Return what to know of a legal placement before it is made: its cells, own corners, and who lies beside it."""
    placement = Placement.parse(text, position.variant)
    label = placement_label(placement)
    return DraftView(
        text, label, (f"{label}.", *_contacts(position, placement), gettext("Press Enter again to place it."))
    )


def _contacts(position: Position, placement: Placement) -> list[str]:
    """Return what a placement touches: own corners (or the start cell it covers), and other colours along an edge."""
    grid, colour = position.variant.grid, position.colour
    touched = {near for point in placement.points for near in grid.lattice.corner_neighbours(point)}
    beside = {near for point in placement.points for near in grid.lattice.edge_neighbours(point)}
    corners = [grid.points[cell] for cell in grid.inside(touched) if position.owner(cell) == colour]
    owners = {position.owner(cell) for cell in grid.inside(beside)} - {None, colour}
    contacts = []
    if corners:
        contacts.append(
            gettext("It touches your corners at %(cells)s.") % {"cells": format_cells(corners).replace(",", ", ")}
        )
    else:
        contacts.append(gettext("It covers your start cell %(cells)s.") % {"cells": _start(position, placement)})
    if owners:
        names = [sentences.colour(one) for one in position.colours_in_play if one in owners]
        contacts.append(gettext("It lies next to %(colours)s.") % {"colours": sentences.listed(names)})
    return contacts


def _start(position: Position, placement: Placement) -> str:
    starts = position.variant.start_cells[position.colour or ""]
    points = position.variant.grid.points
    return ", ".join(format_cell(points[cell]) for cell in placement.cells if cell in starts)
