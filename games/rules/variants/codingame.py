"""CodinGame's board of any size for two, three and four: some pieces for everyone, drawn from a seed.

The published game is 13 x 13. Its players 0 to 3 are our colours in the order of play; its origin is the
upper left corner, ours the lower left one.
"""

from hashlib import sha256
from string import ascii_uppercase

from games.rules.geometry import rectangle
from games.rules.notation import format_cell
from games.rules.pieces import POLYOMINOES
from games.rules.variants.base import COVERAGE, Bonus, Variant

#: CodinGame's letters, A to U, for the pieces. Its A to D are the smallest, and its Q has a stem; the rest is a guess.
LETTERS = dict(
    zip(
        ascii_uppercase,
        [
            *("1", "2", "I3", "V3", "I4", "L4", "O", "T4", "Z4"),
            *("F", "I5", "L5", "N", "P", "U", "V5", "T5", "W", "X", "Y", "Z5"),
        ],
        strict=False,
    )
)
#: The letters that are in every game.
ALWAYS = "ABCD"
#: How many pieces everybody has, by the number of players.
STOCKS = {2: 18, 3: 13, 4: 10}
SIZES = range(7, 27)
DEFAULT_SIZE = 13
SEEDS = range(2**32)

_COLOURS = ("blue", "yellow", "red", "green")
_SMALL = tuple(LETTERS[letter] for letter in ALWAYS)


def drawn_letters(players: int, seed: int) -> str:
    """Return the letters of a game in alphabetical order: A to D and those that the seed draws.

    Letters are drawn in the order of the SHA-256 of `seed:letter`, so that any program can repeat it.
    """
    order = sorted(set(LETTERS) - set(ALWAYS), key=lambda letter: sha256(f"{seed}:{letter}".encode()).digest())
    return "".join(sorted([*ALWAYS, *order[: STOCKS[players] - len(ALWAYS)]]))


def codingame(players: int, size: int = DEFAULT_SIZE, seed: int = 0) -> Variant:
    """Return the game of that many players on a board of `size` x `size` with the pieces of a seed.

    Three players: the first two open with one of the four smallest pieces.
    """
    chosen = "" if (size, seed) == (DEFAULT_SIZE, 0) else f":{size}:{seed}"
    return _of_letters(f"codingame-{players}{chosen}", players, size, drawn_letters(players, seed))


def of_letters(players: int, size: int, letters: str) -> Variant:
    """Return the game with the pieces of some letters, for a program that knows them but not their seed.

    Its id begins as those of the others, but `get_variant` does not know it.
    """
    return _of_letters(f"codingame-{players}:{size}:{letters}", players, size, letters)


def _of_letters(name: str, players: int, size: int, letters: str) -> Variant:
    colours, last = _COLOURS[:players], size - 1
    corners = [(format_cell(point),) for point in ((0, last), (last, 0), (0, 0), (last, last))]
    names = {LETTERS[letter] for letter in letters}
    return Variant(
        id=name,
        grid=rectangle(size, size),
        colours=colours,
        starts=dict(zip(colours, corners, strict=False)),
        pieces=tuple(piece for piece in POLYOMINOES if piece.name in names),
        bonus=Bonus(all_placed=0, monomino_last=0),
        seating=tuple((colour,) for colour in colours),
        openers=dict.fromkeys(colours[:2], _SMALL) if players == 3 else {},
        scorings=(COVERAGE,),
        ends_by_trailing_pass=True,
        numbered=POLYOMINOES,
    )
