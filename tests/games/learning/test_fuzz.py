"""No public call of a program crashes (C28): calls by chance, in a process of their own."""

import os

import pytest

from tests.games.learning.apart import printed

#: Calls of the long proof; `FUZZ_CALLS=200000` asks for more.
CALLS = int(os.environ.get("FUZZ_CALLS", "20000"))

PROGRAM = """
import sys
from tests.games.learning.fuzz import main
main(sys.argv[1:])
"""


def made(seed: int, calls: int) -> dict[str, int]:
    """Return how many calls were answered, and how many refused by each declared error."""
    lines = printed(PROGRAM, str(seed), str(calls)).splitlines()
    return {name: int(times) for name, times in map(str.split, lines)}


def test_hundreds_of_calls_by_chance_are_answered_or_refused_as_declared() -> None:
    became = made(1, 400)
    assert sum(became.values()) == 400
    assert became["answered"] > 100
    assert became["InvalidCallError"] > 50


@pytest.mark.proof
def test_twenty_thousand_calls_by_chance_are_answered_or_refused_as_declared() -> None:
    became = made(2, CALLS)
    assert sum(became.values()) == CALLS
    # Everything that may be refused is.
    assert {"IllegalActionError", "UnknownVariant", "ArenaError", "LearnedFileError", "TrainError"} < became.keys()
