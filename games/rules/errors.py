"""Every way in which the rules can refuse something.

::

    RulesError (a ValueError)
    ├── UnknownVariant        there is no variant of that id
    ├── UnknownColour         the variant has no colour of that name
    ├── UnknownSeat           the game has no seat of that number
    ├── UnsuitableColours     these colours cannot be chosen for this variant
    ├── UnknownScoring        the variant is not scored in that way
    ├── UnreadablePlacement   a text that is no placement at all
    ├── UnreadableRecord      a stored game or a drawing that cannot be read
    │   └── UnreadableFile    … a file, with the line and the column
    ├── UnwritableRecord      a game that a format has no words for
    ├── IllegalRecord         a file that can be read, of a game that breaks the rules
    └── IllegalPlacement      read and understood, but refused by R1-R8: reasons, each with its cells

Unreadable and illegal are different errors: an unreadable text says nothing, an illegal placement
says something that the rules refuse.

What an error says in English it also has as data, a `Phrase`, for pages in other languages.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

GAME_OVER = "game-over"
NOT_YOUR_TURN = "not-your-turn"
UNKNOWN_PIECE = "unknown-piece"
WRONG_SHAPE = "wrong-shape"
ALREADY_PLACED = "already-placed"
OFF_BOARD = "off-board"
OVERLAP = "overlap"
START_CELL = "start-cell"
OPENING_PIECE = "opening-piece"
NO_CORNER_CONTACT = "no-corner-contact"
EDGE_CONTACT = "edge-contact"
MUST_PLACE = "must-place"

#: Every reason code, in the order in which several of them are told.
REASONS = (
    GAME_OVER,
    NOT_YOUR_TURN,
    UNKNOWN_PIECE,
    WRONG_SHAPE,
    ALREADY_PLACED,
    OFF_BOARD,
    OVERLAP,
    START_CELL,
    OPENING_PIECE,
    NO_CORNER_CONTACT,
    EDGE_CONTACT,
    MUST_PLACE,
)


@dataclass(frozen=True)
class Phrase:
    """A sentence or a part of one, with places such as `%(name)s` for its values. A value may be a phrase itself."""

    text: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text % self.values if self.values else self.text


def shown(value: object) -> Phrase:
    """Return a value from outside as it may stand in a sentence: a short text quoted, else its type."""
    if isinstance(value, str):
        return Phrase(f"{value!r:.40}")
    return Phrase("of type %(type)s", {"type": type(value).__name__})


class RulesError(ValueError):
    """Whatever the rules refuse; the root of the tree above. `phrase` is what `str()` says, as data."""

    def __init__(self, text: str, /, **values: object) -> None:
        self.phrase = Phrase(text, values)
        super().__init__(str(self.phrase))


class UnknownVariant(RulesError):
    """There is no variant of this id."""


class UnknownColour(RulesError):
    """The variant has no colour of this name."""


class UnknownSeat(RulesError):
    """The game has no seat of this number."""


class UnsuitableColours(RulesError):
    """These colours cannot be chosen for this variant."""


class UnknownScoring(RulesError):
    """The variant is not scored in this way."""


class UnreadableRecord(RulesError):
    """A stored game or a drawn board that cannot be read."""


class UnreadableFile(UnreadableRecord):
    """A file that cannot be read, with the place where reading stopped and what was expected there.

    `line` and `column` count characters from 1.
    """

    def __init__(self, line: int, column: int, expected: Phrase) -> None:
        where = Phrase("Line %(line)d, column %(column)d", {"line": line, "column": column})
        super().__init__("%(where)s: expected %(what)s.", where=where, what=expected)
        self.line = line
        self.column = column
        self.expected = str(expected)


class UnwritableRecord(RulesError):
    """A game that a format has no words for."""


class IllegalRecord(RulesError):
    """A game in a file that breaks the rules.

    `number` counts the turns of the game from 1, and is 0 for what lies there before the first. `where` is the
    place in the file, `place` the same as a phrase. `reasons` are codes of `REASONS`, `names` gives each its
    cells by name.
    """

    def __init__(self, number: int, where: Phrase, refusal: "IllegalPlacement") -> None:
        what = f"turn {number}" if number else "what is set up"
        super().__init__(f"{where}: {what} breaks the rules ({refusal}).")
        self.number = number
        self.place = where
        self.where = str(where)
        self.reasons = refusal.reasons
        self.names = refusal.names


class UnreadablePlacement(RulesError):
    """A text that is no placement, with the place where reading stopped and what was expected there.

    `place` counts characters from 0. Whether a readable placement is legal is not decided here.
    """

    def __init__(self, place: int, expected: str, /, **values: object) -> None:
        self.what = Phrase(expected, values)
        super().__init__("At character %(place)d: expected %(what)s.", place=place + 1, what=self.what)
        self.place = place
        self.expected = str(self.what)


class IllegalPlacement(RulesError):
    """A turn that the rules refuse; nothing has changed.

    `reasons` holds every code that applies, in the order of `REASONS`. `cells` gives each code the
    indices of its cells at fault; `names` gives the same cells by name, and also those beyond the
    board, which have no index. A reason without a cell, such as `game-over`, has an empty tuple.

    Rule: R11
    """

    def __init__(
        self,
        reasons: tuple[str, ...],
        cells: Mapping[str, tuple[int, ...]] | None = None,
        names: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        super().__init__(", ".join(reasons))
        self.reasons = reasons
        self.cells = {reason: tuple((cells or {}).get(reason, ())) for reason in reasons}
        self.names = {reason: tuple((names or {}).get(reason, ())) for reason in reasons}
