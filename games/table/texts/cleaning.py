"""Cleaning what people write for others to read: what of it is kept, and what is refused."""

import re
import unicodedata

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import names
from games.errors import BadRequest

#: So many capitals among so many letters at least are shouting.
LOUD, LEAST_LETTERS = 0.7, 8
#: Marks on one letter beyond these only cover the lines around.
MOST_MARKS = 3
#: Empty lines beyond one between two others are not kept.
_GAPS = re.compile(r"\n{3,}")

TOO_LONG = _("A message has at most %(most)d characters; this one has %(length)d.")
NO_TEXT = _("This message has characters that are no text. Type it again.")
INSULT = _("These words may insult others. Write it in another way.")

#: Signs without a picture that change the direction of what follows, or hide between letters. Joiners stay, which make
#: one emoji of several and are a part of words in some scripts.
_TURNING = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


def cleaned_line(text: str, most: int, empty: str | Promise) -> str:
    """Return a text as it is stored: one line, with no signs that turn or cover what stands around it, and not loud.

    Raises:
        BadRequest: it is longer than that, says nothing (with the sentence `empty`), is no text, or insults (`insult`).

    """
    return _checked(_plain(text), most, empty)


def cleaned_lines(text: str, most: int, empty: str | Promise) -> str:
    """Return a text of several lines, each as `cleaned_line` has it, with an empty line between two at most.

    Raises: BadRequest, as that.
    """
    lines = map(_plain, text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return _checked(_GAPS.sub("\n\n", "\n".join(lines)).strip(), most, empty)


def _plain(text: str) -> str:
    line = " ".join(text.split())
    if any(unicodedata.category(character) in ("Cc", "Cs", "Co", "Cn") for character in line):
        raise BadRequest(NO_TEXT, field="text")
    return _uncovered(re.sub(_TURNING, "", line)).strip()


def _checked(text: str, most: int, empty: str | Promise) -> str:
    if not any(unicodedata.category(character)[0] in "LNPS" for character in text):
        raise BadRequest(empty, field="text")
    # Some letters are two where they are small.
    if (length := max(len(text), len(_calm(text)))) > most:
        raise BadRequest(TOO_LONG % {"most": most, "length": length}, field="text")
    if names.is_insult(re.sub("[\u200c\u200d]", "", text)):
        raise BadRequest(INSULT, code="insult", field="text")
    return _calm(text)


def _uncovered(text: str) -> str:
    """Return a text without what lies on a letter beyond a few marks."""
    kept, marks = [], 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(character)
    return "".join(kept)


def _calm(text: str) -> str:
    """Return a text that is mostly capitals in small letters, any other as it is."""
    letters = [character for character in text if character.isupper() or character.islower()]
    if len(letters) < LEAST_LETTERS or sum(character.isupper() for character in letters) < LOUD * len(letters):
        return text
    small = text.lower()
    return small[:1].upper() + small[1:]
