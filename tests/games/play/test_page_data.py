"""The data in the page says exactly what the rules say: no more, no less, whatever the position."""

import json
import random
import re
from collections.abc import Iterator

import pytest

from games.queries import outline
from games.queries.position import Sight, checks, legal_data, script_json, shapes_json
from games.rules import VARIANTS, IllegalPlacement, Placement, Position

SETUPS = [
    ("blockyou-4", None),
    ("blockyou-3", ("red", "green", "blue")),
    ("blockyou-2", None),
]


def positions(seed: int, variant: str, colours: tuple[str, ...] | None) -> Iterator[Position]:
    """Yield every position of a game played by chance."""
    rng = random.Random(seed)
    position = Position.start(variant, colours=colours)
    while not position.is_over:
        yield position
        legal = position.legal_placements()
        position = position.play(rng.choice(legal)) if legal else position.pass_turn()


def named(position: Position, colour: str) -> set[str]:
    """Return the colour's legal placements as the page's script would name them from the page's data alone."""
    shapes = json.loads(shapes_json(position.variant.id))
    found = set()
    for piece, forms in legal_data(position, colour).items():
        for form, distances in forms.items():
            anchor = 0
            for distance in distances:
                anchor += distance
                x, y = anchor % shapes["width"], anchor // shapes["width"]
                cells = [(x + dx, y + dy) for dx, dy in shapes["pieces"][piece]["forms"][form]]
                found.add(f"{piece}:" + ",".join(f"{shapes['columns'][x]}{y + 1}" for x, y in cells))
    return found


@pytest.mark.parametrize(("variant", "colours"), SETUPS)
def test_the_legal_placements_of_the_page_are_those_of_the_rules(variant: str, colours: tuple[str, ...] | None) -> None:
    for position in positions(1, variant, colours):
        for colour in position.colours_in_play:
            assert named(position, colour) == {str(placement) for placement in position.legal_placements(colour)}


def cells_of(text: str) -> set[int]:
    number = int(text, 16)
    return {cell for cell in range(number.bit_length()) if number >> cell & 1}


def reasons_by_page(position: Position, colour: str, placement: Placement) -> dict[str, set[int]]:
    """Return why the page would say a placement does not fit, with the cells it would name."""
    found = {}
    for check in checks(position, Sight.of(position, colour)):
        cells, covered = cells_of(check["cells"]), set(placement.cells)
        if check["wants"] == "none" and cells & covered:
            found[check["code"]] = cells & covered
        if check["wants"] == "some" and not cells & covered:
            found[check["code"]] = cells
    return found


def reasons_by_rules(position: Position, colour: str, placement: Placement) -> dict[str, set[int]]:
    try:
        position.check(placement, colour)
    except IllegalPlacement as illegal:
        return {reason: set(illegal.cells[reason]) for reason in illegal.reasons}
    return {}


def any_placement(position: Position, colour: str, rng: random.Random) -> Placement:
    """Return a piece in stock somewhere on the board, whether it fits or not."""
    name = rng.choice(position.stock(colour))
    piece = next(piece for piece in position.variant.pieces if piece.name == name)
    shape, x, y = rng.choice(piece.orientations), rng.randrange(16), rng.randrange(16)
    return Placement.parse(",".join(f"{chr(97 + x + dx)}{y + dy + 1}" for dx, dy in shape), position.variant)


@pytest.mark.parametrize(("variant", "colours"), SETUPS)
def test_why_not_says_what_the_rules_say(variant: str, colours: tuple[str, ...] | None) -> None:
    rng = random.Random(9)
    for position in positions(2, variant, colours):
        colour = position.colour or ""
        for _ in range(12 if position.stock(colour) else 0):
            placement = any_placement(position, colour, rng)
            page, rules = reasons_by_page(position, colour, placement), reasons_by_rules(position, colour, placement)
            assert bool(page) == bool(rules)
            # The first one is what the page says. Of what follows, it takes a corner beside an own edge for none.
            for code in list(page)[:1]:
                assert code in rules
                assert page[code] <= rules[code] or code == "no-corner-contact"
            assert page.get("overlap") == rules.get("overlap")


def test_a_data_block_cannot_end_its_script_element() -> None:
    assert script_json("</script><!-- & \u2028") == '"\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028"'


@pytest.mark.parametrize("variant", VARIANTS)
def test_turning_and_flipping_are_looked_up_and_lead_back(variant: str) -> None:
    for piece in json.loads(shapes_json(variant))["pieces"].values():
        for form in range(len(piece["forms"])):
            assert piece["left"][piece["right"][form]] == form
            assert piece["flip"][piece["flip"][form]] == form
            turned = form
            for _ in range(4):
                turned = piece["right"][turned]
            assert turned == form


def filled(path: str) -> set[tuple[int, int]]:
    """Return the cells whose middle lies inside an outline, by counting its vertical sides to the left (y upward)."""
    x = y = start_x = start_y = 0.0
    sides: list[tuple[float, float, float]] = []
    for command, text in re.findall(r"([Mmhvqz])([^Mmhvqz]*)", path):
        n = [float(part) for part in re.findall(r"-?[\d.]+", text)]
        before = y
        if command == "M":
            x, y = n
        elif command == "m":
            x, y = x + n[0], y + n[1]
        elif command == "h":
            x += n[0]
        elif command == "v":
            y += n[0]
        elif command == "q":
            x, y = x + n[2], y + n[3]
        else:
            x, y = start_x, start_y
        if command in "Mm":
            start_x, start_y = x, y
        elif command == "v":
            sides.append((x, min(before, y), max(before, y)))
    return {
        (column, 19 - row)
        for column in range(20)
        for row in range(20)
        if sum(at < 10 * column + 5 and low < 10 * row + 5 < high for at, low, high in sides) % 2
    }


def test_an_outline_encloses_its_cells_and_no_others() -> None:
    for piece in VARIANTS["blockyou-4"].pieces:
        for shape in piece.orientations:
            cells = tuple((x + 7, y + 9) for x, y in shape)
            assert filled(outline.piece_path(cells, 20)) == set(cells)


def test_an_outline_may_have_a_hole_and_touch_itself_at_a_corner() -> None:
    ring = tuple((x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1))
    assert filled(outline.piece_path(ring, 20)) == set(ring)
    loop = ((0, 0), (1, 1), (1, 2), (0, 2), (-1, 2), (-1, 1), (-1, 0))
    moved = tuple((x + 4, y + 4) for x, y in loop)
    assert filled(outline.piece_path(moved, 20)) == set(moved)
