"""Faces: a sign beside a name, letters or a mark of their own on a colour for people, and for each of the house's bots
a drawn mark.

Bot accounts share the mark of the bots that have none of their own, each in the colour of its account.

A face says nothing that the name beside it does not: it is not read aloud.
"""

import re
from dataclasses import dataclass

from accounts.names import as_shown
from games.drawing.marks import MARKS, MARKS_OF_PEOPLE, OTHER_MARK
from games.roster.entries import character_and_level
from games.values import Occupant

#: How many colours there are (`data-tint` from 0 on, in tokens.css).
TINTS = 10

#: The colours of the bots of the house.
_TINTS_OF_BOTS = {"random": 7, "greedy": 0, "sage": 4, "mason": 1, "warden": 6, "hermit": 8}
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Face:
    """What is drawn: letters, or the path of a bot's mark; neither for a free seat.

    `tint` is the number of a colour, empty for a neutral one. `is_invited` says that the person is only invited so far.
    """

    letters: str = ""
    mark: str = ""
    tint: str = ""
    is_invited: bool = False


def face(occupant: Occupant) -> Face:
    """Return the face of a person, of a bot, or of a free seat."""
    if occupant.bot:
        return bot_face(occupant.bot)
    tint = occupant.tint or _tint(occupant.account or occupant.device_number)
    if occupant.is_bot_account:
        return Face(mark=OTHER_MARK, tint=tint, is_invited=not occupant.username)
    name = as_shown(occupant.username or occupant.invitee)
    if not name:
        return Face(letters=str(occupant.device_number), tint=tint) if occupant.device_number else Face()
    mark = MARKS_OF_PEOPLE.get(occupant.mark, "")
    return Face("" if mark else letters(name), mark, tint, is_invited=not occupant.username)


def person_face(username: str, account: int, mark: str = "", tint: str = "") -> Face:
    """Return the face of a person by name and by the key of the account, or by what they chose: a mark, a colour.

    Whatever is not chosen is given: the letters of the name, and a colour that stays when the name changes.
    """
    return face(Occupant(username=username, account=account, mark=mark, tint=tint))


def bot_face(name: str) -> Face:
    """Return the face of a bot by its stored name; the levels of one character share it."""
    character = (character_and_level(name) or (name, 0))[0]
    return Face(mark=MARKS.get(character, OTHER_MARK), tint=str(_TINTS_OF_BOTS.get(character, "")))


def letters(name: str) -> str:
    """Return the first letters of the first two words of a name, in capitals: "G" and "Z" of Guest-zjgged."""
    return "".join(word[0].upper()[0] for word in _WORDS.findall(name)[:2]) or name[:1]


def _tint(account: int | None) -> str:
    return "" if not account else str(account % TINTS)
