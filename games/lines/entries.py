"""The named openings: which pieces a colour places first, where they are described, and one way to place them.

The sources say in which order pieces come and that they reach towards the middle, corner to corner; none gives cells.
An opening is stored with games by its key, so none is ever renamed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Citation:
    """Where an opening is described: its author, its title, when it was published, and its address."""

    author: str
    title: str
    published: str
    address: str


@dataclass(frozen=True)
class Line:
    """A named opening of one colour.

    `groups` are the names of pieces in order; those of one group come in any order. `boards` are the families of
    variants it belongs to. From `named_from` pieces on a game is said to have opened so. With `nears_middle` every
    piece lies nearer to the middle than all before it. `example` is one way to place it with the first colour of
    `boards[0]`.
    """

    key: str
    name: str
    groups: tuple[tuple[str, ...], ...]
    boards: tuple[str, ...]
    named_from: int
    nears_middle: bool
    example: tuple[str, ...]
    sources: tuple[Citation, ...]

    @property
    def length(self) -> int:
        """Return the number of pieces."""
        return sum(map(len, self.groups))


_THREAD = Citation("Jeff Barasona", "The Barasona Opening", "", "https://boardgamegeek.com/thread/91988")
_FAMILY = Citation(
    "Friendless",
    "Blokus: The Picture Boardgamegeek Doesn't Want You to See!",
    "2006-02",
    "http://sologamer.blogspot.com/2006/02/blokus-picture-boardgamegeek-doesnt.html",
)
_FW = Citation(
    "nand",
    "FW solution: more pieces to the puzzle",
    "2010-01-08",
    "https://duotothedeath.wordpress.com/2010/01/08/fw-solution-more-pieces-to-the-puzzle/",
)
_XF = Citation("nand", "XF Rubik, two lines of defence", "2010-04-06", "https://duotothedeath.wordpress.com/2010/04/")
_FY = Citation("nand", "Achilles heels #1", "2009-05-24", "https://duotothedeath.wordpress.com/2009/05/")
_BOOK = Citation(
    "Markus Enzenberger",
    "Pentobi: book_duo.blksgf",
    "",
    "https://github.com/enz/pentobi/blob/master/opening_books/book_duo.blksgf",
)

_CORNERS = ("blockyou-4", "blockyou-3", "blockyou-2", "classic-4", "classic-3", "classic-2")


def _from_corner(
    key: str, name: str, groups: tuple[tuple[str, ...], ...], example: tuple[str, ...], *sources: Citation
) -> Line:
    return Line(key, name, groups, _CORNERS, 3, True, example, sources)


def _in_duo(key: str, example: tuple[str, ...], *sources: Citation) -> Line:
    name = key.upper()
    return Line(key, name, tuple((piece,) for piece in name), ("duo",), 2, False, example, sources)


_ALL = (
    _from_corner(
        "barasona",
        "Barasona",
        (("F",), ("X", "W"), ("N",)),
        ("F:a1,b1,b2,c2,b3", "X:d3,c4,d4,e4,d5", "W:f5,g5,e6,f6,e7", "N:h6,g7,h7,g8,g9"),
        *(_THREAD, _FAMILY),
    ),
    _from_corner(
        "fxwy",
        "FXWY",
        (("F",), ("X", "W"), ("Y",)),
        ("F:a1,b1,b2,c2,b3", "X:d3,c4,d4,e4,d5", "W:f5,g5,e6,f6,e7", "Y:h6,g7,h7,h8,h9"),
        _FAMILY,
    ),
    _from_corner(
        "pxwf",
        "PXWF",
        (("P",), ("X", "W"), ("F",)),
        ("P:a1,b1,a2,b2,a3", "X:c3,b4,c4,d4,c5", "W:e5,f5,d6,e6,d7", "F:g6,f7,g7,g8,h8"),
        _FAMILY,
    ),
    _from_corner(
        "yxwn",
        "YXWN",
        (("Y",), ("X", "W"), ("N",)),
        ("Y:a1,a2,a3,b3,a4", "X:c4,b5,c5,d5,c6", "W:e6,f6,d7,e7,d8", "N:g7,f8,g8,f9,f10"),
        _FAMILY,
    ),
    _in_duo("fw", ("F:e8,f8,d9,e9,e10", "W:g6,g7,h7,h8,i8"), _FW, _BOOK),
    _in_duo("xf", ("X:f9,e10,f10,g10,f11", "F:h7,g8,h8,h9,i9"), _XF, _BOOK),
    _in_duo("fy", ("F:f8,e9,f9,g9,e10", "Y:h8,i8,j8,k8,j9"), _FY, _BOOK),
)

#: Every named opening by its key, the best known of each board first.
LINES: Mapping[str, Line] = MappingProxyType({line.key: line for line in _ALL})
