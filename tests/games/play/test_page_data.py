"""The data in the page says exactly what the rules say: no more, no less, whatever the position."""

import json
import random
import re
from collections.abc import Iterable, Iterator

import pytest

from games.drawing import outline
from games.pages.board.board_data import Reach, checks, legal_data, script_json, shapes_json
from games.rules import VARIANTS, IllegalPlacement, Placement, Position
from games.rules.notation import format_cells, parse_cell
from games.rules.placement import table_for
from games.rules.variants import Variant, get_variant
from tests.proof import mostly_proof

#: Every variant, one of a chosen size and seed, and the colours where they are chosen.
SETUPS = mostly_proof((*VARIANTS, "codingame-2:10:42"), "duo", "junior", "blockyou-3", "codingame-2:10:42")
COLOURS = {"blockyou-3": ("red", "green", "blue")}


def positions(seed: int, variant: str) -> Iterator[Position]:
    """Yield every position of a game played by chance."""
    rng = random.Random(seed)
    position = Position.start(variant, colours=COLOURS.get(variant))
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


@pytest.mark.parametrize("variant", SETUPS)
def test_the_legal_placements_of_the_page_are_those_of_the_rules(variant: str) -> None:
    for position in positions(1, variant):
        for colour in position.colours_in_play:
            assert named(position, colour) == {str(placement) for placement in position.legal_placements(colour)}


def cells_of(text: str) -> set[int]:
    number = int(text, 16)
    return {cell for cell in range(number.bit_length()) if number >> cell & 1}


def places(position: Position, points: Iterable[tuple[int, int]]) -> set[int]:
    """Return points as the page counts them: as places of the box around the board."""
    return {x + y * position.variant.width for x, y in points}


def reasons_by_page(position: Position, colour: str, placement: Placement) -> dict[str, set[int]]:
    """Return why the page would say a placement does not fit, with the cells it would name."""
    found = {}
    for check in checks(position, Reach.of(position, colour)):
        cells, covered = cells_of(check["cells"]), places(position, placement.points)
        if check["wants"] == "none" and cells & covered:
            found[check["code"]] = cells & covered
        if check["wants"] == "some" and not cells & covered:
            found[check["code"]] = cells
    return found


def reasons_by_rules(position: Position, colour: str, placement: Placement) -> dict[str, set[int]]:
    try:
        position.check(placement, colour)
    except IllegalPlacement as illegal:
        return {code: places(position, map(parse_cell, illegal.names[code])) for code in illegal.reasons}
    return {}


def any_placement(position: Position, colour: str, rng: random.Random) -> Placement:
    """Return a piece in stock anywhere in the box around the board, whether it fits or not."""
    shapes = json.loads(shapes_json(position.variant.id))
    piece = shapes["pieces"][rng.choice(position.stock(colour))]
    form = rng.randrange(len(piece["forms"]))
    wide, high = (max(point[axis] for point in piece["forms"][form]) for axis in (0, 1))
    anchors = [
        (x, y)
        for y in range(shapes["height"] - high)
        for x in range(shapes["width"] - wide)
        if (x + y) % len(shapes["kinds"]) == piece["lean"][form]
    ]
    left, low = rng.choice(anchors)
    return Placement.parse(format_cells((x + left, y + low) for x, y in piece["forms"][form]), position.variant)


@pytest.mark.parametrize("variant", SETUPS)
def test_why_not_says_what_the_rules_say(variant: str) -> None:
    rng = random.Random(9)
    for position in positions(2, variant):
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
            for _ in range(12):
                turned = piece["right"][turned]
            assert turned == form


def corners_of(path: str) -> list[list[tuple[float, float]]]:
    """Return the closed outlines of a path as the spots where its straight lines and bends end."""
    loops: list[list[tuple[float, float]]] = []
    x = y = 0.0
    for command, text in re.findall(r"([Mmhvlqz])([^Mmhvlqz]*)", path):
        n = [float(part) for part in re.findall(r"-?[\d.]+", text)]
        if command == "z":
            x, y = loops[-1][0]
            continue
        dx, dy = {"h": (*n, 0.0), "v": (0.0, *n)}.get(command) or n[-2:]
        x, y = (dx, dy) if command == "M" else (x + dx, y + dy)
        if command in "Mm":
            loops.append([])
        loops[-1].append((x, y))
    return loops


def is_inside(loops: list[list[tuple[float, float]]], spot: tuple[float, float]) -> bool:
    """Return whether a spot lies inside, by counting the sides that a ray to the left crosses."""
    crossed = 0
    for loop in loops:
        for (x1, y1), (x2, y2) in zip(loop, [*loop[1:], loop[0]], strict=True):
            if (y1 > spot[1]) != (y2 > spot[1]):
                crossed += x1 + (spot[1] - y1) / (y2 - y1) * (x2 - x1) < spot[0]
    return crossed % 2 == 1


def filled(path: str, board: Variant) -> set[tuple[int, int]]:
    """Return the cells whose middle lies inside an outline; a triangle's is a third of a row above its level side."""
    wide, high = (6, 10.4) if board.grid.lattice.margin[0] == 2 else (10, 10)
    loops, found = corners_of(path), set()
    for x, y in board.grid.points:
        if high == wide:
            spot = (wide * (x + 0.5), high * (board.height - y - 0.5))
        else:
            points_down = (x + y + (board.width == 35)) % 2
            spot = (wide * (x + 1.0), high * (board.height - y - (2 if points_down else 1) / 3))
        if is_inside(loops, spot):
            found.add((x, y))
    return found


@pytest.mark.parametrize("variant", ["blockyou-4", "junior", "codingame-2:26:1", "trigon-4", "trigon-3"])
def test_an_outline_encloses_its_cells_and_no_others(variant: str) -> None:
    kind = get_variant(variant)
    table = table_for(kind)
    for form in table.forms:
        number = next(id_ for id_ in range(len(table) // 2, len(table)) if table.form_of[id_] == form.number)
        points = table.placement(number).points
        assert filled(outline.piece_path(points, kind.height, kind.grid.lattice), kind) == set(points)


@pytest.mark.parametrize("variant", ["blockyou-4", "trigon-4", "trigon-3"])
def test_the_ground_is_the_board(variant: str) -> None:
    kind = get_variant(variant)
    assert filled(outline.ground_path(kind.grid), kind) == set(kind.grid.points)


def test_the_lines_of_a_board_are_as_many_as_it_has_rows_of_edges() -> None:
    assert outline.grid_path(VARIANTS["blockyou-4"].grid).count("M") == 19 + 19
    assert outline.grid_path(VARIANTS["trigon-4"].grid).count("M") == 3 * 17


def test_an_outline_may_have_a_hole_and_touch_itself_at_a_corner() -> None:
    board = VARIANTS["blockyou-4"]
    ring = tuple((x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1))
    assert filled(outline.piece_path(ring, 20), board) == set(ring)
    loop = ((0, 0), (1, 1), (1, 2), (0, 2), (-1, 2), (-1, 1), (-1, 0))
    moved = tuple((x + 4, y + 4) for x, y in loop)
    assert filled(outline.piece_path(moved, 20), board) == set(moved)
