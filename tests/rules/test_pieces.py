"""The 21 pieces are the free polyominoes, no more, no fewer, and none of them drawn wrongly."""

from collections import Counter

import pytest

from games.rules import VARIANTS
from games.rules.pieces import Piece
from tests.rules.reference import forms, free, free_polyominoes

PIECES = VARIANTS["blockyou-4"].pieces

#: Each piece as it is usually drawn, the top row first.
PICTURES = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "#./##",
    "I4": "####",
    "L4": "..#/###",
    "O": "##/##",
    "T4": ".#./###",
    "Z4": "##./.##",
    "F": ".##/##./.#.",
    "I5": "#####",
    "L5": "...#/####",
    "N": "..##/###.",
    "P": "##/##/#.",
    "T5": "###/.#./.#.",
    "U": "#.#/###",
    "V5": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": ".#../####",
    "Z5": "##./.#./.##",
}


def drawn(picture: str) -> set[tuple[int, int]]:
    rows = picture.split("/")
    return {(x, -y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"}


def test_the_pieces_are_the_free_polyominoes_of_one_to_five_cells_each_once() -> None:
    grown = [shape for size in range(1, 6) for shape in free_polyominoes(size)]
    assert len(grown) == 21
    assert Counter(free(piece.cells) for piece in PIECES) == Counter(grown)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_each_name_belongs_to_its_shape(piece: Piece) -> None:
    assert free(piece.cells) == free(drawn(PICTURES[piece.name]))


def test_they_are_listed_smallest_first_in_the_order_of_the_rules() -> None:
    assert [piece.name for piece in PIECES] == list(PICTURES)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_a_piece_has_every_turned_and_flipped_form_once(piece: Piece) -> None:
    assert len(piece.orientations) == len(set(piece.orientations))
    assert {frozenset(form) for form in piece.orientations} == forms(piece.cells)
    assert piece.orientations[0] == piece.cells


def test_there_are_91_orientations() -> None:
    assert sum(len(piece.orientations) for piece in PIECES) == 91
    assert Counter(len(piece.orientations) for piece in PIECES) == {1: 3, 2: 4, 4: 8, 8: 6}


def test_pieces_of_each_size_and_their_cells() -> None:
    assert Counter(piece.size for piece in PIECES) == {1: 1, 2: 1, 3: 2, 4: 5, 5: 12}
    assert sum(piece.size for piece in PIECES) == 89


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.name)
def test_four_quarter_turns_and_two_flips_lead_back(piece: Piece) -> None:
    for start in range(len(piece.orientations)):
        turned = start
        for _ in range(4):
            turned = piece.turns[turned]
        assert turned == piece.flips[piece.flips[start]] == start


def test_a_turn_is_clockwise_and_a_flip_mirrors_left_to_right() -> None:
    piece = next(piece for piece in PIECES if piece.name == "L4")
    assert piece.cells == ((0, 0), (1, 0), (0, 1), (0, 2))
    assert piece.orientations[piece.turns[0]] == ((0, 0), (0, 1), (1, 1), (2, 1))
    assert piece.orientations[piece.flips[0]] == ((0, 0), (1, 0), (1, 1), (1, 2))
