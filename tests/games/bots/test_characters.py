"""Each character plays by its style: told apart by what its placements do to the board, on the same positions."""

from functools import lru_cache
from statistics import fmean
from typing import Any

import pytest

from games.bots.factory import make_engine
from games.roster.entries import BOTS
from games.rules import Placement, Position
from tests.games.bots.contract import positions

BOARDS = ("duo", "blockyou-4")

#: The best of the levels that look at one placement at a time, and the first that searches.
POLICY, SEARCH = 3, 4


def rivals(position: Position) -> list[str]:
    return [colour for seat, colours in enumerate(position.seats) for colour in colours if seat != position.seat]


def opened(position: Position, placement: Placement) -> int:
    """Count the cells at which the colour may go on and could not before."""
    colour = position.colour or ""
    return len(set(position.play(placement).attach_points(colour)) - set(position.attach_points(colour)))


def taken(position: Position, placement: Placement) -> int:
    """Count the cells covered at which rivals could have gone on."""
    cells = set(placement.cells)
    return sum(len(cells & set(position.attach_points(colour))) for colour in rivals(position))


def touched(position: Position, placement: Placement) -> int:
    """Count the rivals' cells that lie beside the placement."""
    grid = position.variant.grid
    near = {other for point in placement.points for other in grid.lattice.edge_neighbours(point)}
    return sum(position.owner(cell) in rivals(position) for cell in grid.inside(near))


@lru_cache
def style(character: str, board: str, level: int = POLICY) -> dict[str, float]:
    """Return the means of what a character's placements do on a hundred positions."""
    engine = make_engine(BOTS[f"{character}-{level}"])
    chosen = [
        (position, engine.think(position, seed=1, number=number).placement)
        for number, position in enumerate(positions(board)[:400:4], start=1)
    ]
    return {count.__name__: fmean(count(*each) for each in chosen) for count in (opened, taken, touched)}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.slow
def test_the_builder_opens_more_corners_and_leaves_those_of_others_alone(board: str) -> None:
    mason, sage, warden = (style(name, board) for name in ("mason", "sage", "warden"))
    assert mason["opened"] > max(sage["opened"], warden["opened"])
    assert mason["taken"] < sage["taken"]


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.slow
def test_the_blocker_takes_more_corners_of_others_than_anybody(board: str) -> None:
    others = [style(name, board)["taken"] for name in ("sage", "mason", "hermit")]
    assert style("warden", board)["taken"] > max(others)


@pytest.mark.proof
@pytest.mark.parametrize("board", BOARDS)
def test_the_hermit_keeps_away_from_others(board: str) -> None:
    others = [style(name, board)["touched"] for name in ("sage", "mason", "warden")]
    assert style("hermit", board)["touched"] < min(others)


@pytest.mark.slow
def test_a_search_keeps_to_the_style_of_its_character() -> None:
    sage, warden, hermit = (style(name, "duo", SEARCH) for name in ("sage", "warden", "hermit"))
    assert warden["taken"] > max(sage["taken"], hermit["taken"])
    assert hermit["touched"] < min(sage["touched"], warden["touched"])


@pytest.mark.parametrize("character", ["mason", "warden", "hermit"])
def test_a_character_cares_for_the_same_at_every_level(character: str) -> None:
    made: list[Any] = [make_engine(bot) for bot in BOTS.values() if bot.character == character]
    assert len(made) >= 8
    assert made[0].bias
    assert all(engine.bias == made[0].bias for engine in made)
