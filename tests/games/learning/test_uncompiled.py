"""Without a compiler the same games are shown, only slowly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PROGRAM = """
from hashlib import blake2s
from games.bots.engines import compiled
from games.learning.batch import Batch
print(compiled.IS_COMPILED)
for variant in ("junior", "codingame-3:7:1"):
    batch, ends = Batch(variant, 2), 0
    while ends < 2:
        batch.step(batch.sample())
        ends += int(batch.ended.sum())
        shown = (batch.masks, batch.planes, batch.stocks, batch.seats, batch.rewards, batch.scores)
        print(blake2s(b"".join(each.tobytes() for each in shown)).hexdigest())
"""


@pytest.mark.proof
def test_the_same_games_are_shown_with_and_without_a_compiler() -> None:
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
    assert len(told[0][2].splitlines()) > 20
