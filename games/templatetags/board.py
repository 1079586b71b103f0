"""Small parts of a page that are drawn again and again: rendered once, then remembered as text.

A move's line, a piece's outline or a slot of the tray is the same text for everybody and for ever. Rendering the 200 of
a page each time would cost more than everything else on it.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from accounts import traditions
from games.words import sentences

register = template.Library()

#: Texts that are remembered; some 500 bytes each.
REMEMBERED = 8192

Words = tuple[str | None, str]


@register.simple_tag
def cached_include(name: str, **values: Any) -> SafeString:
    """Return a template rendered with these values and nothing else of the page. The values are hashable."""
    return mark_safe(_text(_words(), name, tuple(values.items())))  # noqa: S308  (rendered)


@register.simple_tag
def cached_include_each(name: str, items: Iterable[Any]) -> SafeString:
    """Return a template rendered with each item, which it knows as `item`, one after the other."""
    words = _words()
    return mark_safe("".join([_text(words, name, (("item", item),)) for item in items]))  # noqa: S308  (rendered)


@register.simple_tag
def colour_name(code: str) -> str:
    """Return the name of a colour, as the reader calls it."""
    return sentences.colour(code)


def _words() -> Words:
    """Return what a text depends on beside its values: the language, and how colours are called in it."""
    return get_language(), traditions.current()


def _render(_words: Words, name: str, values: tuple[tuple[str, Any], ...]) -> str:
    return get_template(name).render(dict(values))


_remembered = lru_cache(maxsize=REMEMBERED)(_render)


def _text(words: Words, name: str, values: tuple[tuple[str, Any], ...]) -> str:
    # While templates are being worked on they are read again.
    return _render(words, name, values) if settings.DEBUG else _remembered(words, name, values)
