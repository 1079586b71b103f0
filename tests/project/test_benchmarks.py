"""Benchmarks run to their end: each in its smallest form, whose figures mean nothing."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as benchmarks
from benchmarks import attempts, busy_machine, movers, planned, push, ratings, returning, site
from benchmarks.__main__ import LONG, PARTS, run
from benchmarks.aims import MISSED, UNJUDGED, judge
from benchmarks.figures import write_figures
from benchmarks.floods import FLOODS
from benchmarks.same_times import mann_whitney
from benchmarks.sockets import LightSocket
from tests.browser.site import free_port
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


@pytest.mark.slow
def test_each_flood_is_sent_and_answered_by_no_error_in_the_smallest_form() -> None:
    smallest = ("--floods=1", "--seconds=1", "--rate=4", f"--port={free_port()}")
    command = [sys.executable, "-m", "benchmarks.slow_neighbours", *smallest]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240)
    # Its figures mean nothing: whether a limit is reached in a second, and how long a page then takes.
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    lines = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert {*lines} >= {"idle", *FLOODS}, done.stdout
    for name in FLOODS:
        assert re.search(r"answers: [1-9]", lines[name]), lines[name]


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


class Outbound(asyncio.Transport):
    """A connection that keeps what is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()

    def write(self, data: Any) -> None:
        self.written += data


