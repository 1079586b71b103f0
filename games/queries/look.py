"""How somebody asks for the page of a game: as a picture or in words, and what they know of it already."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """What a request for a game's page says beside the game's name.

    `since` is the version the page showed before, 0 if it is new; `is_answer` tells that the asker has just moved.
    `step` is the number of the move that the asker wants of a paused game.
    The rest is for the game in words: `say` is a command, `piece` and `start` choose a part of the list of placements,
    `typed` is a placement as it was typed and `draft` its canonical text, said back before it is placed.
    """

    is_spoken: bool = False
    since: int = 0
    is_answer: bool = False
    is_asking: bool = False
    step: int = 0
    say: str = ""
    piece: str = ""
    start: int = 0
    token: str = ""
    typed: str = ""
    draft: str = ""
