"""The public names people choose: what is allowed, and which two names look too much alike.

A name is 2 to 20 Latin letters and digits, with spaces and single `_ - . & '` between them. Two names clash when their
keys are equal: a key forgets case, accents and what stands between words, and joins what a reader confuses (i, l and 1;
o and 0; rn and m).

A new name clashes too where one of its shapes is taken: a shape joins more (cl and d; 5 and s; q and g) and leaves
separators out. People are found by keys and never by shapes, which older accounts may have in common.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

SHORTEST_USERNAME, LONGEST_USERNAME = 2, 20
#: What joins the parts of one word, and what else may stand between words.
SEPARATORS, BETWEEN_WORDS = "_-.", " &'"
#: A name of so many letters at most may be any word of a language ("the").
SHORT_NAME = 3

#: How the names begin that guests are given; no one may choose such a name.
GIVEN_PREFIX = "Guest-"

# Without letters and digits that look like others, so that a name that the site gives is not misread.
NAME_LETTERS = "abcdefghjkpstuxyz3479"

#: What stands for a person who has closed the account: their row is called so, and it takes the place of their name
#: where others wrote it.
GONE = "deleted"

# Letters that do not decompose into a base letter and a mark.
PLAIN = str.maketrans(
    {
        "\N{LATIN SMALL LETTER SHARP S}": "ss",
        "\N{LATIN SMALL LETTER AE}": "ae",
        "\N{LATIN SMALL LIGATURE OE}": "oe",
        "\N{LATIN SMALL LETTER O WITH STROKE}": "o",
        "\N{LATIN SMALL LETTER D WITH STROKE}": "d",
        "\N{LATIN SMALL LETTER ETH}": "d",
        "\N{LATIN SMALL LETTER H WITH STROKE}": "h",
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
        "\N{LATIN SMALL LETTER KRA}": "k",
        "\N{LATIN SMALL LETTER L WITH STROKE}": "l",
        "\N{LATIN SMALL LETTER ENG}": "n",
        "\N{LATIN SMALL LETTER THORN}": "th",
        "\N{LATIN SMALL LETTER T WITH STROKE}": "t",
    }
)
LOOKALIKES = str.maketrans({"i": "l", "1": "l", "0": "o"})
BREAKS = re.compile(f"[{re.escape(SEPARATORS + BETWEEN_WORDS)}]+")
LOOKALIKE_PAIRS = (("rn", "m"), ("vv", "w"))
# One letter as the strokes that it is read for, so that nnn and mn and nm are one: a pair made one letter would depend
# on where it is begun.
STROKES = str.maketrans({"m": "nn", "w": "uu", "v": "u", "d": "cl", "q": "g", "5": "s", "2": "z"})
# 8 and 6 are both read for a b, but not for each other: two people may be called by two years.
AMBIGUOUS = "86"

# Letters of other scripts that look like Latin ones, and digits and signs that are written for letters.
ELSEWHERE = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0455\u0458\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5",
    "abekmhopctyxisjaeikvoptu",
)
DIGITS = str.maketrans("34570", "easto")
SIGNS = {"@": "a", "$": "s", "!": "i"}

RESERVED = """
abuse account all anonymous anonyme api bleu block-you blockyou blue computer contact deleted engine equipe everyone
green guest guests help host info invite invites jaune joueur me moi nobody none null officiel official owner personne
player postmaster red root rouge security somebody someone superuser supprime system systeme team toi tous undefined
vert vous webmaster yellow you
"""
#: Who speaks for the site, and bots: none of these with a number or in the plural either, like the names of our bots.
STAFF = """
admin administrateur administrator administratrice bot mod moderateur moderation moderator moderatrice modo robot staff
support
"""
# What given names begin with in a language of the site is kept as they are.
RESERVED_PREFIXES = (
    *("guest", "anonyme", "deleted", "supprime", "bot", "robot", "admin", "staff", "moderator", "moderateur"),
    *("support", "block-you", "blockyou"),
)
# A number after a name, such as that of a bot's level.
_NUMBER = re.compile(rf"[{re.escape(SEPARATORS + BETWEEN_WORDS)}]*(?:level|niveau)?[ _.-]*[0-9]+$", re.IGNORECASE)
#: What else the site keeps, asked for each time.
_KEPT: list[Callable[[], Iterable[str]]] = []


def normalise(name: str) -> str:
    """Return the name in the one form in which it is stored and compared: NFKC, spaces single and none around it."""
    return " ".join(unicodedata.normalize("NFKC", name).split()).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def key(name: str) -> str:
    """Return what two names that a reader could confuse have in common; at most 40 characters for a valid name."""
    folded = unicodedata.normalize("NFKC", name).casefold().translate(PLAIN)
    bare = "".join(char for char in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(char))
    shape = BREAKS.sub("-", bare.translate(LOOKALIKES))
    for pair, single in LOOKALIKE_PAIRS:
        shape = shape.replace(pair, single)
    return shape


def shapes(name: str) -> tuple[str, str]:
    """Return what no two names may have in common that are chosen from now on: with 8, and with 6, read as b.

    At most 80 characters each.
    """
    return shapes_of_key(key(name))


def shapes_of_key(name_key: str) -> tuple[str, str]:
    """Return the shapes of the names that have this key."""
    first, second = _strokes(name_key.replace("-", ""))
    return first, second


def _strokes(text: str) -> tuple[str, str]:
    # An r before n begins the same strokes, one that is written before m too.
    strokes = re.sub("r+(?=n)", lambda found: "n" * len(found[0]), text.translate(STROKES))
    first, second = (strokes.replace(digit, "b") for digit in AMBIGUOUS)
    return first, second


def is_same(name: str, other: str) -> bool:
    """Return whether both spell one name, whatever the case."""
    return normalise(name).casefold() == normalise(other).casefold()


def is_given(name: str) -> bool:
    """Return whether the site gave a guest this name, and the guest chose no other."""
    return name.startswith(GIVEN_PREFIX)


def as_shown(name: str, *, is_bot: bool = False) -> str:
    """Return the name as readers see it: one that the site gave begins in their language, any other is as it stands.

    A bot account is marked as one: no name has brackets, so that no person's can look like it.
    """
    if is_bot:
        return gettext("%(name)s (bot)") % {"name": name}
    if name.startswith(f"{GONE}-"):
        return gettext("deleted-%(letters)s") % {"letters": name.removeprefix(f"{GONE}-")}
    if not is_given(name):
        return name
    return gettext("Guest-%(letters)s") % {"letters": name.removeprefix(GIVEN_PREFIX)}


def as_stored(beginning: str) -> str:
    """Return how a name is stored that readers see begin like this: the other way round than `as_shown`."""
    first = as_shown(GIVEN_PREFIX)
    return GIVEN_PREFIX + beginning[len(first) :] if key(beginning).startswith(key(first)) else beginning


def longest_plain(name: str) -> str:
    """Return the longest part of a name that every database finds whatever its case; empty where there is none.

    SQLite knows no capitals beyond ASCII.
    """
    return max(re.findall(r"[\x00-\x7f]+", name), key=len, default="")


def without(name: str, text: str) -> str:
    """Return a text with GONE wherever it names this person: as a whole word, whatever its case.

    A longer name that begins or ends like this one is another person's. A name of two or three letters may be any word
    of any language ("the"): it has to be spelt as it is.
    """
    return _mention(name).sub(GONE, text)


@lru_cache(maxsize=8)
def _mention(name: str) -> re.Pattern[str]:
    apart = re.escape(SEPARATORS)
    spellings = "|".join(re.escape(spelling) for spelling in sorted(_spellings(name), key=len, reverse=True))
    whole = rf"(?<!\w)(?<!\w[{apart}])(?:{spellings})(?!\w)(?![{apart}]\w)"
    return re.compile(whole, re.NOFLAG if len(name) <= SHORT_NAME else re.IGNORECASE)


def _spellings(name: str) -> set[str]:
    """Return how readers in any language of the site see the name."""
    found = {name}
    for code, _language in settings.LANGUAGES:
        with override(code):
            found.add(as_shown(name))
    return found


def is_latin(char: str) -> bool:
    """Return whether this is an unaccented or accented Latin letter, or a digit from 0 to 9."""
    if char.isascii():
        return char.isalnum()
    return char < "\u0180" and char.isalpha() and unicodedata.name(char, "").startswith("LATIN ")


def is_insult(text: str) -> bool:
    """Return whether a word of a text is on the host's list of insults, in whatever spelling reads alike.

    Letters that stand apart are one word, and a letter that is drawn out counts once.
    """
    plain = unicodedata.normalize("NFKC", text).casefold().translate(ELSEWHERE).translate(PLAIN)
    bare = "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    bare = re.sub(r"(?<=\w)[@$!](?=\w)|[@$](?=\w)", _written, bare)
    # An underscore stands between letters too; left in, it could be either, and a long row of them takes for ever.
    bare = bare.replace("_", " ")
    words = re.findall(r"\w+", bare)
    apart = re.findall(r"(?<!\w)(?:\w\W+)+\w(?!\w)", bare)
    found = {*words, *("".join(re.findall(r"\w", run)) for run in apart)}
    found |= {re.sub(r"(.)\1{2,}", r"\1", word) for word in found}
    keys = {key(word.translate(DIGITS)) for word in found if not word.isdigit()}
    return not _insults(settings.INSULTS_FILE).isdisjoint(keys | {one.removesuffix("s") for one in keys})


def _written(found: re.Match[str]) -> str:
    return SIGNS[found[0]]


@lru_cache(maxsize=8)
def _insults(file: str) -> frozenset[str]:
    lines = (line.strip() for line in Path(file).read_text(encoding="utf-8").splitlines())
    return frozenset(key(line.casefold()) for line in lines if line and not line.startswith("#"))


def check(name: str) -> None:
    """Raise ValidationError, with what to do, unless a person may choose this name. Not checked: whether it is free."""
    if not SHORTEST_USERNAME <= len(name) <= LONGEST_USERNAME:
        raise ValidationError(
            _("A name must have %(shortest)d to %(longest)d characters."),
            code="length",
            params={"shortest": SHORTEST_USERNAME, "longest": LONGEST_USERNAME},
        )
    if not all(is_latin(char) or char in SEPARATORS + BETWEEN_WORDS for char in name):
        raise ValidationError(
            _("Use only Latin letters, digits and spaces. Between them “_”, “-”, “.”, “&” and “'” are allowed."),
            code="characters",
        )
    if not (is_latin(name[0]) and is_latin(name[-1])) or re.search(r"[_.&' -]{2}", name.replace(" & ", "&")):
        raise ValidationError(
            _("Start and end with a letter or a digit, and do not put two of _ - . & ' next to each other."),
            code="form",
        )
    if is_reserved(name):
        raise ValidationError(_("This name is reserved. Choose another one."), code="reserved")
    if is_insult(name):
        raise ValidationError(_("This name may insult others. Choose another one."), code="insult")


def is_reserved(name: str) -> bool:
    """Return whether the site keeps this name, or one that looks like it, for itself."""
    if not _RESERVED_SHAPES.isdisjoint(shapes(name)):
        return True
    if any(strokes.startswith(_RESERVED_BEGINNINGS) for strokes in _strokes(key(name))):
        return True
    kept = {shape for source in (_staff, *_KEPT) for word in source() for shape in shapes(_NUMBER.sub("", word))}
    return any(not kept.isdisjoint(shapes(stem)) for stem in _stems(name))


def keep(source: Callable[[], Iterable[str]]) -> None:
    """Reserve the names that `source` returns, also with a number or in the plural."""
    if source not in _KEPT:
        _KEPT.append(source)


def _staff() -> Iterable[str]:
    return STAFF.split()


def _stems(name: str) -> Iterator[str]:
    """Yield the name, and what is left of it without a number and without the ending of a plural."""
    for stem in {name, _NUMBER.sub("", name)}:
        yield stem
        yield re.sub("[sx]$", "", stem, flags=re.IGNORECASE)


_RESERVED_SHAPES = frozenset(shape for name in RESERVED.split() for shape in shapes(name))
_RESERVED_BEGINNINGS = tuple(f"{strokes}-" for prefix in RESERVED_PREFIXES for strokes in _strokes(key(prefix)))
