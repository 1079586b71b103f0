"""The engine: which placements are open to which colour, as sets of placement ids in big integers.

Bit i of an integer stands for the placement with id i. A board keeps

- `open`: the placements that cover no occupied cell (one integer for all colours),
- `unbarred`: for each colour, the placements that touch no own edge and whose piece is in stock,
- `reached`: for each colour, the placements that cover a cell at an own corner; before its first, those
  of the pieces it may open with that cover a start cell.

A placement is legal for a colour exactly when its bit is set in all three. Placing something clears
and sets the bits of a few cells and their neighbours, whose integers the masks below hold ready.
Nothing here knows whose turn it is.

Rule: R3 and R4 (`reached`), R5 and R1 (`unbarred`), R6 (`open`)
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache, reduce
from operator import and_, or_

from games.rules.geometry import Point
from games.rules.placement import MOST_TABLES, PlacementTable, offered_boards, table_for
from games.rules.variants import Variant

#: Copies of one piece in a stock are counted in so many bits.
_COUNT_BITS = 4
_COUNT = (1 << _COUNT_BITS) - 1


class Masks:
    """The integers that a table's boards need: about 5 MB on 20 x 20, made once.

    By place in the frame: `keep` is the set of placements that do not cover the cell there, `apart`
    of those that cover no cell beside it, `linked` of those that cover a cell at a corner of it. By
    form: `without` is the set of placements of all pieces but its own, and `piece_bits` one copy of
    that piece in a colour's stock.
    """

    def __init__(self, table: PlacementTable) -> None:
        self._table = table
        self.every = (1 << len(table)) - 1
        self.keep = [self.every ^ cover if cover else self.every for cover in self._covers(table)]
        self.apart, self.linked = [0] * len(table.frame), [0] * len(table.frame)
        lattice = table.grid.lattice
        for point in table.grid.points:
            place = table.place(point)
            self.apart[place] = self.sparing(lattice.edge_neighbours(point))
            self.linked[place] = self.every ^ self.sparing(lattice.corner_neighbours(point))
        without = self._without(table)
        self.without = [without[form.piece] for form in table.forms]
        self._of_piece = {piece.name: self.every ^ rest for piece, rest in zip(table.pieces, without, strict=True)}
        self.piece_bits = [1 << _COUNT_BITS * form.piece for form in table.forms]

    def sparing(self, points: Iterable[Point]) -> int:
        """Return the set of placements that cover none of some points on the board or next to it."""
        return reduce(and_, (self.keep[self._table.place(point)] for point in points))

    def of_pieces(self, names: Iterable[str]) -> int:
        """Return the set of placements of these pieces."""
        return reduce(or_, (self._of_piece[name] for name in names), 0)

    @staticmethod
    def _covers(table: PlacementTable) -> list[int]:
        """Return by place the set of placements that cover the cell there, empty beyond the board."""
        rows = [bytearray(len(table) // 8 + 1) for _ in table.frame]
        for number, (form, base) in enumerate(zip(table.form_of, table.base_of, strict=True)):
            byte, bit = number >> 3, 1 << (number & 7)
            for step in table.steps[form]:
                rows[base + step][byte] |= bit
        return [int.from_bytes(row, "little") for row in rows]

    def _without(self, table: PlacementTable) -> list[int]:
        """Return by piece the set of placements of all others."""
        rows = [bytearray(len(table) // 8 + 1) for _ in table.pieces]
        for number, form in enumerate(table.form_of):
            rows[table.forms[form].piece][number >> 3] |= 1 << (number & 7)
        return [self.every ^ int.from_bytes(row, "little") for row in rows]


def _masks(table: PlacementTable) -> Masks:
    """Return the masks of a table, kept as long as the table itself would be."""
    return _kept(table) if (table.grid, table.pieces) in offered_boards() else _sized(table)


_kept = cache(Masks)
_sized = lru_cache(maxsize=MOST_TABLES)(Masks)


class Board:
    """Occupied cells, stocks and the placements left to each colour; never changed once made.

    `left` counts each colour's copies of each piece, in groups of bits of one small integer; `stock` is
    that number before the first placement.
    """

    __slots__ = ("left", "masks", "open", "reached", "stock", "table", "unbarred")

    table: PlacementTable
    masks: Masks
    open: int
    unbarred: list[int]
    reached: list[int]
    left: list[int]
    stock: int

    @classmethod
    def start(cls, variant: Variant, colours: Iterable[int]) -> "Board":
        """Return the empty board, with a stock for each of those colours and none for the others."""
        board = cls.__new__(cls)
        board.table = table_for(variant)
        board.masks = masks = _masks(board.table)
        present = set(colours)
        names = [piece.name for piece in variant.pieces]
        number_of = board.table.piece_number
        board.stock = stock = sum(variant.copies << _COUNT_BITS * number_of[name] for name in names)
        numbers = range(len(variant.colours))
        board.open = masks.every
        held = masks.of_pieces(names)
        board.unbarred = [held if number in present else 0 for number in numbers]
        board.left = [stock if number in present else 0 for number in numbers]
        board.reached = [_openings(masks, variant, colour) for colour in variant.colours]
        return board

    def place(self, colour: int, placement_id: int) -> "Board":
        """Return the board after that colour has placed that; whether it may is not checked."""
        table, masks = self.table, self.masks
        form, base = table.form_of[placement_id], table.base_of[placement_id]
        keep, apart, linked = masks.keep, masks.apart, masks.linked
        after = _blank(Board)
        after.table, after.masks, after.stock = table, masks, self.stock
        open_, unbarred, reached, left = self.open, [*self.unbarred], [*self.reached], [*self.left]
        for step in table.steps[form]:
            open_ &= keep[base + step]
        mask = unbarred[colour]
        for step in table.edge_steps[form]:
            mask &= apart[base + step]
        piece_bit = masks.piece_bits[form]
        is_first = left[colour] == self.stock
        left[colour] -= piece_bit
        if not left[colour] & piece_bit * _COUNT:
            mask &= masks.without[form]
        unbarred[colour] = mask
        mask = 0 if is_first else reached[colour]
        for step in table.corner_steps[form]:
            mask |= linked[base + step]
        reached[colour] = mask
        after.open, after.unbarred, after.reached, after.left = open_, unbarred, reached, left
        return after

    def withdraw(self, colours: Iterable[int]) -> "Board":
        """Return the board on which those colours have nothing left to place; their cells stand."""
        gone = set(colours)
        after = _blank(Board)
        after.table, after.masks, after.stock, after.open = self.table, self.masks, self.stock, self.open
        after.unbarred = [0 if n in gone else mask for n, mask in enumerate(self.unbarred)]
        after.reached, after.left = self.reached, self.left
        return after

    def legal_mask(self, colour: int) -> int:
        """Return the set of the colour's legal placements."""
        return self.open & self.unbarred[colour] & self.reached[colour]

    def legal_ids(self, colour: int) -> tuple[int, ...]:
        """Return the ids of the colour's legal placements, ascending."""
        return ids_of(self.legal_mask(colour))

    def nth_legal_id(self, colour: int, number: int) -> int:
        """Return the id that has `number` smaller legal ones; there must be one."""
        return nth_id(self.legal_mask(colour), number)

    def pick_legal_id(self, colour: int, fraction: float) -> int | None:
        """Return the legal id at a fraction, from 0 to below 1, of all; None if there is none."""
        mask = self.legal_mask(colour)
        return nth_id(mask, int(fraction * mask.bit_count())) if mask else None

    def is_legal(self, colour: int, placement_id: int) -> bool:
        """Return whether the colour may place that."""
        bit = 1 << placement_id
        return bool(self.open & bit and self.unbarred[colour] & bit and self.reached[colour] & bit)

    def left_of(self, colour: int) -> tuple[int, ...]:
        """Return how many copies of each of the table's pieces the colour still holds."""
        left = self.left[colour]
        return tuple(left >> _COUNT_BITS * n & _COUNT for n in range(len(self.table.pieces)))


