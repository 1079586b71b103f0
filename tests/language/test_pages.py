"""Every page in French: nothing English is left on it, and nothing French stays for who reads English next."""

import re

import pytest
from django.conf import settings
from django.core.cache import cache

from tests.language.pages import WORD, page, texts, visits
from tests.reliability.matrix import names
from tests.reliability.world import World, is_about_a_game

pytestmark = pytest.mark.django_db

#: What stands on pages and is nobody's language: people, the site, addresses, cells, values' places, files' names.
DATA = re.compile(
    r"""\S+@\S+ | https?://\S+ | /\S+/\S* | \b(?:alice|bob|carol|dave|eve)\b | \bGuest-\w+ | Block-You | Pentobi
    | \.?\b(?:blksgf|json)\b | \b[a-z]{1,2}\d{1,2}\b | \b\w\d*:[a-z\d,]+ | \babc[a-z]* | \{\w+\} | %\(\w+\)s""",
    re.VERBOSE,
)
#: Words that are the same in both languages, and names.
SAME = re.compile(
    "CodinGame|Cyan|Bonus|Date|Duo|English|Français|Junior|Menu|Normal|Orange|Pages|Pause|[Ss]cores?|Total|Trigon|Violet|mail"
)
#: Words that no French sentence has.
ENGLISH = re.compile(
    r"\b(the|and|of|is|you|your|with|from|this|that|are|has|by|games?|moves?|pieces?|cells?|turns?|players?|bots?)\b",
    re.I,
)


def is_english(text: str, english: set[str]) -> bool:
    """Whether a text of a French page is that of the English one, or has an English word; data do not count."""
    words = DATA.sub(" ", text)
    is_same = text in english and any(not SAME.fullmatch(word) for word in WORD.findall(words))
    return is_same or ENGLISH.search(words) is not None


def timeless(html: str) -> list[str]:
    """Return what a page says without numbers: a minute may pass."""
    return [re.sub(r"\d", "", text) for text in texts(html)]


@pytest.mark.parametrize("name", names())
def test_a_page_is_in_the_language_of_whoever_asks(world: World, name: str) -> None:
    # By its picture and in words.
    modes: list[dict[str, str]] = [{}, {settings.SPOKEN_COOKIE_NAME: "yes"}] if is_about_a_game(name) else [{}]
    for role, path in visits(world, name):
        for mode in modes:
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


@pytest.mark.parametrize("sent", [{}, NONSENSE], ids=["nothing", "nonsense"])
@pytest.mark.parametrize("name", names())
def test_a_form_is_refused_in_the_language_of_whoever_sends_it(world: World, name: str, sent: dict[str, str]) -> None:
    for role, path in visits(world, name):
        cache.clear()
        english, french = (page(world, role, path, each, sent=sent) for each in ("en", "fr"))
        there = set(texts(english))
        assert [text for text in texts(french) if is_english(text, there)] == [], f"{path} as {role}"
