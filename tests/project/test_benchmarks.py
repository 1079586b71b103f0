"""Benchmarks run to their end: each in its smallest form, whose figures mean nothing."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.__main__ import LONG, PARTS, run
from benchmarks.figures import write_figures
from benchmarks.same_times import mann_whitney
from tests.proof import mostly_proof
from tools.gate import STEPS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize("part", mostly_proof(PARTS, "growth"))
def test_a_benchmark_runs_in_its_smallest_form(part: str) -> None:
    command = [sys.executable, "-m", "benchmarks", "--smallest", part]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    assert len(done.stdout.splitlines()) > 2


def test_the_full_proof_runs_each_in_its_ordinary_size() -> None:
    (command,) = [step.command for step in STEPS["proof"] if "bench" in step.command]
    target = re.search(rf"^{command.removeprefix('make ')}:.*\n\t(.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert target
    assert target[1].endswith("python -m benchmarks --once")
    assert len(LONG) <= 3
    assert LONG.keys() <= PARTS.keys()


def test_a_benchmark_that_takes_longer_than_it_may_fails_and_leaves_nothing_running() -> None:
    assert run("rules", (), longest=0.2) is None


def test_new_figures_take_the_place_of_the_old_ones_of_the_same_benchmark(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    page.write_text("# Benchmarks\n\n## Figures\n\nOnly ratios.\n\n### push\n\nold push\n\n### site\n\nold site\n")
    write_figures("site", "a move: 1.50\n", page)
    write_figures("bots", "a turn: 9\n", page)
    text = page.read_text()
    assert "old site" not in text
    assert [line for line in text.splitlines() if line.startswith("### ")] == ["### bots", "### push", "### site"]
    assert text.startswith("# Benchmarks\n\n## Figures\n\nOnly ratios.\n\n### bots\n\n20")
    assert "commit" in text
    assert text.endswith("```text\na move: 1.50\n```\n")


@pytest.mark.parametrize(
    ("some", "others", "p"),
    [
        # The example of SciPy's page on mannwhitneyu, by its asymptotic method.
        ([19, 22, 16, 29, 24], [20, 11, 17, 12], 0.11134688653314041),
        ([20, 11, 17, 12], [19, 22, 16, 29, 24], 0.11134688653314041),
        ([1, 2, 2, 3], [1, 2, 2, 3], 1),
        ([5, 5, 5], [5, 5], 1),
        (range(100), range(1000, 1100), 0),
    ],
)
def test_two_samples_are_compared_by_ranks(some: Sequence[float], others: Sequence[float], p: float) -> None:
    assert mann_whitney(some, others) == pytest.approx(p, abs=1e-12)


def test_every_benchmark_is_run() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py") if "def main() -> None:" in path.read_text()}
    packages = {path.parent.name for path in FOLDER.glob("*/__main__.py")}
    # One plans the moves of another one.
    assert modules | packages - {"benchmarks"} == {*PARTS, "__main__", "push_games"}


def test_a_benchmark_that_fails_stops_no_other() -> None:
    command = [sys.executable, "-m", "benchmarks", "--smallest", "no-such-part", "rules"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "blockyou-4" in done.stdout) == (1, True)
    assert "These benchmarks failed: no-such-part" in done.stderr
