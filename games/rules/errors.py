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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.rules.frozen import FrozenMapping

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

#: Every reason code, in the order in which several of them are reported.
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
    values: Mapping[str, object] = field(default_factory=FrozenMapping)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", FrozenMapping(self.values))

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

    def __reduce__(self) -> tuple[object, ...]:
        # Not by calling the class again: each kind is made from arguments of its own.
        return _again, (type(self), str(self)), self.__dict__


def _again(kind: type[RulesError], text: str) -> RulesError:
    """Return an error as it was before it was pickled; its attributes come after it."""
    return kind.__new__(kind, text)


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
        super().__init__(f"{where}: {what} breaks the rules. {refusal}")
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


#: What each reason says in English, before the names of its cells.
_SENTENCES: Mapping[str, str] = {
    GAME_OVER: "The game is over",
    NOT_YOUR_TURN: "Another colour or seat has the turn",
    UNKNOWN_PIECE: "These cells form no piece of this variant",
    WRONG_SHAPE: "These cells do not form the piece that is named",
    ALREADY_PLACED: "This piece has already been placed",
    OFF_BOARD: "These cells are not on the board",
    OVERLAP: "These cells are already taken",
    START_CELL: "The first placement has to cover a start cell",
    OPENING_PIECE: "The first placement cannot be of this piece",
    NO_CORNER_CONTACT: "The placement does not touch its own colour at a corner",
    EDGE_CONTACT: "The placement touches its own colour along an edge",
    MUST_PLACE: "A colour that can place a piece cannot pass",
}

#: The reasons whose cells would tell nothing new: those of the placement itself, or every place to go on from.
_WITHOUT_CELLS = {OPENING_PIECE, NO_CORNER_CONTACT, MUST_PLACE}


class IllegalPlacement(RulesError):
    """A turn that the rules refuse; nothing has changed.

    `reasons` holds every code that applies, in the order of `REASONS`. `cells` gives each code the
    indices of its cells at fault; `names` gives the same cells by name, and also those beyond the
    board, which have no index. A reason without a cell, such as `game-over`, has an empty tuple.
    `entry` is the number, from 0, of the thing that is refused where several are set up, and None
    where a turn is.

    Rule: R11
    """

    def __init__(
        self,
        reasons: Sequence[str],
        cells: Mapping[str, tuple[int, ...]] | None = None,
        names: Mapping[str, tuple[str, ...]] | None = None,
        entry: int | None = None,
    ) -> None:
        self.reasons = tuple(reasons)
        self.cells = {reason: tuple((cells or {}).get(reason, ())) for reason in reasons}
        self.names = {reason: tuple((names or {}).get(reason, ())) for reason in reasons}
        self.entry = entry
        super().__init__(" ".join(map(self._sentence, self.reasons)))

    def _sentence(self, reason: str) -> str:
        named = "" if reason in _WITHOUT_CELLS else ", ".join(self.names[reason])
        return f"{_SENTENCES[reason]}{': ' if named else ''}{named}."
