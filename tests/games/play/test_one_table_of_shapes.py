"""Shapes come from one table: whatever shows a piece gets it from `games.rules.pieces`."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from games.drawing import outline, svg
from games.pages.board.board_data import shapes_json
from games.pages.guide.rules import sections
from games.rules import VARIANTS
from games.rules.pieces import POLYOMINOES, Piece, polyiamonds
from games.rules.variants import Variant
from games.words import boards

ROOT = Path(__file__).parents[3]
#: Names that mean a shape and nothing else.
NAMES = re.compile(r"""["'](I3|V3|I4|L4|T4|Z4|I5|L5|T5|V5|Z5|A4|C4|C5|P5|A6|I6|L6|P6)["']""")


def table(variant: Variant) -> dict[str, Piece]:
    """Return the rules' pieces on the variant's lattice, by name."""
    lattice = variant.grid.lattice
    pieces = polyiamonds(lattice) if lattice.margin == (2, 1) else POLYOMINOES
    return {piece.name: piece for piece in pieces}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
def test_a_stock_holds_pieces_of_the_table(variant: Variant) -> None:
    assert all(piece == table(variant)[piece.name] for piece in variant.pieces)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
def test_the_page_has_the_tables_forms_as_far_as_they_are_in_stock(variant: Variant) -> None:
    found = json.loads(shapes_json(variant.id))["pieces"]
    assert list(found) == [piece.name for piece in variant.pieces]
    for name, data in found.items():
        forms = [{(x + lean, y) for x, y in form} for form, lean in zip(data["forms"], data["lean"], strict=True)]
        assert forms == [set(form) for form in table(variant)[name].orientations]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=str)
def test_an_icon_is_the_outline_of_a_form_of_the_table(variant: Variant) -> None:
    for name, icon in svg.icons(variant.id).items():
        paths = {
            outline.piece_path(form, max(y for _x, y in form) + 1, variant.grid.lattice)
            for form in table(variant)[name].orientations
        }
        assert icon.path in paths


def test_the_page_of_rules_shows_icons_and_positions_alone(db: None) -> None:
    for section in sections():
        kinds = [kind for kind in VARIANTS.values() if boards.board_key(kind.id) == section.key]
        assert set(section.pieces) <= {icon for kind in kinds for icon in svg.icons(kind.id).values()}
    assert Client().get("/rules/").status_code == 200


def test_no_other_file_lists_pieces() -> None:
    """A second table would have to name them."""
    files = [
        path
        for folder in ("games", "accounts", "blockyou", "templates", "static")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".js", ".html", ".svg"} and "rules" not in path.parts[len(ROOT.parts) + 1 : -1]
    ]
    assert len(files) > 100
    listing = {path.name: set(NAMES.findall(path.read_text("utf-8"))) for path in files}
    assert {name: found for name, found in listing.items() if len(found) > 3} == {}
