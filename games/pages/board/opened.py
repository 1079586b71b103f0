"""How a game was opened, for the pages that show it: the named openings that its colours have followed."""

from dataclasses import dataclass

from games.lines.matching import followed_lines
from games.rules import Position
from games.words import sentences


@dataclass(frozen=True)
class OpenedView:
    """A colour and the opening it has followed: with `pieces` of `length` pieces, all of them where it `is_whole`."""

    code: str
    colour: str
    key: str
    name: str
    pieces: int
    length: int

    @property
    def is_whole(self) -> bool:
        """Return whether the opening was followed to its end."""
        return self.pieces == self.length


def opened_views(position: Position) -> tuple[OpenedView, ...]:
    """Return the colours that have followed an opening, in the order of play. No query."""
    return tuple(
        OpenedView(
            each.colour,
            sentences.colour(each.colour),
            each.line.key,
            each.line.name,
            each.pieces,
            each.line.length,
        )
        for each in followed_lines(position)
    )
