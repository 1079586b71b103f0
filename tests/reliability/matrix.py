"""What the first part of `matrix.txt` declares: the status that each role gets at each address."""

from collections.abc import Iterator

from games.models import Game
from tests.reliability.addresses import addresses
from tests.reliability.declared import part
from tests.reliability.world import BY_LINK, METHODS, OUTSIDERS, ROLES, STATES, World, is_about_a_game

Cell = tuple[str, str, str]
Statuses = tuple[int, ...]
NOWHERE = "-"
MISSING = "missing"


def read_matrix() -> dict[Cell, Statuses]:
    """Return the statuses by role of every declared (address, method, state); no cell may be declared twice."""
    found: dict[Cell, Statuses] = {}
    for line in part("answers"):
        for cell, statuses in _cells(line):
            assert cell not in found, f"declared twice: {cell}"
            found[cell] = statuses
    return found


def _cells(line: str) -> Iterator[tuple[Cell, Statuses]]:
    name, *rest = line.split()
    methods = [word for word in rest if word in METHODS]
    state, *numbers = rest[len(methods) :]
    statuses = tuple(map(int, numbers)) * (len(ROLES) if len(numbers) == 1 else 1)
    assert len(statuses) == len(ROLES), f"a status for each role, or one for all: {line}"
    for method in methods:
        for each in [*STATES, MISSING] if state == "any" else [state]:
            # A missing game may be answered otherwise than the others; its own line then stands.
            if not (state == "any" and each == MISSING and statuses[0] == 200):
                yield (name, method, each), statuses


def expected(matrix: dict[Cell, Statuses], name: str, method: str, state: str) -> Statuses:
    """Return the declared statuses: HEAD is answered as GET, and methods without a line by 405."""
    cell = (name, "GET" if method == "HEAD" else method, state)
    if cell in matrix:
        return matrix[cell]
    assert method not in {"GET", "HEAD", "POST"}, f"matrix.txt has no line for {cell}"
    return (405,) * len(ROLES)


def outsiders(state: str) -> tuple[str, ...]:
    """Return for whom a private game in this state does not exist: at an open table dave has no seat."""
    return (*OUTSIDERS, "dave") if state == "open" else OUTSIDERS


def as_private(matrix: dict[Cell, Statuses], name: str, method: str, state: str) -> Statuses:
    """Return the statuses for a private game: for outsiders those of a missing one, else those of a public one."""
    public = expected(matrix, name, method, state)
    if name in BY_LINK:
        return public  # whoever asks holds the link
    missing = dict(zip(ROLES, expected(matrix, name, method, MISSING), strict=True))
    return tuple(
        missing[role] if role in outsiders(state) else status for role, status in zip(ROLES, public, strict=True)
    )


def cases(world: World, name: str) -> Iterator[tuple[str, str, Game | None]]:
    """Yield each state of a game that the address can be about, whether the game is private, and the game."""
    if not is_about_a_game(name):
        yield NOWHERE, "public", None
        return
    for (state, kind), game in world.games.items():
        yield state, kind, game
    if name not in BY_LINK:
        yield MISSING, "public", None


def names() -> list[str]:
    """Return the names of all addresses, for tests that are run for each."""
    return sorted(addresses())
