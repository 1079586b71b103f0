"""A position that is set up by hand: its board, the pieces of one colour in the hand, and what lies there."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.drawing import svg
from games.drawing.steps import RecentPiece
from games.errors import GameError
from games.pages.analysis.board import HandView
from games.pages.board.board_data import cells_in_box, script_json, setting_data, shapes_json
from games.pages.board.refusal import NoticeView, notice_view
from games.pages.board.trays import tray_of
from games.rules import Placement, Position
from games.rules.variants import SIZED, VARIANTS
from games.words import sentences
from games.words.names import variant_name


@dataclass(frozen=True)
class BoardToSetUp:
    """A board by its variant, as it is called."""

    variant: str
    name: str


def boards_to_set_up() -> tuple[BoardToSetUp, ...]:
    """Return all boards of which there is one size."""
    return tuple(BoardToSetUp(kind, variant_name(kind)) for kind in VARIANTS if kind not in SIZED)


@dataclass(frozen=True)
class ColourToSetUp:
    """A colour, with how many of its pieces lie on the board; of the chosen one the pieces are in the hand."""

    code: str
    name: str
    count: int
    about: str
    is_chosen: bool


@dataclass(frozen=True)
class LaidPiece:
    """A piece on the board: what removes it, as it is called, and the cells by which it is tapped."""

    value: str
    label: str
    cells: str


@dataclass(frozen=True, kw_only=True)
class SetUpPage:
    """A position that is being set up. All of it is in the fields of its form, and in its address; nothing is kept."""

    variant: str
    name: str
    address: str
    colour: str
    lead: str
    count: str
    picture: svg.BoardView
    icons: tuple[svg.IconView, ...]
    shapes: str
    hand: HandView
    label: str
    colours: tuple[ColourToSetUp, ...]
    laid: tuple[LaidPiece, ...]
    notice: NoticeView | None
    steps: tuple[RecentPiece, ...] = ()
    has_hints: bool = False
    near: int = 0

    @property
    def key(self) -> str:
        """Return what differs whenever there is something new to say."""
        return f"{self.colour} {len(self.laid)} {self.laid[-1].value if self.laid else ''}"


def set_up_page(position: Position, colour: str, error: GameError | None = None) -> SetUpPage:
    """Return the page of a position with the pieces of a colour in the hand, and what was refused just now."""
    variant = position.variant
    laid = [(turn.colour or "", turn.placement) for turn in position.history if turn.placement is not None]
    data = setting_data(position, colour)
    playable = data["colours"][colour]["legal"]
    count = ngettext("%(n)d piece on the board", "%(n)d pieces on the board", len(laid)) % {"n": len(laid)}
    size = gettext("Board, %(width)d by %(height)d.") % {"width": variant.width, "height": variant.height}
    return SetUpPage(
        variant=variant.id,
        name=variant_name(variant.id),
        address=reverse("study-set-up"),
        colour=colour,
        lead=sentences.colour(colour),
        count=count,
        picture=svg.board_view(position),
        icons=tuple(svg.icons(variant.id).values()),
        shapes=shapes_json(variant.id),
        hand=HandView(data=script_json(data), trays=(tray_of(position, colour, playable),), can_place=bool(playable)),
        label=f"{size} {count}.",
        colours=tuple(
            _colour(code, sum(held == code for held, _ in laid), code == colour) for code in position.colours_in_play
        ),
        laid=tuple(_laid(code, placement, position) for code, placement in laid),
        notice=notice_view(error, variant.id) if error else None,
    )


def _colour(code: str, count: int, is_chosen: bool) -> ColourToSetUp:
    name = sentences.colour(code)
    said = ngettext("%(colour)s, %(n)d piece on the board", "%(colour)s, %(n)d pieces on the board", count)
    return ColourToSetUp(code, name, count, said % {"colour": name, "n": count}, is_chosen)


def _laid(code: str, placement: Placement, position: Position) -> LaidPiece:
    label = gettext("%(colour)s: %(what)s") % {
        "colour": sentences.colour(code),
        "what": sentences.placement_label(placement),
    }
    cells = " ".join(map(str, cells_in_box(position.variant.grid, placement.cells)))
    return LaidPiece(f"{code} {placement}", label, cells)
