"""What the rules say in English, in the reader's language.

The rules know no languages: their errors carry sentences as data, which `make messages` collects where they are raised.
"""

from django.utils.translation import gettext, gettext_noop

from games.rules.errors import Phrase

#: What Python's JSON reader says of a text that is none; another version's words stay as they are.
_JSON = (
    gettext_noop("Expecting value"),
    gettext_noop("Expecting ',' delimiter"),
    gettext_noop("Expecting ':' delimiter"),
    gettext_noop("Expecting property name enclosed in double quotes"),
    gettext_noop("Illegal trailing comma before end of array"),
    gettext_noop("Illegal trailing comma before end of object"),
    gettext_noop("Extra data"),
    gettext_noop("Invalid control character at"),
    gettext_noop("Invalid \\escape"),
    gettext_noop("Invalid \\uXXXX escape"),
    gettext_noop("Unterminated string starting at"),
)

#: What errors begin with; the rest of their sentences stands where they are raised.
_BEGINNINGS = (
    gettext_noop("%(where)s: expected %(what)s."),
    gettext_noop("At character %(place)d: expected %(what)s."),
)


def phrase_text(phrase: Phrase) -> str:
    """Return a phrase in the reader's language, and the phrases inside it."""
    values = {name: phrase_text(value) if isinstance(value, Phrase) else value for name, value in phrase.values.items()}
    text = gettext(phrase.text) if phrase.text else ""
    return text % values if values else text
