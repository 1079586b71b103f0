"""Without a compiler the engines choose the same placements, only slowly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PROGRAM = """
from games.bots.engines import compiled
from games.bots.engines.search import PriorEngine, SearchEngine
from games.rules import Position
print(compiled.IS_COMPILED)
for variant, turns in (("duo", 12), ("classic-3", 6), ("trigon-2", 3), ("codingame-3", 8)):
    position = Position.start(variant)
    for number in range(1, turns):
        engine = SearchEngine(12) if number % 3 else PriorEngine(temperature=1.0)
        answer = engine.think(position, seed=5, number=number)
        print(answer)
        position = position.play(answer.placement)
position = Position.start("duo")
while position.move_count < 26:
    position = position.play_id(position.legal_ids()[-1]) if position.has_legal() else position.pass_turn()
print(SearchEngine(500).think(position, seed=5, number=27))
"""


@pytest.mark.proof
def test_the_same_placements_are_chosen_with_and_without_a_compiler() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "BOTS_COMPILED": switch, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
            timeout=240,
        ).stdout.partition("\n")
        for switch in ("1", "0")
    ]
    assert [first for first, _, _ in told] == ["True", "False"]
    assert told[0][2] == told[1][2]
    assert len(told[0][2].splitlines()) == 11 + 5 + 2 + 7 + 1
