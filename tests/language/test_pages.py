"""Every page in French: nothing English is left on it, and nothing French stays for who reads English next."""

import re
from itertools import islice

import pytest
from django.conf import settings
from django.core.cache import cache

from accounts.readers import zones
from tests.language.pages import WORD, page, texts, visits
from tests.proof import proof
from tests.reliability.matrix import names
from tests.reliability.world import World, is_about_a_game

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries]

#: What stands on pages and is nobody's language: people, the site, addresses, cells, values' places, files' names,
#: the letters of faces, openings and who wrote of them, and the release.
DATA = re.compile(
    r"""\S+@\S+ | https?://\S+ | \b[a-z]+\.example\.org\b | /\S+/\S* | \b(?:alice|bob|carol|dave|eve)\b
    | \bGuest-\w+ | Block-You | Pentobi | \.?\b(?:blksgf|json)\b | \b[a-z]{1,2}\d{1,2}\b
    | \b\w\d*:[a-z\d,]+ | \ba(?:bc|ej)[a-z]* | \{\w+\} | %\(\w+\)s
    | Corner\ club | Open\ door | (?:Jeff\ )?Barasona | Friendless | \bnand\b | Markus\ Enzenberger | \b[FNPWXY]{4}\b
    | \b[A-Z]{2}\b | \b\d+\.\d+\.\d+(?:\.dev\d+)?(?:\+[0-9a-f]+)?""",
    re.VERBOSE,
)
#: Words that are the same in both languages, and names.
SAME = re.compile(
    "Branches?|CodinGame|Cookies|CSV|Cyan|Bonus|Date|Duo|Freestyle|JSON|minutes?|[Pp]oints?|Push|Rose|Triangle|Zoom|English|Français|Junior|Menu|Normal|Orange|Pages|Pause|Place|[Ss]cores?|Sources|Tables|Total|Trigon|UTC|Violet|Webhooks|mail"
)
#: Words that no French sentence has.
ENGLISH = re.compile(
    r"\b(the|and|of|is|you|your|with|from|this|that|are|has|by|games?|moves?|pieces?|cells?|turns?|players?|bots?)\b",
    re.I,
)


#: Time zones are called by the names that devices use, which are English.
ZONES = {name for region, found in zones.offered() for name in (region, *(text for _zone, text in found))}


def is_english(text: str, english: set[str]) -> bool:
    """Whether a text of a French page is that of the English one, or has an English word; data do not count."""
    if text in ZONES:
        return False
    words = DATA.sub(" ", text)
    is_same = text in english and any(not SAME.fullmatch(word) for word in WORD.findall(words))
    return is_same or ENGLISH.search(words) is not None


def timeless(html: str) -> list[str]:
    """Return what a page says without numbers: a minute may pass."""
    return [re.sub(r"\d", "", text) for text in texts(html)]


@pytest.mark.parametrize("visited", [2, *proof(None)])
@pytest.mark.parametrize("name", names())
@pytest.mark.slow
def test_a_page_is_in_the_language_of_whoever_asks(world: World, name: str, visited: int | None) -> None:
    # By its picture and in words.
    modes: list[dict[str, str]] = [{}, {settings.SPOKEN_COOKIE_NAME: "yes"}] if is_about_a_game(name) else [{}]
    for role, path in islice(visits(world, name), visited):
        for mode in modes[:visited]:
            cache.clear()
            english, french, again = (page(world, role, path, each, cookies=mode) for each in ("en", "fr", "en"))
            there = set(texts(english))
            assert [text for text in texts(french) if is_english(text, there)] == [], f"{path} as {role}"
            assert timeless(again) == timeless(english), f"{path} as {role}"


#: What no form of the site takes.
NONSENSE = dict.fromkeys(
    (
        "username",
        "email",
        "password1",
        "password",
        "login",
        "placement",
        "text",
        "version",
        "days",
        "seat-0",
        "variant",
    ),
    "?",
)


@pytest.mark.parametrize("visited", [3, *proof(None)])
@pytest.mark.parametrize("sent", [NONSENSE, *proof({})], ids=["nonsense", "nothing"])
@pytest.mark.parametrize("name", names())
@pytest.mark.slow
def test_a_form_is_refused_in_the_language_of_whoever_sends_it(
    world: World, name: str, sent: dict[str, str], visited: int | None
) -> None:
    for role, path in islice(visits(world, name), visited):
        cache.clear()
        english, french = (page(world, role, path, each, sent=sent) for each in ("en", "fr"))
        there = set(texts(english))
        assert [text for text in texts(french) if is_english(text, there)] == [], f"{path} as {role}"
