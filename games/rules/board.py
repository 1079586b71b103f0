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
from operator import or_

from games.rules.geometry import Point
from games.rules.placement import MOST_TABLES, Form, PlacementTable, offered_boards, table_for
from games.rules.variants import Variant

#: Copies of one piece in a stock are counted in this number of bits.
_COUNT_BITS = 4
_COUNT = (1 << _COUNT_BITS) - 1

#: The first of a form's steps and the others, then the same of its edge steps and its corner steps; the set of
#: placements of all pieces but its own, and one copy of its piece in a stock. A plain tuple is taken apart quickest.
OfForm = tuple[int, tuple[int, ...], int, tuple[int, ...], int, tuple[int, ...], int, int]


class Masks:
    """The integers that a table's boards need: about 3 MB on 20 x 20, made once.

    By place in the frame: `cover` is the set of placements that cover the cell there, `barred` of those
    that cover a cell beside it, `linked` of those that cover a cell at a corner of it. An integer is as
    long as its highest bit, so these are half as long, on average, as the sets of all others. `of_form`
    holds what a placement of each form asks for.
    """

    def __init__(self, table: PlacementTable) -> None:
        self._table = table
        self.every = (1 << len(table)) - 1
        self.cover = self._covers(table)
        self.barred, self.linked = [0] * len(table.frame), [0] * len(table.frame)
        lattice = table.grid.lattice
        for point in table.grid.points:
            number = table.frame_number(point)
            self.barred[number] = self.covering(lattice.edge_neighbours(point))
            self.linked[number] = self.covering(lattice.corner_neighbours(point))
        without = self._without(table)
        self._of_piece = {piece.name: self.every ^ rest for piece, rest in zip(table.pieces, without, strict=True)}
        self.of_form = [self._of_form(table, form, without) for form in table.forms]

    def covering(self, points: Iterable[Point]) -> int:
        """Return the set of placements that cover at least one of some points on the board or next to it."""
        return reduce(or_, (self.cover[self._table.frame_number(point)] for point in points), 0)

    def of_pieces(self, names: Iterable[str]) -> int:
        """Return the set of placements of these pieces."""
        return reduce(or_, (self._of_piece[name] for name in names), 0)

    def pieces_among(self, mask: int) -> frozenset[str]:
        """Return the names of the pieces that a set of placements places."""
        return frozenset([name for name, placements in self._of_piece.items() if mask & placements])

    @staticmethod
    def _of_form(table: PlacementTable, form: Form, without: list[int]) -> OfForm:
        (cell, *cells), (edge, *edges) = table.steps[form.number], table.edge_steps[form.number]
        corner, *corners = table.corner_steps[form.number]
        piece_bit = 1 << _COUNT_BITS * form.piece
        return cell, tuple(cells), edge, tuple(edges), corner, tuple(corners), without[form.piece], piece_bit

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
        base = table.base_of[placement_id]
        cell, cells, edge, edges, corner, corners, without, piece_bit = masks.of_form[table.form_of[placement_id]]
        cover, barred, linked = masks.cover, masks.barred, masks.linked
        after = _blank(Board)
        after.table, after.masks, after.stock = table, masks, self.stock
        after.unbarred = unbarred = [*self.unbarred]
        after.reached = reached = [*self.reached]
        after.left = left = [*self.left]
        lost = cover[base + cell]
        for step in cells:
            lost |= cover[base + step]
        open_ = self.open
        after.open = open_ ^ (open_ & lost)
        lost = barred[base + edge]
        for step in edges:
            lost |= barred[base + step]
        gained = linked[base + corner]
        for step in corners:
            gained |= linked[base + step]
        mine, mask = left[colour], unbarred[colour]
        mask ^= mask & lost
        reached[colour] = gained if mine == self.stock else reached[colour] | gained
        left[colour] = mine = mine - piece_bit
        unbarred[colour] = mask if mine & piece_bit * _COUNT else mask & without
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
        return self.reached[colour] & self.open & self.unbarred[colour]

    def legal_ids(self, colour: int) -> tuple[int, ...]:
        """Return the ids of the colour's legal placements, ascending."""
        return ids_of(self.legal_mask(colour))

    def nth_legal_id(self, colour: int, number: int) -> int:
        """Return the id that has `number` smaller legal ones; there must be one."""
        return nth_id(self.legal_mask(colour), number)

    def pick_legal_id(self, colour: int, fraction: float) -> int | None:
        """Return the legal id at a fraction, from 0 to below 1, of all; None if there is none."""
        mask = self.legal_mask(colour)
        return id_at(mask, fraction) if mask else None

    def is_legal(self, colour: int, placement_id: int) -> bool:
        """Return whether the colour may place that."""
        bit = 1 << placement_id
        return bool(self.reached[colour] & bit and self.open & bit and self.unbarred[colour] & bit)

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
    covering = masks.covering(points[cell] for cell in variant.start_cells[colour])
    openers = variant.openers.get(colour)
    return covering & masks.of_pieces(openers) if openers else covering


#: The bits set in each byte.
_BITS = [tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256)]

#: Splits bytes into runs of bytes and, between them, runs of zeros; a few zeros are not worth a run of their own.
_split_at_zeros = re.compile(rb"(\0{4,})").split


def ids_of(mask: int) -> tuple[int, ...]:
    """Return the ids in a set, ascending.

    Sets are sparse and their ids lie close together, so the cost is skipping long runs of zero bytes,
    which the regular expression does in C.
    """
    ids: list[int] = []
    number, are_zeros = 0, True
    for run in _split_at_zeros(mask.to_bytes((mask.bit_length() >> 3) + 1, "little")):
        are_zeros = not are_zeros
        if are_zeros:
            number += len(run) << 3
        else:
            for byte in run:
                for bit in _BITS[byte]:
                    ids.append(number + bit)
                number += 8
    return tuple(ids)


#: The halvings of 2**20 ids: the width of the lower half and its mask, down to 64 ids.
_ALL_HALVES = [(1 << n, (1 << (1 << n)) - 1) for n in range(19, 5, -1)]

#: By k: those of 2**k ids, at least one.
_HALVES = [_ALL_HALVES[min(20 - k, 13) :] for k in range(21)]

#: Up to this number of ids, taking them away one by one is faster than halving.
_FEW = 4


def _halves_of(mask: int) -> list[tuple[int, int]]:
    """Return the halvings of a set, which has at most 2**20 ids."""
    return _HALVES[(mask.bit_length() - 1).bit_length()]


def id_at(mask: int, fraction: float) -> int:
    """Return the id at a fraction, from 0 to below 1, of a set that is not empty.

    Counting bits is what costs, so the halves are counted, and the count of the lower one is used twice.
    """
    width, lower = _halves_of(mask)[0]
    low, high = mask & lower, mask >> width
    fewer = low.bit_count()
    number = int(fraction * (fewer + high.bit_count()))
    return nth_id(low, number) if number < fewer else width + nth_id(high, number - fewer)


def nth_id(mask: int, number: int) -> int:
    """Return the id in a set that has `number` smaller ones in it.

    Halves the set over and over, which costs much less than listing it.
    """
    offset = 0
    for width, lower in _halves_of(mask):
        if number < _FEW:
            break
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
