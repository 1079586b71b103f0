"""The texts of the site and their translations: found in Python and templates, kept in locale/, compiled.

For developers (`make messages`); it needs Babel, which serving does not. What runs reads the compiled
files that are committed beside the texts.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

PACKAGES = ("accounts", "blockyou", "games")
#: Where the texts of a call are among its arguments; a context comes before them.
CALLS: Mapping[str, tuple[int, ...]] = {
    "_": (0,),
    "gettext": (0,),
    "gettext_lazy": (0,),
    "gettext_noop": (0,),
    "ngettext": (0, 1),
    "ngettext_lazy": (0, 1),
    "pgettext": (1,),
    "pgettext_lazy": (1,),
    "npgettext": (1, 2),
    "npgettext_lazy": (1, 2),
    # The rules know no gettext: their errors carry sentences as data (games.words.phrases).
    "Phrase": (0,),
    "UnknownColour": (0,),
    "UnknownScoring": (0,),
    "UnknownSeat": (0,),
    "UnknownVariant": (0,),
    "UnreadablePlacement": (1,),
    "UnreadableRecord": (0,),
    "UnsuitableColours": (0,),
    "_refusal": (0,),
    "refusal": (1,),
}
_LITERAL = r"""u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_CALL = re.compile(rf"\b(_|n?p?gettext)\(\s*({_LITERAL}(?:\s*,\s*{_LITERAL})*)")


def catalogues() -> Mapping[str, Path]:
    """Return the texts of each language that is not written in the source, by its code."""
    (folder,) = settings.LOCALE_PATHS
    return {path.parts[-3]: path for path in sorted(Path(folder).glob("*/LC_MESSAGES/django.po"))}


def read_catalogue(path: Path) -> Catalog:
    """Return what is kept of a language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3], domain="django")


def extracted(root: Path) -> Catalog:
    """Return every text of the site, with the files in which it stands."""
    catalogue = Catalog()
    for path in _sources(root):
        texts = _in_python if path.suffix == ".py" else _in_template
        for name, arguments in texts(path.read_text("utf-8")):
            found = tuple(arguments[place] for place in CALLS[name])
            context = arguments[0] if "pgettext" in name else None
            catalogue.add(
                found if len(found) > 1 else found[0], None, [(str(path.relative_to(root)), 0)], context=context
            )
    return catalogue


def _sources(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted(path for path in (root / package).rglob("*.py") if "migrations" not in path.parts)
    yield from sorted(path for path in (root / "templates").rglob("*") if path.suffix in {".html", ".txt"})


def _in_python(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the calls that name a text: what is called, and the arguments that are written out, empty for others."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (name := _name(node.func)) in CALLS:
            values = [argument.value if isinstance(argument, ast.Constant) else "" for argument in node.args]
            arguments = [value if isinstance(value, str) else "" for value in values]
            if len(arguments) > CALLS[name][-1] and all(arguments[place] for place in CALLS[name]):
                yield name, arguments


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def _in_template(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the same for a template: Django writes the calls that its tags stand for."""
    for name, written in _CALL.findall(templatize(source)):
        yield name, [ast.literal_eval(text) for text in re.findall(_LITERAL, written)]


def brought_up_to_date(kept: Catalog, found: Catalog) -> Catalog:
    """Return the texts that the site has now, with the translations that are kept; new ones have none yet."""
    kept.update(found, no_fuzzy_matching=True, update_creation_date=False)
    return kept


def as_text(catalogue: Catalog) -> bytes:
    """Return a catalogue as it is kept, the same for the same texts."""
    out = BytesIO()
    write_po(out, catalogue, width=120, sort_by_file=True, ignore_obsolete=True, include_lineno=False)
    return out.getvalue()


def compile_catalogue(catalogue: Catalog) -> bytes:
    """Return the content of a .mo file; what is untranslated is not in it."""
    out = BytesIO()
    write_mo(out, catalogue)
    return out.getvalue()
