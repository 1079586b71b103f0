"""From `.blksgf` to a game: the first game of a file with its variations, every turn checked by the rules."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from games.rules.errors import (
    IllegalPlacement,
    IllegalRecord,
    UnknownVariant,
    UnreadablePlacement,
    UnreadableRecord,
)
from games.rules.placement import Placement, PlacementTable, table_for
from games.rules.position import Position
from games.rules.record import Record, format_turn
from games.rules.records import dialect
from games.rules.records.comments import clean_lines
from games.rules.records.game import LONGEST_NAME, GameRecord, clean_line, most_placed, seat_signs
from games.rules.records.sgf import Node, Source, Value, read_sgf
from games.rules.records.variations import MOST_VARIED, VariationPlace, VariationTree
from games.rules.variants import Variant, get_variant, named_id

#: No file sets up, and clears, more than this many times.
MOST_SETUP = 1_000

# Not possessive (`)*+`): Python before 3.11.5 takes the comma before what is no cell, too (python/cpython#106052).
_CELLS = re.compile(r"[A-Za-z]{1,2}[1-9][0-9]?(?:,[A-Za-z]{1,2}[1-9][0-9]?)*")


def read_blksgf(text: str) -> GameRecord:
    """Return the game in a text of the dialect.

    Raises:
        UnreadableFile: it is none; with line and column.
        IllegalRecord: its game breaks the rules.
        UnreadableRecord: a text in it is too long.

    """
    source = Source(text)
    root = read_sgf(source)
    file = _File(source, _variant(source, root))
    line = list(_main_line(root))
    setup = _Setup(file, line)
    play, waiting = _Play(file, setup.start()), list[_Beginning]()
    for number, node in enumerate(line):
        play.add(node)
        if number >= setup.last:
            waiting += [_Beginning(child, play.position, play.place) for child in node.children[1:]]
    play.end()
    beside = _Beside(file, VariationTree(play.moves), setup.names)
    beside.play(waiting)
    return GameRecord(
        replace(setup.game.record, moves=tuple(play.moves)),
        setup.game.placed,
        setup.game.to_play,
        {number: "\n\n".join(texts) for number, texts in play.comments.items()},
        tuple(file.text(root, f"P{sign}") for sign in seat_signs(file.variant.seats)),
        # For what follows the format has no place.
        thoughts={},
        opened="",
        started="",
        ended="",
        played={},
        pauses=(),
        days=(),
        holidays=(),
        taken_back=(),
        bots={},
        given=0,
        varied=beside.tree.turns(),
        **{name: file.text(root, there) for name, there in dialect.DETAIL_NAMES.items()},
    )


def _main_line(node: Node) -> Iterator[Node]:
    """Yield a node and the first of those that follow each."""
    yield node
    while node.children:
        node = node.children[0]
        yield node


def _variant(source: Source, root: Node) -> Variant:
    known = ", ".join(dialect.GAMES)
    values = root.properties.get("GM")
    if not values:
        raise source.refusal(root.offset, "the property GM with one of %(names)s", names=known)
    name = dialect.GAMES.get(values[0].text)
    if name is None:
        raise source.refusal(values[0].offset, "one of %(names)s", names=known)
    openers = root.properties.get(dialect.OPENERS)
    if not openers:
        return get_variant(name)
    try:
        return get_variant(named_id(name, openers[0].text.split(",")))
    except UnknownVariant:
        raise source.refusal(openers[0].offset, "the piece that each seat opens with, such as N,W") from None


class _File:
    """What values mean for one variant."""

    def __init__(self, source: Source, variant: Variant) -> None:
        self.source = source
        self.variant = variant
        self.table: PlacementTable = table_for(variant)

    def one(self, node: Node, name: str) -> Value | None:
        """Return the value of a property that has one at most."""
        values = node.properties.get(name, [])
        if len(values) > 1:
            raise self.source.refusal(values[1].offset, "only one value of %(name)s", name=name)
        return values[0] if values else None

    def text(self, node: Node, name: str) -> str:
        """Return what a property says, cleaned; nothing where it is not there."""
        value = self.one(node, name)
        return clean_lines(value.text) if value else ""

    def chosen(self, value: Value, choice: Mapping[str, str]) -> str:
        """Return what a value means that is one of a few."""
        if value.text not in choice:
            raise self.source.refusal(value.offset, "one of %(names)s", names=", ".join(choice))
        return choice[value.text]

    def placement(self, values: list[Value]) -> Placement:
        """Return what covers the cells of all of the values."""
        for value in values:
            found = _CELLS.match(value.raw)
            if found is None or found.end() < len(value.raw):
                at = value.offset + (found.end() if found else 0)
                raise self.source.refusal(at, "cells such as a1,b1,a2, without spaces")
        try:
            return self.table.parse(",".join(value.raw for value in values))
        except UnreadablePlacement as error:
            at, what = values[0].offset + error.place, error.what
            raise self.source.refusal(at, what.text, **what.values) from None

    def illegal(self, number: int, offset: int, refusal: IllegalPlacement) -> IllegalRecord:
        """Return the error that something is against the rules."""
        return IllegalRecord(number, self.source.where(offset), refusal)


class _Laid(NamedTuple):
    """Something that is set up: the number of its colour, how many values were read before, its place and text."""

    colour: int
    number: int
    offset: int
    text: str


class _Setup:
    """What lies there before the first turn; several nodes may tell it."""

    def __init__(self, file: _File, line: list[Node]) -> None:
        self._file = file
        self._names = dialect.setup_names(file.variant)
        self._players = dialect.to_play_names(file.variant)
        self._lying: dict[Placement, list[_Laid]] = {}
        self._lying_count = self._read_count = 0
        self._to_play: str | None = None
        #: What sets something up, and the number of the last node of the line that does so.
        self.names = {*self._names, dialect.CLEARED, dialect.TO_PLAY}
        self.last = 0
        self._gather(line)
        record = Record(file.variant.id, (), None, self._scoring(line[0]))
        laid = sorted(chain.from_iterable(self._lying.values()))
        self._offsets = [one.offset for one in laid]
        placed = tuple((file.variant.colours[one.colour], one.text) for one in laid)
        self.game = GameRecord(record, placed, self._to_play)

    def start(self) -> Position:
        """Return the position before the first turn."""
        try:
            return self.game.start()
        except IllegalPlacement as refusal:
            raise self._file.illegal(0, self._offsets[refusal.entry or 0], refusal) from None

    def _gather(self, line: list[Node]) -> None:
        turns = {*dialect.move_names(self._file.variant), dialect.RETIRES, dialect.PASSES}
        has_begun = False
        for number, node in enumerate(line):
            if not self.names.isdisjoint(node.properties):
                if has_begun:
                    raise self._file.source.refusal(node.offset, "no set-up after the first turn")
                self._add(node)
                self.last = number
            has_begun = has_begun or not turns.isdisjoint(node.properties)

    def _add(self, node: Node) -> None:
        for name, colour in self._names.items():
            for value in node.properties.get(name, []):
                if self._lying_count == most_placed(self._file.variant):
                    raise self._file.source.refusal(value.offset, "no more pieces than there are")
                self._lay(self._file.variant.colour_number(colour), value)
        for value in node.properties.get(dialect.CLEARED, []):
            self._clear(value)
        player = self._file.one(node, dialect.TO_PLAY)
        if player:
            self._to_play = self._file.chosen(player, self._players)

    def _lay(self, colour: int, value: Value) -> None:
        placement = self._placement(value)
        laid = _Laid(colour, self._read_count, value.offset, str(placement))
        self._lying.setdefault(placement, []).append(laid)
        self._lying_count += 1

    def _clear(self, value: Value) -> None:
        gone = self._lying.pop(self._placement(value), [])
        if not gone:
            raise self._file.source.refusal(value.offset, "the cells of a piece that lies there")
        self._lying_count -= len(gone)

    def _placement(self, value: Value) -> Placement:
        """Return what one value sets up or clears."""
        self._read_count += 1
        if self._read_count > MOST_SETUP:
            expected = "no more than %(most)d placements to be set up and cleared"
            raise self._file.source.refusal(value.offset, expected, most=MOST_SETUP)
        return self._file.placement([value])

    def _scoring(self, root: Node) -> str | None:
        value, ways = self._file.one(root, dialect.SCORING), self._file.variant.scorings
        return self._file.chosen(value, dict(zip(ways, ways, strict=True))) if value else None


class _Play:
    """Plays the turns of the nodes. Passes that the rules require are put in between, and at the end."""

    def __init__(self, file: _File, start: Position) -> None:
        self._file = file
        self.position = start
        self._colours = dialect.move_names(file.variant)
        self._passing = {dialect.colour_sign(file.variant, colour): colour for colour in file.variant.colours}
        self._seats = {sign: str(seat) for seat, sign in enumerate(seat_signs(file.variant.seats))}
        self.moves: list[str] = []
        self.comments: dict[int, list[str]] = {}

    def add(self, node: Node) -> None:
        """Play the turn of a node, if it has one, and keep what is written there."""
        turns = [name for name in node.properties if name in self._colours or name in {dialect.RETIRES, dialect.PASSES}]
        if len(turns) > 1:
            raise self._file.source.refusal(node.properties[turns[1]][0].offset, "only one turn in a node")
        for name in turns:
            try:
                self._play(node, name)
            except IllegalPlacement as refusal:
                offset = node.properties[name][0].offset
                raise self._file.illegal(self.place.after + 1, offset, refusal) from None
        comment = self._file.text(node, "C")
        if comment:
            self._write(comment)

    @property
    def place(self) -> VariationPlace:
        """Return where in the game the last turn has led."""
        return VariationPlace(0, len(self.moves))

    def end(self) -> None:
        """Pass for every colour that has to after the last turn."""
        while not self.position.is_over and not self.position.has_legal():
            self._go(self.position.pass_turn())

    def _play(self, node: Node, name: str) -> None:
        values = node.properties[name]
        if name in self._colours:
            placement = self._file.placement(values)
            self._wait_for(self._colours[name])
            self._go(self.position.play(placement))
        elif name == dialect.PASSES:
            self._wait_for(self._file.chosen(values[0], self._passing))
            self._go(self.position.pass_turn())
        else:
            self._go(self.position.retire(int(self._file.chosen(values[0], self._seats))))

    def _wait_for(self, colour: str) -> None:
        while self.position.colour not in {colour, None}:
            self._go(self.position.pass_turn())

    def _go(self, position: Position) -> None:
        self.moves.append(format_turn(position.history[-1]))
        self.position = position

    def _write(self, comment: str) -> None:
        self.comments.setdefault(len(self.moves), []).append(comment)


class _Beginning(NamedTuple):
    """A node of a variation, and where it begins."""

    node: Node
    position: Position
    place: VariationPlace


class _Beside(_Play):
    """Plays the turns of variations, each from where it begins, without recursion.

    A variation that sets something up is another game, and is left out.
    """

    def __init__(self, file: _File, tree: VariationTree, setup: set[str]) -> None:
        super().__init__(file, Position.start(file.variant))
        self.tree, self._at, self._setup, self._count = tree, VariationPlace(0, 0), setup, 0

    def play(self, waiting: list[_Beginning]) -> None:
        """Play these variations and all that branch off from them, in the order in which they are written."""
        waiting = waiting[::-1]
        while waiting:
            node, self.position, self._at = waiting.pop()
            if self._setup.isdisjoint(node.properties):
                self.add(node)
                if self._at.number:
                    self.tree.call(self._at.number, clean_line(self._file.text(node, "N"))[:LONGEST_NAME])
                waiting += [_Beginning(child, self.position, self._at) for child in node.children[::-1]]

    @property
    def place(self) -> VariationPlace:
        """Return where the last turn has led."""
        return self._at

    def _go(self, position: Position) -> None:
        # Turns that are there already are played too: a file may say the same again and again.
        self._count += 1
        if self._count > MOST_VARIED:
            raise UnreadableRecord("The variations have more than %(most)d moves in total.", most=MOST_VARIED)
        self._at = self.tree.follow(self._at, format_turn(position.history[-1]))
        self.position = position

    def _write(self, comment: str) -> None:
        if self._at.number:
            self.tree.write(self._at.number, comment)
