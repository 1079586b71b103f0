"""The learned engine: a file of weights, right or wrong, on every board."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from games.bots import learned
from games.bots.engines.arguments import InvalidCallError
from games.bots.engines.scorer import weight_count
from games.bots.learned import SHIPPED, LearnedEngine, LearnedFileError, read_learned, write_learned
from games.rules import VARIANTS, Position
from tests.games.bots.contract import lawful_answers

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a file of weights drawn by chance."""
    rng, path = random.Random(5), tmp_path / "engine.json"
    write_learned(path, 4, [rng.gauss(0, 1) for _ in range(weight_count(4))], {"variant": "duo"})
    return path


@pytest.mark.parametrize("board", VARIANTS)
def test_it_answers_lawfully_on_every_board(board: str, file: Path) -> None:
    assert lawful_answers(partial(LearnedEngine, str(file)), board, 20) == 20


def test_it_plays_what_scores_highest_after_its_first_placements(file: Path) -> None:
    position = Position.start("duo")
    for number in range(1, 5):
        answers = {
            str(LearnedEngine(str(file)).think(position, seed=seed, number=number).placement) for seed in range(20)
        }
        # Those that are as good as the third are drawn too.
        assert 1 < len(answers) <= 2 * learned.FEW_BEST
        position = position.play(min(position.legal_placements(), key=str))
    assert (
        len({str(LearnedEngine(str(file)).think(position, seed=seed, number=5).placement) for seed in range(20)}) == 1
    )


def test_a_file_is_named_by_argument_or_variable_or_is_the_one_that_comes_along(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = Position.start("duo")
    monkeypatch.delenv("LEARNED_FILE", raising=False)
    shipped = LearnedEngine().think(position, seed=1, number=1)
    assert shipped == LearnedEngine(str(SHIPPED)).think(position, seed=1, number=1)
    monkeypatch.setenv("LEARNED_FILE", str(file))
    assert LearnedEngine().think(position, seed=1, number=1) == LearnedEngine(str(file)).think(
        position, seed=1, number=1
    )


def test_the_file_that_comes_along_says_how_it_was_made_and_is_small() -> None:
    about = read_learned(str(SHIPPED)).about
    assert {"variant", "rounds", "rounds_done", "games", "seed", "cpu_seconds"} <= set(about)
    assert SHIPPED.stat().st_size < 300_000


def spoilt(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        held = json.loads(path.read_text())
        change(held)
        path.write_text(json.dumps(held))

    return spoil


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2000])


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: path.unlink(), "cannot be read: No such file"),
        (lambda path: path.write_bytes(b"\x93NUMPY\xff"), "is no learned engine"),
        (lambda path: path.write_text("[1, 2]"), "is no learned engine"),
        (lambda path: path.write_text('{"policies": {}}'), "is no learned engine"),
        (cut, "is no learned engine"),
        (lambda path: path.write_text("[" * 100_000), "is no learned engine"),
        (lambda path: path.write_text('{"format":' + "[" * 100_000), "is no learned engine"),
        (lambda path: path.write_text(" " * (9 << 20)), "is no learned engine"),
        (spoilt(lambda held: held.update(edition="x" * 100)), "is of edition unknown, and edition 1 is needed"),
        (spoilt(lambda held: held.update(edition=2)), "is of edition 2, and edition 1 is needed"),
        (spoilt(lambda held: held.update(width=8)), "is damaged"),
        (spoilt(lambda held: held.update(width="4")), "is damaged"),
        (spoilt(lambda held: held.update(weights=held["weights"][4:])), "is damaged"),
        (spoilt(lambda held: held.update(weights="AAAA" + held["weights"][4:])), "is damaged"),
        (spoilt(lambda held: held.update(weights=None)), "is damaged"),
        (spoilt(lambda held: held.pop("digest")), "is damaged"),
        (spoilt(lambda held: held.pop("about")), "is damaged"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_a_sentence(file: Path, spoil: Callable[[Path], Any], says: str) -> None:
    spoil(file)
    with pytest.raises(LearnedFileError, match=says):
        LearnedEngine(str(file)).think(Position.start("duo"), seed=1, number=1)


@pytest.mark.parametrize("file", ["a\0b", "\ud800", 5.5, b"bytes", None, "x" * 4000, "/", "/dev/zero", ["a", "b"]])
def test_what_names_no_file_names_no_learned_engine(file: Any) -> None:
    for read in (read_learned, lambda file: LearnedEngine(file).think(Position.start("duo"), seed=1, number=1)):
        with pytest.raises(LearnedFileError) as refused:
            read(file)
        assert len(str(refused.value)) < 500


@pytest.mark.parametrize(
    ("width", "weights", "about"),
    [
        (0, [], {}),
        (257, [0.0] * weight_count(257), {}),
        ("1", [0.0] * weight_count(1), {}),
        (1, [0.0], {}),
        (1, ["0"] * weight_count(1), {}),
        (1, [1e300] * weight_count(1), {}),
        (1, [0.0] * weight_count(1), {"what": object()}),
        (1, 5, {}),
        (1, range(10**12), {}),
    ],
)
def test_what_is_no_engine_is_not_written(tmp_path: Path, width: Any, weights: Any, about: Any) -> None:
    with pytest.raises(InvalidCallError):
        write_learned(tmp_path / "engine.json", width, weights, about)
    assert not [*tmp_path.iterdir()]


def test_weights_without_bounds_are_refused(file: Path) -> None:
    write_learned(file, 1, [float("nan")] * weight_count(1), {})
    with pytest.raises(LearnedFileError, match="is damaged"):
        read_learned(str(file))


PROGRAM = """
from games.bots.engines import compiled
from games.bots.learned import LearnedEngine
from games.rules import Position
print(compiled.IS_COMPILED)
position = Position.start("duo")
for number in range(1, 12):
    placement = LearnedEngine().think(position, seed=5, number=number).placement
    print(placement)
    position = position.play(placement)
"""


@pytest.mark.proof
def test_the_same_placements_are_chosen_with_and_without_a_compiler() -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "BOTS_COMPILED": switch, "PYTHONPATH": str(ROOT)},
            capture_output=True, text=True, check=True, timeout=240,
        ).stdout.partition("\n")
        for switch in ("1", "0")
    ]  # fmt: skip
    assert [first for first, _, _ in told] == ["True", "False"]
    assert told[0][2] == told[1][2]
