"""Lines made by hand, moved to any start of a board, and games in which they are played."""

from collections.abc import Callable, Sequence

from games.rules import Placement, Position, get_variant

Point = tuple[int, int]

BARASONA = ["F:a1,b1,b2,c2,b3", "X:d3,c4,d4,e4,d5", "W:f5,g5,e6,f6,e7", "N:h6,g7,h7,g8,g9"]

#: All eight ways to lay a square board of so many columns onto itself.
WAYS: dict[str, Callable[[int, Point], Point]] = {
    "as it is": lambda n, p: p,
    "turned once": lambda n, p: (p[1], n - p[0]),
    "turned twice": lambda n, p: (n - p[0], n - p[1]),
    "turned thrice": lambda n, p: (n - p[1], p[0]),
    "left to right": lambda n, p: (n - p[0], p[1]),
    "upside down": lambda n, p: (p[0], n - p[1]),
    "at a diagonal": lambda n, p: (p[1], p[0]),
    "at the other diagonal": lambda n, p: (n - p[1], n - p[0]),
}


def moved(variant: str, way: str, placement: Placement) -> Placement:
    n = get_variant(variant).width - 1
    cells = ",".join(f"{chr(97 + x)}{y + 1}" for x, y in (WAYS[way](n, point) for point in placement.points))
    return Placement.parse(f"{placement.piece}:{cells}", variant)


def cells_of(line: Sequence[Placement]) -> set[int]:
    return {cell for placement in line for cell in placement.cells}


def from_start_of(colour: str, variant: str, lines: Sequence[str]) -> list[Placement]:
    """Return a line moved so that it begins where the colour starts."""
    texts, start = [Placement.parse(text, variant) for text in lines], get_variant(variant).start_cells[colour]
    return next(line for way in WAYS if start[0] in (line := [moved(variant, way, each) for each in texts])[0].cells)


def from_any_start(variant: str, lines: Sequence[str]) -> dict[str, list[Placement]]:
    """Return for every colour the same line, moved so that it begins where the colour starts."""
    return {colour: from_start_of(colour, variant, lines) for colour in Position.start(variant).colours_in_play}


def alone(variant: str, colour: str, line: Sequence[Placement]) -> Position:
    """Return the position after one colour has placed a line, and the others their smallest pieces out of its way."""
    position, ahead = Position.start(variant), cells_of(line)
    for placement in line:
        for other in position.colours_in_play:
            apart = (each for each in position.legal_placements() if not ahead & set(each.cells))
            position = position.play(placement if other == colour else min(apart, key=lambda each: len(each.cells)))
    return position


def played(variant: str, placed: dict[str, list[Placement]]) -> Position:
    """Return the position after every colour has placed what it has, in turn; the rules check each."""
    position = Position.start(variant)
    for number in range(max(map(len, placed.values()))):
        for colour in position.colours_in_play:
            assert position.colour == colour
            position = position.play(placed[colour][number])
    return position