_blank = object.__new__


def _openings(masks: Masks, variant: Variant, colour: str) -> int:
    """Return the set of placements that a colour may open with.

    Rule: R3
    """
    points = variant.grid.points
    covering = masks.every ^ masks.sparing(points[cell] for cell in variant.start_cells[colour])
    openers = variant.openers.get(colour)
    return covering & masks.of_pieces(openers) if openers else covering


#: The bits set in each byte.
_BITS = [tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]

#: Splits bytes into runs without a zero and, between them, runs of zeros.
_split_at_zeros = re.compile(rb"(\0+)").split

#: A halving of up to 2**20 ids: the width of the lower half and its mask, down to 64 ids.
_HALVES = [(1 << n, (1 << (1 << n)) - 1) for n in range(19, 5, -1)]


def ids_of(mask: int) -> tuple[int, ...]:
    """Return the ids in a set, ascending.

    Sets are sparse and their ids lie close together, so the cost is skipping long runs of zero bytes,
    which the regular expression does in C.
    """
    ids: list[int] = []
    add, bits, number = ids.append, _BITS, 0
    parts = iter(_split_at_zeros(mask.to_bytes(mask.bit_length() // 8 + 1, "little") + b"\0"))
    for run, zeros in zip(parts, parts, strict=False):
        for byte in run:
            for bit in bits[byte]:
                add(number + bit)
            number += 8
        number += 8 * len(zeros)
    return tuple(ids)


def nth_id(mask: int, number: int) -> int:
    """Return the id in a set that has `number` smaller ones in it; at most 2**20 ids.

    Halves the set over and over, which costs much less than listing it.
    """
    offset, bits = 0, mask.bit_length()
    for width, lower in _HALVES:
        if width < bits:
            low = mask & lower
            count = low.bit_count()
            if number < count:
                mask = low
            else:
                mask >>= width
                number -= count
                offset += width
    for _ in range(number):
        mask &= mask - 1
    return offset + (mask & -mask).bit_length() - 1