@pytest.mark.parametrize("said", [b"", b"tick", bytes(range(125))])
def test_a_page_of_a_benchmark_answers_a_ping_with_what_it_said(said: bytes) -> None:
    async def answer() -> bytearray:
        line, page = Outbound(), LightSocket("127.0.0.1:1", "/ws/lobby/", "", "", lambda _text, _at: None)
        page.connection_made(line)
        page.data_received(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        assert await page.is_open
        line.written.clear()
        # It may come in pieces.
        for byte in bytes((0x89, len(said))) + said:
            page.data_received(bytes((byte,)))
        return line.written

    frame = asyncio.run(answer())
    # A pong that is not split, under a mask, as RFC 6455 asks of whoever is no server.
    assert (frame[0], frame[1] & 128, frame[1] & 127) == (0x8A, 128, len(said))
    assert bytes(byte ^ frame[2 + at % 4] for at, byte in enumerate(frame[6:])) == said


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(UNJUDGED, raising=False)


@pytest.mark.usefixtures("judged")
def test_a_missed_aim_is_named_and_ends_a_benchmark_with_the_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    judge({"quick": True})
    with pytest.raises(SystemExit) as end:
        judge({"quick": True, "none lost": False})
    # The interpreter ends so with 1, and says why.
    assert end.value.code == "1 of 2 aims were missed."
    assert capsys.readouterr().out.splitlines() == ["all 1 aims are met", f"{MISSED}none lost"]


def test_where_figures_mean_nothing_no_aim_is_missed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(UNJUDGED, "1")
    judge({"none lost": False})
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("option", ["--smallest", "--once", ""])
def test_a_benchmark_whose_figure_misses_its_aim_fails_in_its_ordinary_size(
    monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    seen: list[str | None] = []

    def run_one(*_size: object) -> str:
        seen.append(os.environ.get(UNJUDGED))
        return "a figure\n" if seen[0] else f"a figure\n{MISSED}an aim\n"

    monkeypatch.setenv(UNJUDGED, "")
    monkeypatch.setattr(benchmarks, "run", run_one)
    monkeypatch.setattr(os, "nice", lambda _steps: 0)
    monkeypatch.setattr(sys, "argv", ["benchmarks", *([option] if option else []), "rules"])
    if option:
        benchmarks.main()
    else:
        with pytest.raises(SystemExit, match="These benchmarks failed: rules"):
            benchmarks.main()
    assert seen == ["1" if option else ""]


def missed(aims: Mapping[str, bool]) -> list[str]:
    return [aim for aim, is_met in aims.items() if not is_met]


def test_moves_that_take_too_long_or_fail_miss_their_aims() -> None:
    assert missed(movers.aims_of([movers.Moved(moves=[0.2] * 100)])) == []
    slow = movers.Moved(moves=[0.2] * 98 + [0.3, 6.0], errors=["OperationalError: database is locked"])
    assert missed(movers.aims_of([slow])) == ["no move fails", "p99 of moves at most 250 ms", "no move longer than 5 s"]


def test_one_placement_of_many_that_comes_late_misses_the_aim_of_a_busy_machine() -> None:
    well: dict[str, Any] = {"answers": [4.9], "planned": [0.9], "lines": [0.1], "blocks": [0.1]}
    assert missed(busy_machine.aims_of(busy_machine.Measured(commits=[0.5] * 200, **well), 200)) == []
    late = busy_machine.Measured(commits=[0.5] * 199 + [1.1], **well)
    assert missed(busy_machine.aims_of(late, 200)) == ["placements within 1 s"]
    few = busy_machine.Measured(commits=[0.5] * 199, **{**well, "answers": [5.1]})
    assert missed(busy_machine.aims_of(few, 200)) == [
        "200 placements, and some of all else",
        "bots' answers within 5 s",
    ]


def test_pages_that_hear_late_miss_their_aims() -> None:
    assert missed(push.aims_of([0.04] * 100)) == []
    assert missed(push.aims_of([0.06] * 90 + [0.2] * 10)) == [
        "50 of 100 moves heard of within 50 ms",
        "95 of 100 moves heard of within 150 ms",
    ]


def test_pages_that_come_back_late_or_together_miss_their_aims() -> None:
    counts = {"pages": 1000, "early": 0, "refused": 0, "fetches": 0, "moves": 9}
    assert missed(returning.Seen(3.0, 3.0, 20.0, 0.5, 9.0, **counts).aims("SIGKILL")) == []
    late = returning.Seen(25.0, 29.0, 31.0, 2.5, 9.0, **counts)
    assert missed(late.aims("SIGKILL")) == [
        "SIGKILL: all pages back within 30 s",
        "SIGKILL: over 10 s at least",
        "SIGKILL: moves within 2 s once it is healthy",
    ]


def test_requests_that_cost_too_much_beside_a_bare_app_miss_their_aims() -> None:
    lines = [site.Line(name, ours=[aim, 9 * aim, 0.1], bare=[1, 1, 1]) for name, aim in site.AIMS.items()]
    assert missed(site.aims_of(lines, {"/": 15})) == []
    dear = site.Line("play page", ours=[1.36] * 3, bare=[1, 1, 1])
    assert missed(site.aims_of([dear, *lines[1:]], {"/": 16, "/lobby/": 9})) == [
        "play page at most 1.35 times the bare app's",
        "at most 15 queries a page",
    ]


def test_ratings_that_foretell_badly_or_are_fitted_slowly_miss_their_aims() -> None:
    nights = [
        *(ratings.Night(25_000, 5.0, 0.5, is_usual=False), ratings.Night(25_000, 1.5, 0.3, is_usual=True)),
        *(ratings.Night(100_000, 19.0, 1.9, is_usual=False), ratings.Night(100_000, 6.0, 1.0, is_usual=True)),
    ]
    assert missed(ratings.aims_of(0.01, {25_000: 0.4, 100_000: 1.6}, nights)) == []
    slow = [
        *(ratings.Night(25_000, 5.0, 5.1, is_usual=False), ratings.Night(25_000, 1.5, 0.3, is_usual=True)),
        *(ratings.Night(100_000, 19.0, 1.9, is_usual=False), ratings.Night(100_000, 11.0, 1.0, is_usual=True)),
    ]
    assert missed(ratings.aims_of(0.03, {25_000: 0.4, 100_000: 11.0}, slow)) == [
        "calibration error at most 0.02",
        "a fit of 100,000 games costs no more than 1.5 times as much a game as one of 25,000",
        "100,000 games fitted at a rate of 100,000 in 10 s",
        "fit 1: no transaction longer than 5 s",
        "a night of 100,000 games at a rate of 100,000 in 10 s",
        "a night of 100,000 games costs no more than 1.5 times as much a game as one of 25,000",
    ]


def test_planned_moves_that_come_too_soon_too_late_or_unlike_a_quick_bots_miss_their_aims() -> None:
    bots = [planned.Wait(0.1, 0.1)] * 20
    well = [planned.Wait(0.4 + at / 70, 0.4 + at / 70) for at in range(20)]
    assert missed(planned.aims_of(well, bots)) == []
    too_soon = [*well, planned.Wait(0.31, 0.29)]
    assert missed(planned.aims_of(too_soon, bots)) == ["no planned move sooner than a ready hand, 0.3 s"]
    assert missed(planned.aims_of([*well, planned.Wait(1.1, 1.1)], bots)) == ["every planned move within 1 s"]
    alike = "beyond that wait as long as a quick bot's move, to 0.15 s"
    assert missed(planned.aims_of([planned.Wait(0.8, 0.8)] * 20, bots)) == ["each after a wait of its own", alike]
    assert missed(planned.aims_of(well, [planned.Wait(0.4, 0.4)] * 20)) == [alike]


def test_a_step_that_costs_too_much_misses_its_aim() -> None:
    costs = dict.fromkeys(attempts.COLUMNS[:-1], 20.0)
    assert missed(attempts.aims_of(costs)) == []
    assert missed(attempts.aims_of({**costs, "tried": 20.1})) == ["tried: at most 20 CPU ms on every board"]


@pytest.mark.parametrize(
    "name",
    [
        "attempts",
        "busy_machine",
        "movers",
        "planned",
        "push",
        "ratings",
        "returning",
        "site",
        "slow_neighbours",
        "tarpits",
        "watchers",
    ],
)
def test_what_has_aims_ends_with_a_judgement(name: str) -> None:
    assert "    judge(" in (FOLDER / f"{name}.py").read_text()


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
