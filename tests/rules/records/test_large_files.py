"""No file, however it was made, costs much to read: not even one of 1 MiB that was made for that."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from games.rules.errors import UnreadableRecord
from games.rules.records import read
from games.rules.records.sgf import LONGEST_FILE
from games.rules.text import read_board
from tests.rules.records.large_files import FILES, JSON, SGF

ROOT = Path(__file__).parents[3]

#: What reading one file may cost, in plain loops over its length (`large_files.cost`). The slowest takes half of it.
MOST = 30


@pytest.fixture(scope="module")
def costs() -> dict[str, float]:
    """Return what each file costs, in a process of its own: tracing would be measured too."""
    run = "import runpy; runpy.run_module('tests.rules.records.large_files', run_name='__main__')"
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {run}"
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    lines = (line.partition(" ") for line in ran.stdout.splitlines())
    return {name: float(loops) for loops, _, name in lines}


@pytest.mark.proof
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_one_mebibyte_is_read_or_refused_quickly(costs: dict[str, float], name: str) -> None:
    assert len(FILES[name].encode()) <= LONGEST_FILE
    assert costs[name] <= MOST


def test_texts_are_cleaned_as_ever() -> None:
    game = read(SGF + "P1[ A\n \n\tn\x07n\u202e ]C[a\\]\\\\b\\\nc\r\nd])")
    assert game.players[0] == "A nn"
    assert game.comments == {0: "a]\\bc\nd"}


def test_comments_beyond_the_last_turn_are_refused_wherever_they_stand() -> None:
    for comments in ({"1": "x"}, {"0": "x", "7": "y", "no": "z"}):
        data = {"format": "block-you", "version": 1, "variant": "duo", "comments": comments}
        with pytest.raises(UnreadableRecord, match=r"There is no move \d to comment on\."):
            read(json.dumps(data))


def test_many_players_without_names_are_refused() -> None:
    assert read(f'{JSON}"players":{json.dumps([""] * 100)}}}').players == ("",) * 4
    with pytest.raises(UnreadableRecord, match="There are 101 player names, but only 4 seats"):
        read(f'{JSON}"players":{json.dumps([""] * 101)}}}')


@pytest.mark.parametrize(
    "drawing",
    [
        lambda n: " " * n + "?",
        lambda n: "1" * n + " " * n + "?",
        lambda n: "B" * (5 * n),
        lambda n: "\n".join(["BY" * 10] * (n // 4)),
    ],
    ids=["spaces", "numbers", "letters", "lines"],
)
def test_drawings_take_time_in_proportion_to_their_length(drawing: Callable[[int], str]) -> None:
    # Four times as long: 4 in proportion, 16 where it grows with the square. Measured in turn, and again for as long as
    # something else may have been in the way of the longer one.
    short, long = drawing(5_000), drawing(20_000)
    costs: list[tuple[float, float]] = []
    while len(costs) < 40:
        costs.append((_cost(short), _cost(long)))
        least, most = (min(each) for each in zip(*costs, strict=True))
        if len(costs) >= 5 and most <= 8 * max(least, 0.001):
            return
    assert most <= 8 * max(least, 0.001)


def _cost(drawing: str) -> float:
    """Return the seconds of CPU that it takes to refuse a drawing."""
    begin = process_time()
    with pytest.raises(UnreadableRecord):
        read_board(drawing)
    return process_time() - begin
