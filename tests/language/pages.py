"""What a page says: its texts, those of attributes that are read aloud, and those that it hands to its scripts."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from django.db import transaction

from tests.reliability.matrix import cases
from tests.reliability.world import World

#: Attributes that are read.
SPOKEN = {"alt", "aria-label", "aria-roledescription", "placeholder", "title"}
#: What a page says of itself elsewhere.
TOLD = {"description", "application-name", "og:title", "og:description", "og:image:alt", "apple-mobile-web-app-title"}
#: Elements whose text is no language.
SILENT = {"style", "code", "kbd", "samp", "cite"}
WORD = re.compile(r"[^\W\d_]{2,}")


class Texts(HTMLParser):
    """Collects what a page says, in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # The reference for programs says that it is in English.
        is_foreign = "lang" in dict(attrs) and tag in {"h2", "p", "span"}
        if tag in {"script", *SILENT} or is_foreign or (self._open and self._open[-1] == tag):
            self._open.append(tag)
        self.found += [value for name, value in attrs if value and _is_read(name, value)]
        meta = dict(attrs)
        if tag == "meta" and (meta.get("name") or meta.get("property")) in TOLD:
            self.found.append(meta["content"] or "")

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if not self._open and text:
            self.found.append(text)
        elif self._open == ["script"] and text:
            self.found += _sentences(json.loads(data))


def _is_read(name: str, value: str) -> bool:
    # What a script says comes in data- attributes: words, not names of things.
    names = {"data-behaviour", "data-when"}
    return name in SPOKEN or (name.startswith("data-") and " " in value.strip() and name not in names)


def _sentences(data: Any) -> Iterator[str]:
    """Yield the texts of several words in the data that a page carries."""
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list):
        for value in data:
            yield from _sentences(value)
    elif isinstance(data, str) and " " in data:
        yield data


def texts(html: str) -> list[str]:
    """Return what a page says, wherever there is a word in it."""
    return [text for text in Texts(html).found if WORD.search(text)]


def visits(world: World, name: str) -> Iterator[tuple[str, str]]:
    """Yield who may be shown a page at this address, and where: about every public game that it can be about."""
    for _state, kind, game in cases(world, name):
        if kind == "public":
            roles = ("nobody", "alice", "bob") if game else ("nobody", "alice", "guest")
            yield from ((role, world.path(name, game)) for role in roles)


def page(
    world: World,
    role: str,
    path: str,
    language: str,
    *,
    sent: dict[str, str] | None = None,
    cookies: dict[str, str] | None = None,
) -> str:
    """Return the page as this person sees it in this language, empty where there is none. Nothing is kept of it.

    With `sent` it is the answer to a form.
    """
    browser, headers = world.browser(role), {"Accept-Language": language}
    browser.cookies.load(cookies or {})
    with transaction.atomic():
        answer = browser.get(path, headers=headers) if sent is None else browser.post(path, sent, headers=headers)
        transaction.set_rollback(True)
    is_page = answer.status_code not in {302, 304} and answer.headers.get("Content-Type", "").startswith("text/html")
    return answer.content.decode() if is_page else ""
