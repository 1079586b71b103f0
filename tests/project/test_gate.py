"""The gate goes on after a red step, names what failed and how to see it alone, and leaves nothing running."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import gate
from tools.gate import Run, Step, processes, surroundings

PASSING = Step("passing", "echo '== 3 passed, 1 skipped in 0.10s =='", 60)
SEED = 1234


def echo(*lines: str) -> str:
    """Return a command that prints these lines, and then fails."""
    program = "; ".join([*(f"print({line!r})" for line in lines), "raise SystemExit(1)"])
    return f'{sys.executable} -c "{program}"'


def failing(*tests: str, **how: object) -> Step:
    """Return a step in which these tests fail."""
    lines = [f"FAILED {test} - assert 1 == 2" for test in tests]
    return Step("failing", echo(*lines, f"==== {len(tests)} failed, 2 passed in 1.00s ===="), 60, **how)  # type: ignore[arg-type]


def go(*steps: Step, deadline: float = 60) -> tuple[bool, Run]:
    run = Run(steps, deadline, SEED)
    return run.go(), run


def is_running(mark: str) -> bool:
    """Whether a process lives that the run with this mark has started."""
    return any(mark.encode() in surroundings(pid) for pid in processes() if pid != os.getpid())


def test_the_steps_after_a_red_one_are_done_and_the_last_lines_name_what_failed(
    capfd: pytest.CaptureFixture[str],
) -> None:
    test = "tests/rules/test_turns.py::test_passing[a b]"
    holds, run = go(failing(test), PASSING)
    assert not holds
    last = capfd.readouterr().out.partition("== Red: ")[2]
    assert f"again: .venv/bin/python -m pytest --randomly-seed={SEED} '{test}'" in last
    assert "CI failed after" in last
    assert last.endswith("in: failing\n5 passed, 1 failed, 1 skipped\n")
    assert not run.folder.exists()


def test_all_that_holds_is_said_so_with_the_seconds_of_each_step(capfd: pytest.CaptureFixture[str]) -> None:
    holds, _ = go(PASSING, PASSING)
    assert holds
    last = capfd.readouterr().out.partition("== Seconds by step")[2]
    assert re.search(
        r"\n +0  passing\n +0  passing\n\n== All of it holds \(\d+ s\)\n6 passed, 0 failed, 2 skipped\n$", last
    )


def test_a_step_that_fails_without_a_red_test_fails_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    holds, _ = go(Step("lint", "false", 60))
    assert not holds
    assert "again: false" in capfd.readouterr().out


@pytest.mark.slow
def test_a_step_that_takes_too_long_is_ended_and_named_with_all_that_it_started(
    capfd: pytest.CaptureFixture[str],
) -> None:
    holds, run = go(Step("stuck", "sh -c 'setsid sleep 600 & exec sleep 600'", 1), PASSING)
    assert not holds
    said = capfd.readouterr().out
    assert "It took longer than 1 s: sh -c" in said
    assert "in: stuck\n" in said
    assert not is_running(run.mark)


def test_the_whole_run_has_one_deadline_and_names_its_slowest_step(capfd: pytest.CaptureFixture[str]) -> None:
    holds, _ = go(Step("slow", "sleep 600", 500), PASSING, deadline=1)
    assert not holds
    assert "The run had 1 s; the slowest step was: slow" in capfd.readouterr().out


FLAKY = "tests/browser/play/test_boards.py::test_a"


@pytest.mark.parametrize(
    ("tests", "outcome", "holds"),
    [([FLAKY], "true", True), ([FLAKY, f"{FLAKY}b"], "true", False), ([FLAKY], "false", False)],
)
def test_one_browser_test_may_pass_at_its_second_try_and_is_told(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tests: list[str], outcome: str, holds: bool
) -> None:
    monkeypatch.setattr(gate, "PYTEST", outcome)
    assert go(failing(*tests, is_flaky_allowed=True))[0] is holds
    said = capfd.readouterr().out
    assert (f"FLAKY {FLAKY} (failing): it failed, and passed alone." in said) is (outcome == "true")


def test_where_the_servers_do_not_start_the_other_steps_are_done(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gate, "free_port", lambda: "nowhere")
    holds, run = go(Step("databases", "true", 60, asks_servers=True), PASSING)
    assert not holds
    assert [result.holds for result in run.results] == [False, True]
    said = capfd.readouterr().out
    assert "The servers did not start: " in said
    assert "in: databases\n" in said


def test_other_tests_have_no_second_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "PYTEST", "true")
    assert not go(failing(FLAKY))[0]


def test_what_asks_the_network_is_tried_again(tmp_path: Path) -> None:
    once = tmp_path / "once"
    assert go(Step("install", f"sh -c 'test -e {once} || {{ touch {once}; false; }}'", 60, attempts=2))[0]


def test_a_run_that_is_ended_from_outside_leaves_nothing_running() -> None:
    command = "sh -c 'setsid sleep 600 & echo up; wait'"
    program = f"from tools import gate; gate.STEPS['gate'] = (gate.Step('long', {command!r}, 600),); gate.main()"
    process = subprocess.Popen([sys.executable, "-c", program], cwd=gate.ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert any(line.startswith("up") for line in process.stdout)
    (mark,) = {
        found[1].decode()
        for pid in processes()
        if is_child(pid, process.pid) and (found := re.search(rb"BLOCK_YOU_RUN=(\w+)", surroundings(pid)))
    }
    process.send_signal(signal.SIGTERM)
    rest = process.stdout.read()
    assert process.wait(30) == 128 + signal.SIGTERM
    process.stdout.close()
    assert "long  NOT DONE" in rest
    deadline = time.monotonic() + 10
    while is_running(mark):
        assert time.monotonic() < deadline
        time.sleep(0.01)  # they are not our children: no call waits for them


def is_child(pid: int, parent: int) -> bool:
    """Whether a process was started by another one."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1] == str(parent)
    except OSError:
        return False
