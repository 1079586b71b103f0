"""What is written to the turns of a record: how long it may be, and what it may not hold."""

import re

from games.rules.errors import Phrase, UnreadableRecord

LONGEST_COMMENT = 4_000
LONGEST_COMMENTS = 200_000

#: Control characters but newlines, halves of surrogate pairs, and marks that turn the direction of writing, for what
#: comes after them too.
_UNSEEN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]+")


def clean_lines(text: str) -> str:
    """Return a text without control characters but newlines, and without space around it."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return _UNSEEN.sub("", plain).strip()


def too_long_beside(number: int) -> UnreadableRecord:
    """Return that too much is written to the varied turn of that number."""
    what = Phrase("The comment on move %(number)d of the variations", {"number": number})
    return UnreadableRecord("%(what)s is longer than %(most)d characters.", what=what, most=LONGEST_COMMENT)
