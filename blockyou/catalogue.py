"""The texts of the site and their translations: found in Python and templates, kept in locale/, compiled.

For whoever works on the site (`make messages`); it needs Babel, which serving does not. What runs reads the compiled
files that are committed beside the texts.
"""

import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

PACKAGES = ("accounts", "blockyou", "games")
#: Which arguments of a call are texts; "c" marks the context.
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
    # The rules know no gettext: their errors carry sentences as data (games.queries.phrases).
    "Phrase": None,
    "UnknownColour": None,
    "UnknownScoring": None,
    "UnknownSeat": None,
    "UnknownVariant": None,
    "UnreadablePlacement": (2,),
    "UnreadableRecord": None,
    "UnsuitableColours": None,
    "_refusal": None,
    "refusal": (2,),
}
_LITERAL = r"""u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_CALL = re.compile(rf"\b(_|n?p?gettext)\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)")


def catalogues() -> Mapping[str, Path]:
    """Return the texts of each language that is not written in the source, by its code."""
    (folder,) = settings.LOCALE_PATHS
    return {path.parts[-3]: path for path in sorted(Path(folder).glob("*/LC_MESSAGES/django.po"))}


def read(path: Path) -> Catalog:
    """Return what is kept of a language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain="django")


def extracted(root: Path) -> Catalog:
    """Return every text of the site, with the files in which it stands."""
    catalogue = Catalog()
    for path in _sources(root):
        place = str(path.relative_to(root))
        for found, comments, context in _texts(path):
            catalogue.add(found, None, [(place, 0)], auto_comments=comments, context=context)
    return catalogue


def _sources(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted(path for path in (root / package).rglob("*.py") if "migrations" not in path.parts)
    yield from sorted(path for path in (root / "templates").rglob("*") if path.suffix in {".html", ".txt"})


def _texts(path: Path) -> Iterator[tuple[Any, list[str], str | None]]:
    """Yield each text, or pair of texts, of a file, with comments for translators and the context."""
    if path.suffix != ".py":
        yield from _in_template(path.read_text("utf-8"))
        return
    with path.open("rb") as file:
        for _line, found, comments, context in extract("python", file, KEYWORDS, comment_tags=["Translators:"]):
            yield found, comments, context


def _in_template(source: str) -> Iterator[tuple[Any, list[str], str | None]]:
    """Yield the texts of a template: Django writes the calls that its tags stand for."""
    for name, written in _CALL.findall(templatize(source)):
        texts = [literal_eval(text) for text in re.findall(_LITERAL, written)]
        context = texts.pop(0) if name in {"pgettext", "npgettext"} else None
        yield tuple(texts) if len(texts) > 1 else texts[0], [], context


def brought_up_to_date(kept: Catalog, found: Catalog) -> Catalog:
    """Return the texts that the site has now, with the translations that are kept; new ones have none yet."""
    kept.update(found, no_fuzzy_matching=True, update_creation_date=False)
    return kept


def as_text(catalogue: Catalog) -> bytes:
    """Return a catalogue as it is kept, the same for the same texts."""
    out = BytesIO()
    write_po(out, catalogue, width=120, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return out.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as it is looked up in; what is untranslated is not in it."""
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()
