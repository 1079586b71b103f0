"""Every variant once more, by hand, for `tests.rules.naive`: boards, starts, stocks and seats as RULES lists them."""

from dataclasses import replace

from tests.rules.naive import Cells, Rules, at, squares, triangles

FOUR = ("blue", "yellow", "red", "green")
EACH = tuple((colour,) for colour in FOUR)
PAIRS = (("blue", "red"), ("yellow", "green"))
LARGE, SMALL = triangles(9), triangles(8)
BOARD_20, BOARD_14 = squares(20), squares(14)

#: The twelve simple pieces, as they could lie at the lower left.
SIMPLE = (
    *("a1", "a1 b1", "a1 a2 a3", "a1 b1 a2", "a1 a2 a3 a4", "a1 b1 a2 a3", "a1 b1 a2 b2", "b1 a2 b2 c2"),
    *("b1 c1 a2 b2", "a1 a2 a3 a4 a5", "a1 b1 a2 a3 a4", "a1 a2 b2 a3 b3"),
)
#: CodinGame's letters for them, and for the other pieces.
LETTERS = dict(zip("ABCDEFGHI", [*SIMPLE[:9]], strict=True)) | {
    "J": "b1 a2 b2 b3 c3",
    "K": "a1 a2 a3 a4 a5",
    "L": "a1 b1 a2 a3 a4",
    "M": "a1 a2 b2 b3 b4",
    "N": "a1 a2 b2 a3 b3",
    "O": "a1 b1 c1 a2 c2",
    "P": "a1 b1 c1 a2 a3",
    "Q": "b1 b2 a3 b3 c3",
    "R": "b1 c1 a2 b2 a3",
    "S": "b1 a2 b2 c2 b3",
    "T": "b1 b2 a3 b3 b4",
    "U": "b1 c1 b2 a3 b3",
}


def drawing(text: str) -> Cells:
    return frozenset(at(name) for name in text.split())


def corners(*names: str) -> dict[str, tuple[tuple[int, int], ...]]:
    return {colour: (at(name),) for colour, name in zip(FOUR, names, strict=False)}


CLASSIC_4 = Rules(
    board=BOARD_20,
    colours=FOUR,
    starts=corners("a20", "t20", "t1", "a1"),
    seats=EACH,
)
BLOCKYOU_4 = replace(CLASSIC_4, starts=corners("a1", "t1", "a20", "t20"))
DUO = Rules(
    board=BOARD_14,
    colours=("purple", "orange"),
    starts={"purple": (at("e10"),), "orange": (at("j5"),)},
    seats=(("purple",), ("orange",)),
)
JUNIOR = replace(
    DUO,
    colours=("green", "orange"),
    starts={"green": (at("e10"),), "orange": (at("j5"),)},
    listed=tuple(map(drawing, SIMPLE)),
    seats=(("green",), ("orange",)),
    copies=2,
    bonus=(0, 0),
)
TRIGON_4 = Rules(
    board=LARGE,
    colours=FOUR,
    starts=dict.fromkeys(FOUR, tuple(map(at, ("r15", "r4", "j12", "j7", "z12", "z7")))),
    seats=EACH,
)
TRIGON_3 = Rules(
    board=SMALL,
    colours=FOUR[:3],
    starts=dict.fromkeys(FOUR[:3], tuple(map(at, ("p14", "p3", "h11", "h6", "x11", "x6")))),
    seats=EACH[:3],
)

#: What some seeds draw, kept as they were when the drawing was agreed on.
DRAWN = {
    (2, 0): "ABCDEGIJKLMNOPRSTU",
    (2, 42): "ABCDEGHIJKMNPQRSTU",
    (3, 0): "ABCDGKLMNOPST",
    (4, 0): "ABCDGKLOPT",
    (4, 1): "ABCDHIKMNP",
}


def codingame(players: int, side: int, seed: int) -> Rules:
    """Return CodinGame's rules; its corners are those of players 0 to 3, its rows are counted from the top."""
    last = side - 1
    places = (((0, last),), ((last, 0),), ((0, 0),), ((last, last),))
    return Rules(
        board=squares(side),
        colours=FOUR[:players],
        starts=dict(zip(FOUR, places, strict=True)),
        listed=tuple(drawing(LETTERS[letter]) for letter in DRAWN[players, seed]),
        seats=EACH[:players],
        openers={"blue": 3, "yellow": 3} if players == 3 else {},
        ends_trailing=True,
        covers=True,
        bonus=(0, 0),
    )


RULES = {
    "blockyou-4": BLOCKYOU_4,
    "blockyou-2": replace(BLOCKYOU_4, seats=PAIRS),
    "classic-4": CLASSIC_4,
    "classic-3": replace(CLASSIC_4, seats=EACH[:3], shared="green"),
    "classic-2": replace(CLASSIC_4, seats=PAIRS),
    "duo": DUO,
    "junior": JUNIOR,
    "trigon-4": TRIGON_4,
    "trigon-3": TRIGON_3,
    "trigon-2": replace(TRIGON_4, seats=PAIRS),
    "codingame-2": codingame(2, 13, 0),
    "codingame-3": codingame(3, 13, 0),
    "codingame-4": codingame(4, 13, 0),
    "codingame-2:10:42": codingame(2, 10, 42),
    "codingame-4:7:1": codingame(4, 7, 1),
}
