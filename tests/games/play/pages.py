"""Reading the play page as a browser would: by its elements, not by its text."""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client

VOID = {"br", "hr", "img", "input", "link", "meta"}


@dataclass
class Element:
    """One element of a page."""

    tag: str
    attributes: dict[str, str]
    children: list["Element | str"] = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        return self.attributes[name]

    def walk(self) -> Iterator["Element"]:
        """Yield this element and all below it."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def find_all(self, tag: str = "", **attributes: str) -> list["Element"]:
        """Return the elements of that tag with those attributes (`class_` matches one class of several)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [one for one in self.walk() if (not tag or one.tag == tag) and one._has(wanted)]

    def find(self, tag: str = "", **attributes: str) -> "Element":
        """Return the only such element."""
        (found,) = self.find_all(tag, **attributes)
        return found

    def _has(self, wanted: dict[str, str]) -> bool:
        return all(
            value in self.attributes.get(name, "").split() if name == "class" else self.attributes.get(name) == value
            for name, value in wanted.items()
        )

    @property
    def text(self) -> str:
        """Return the text of the element, its spaces joined as browsers do: not those that keep words together."""
        parts = [child if isinstance(child, str) else child.text for child in self.children]
        return re.sub(r"[ \t\r\n\f]+", " ", " ".join(parts)).strip(" ")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.open[-1].children.append(data)


def read(response: Any) -> Element:
    """Return the page; every element in it has to be closed."""
    assert isinstance(response, HttpResponse)
    reader = _Reader()
    reader.feed(response.content.decode())
    reader.close()
    assert len(reader.open) == 1
    return reader.open[0]


def game_part(page: Element) -> Element:
    """Return the part that live updates replace."""
    return page.find(id="game")


def data(page: Element, name: str) -> Any:
    """Return the JSON in the script element of that id."""
    (text,) = page.find("script", id=name).children
    assert isinstance(text, str)
    return json.loads(text)


def without_secrets(element: Element) -> list[Any]:
    """Return all of an element but the tokens that differ with every request, and what is said aloud of a change."""
    return [
        (one.tag, one.attributes, [child for child in one.children if isinstance(child, str)])
        for one in element.walk()
        if one.attributes.get("name") != "csrfmiddlewaretoken" and one.attributes.get("id") != "news"
    ]


def text_at(client: Client, address: str) -> str:
    """Return what is at an address, as it is read."""
    return html.unescape(client.get(address).content.decode())


def pieces_shown(page: Element) -> list[str]:
    """Return the numbers of the pieces of a replay that can be seen."""
    groups = page.find("svg", id="board").find_all("g")
    return [group["data-number"] for group in groups if group.attributes.get("display") != "none"]
