"""Every text of the site has its French, with the same places for values, in French typography."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from django.conf import settings

from blockyou.translations import catalogue

[PATH] = catalogue.catalogues().values()
KEPT = catalogue.read_catalogue(PATH)
HINT = "run `make messages`, translate what is empty in the .po file, and run it again"
VALUE = re.compile(r"%(?:\(\w+\))?[a-z%]|\{\w+\}")


def key(message: Message) -> tuple[str | None, str | tuple[str, ...]]:
    # Babel reads a compiled context as bytes.
    context = message.context.decode() if isinstance(message.context, bytes) else message.context
    return context, message.id if isinstance(message.id, str) else tuple(message.id)


def forms(message: Message) -> tuple[str, ...]:
    return (message.string or "",) if isinstance(message.string, str | None) else tuple(message.string)


def texts(kept: Catalog) -> Iterator[tuple[str, str]]:
    """Yield each English text with its French, the singular and the plural apart."""
    for message in kept:
        if message.id:
            sources = (message.id,) if isinstance(message.id, str) else message.id
            yield from zip(sources, forms(message), strict=True)


def test_french_has_every_text_of_the_site_and_no_other() -> None:
    found = {key(message) for message in catalogue.extracted(settings.BASE_DIR)}
    kept = {key(message) for message in KEPT}
    assert sorted(map(str, found - kept)) == [], HINT
    assert sorted(map(str, kept - found)) == [], HINT


def test_every_text_is_translated_and_none_is_doubtful() -> None:
    assert [message.id for message in KEPT if message.id and not all(forms(message))] == [], HINT
    assert [message.id for message in KEPT if message.fuzzy] == []


def test_plural_texts_have_as_many_forms_as_french() -> None:
    for message in KEPT:
        assert len(forms(message)) == (KEPT.num_plurals if message.pluralizable else 1), message.id


def test_every_translation_has_the_same_places_for_values() -> None:
    for source, french in texts(KEPT):
        assert Counter(VALUE.findall(french)) == Counter(VALUE.findall(source)), source


def test_translations_begin_and_end_as_their_texts_do() -> None:
    for source, french in texts(KEPT):
        for edge in (r"\A\s*", r"\s*\Z", r"[.…]?\Z"):
            assert re.findall(edge, french)[0] == re.findall(edge, source)[0], source


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a breaking space before a colon", " :"),
        ("no narrow no-break space before ; ! ?", r"[^\u202f\W][;!?](?=\s|$)|[ \u00a0][;!](?=\s|$)"),
        ("a breaking space inside guillemets", "« | »"),
        ("straight quotation marks", r"\"\w|\w'\w|[“”]"),
        ("an English ellipsis", r"\.\.\."),
    ],
)
def test_french_is_set_as_french_is(what: str, pattern: str) -> None:
    assert [french for _, french in texts(KEPT) if re.search(pattern, french)] == [], what


def test_what_is_looked_up_is_what_is_kept() -> None:
    with Path(PATH).with_suffix(".mo").open("rb") as file:
        compiled = {key(message): forms(message) for message in read_mo(file) if message.id}
    assert compiled == {key(message): forms(message) for message in KEPT if message.id}, HINT


def test_a_text_is_found_wherever_it_can_be_written(tmp_path: Path) -> None:
    for package in (*catalogue.PACKAGES, "templates"):
        (tmp_path / package).mkdir()
    (tmp_path / "games" / "one.py").write_text(
        'gettext("a")\nngettext("b", "%(n)d b", 2)\npgettext("c", "d")\n_("e" "f")\n'
    )
    (tmp_path / "templates" / "two.html").write_text(
        "{% translate 'g' %}{% translate 'h' context 'i' %}{% include 'x' with y=_('j') %}{{ _('k') }}"
        "{% blocktranslate with z=z %}l {{ z }}{% endblocktranslate %}"
        "{% blocktranslate count n=n %}m{% plural %}{{ n }} m{% endblocktranslate %}"
    )
    found = {key(message) for message in catalogue.extracted(tmp_path) if message.id}
    plain = {(None, text) for text in ("a", "ef", "g", "j", "k", "l %(z)s")}
    assert found == {*plain, (None, ("b", "%(n)d b")), ("c", "d"), ("i", "h"), (None, ("m", "%(n)s m"))}
