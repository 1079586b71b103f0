"""Games that an independent program has judged, ply by ply: whose turn, what is legal, what it is worth.

How the games were made, and what a file says: tests/rules/oracle/README.md.
"""

import gzip
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games.rules import Placement, Position

GAMES = Path(__file__).parent / "oracle"
pytestmark = pytest.mark.proof

VARIANTS = {
    "classic": "classic-4",
    "classic_2": "classic-2",
    "classic_3": "classic-3",
    "duo": "duo",
    "junior": "junior",
    "trigon": "trigon-4",
    "trigon_2": "trigon-2",
    "trigon_3": "trigon-3",
}
#: The files of these variants, each with its games and its plies: nothing may be missing.
FILES = {
    "bonus-classic": (6, 333),
    "bonus-classic_2": (6, 348),
    "bonus-classic_3": (6, 335),
    "bonus-duo": (6, 166),
    "bonus-duo-full": (6, 169),
    "bonus-junior": (6, 168),
    "bonus-trigon": (6, 374),
    "bonus-trigon_2": (6, 387),
    "bonus-trigon_3": (6, 292),
    "classic": (60, 3681),
    "classic-self3": (20, 1400),
    "classic_2": (20, 1265),
    "classic_3": (20, 1229),
    "duo": (40, 1176),
    "duo-self3": (20, 616),
    "junior": (20, 696),
    "trigon": (20, 1360),
    "trigon_2": (10, 697),
    "trigon_3": (10, 520),
}


def judged(name: str) -> Iterator[dict[str, Any]]:
    """Yield the games of a file."""
    with gzip.open(GAMES / f"oracle-{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


@pytest.mark.parametrize("name", FILES)
def test_every_ply_and_every_result_is_as_the_other_program_says(name: str) -> None:
    games, plies = 0, 0
    for game in judged(name):
        position = Position.start(VARIANTS[game["variant"]], scoring="coverage")
        for move, told in zip(game["moves"], game["plies"], strict=True):
            position, skipped = passed(position)
            assert seen(position) | {"skipped": skipped} == told, (name, games, position.move_count)
            position = position.play(Placement.parse(move.partition(":")[2], position.variant))
            plies += 1
        assert result(position) == {name: game[name] for name in ("final_points", "players", "winners")}
        games += 1
    assert (games, plies) == FILES[name]


def passed(position: Position) -> tuple[Position, list[int]]:
    """Return the position after the passes that are due, and the numbers of the colours that passed."""
    skipped = []
    while not position.is_over and not position.has_legal():
        skipped.append(position.variant.colours.index(position.colour or ""))
        position = position.pass_turn()
    return position, skipped


def seen(position: Position) -> dict[str, Any]:
    """Return what the other program tells of a position, in its words."""
    colours = position.variant.colours
    texts = sorted(str(placement).partition(":")[2] for placement in position.legal_placements())
    return {
        "color": colours.index(position.colour or ""),
        "player": position.seat,
        "n": len(texts),
        "sha": sha256("\n".join(texts).encode()).hexdigest(),
        "n_all": [position.legal_count(colour) for colour in colours],
        "pts": list(position.scores().values()),
    }


def result(position: Position) -> dict[str, Any]:
    """Return what the other program tells of the end."""
    over, _skipped = passed(position)
    return {
        "final_points": list(over.scores().values()),
        "players": list(over.seat_scores()),
        "winners": list(over.winners()),
    }


def test_no_file_of_these_variants_is_left_out() -> None:
    found = {path.name.removeprefix("oracle-").removesuffix(".jsonl.gz") for path in GAMES.glob("oracle-*.jsonl.gz")}
    others = ("callisto", "nexos", "gembloq")
    assert {name for name in found if not any(other in name for other in others)} == set(FILES)
