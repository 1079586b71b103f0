"""What a request asks of a game's page: a picture or words, and what the browser shows already."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ViewRequest:
    """What a request for a game's page says beside the game's name.

    `since` is the version the page showed before, 0 if it is new; `is_answer` tells that the asker has just moved.
    `may_offer` says that notices on this device have been neither accepted nor refused, `is_pausing` that the asker
    thinks of a pause, `is_taking_back` of taking a move back. `hand` is the number of the turn for which a player of a
    table on one device has taken it. `step` is the number of the move that they want of a
    paused game, `pause` the version at which it was paused.
    The rest is for the game in words: `say` is a command, `piece` and `start` choose a part of the list of placements,
    `typed` is a placement as it was typed and `draft` its canonical text, said back before it is placed.
    """

    is_spoken: bool = False
    may_offer: bool = False
    since: int = 0
    is_answer: bool = False
    is_asking: bool = False
    is_pausing: bool = False
    is_taking_back: bool = False
    hand: int = 0
    step: int = 0
    pause: int = 0
    say: str = ""
    piece: str = ""
    start: int = 0
    token: str = ""
    typed: str = ""
    draft: str = ""
