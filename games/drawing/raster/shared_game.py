"""What a picture shows of a game that is passed on."""

import hashlib
from dataclasses import dataclass

from games.drawing import svg

#: Goes into the tags of pictures: another number when they are drawn in another way.
_EDITION = 5


@dataclass(frozen=True)
class SideView:
    """One player in a picture. `placed` has a text for every state that is shown, `place` is empty until the end."""

    colours: tuple[str, ...]
    name: str
    placed: tuple[str, ...]
    is_winner: bool
    place: str


@dataclass(frozen=True)
class SharedGame:
    """A game as everybody sees it: no player is called "you".

    `pieces` are those in the picture, in order. A picture shows one state, an animation one for each number of pieces.
    `starts` are the marked start cells, in an animation until `begun` of the pieces are placed, None if to its end.
    `say` is how far the game is or how it ended, `more` why and when. `sides` are by seat; in a picture of
    the end by place.
    """

    name: str
    variant: str
    title: str
    about: str
    say: str
    more: str
    sides: tuple[SideView, ...]
    starts: tuple[svg.MarkView, ...]
    begun: int | None
    pieces: tuple[svg.PieceView, ...]
    is_public: bool

    @property
    def tag(self) -> str:
        """Return a tag that differs whenever the picture does."""
        return f'"{hashlib.sha256(f"{_EDITION}{self!r}".encode()).hexdigest()[:32]}"'
