"""The Smart Game Format, FF[4]: trees of nodes with properties. What the properties mean is not known here.

Reading goes through the text once, without recursion. `Source` remembers the text, so that every refusal
can tell its line and column.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from games.rules.errors import Phrase, UnreadableFile, UnreadableRecord, shown

#: No file is longer, in bytes or characters; no more nodes and values, and no longer value, are read.
LONGEST_FILE = 2**20
MOST_SGF_NODES = 20_000
MOST_VALUES = 40_000
LONGEST_VALUE = 2**16

_SPACE = re.compile(r"\s*+")
_NAME = re.compile(r"[A-Z0-9]{1,32}+")
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)


class Value(NamedTuple):
    """The value of a property as it stands in the file, and the offset of its first character."""

    raw: str
    offset: int

    @property
    def text(self) -> str:
        """Return the value without its escapes."""
        # Split at escaped backslashes, so that each that is left escapes what comes after it.
        parts = self.raw.split("\\\\")
        return "\\".join(part.replace("\\\n", "").replace("\\", "") for part in parts)


@dataclass(slots=True)
class Node:
    """A node: the values of each property by its name, and what may follow, the main line first."""

    offset: int
    properties: dict[str, list[Value]] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)


@dataclass(frozen=True)
class Source:
    """A text that is read, and how its places are called."""

    text: str

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return the line and the column, from 1, of an offset."""
        return self.text.count("\n", 0, offset) + 1, offset - self.text.rfind("\n", 0, offset)

    def where(self, offset: int) -> Phrase:
        """Return a place as a sentence begins with it."""
        line, column = self.line_and_column(offset)
        return Phrase("Line %(line)d, column %(column)d", {"line": line, "column": column})

    def refusal(self, offset: int, expected: str, /, **values: object) -> UnreadableFile:
        """Return the error that something else was expected at an offset."""
        return UnreadableFile(*self.line_and_column(offset), Phrase(expected, values))


def decoded(data: bytes | str) -> str:
    """Return the text of a file, its lines ended by newlines, without a byte order mark.

    Raises:
        UnreadableRecord: it is too long, or no UTF-8.

    """
    if len(data) > LONGEST_FILE:
        raise UnreadableRecord("The file is longer than %(most)d MiB.", most=LONGEST_FILE // 2**20)
    if isinstance(data, str):
        return _plain(data)
    try:
        return _plain(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = Source(_plain(data[: error.start].decode("utf-8")))
        raise before.refusal(len(before.text), "text in UTF-8") from None


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def read_sgf(source: Source) -> Node:
    """Return the first node of the first game of a collection. All of the text has to be well formed.

    Raises:
        UnreadableFile: it is not, or has more than is read.

    """
    return _Reader(source).read()


class _Reader:
    """Walks through a text from left to right; `_open` are the nodes to which open brackets return."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._at = 0
        self._nodes = 0
        self._values_read = 0
        self._games: list[Node] = []
        self._open: list[Node | None] = []
        self._last: Node | None = None

    def read(self) -> Node:
        self._skip()
        while self._at < len(self._source.text):
            self._step(self._source.text[self._at])
            self._skip()
        if self._open:
            raise self._refusal("a node, a variation or a closing bracket, but the file ends")
        if not self._games:
            raise self._refusal("an opening bracket: there is no game")
        return self._games[0]

    def _step(self, mark: str) -> None:
        if mark == "(":
            self._begin()
        elif mark == ";" and self._open:
            self._node()
        elif mark == ")" and self._open:
            self._at += 1
            self._last = self._open.pop()
        else:
            inside = Phrase("a node, a variation or a closing bracket")
            expected = inside if self._open else Phrase("an opening bracket or the end")
            raise self._refusal("%(what)s, not %(found)s", what=expected, found=shown(mark))

    def _begin(self) -> None:
        """Open a game or a variation, with its first node."""
        self._at += 1
        self._open.append(self._last)
        self._skip()
        if not self._source.text.startswith(";", self._at):
            raise self._refusal("a semicolon: a game or a variation begins with a node")
        self._node()

    def _node(self) -> None:
        self._nodes += 1
        if self._nodes > MOST_SGF_NODES:
            raise self._refusal("the end: no more than %(most)d nodes are read", most=MOST_SGF_NODES)
        node = Node(self._at)
        (self._games if self._last is None else self._last.children).append(node)
        self._last = node
        self._at += 1
        self._skip()
        while name := _NAME.match(self._source.text, self._at):
            self._at = name.end()
            node.properties.setdefault(name[0], []).extend(self._values())

    def _values(self) -> list[Value]:
        """Return the values of a property, at least one."""
        values: list[Value] = []
        self._skip()
        while found := _VALUE.match(self._source.text, self._at):
            if len(found[1]) > LONGEST_VALUE:
                raise self._refusal("a value of at most %(most)d characters", most=LONGEST_VALUE)
            self._values_read += 1
            if self._values_read > MOST_VALUES:
                raise self._refusal("the end: no more than %(most)d values are read", most=MOST_VALUES)
            values.append(Value(found[1], found.start(1)))
            self._at = found.end()
            self._skip()
        if self._source.text.startswith("[", self._at):
            raise self._refusal("a value with its closing square bracket")
        if not values:
            raise self._refusal("a value in square brackets")
        return values

    def _skip(self) -> None:
        found = _SPACE.match(self._source.text, self._at)
        self._at = found.end() if found else self._at

    def _refusal(self, expected: str, /, **values: object) -> UnreadableFile:
        return self._source.refusal(self._at, expected, **values)


def written(name: str, values: Iterable[str]) -> str:
    """Return a property as text; nothing where there is no value to tell."""
    told = ["[" + re.sub(r"([\]\\])", r"\\\1", value) + "]" for value in values if value]
    return name + "".join(told) if told else ""
