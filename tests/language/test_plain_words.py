"""Words that players should not have to read, with the better ones (docs/style.md)."""

import re

import pytest
from babel.messages.catalog import Catalog

from blockyou.translations import catalogue

[PATH] = catalogue.catalogues().values()
KEPT = catalogue.read_catalogue(PATH)

#: What is not to stand in an English text, and what to write instead.
ENGLISH = {
    "whoever": "anyone who, the player who",
    "somebody": "someone, a player",
    "nobody": "no one, no player",
    "anybody": "anyone",
    "everybody": "everyone",
    "anew": "again",
    "nought": "zero",
    "by lot": "at random",
    "at a glance": "without search",
    "in thought": "simulated games",
    "broken off": "failed, was cancelled",
    "(was|were|been) given up": "was cancelled",
    "(used up|too old)": "has expired, has already been used",
    "belong together": "wrong name or password",
    "kept for the site": "reserved",
    "present password": "current password",
    "(?<!e-)mails?": "e-mail",
    "so many": "a number",
    "shall we": "should we",
    "conduct(s|ed)?": "control",
    "told": "shown, said",
    "touches no": "does not touch any",
    "fits? nowhere": "does not fit anywhere",
    "(corners?|pieces?) of yours": "your corners, your pieces",
    "(good|best|possible|legal|every) placements?": "moves",
    "placements? (fewer|more|left)": "moves",
    "by (itself|themselves)": "automatically",
    "games? of bots": "games between bots",
    "single cell": "the one-cell piece",
    "claim(s|ed)?": "remove the player, create an account",
    "canonical": "standard",
    "(has begun|begins? paused)": "has started, starts paused",
    "no more(?=\\.)": "no longer",
    "sit you": "you sit",
    "who (can|cannot|lets|opens|resigns) \\w+ (is|may|has|must)": "a player who",
}
#: The same for French.
IN_FRENCH = {
    "quiconque": "toute personne qui",
    "en pensée": "parties simulées",
    "(bonnes?|meilleures?|toutes les|liste des|de) poses?": "coups",
    "poses? (possibles?|permises?|restantes?|de (plus|moins))": "coups",
    "(?<!\\w )qui (a|veut|laisse|ouvre|peut|l’ouvre)(?=.*\\.)": "le joueur qui, toute personne ayant",
    "classement": "cote",
    "va ici": "tient ici",
    "\\d+ sur \\d+|(de|compte) …( \\w+)? sur …": "20 × 20",
    "réclamer": "exclure",
    "carré simple": "la pièce d’une case",
    "(êtes|es) invité": "on vous invite",
    "vous seul": "visible que par vous",
    "table de(?= …)": "chez, sans élision devant le nom",
    "à la place de(?= …)": "pour, sans élision devant le nom",
    "tirés? au sort de": "au hasard",
    "interrompue en route": "a échoué",
    "bots?": "robots",
    "groupes? de discussion": "messagerie: a group is one of players",
}
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


def texts(catalogue: Catalog, *, translated: bool) -> list[str]:
    """Return every text of one language, plural forms apart, without the names of what is put in."""
    found: list[str] = []
    for message in catalogue:
        text = message.string if translated else message.id
        found += [text] if isinstance(text, str) else list(text or ())
    return [PLACEHOLDER.sub("…", text) for text in found if text]


def with_word(word: str, found: list[str]) -> list[str]:
    """Return the texts in which a word stands."""
    return [text for text in found if re.search(rf"\b(?:{word})\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("word", ENGLISH)
def test_no_english_text_has_a_word_that_players_should_not_have_to_read(word: str) -> None:
    assert with_word(word, texts(KEPT, translated=False)) == [], f"write: {ENGLISH[word]}"


@pytest.mark.parametrize("word", IN_FRENCH)
def test_no_french_text_has_a_word_that_players_should_not_have_to_read(word: str) -> None:
    assert with_word(word, texts(KEPT, translated=True)) == [], f"write: {IN_FRENCH[word]}"
