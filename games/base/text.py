"""Texts from outside that are to stand in one line: nothing invisible, nothing that turns the line around."""

import unicodedata

#: The longest title of a study.
MAX_TITLE = 80

# Characters that are not seen, or would let a name pretend to be something else on the page: controls, formats such as
# text direction, surrogates, unassigned and private ones, line ends.
_HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
#: Joins letters of some scripts, and the parts of some pictures.
_JOINERS = frozenset("\u200c\u200d")
# Letters and signs that are drawn as nothing: fillers of Hangul, the empty Braille cell.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def is_plain(text: str) -> bool:
    """Return whether a text hides nothing, and shows something unless it is empty."""
    return not any(map(_is_hidden, text)) and (not text or any(map(_is_seen, text)))


def plain(text: str, most: int = MAX_TITLE) -> str:
    """Return what of a text from outside can stand in a line: nothing invisible, nothing that turns the text around.

    Empty where nothing of it would be seen.
    """
    kept = "".join(character for character in text if character.isspace() or not _is_hidden(character))
    line = " ".join(kept.split())[:most]
    return line if any(map(_is_seen, line)) else ""


def _is_hidden(character: str) -> bool:
    if character in _JOINERS:
        return False
    return unicodedata.category(character) in _HIDDEN or character in _BLANK


def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS"
