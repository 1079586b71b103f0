"""`make ordeal` runs what the page of promises names, goes on where it was, and writes how it went into that page."""

import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from tools.ordeal import (
    BEGIN,
    BROKEN,
    END,
    HELD,
    PAGE,
    ROOT,
    SKIPPED,
    Result,
    chosen,
    commands_by_row,
    read_results,
    run,
    still_due,
    table,
    undergo,
    verdict_of,
)

ROWS = f"""| A1 | What holds. | Held: `tests/rules/test_turns.py`, with `tests/reliability/audit.py`. |
| A2 | More. | In part: `tests/rules/test_turns.py` (`RACES=167 KILLS=2` for all), `tests/js/realtime/link.test.js`. |
| B1 | Measured. | By `python -m benchmarks.push --games 2` and `benchmarks/site.py`, figure `RACES`. |
| C1 | Nothing. | Not built. |

{BEGIN}
old
{END}
after
"""
TURNS = "python -m pytest -q -p no:randomly tests/rules/test_turns.py"
LINK = "node --require ./tests/js/browser.cjs --test tests/js/realtime/link.test.js"
GOOD = Result(HELD, "3 passed", 1.5, "2026-11-01", "abc")


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page of its own."""
    file = tmp_path / "page.md"
    file.write_text(ROWS)
    return file


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until it is so, as long as a busy machine needs."""
    ends_at = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < ends_at
        threading.Event().wait(0.02)


def has_ended(pid: int) -> bool:
    """Return whether there is no such process, or only what waits for its parent to hear that it has ended."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def quoting(code: str) -> str:
    """Return a command that runs a line of Python."""
    return f"python -c '{code}'"


def test_a_row_is_tried_by_the_tests_and_benchmarks_that_it_names_with_its_settings() -> None:
    rows = commands_by_row(ROWS)
    assert rows["A1"] == [TURNS]
    assert rows["A2"] == [f"RACES=167 KILLS=2 {TURNS}", LINK]
    assert rows["B1"] == ["python -m benchmarks.push --games 2", "python -m benchmarks.site"]
    assert rows["C1"] == []


def test_a_row_between_two_others_is_tried_and_told_of_as_they_are(page: Path) -> None:
    row = "| A2a | Between. | Held: `tests/rules/test_turns.py`. |\n| B1 "
    page.write_text(ROWS.replace("| B1 ", row, 1))
    rows = commands_by_row(page.read_text())
    assert rows["A2a"] == [TURNS]
    page.write_text(page.read_text().replace("old", table(rows, {TURNS: GOOD})))
    assert "| `A2a` | held |" in table(rows, {}, page.read_text())


def test_no_command_is_begun_after_the_time_that_is_given(
    page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    undergo([quoting("1"), quoting("2")], page, tmp_path, "abc", within=0)
    assert read_results(tmp_path) == {}
    assert "2 of 2 commands were left for another time." in capsys.readouterr().out


def test_rows_are_chosen_by_number_or_letter_and_no_command_is_run_twice() -> None:
    rows = {"A1": ["a", "b"], "A2": ["b"], "B1": ["c"]}
    assert chosen(rows, []) == ["a", "b", "c"]
    assert chosen(rows, ["A2"]) == ["b"]
    assert chosen(rows, ["A"]) == ["a", "b"]


def test_what_has_held_at_this_commit_is_not_run_again() -> None:
    results = {"a": GOOD, "b": replace(GOOD, verdict=BROKEN), "c": replace(GOOD, commit="older")}
    assert still_due(["a", "b", "c", "d"], results, "abc") == ["b", "c", "d"]


@pytest.mark.parametrize(
    ("status", "output", "verdict", "counted"),
    [
        (0, "..\n3 passed, 1 skipped in 0.10s\n", HELD, "3 passed, 1 skipped"),
        (0, "1 skipped in 0.10s\n", SKIPPED, "1 skipped"),
        (1, "1 failed, 2 passed in 0.10s\n", BROKEN, "1 failed, 2 passed"),
        (1, "2 errors in 0.10s\n", BROKEN, "2 error"),
        (5, "no tests ran in 0.01s\n", SKIPPED, ""),
        (0, "a figure of 3 ms\n", HELD, ""),
    ],
)
def test_how_a_command_went_is_read_from_its_status_and_last_count(
    status: int, output: str, verdict: str, counted: str
) -> None:
    assert verdict_of(status, output) == (verdict, counted)


def test_a_run_that_was_ended_goes_on_where_it_was_and_the_table_says_all(page: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    good, bad = quoting('print("2 passed")'), quoting('raise SystemExit("1 failed")')
    undergo([good, bad], page, folder, "abc")
    results = read_results(folder)
    assert (results[good].verdict, results[bad].verdict) == (HELD, BROKEN)
    assert still_due([good, bad], results, "abc") == [bad]
    # The page names neither, so its table says that nothing has run.
    assert "Not run yet: A1, A2, B1.\n\nNothing to run is named by C1.\n" in page.read_text()
    assert "\nold\n" not in page.read_text()
    assert page.read_text().endswith(f"{END}\nafter\n")


def test_a_row_is_broken_by_one_command_and_says_how_many_have_run() -> None:
    rows = {"A1": ["a", "b"], "A2": ["a", "c"], "C1": []}
    results = {"a": GOOD, "b": Result(BROKEN, "1 failed, 1 passed", 2.0, "2026-11-03", "def")}
    first, second, *last = table(rows, results).splitlines()[2:]
    assert first == "| `A1` | broken | 4 passed, 1 failed, 4 s | 2026-11-01 to 2026-11-03 | abc, def |"
    assert second == "| `A2` | held, 1 of 2 commands | 3 passed, 2 s | 2026-11-01 | abc |"
    assert last == ["", "Nothing to run is named by C1."]


def test_a_command_gets_its_settings_and_is_ended_with_all_that_it_has_started() -> None:
    told = quoting('import os; print(os.environ["FIGURE"])')
    assert run(f"FIGURE=7 {told}") == (0, "7\n")
    status, output = run(quoting("import threading; threading.Event().wait()"), longest=0.2)
    assert (status != 0, output) == (True, "It took longer than 0 s.\n")


#: Tries two commands, of which the second says that it has begun and goes on for ever.
ENDLESS = """
import sys
from pathlib import Path
from tools.ordeal import undergo
undergo(sys.argv[3:], Path(sys.argv[1]), Path(sys.argv[2]), "abc")
"""


def test_a_run_that_was_killed_goes_on_with_what_it_was_at_and_leaves_nothing_behind(
    page: Path, tmp_path: Path
) -> None:
    begun, folder = tmp_path / "begun", tmp_path / "kept"
    good = quoting('print("2 passed")')
    endless = quoting(f'import os, threading; print(os.getpid(), file=open("{begun}", "w")); threading.Event().wait()')
    command = [sys.executable, "-c", ENDLESS, str(page), str(folder), good, endless]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as ordeal:
        wait_until(lambda: begun.exists() and begun.read_text().endswith("\n"))
        ordeal.send_signal(signal.SIGKILL)
    results = read_results(folder)
    assert {command: result.verdict for command, result in results.items()} == {good: HELD}
    assert still_due([good, endless], results, "abc") == [endless]
    wait_until(lambda: has_ended(int(begun.read_text())))
    undergo([quoting('print("1 passed")')], page, folder, "abc")
    assert len(read_results(folder)) == 2


@pytest.mark.parametrize(
    "command",
    [
        "python -m pytest -q tests/rules/test_that_is_gone.py",
        "python -m benchmarks.that_is_gone",
        "a-program-that-is-not-here",
    ],
)
def test_a_command_that_names_what_is_gone_is_broken(command: str) -> None:
    assert verdict_of(*run(command))[0] == BROKEN


def commands_of_the_page() -> Iterator[str]:
    """Yield each command of every row once."""
    yield from dict.fromkeys(chain.from_iterable(commands_by_row(PAGE.read_text()).values()))


def test_every_command_of_the_page_names_tests_and_benchmarks_that_exist() -> None:
    missing = []
    for command in commands_of_the_page():
        words = shlex.split(command)
        files = [ROOT / word for word in words if re.fullmatch(r"tests/\S+\.(py|js)", word)]
        if (module := next((word for word in words if word.startswith("benchmarks.")), None)) is not None:
            files = [ROOT / module.replace(".", "/")]
            files = [file if file.is_dir() else file.with_suffix(".py") for file in files]
        missing += [command for file in files or [ROOT / "nothing"] if not file.exists()]
    assert missing == []


def test_every_option_and_variable_of_a_command_is_read_by_what_it_runs() -> None:
    tests = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.py") if path != Path(__file__))
    unread = []
    for command in commands_of_the_page():
        words = shlex.split(command)
        unread += [word for word in words if re.match(r"[A-Z_]+=", word) and f'"{word.partition("=")[0]}"' not in tests]
        for module in (word for word in words if word.startswith("benchmarks.")):
            package = ROOT / module.replace(".", "/")
            source = (package / "__main__.py" if package.is_dir() else package.with_suffix(".py")).read_text()
            options = [word.partition("=")[0] for word in words if word.startswith("--")]
            unread += [f"{command}: {option}" for option in options if f'"{option}"' not in source]
    assert unread == []


def test_every_test_that_a_row_names_exists() -> None:
    rows = re.findall(r"^\| [ABCD]\d+[a-z]? \|.*$", PAGE.read_text(), re.MULTILINE)
    named = re.findall(r"`(tests/[\w./-]+)", "\n".join(rows))
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_row_that_is_held_names_what_can_be_run_and_the_table_tells_of_all_rows() -> None:
    text = PAGE.read_text()
    rows = commands_by_row(text)
    held = re.findall(r"^\| ([ABCD]\d+[a-z]?) \|.*\| (?:Held|In part|Measured)", text, re.MULTILINE)
    assert [row for row in held if not rows[row]] == []
    told = set(re.findall(r"\b[ABCD]\d+[a-z]?\b", text.partition(BEGIN)[2].partition(END)[0]))
    assert told == set(rows)


COMMITTED = f"""{BEGIN}

| row | how it went | in | when | commit |
|---|---|---|---|---|
| `A1` | held | 5 passed, 2 s | 2026-10-01 | old |
| `A2` | held | 9 passed, 3 s | 2026-10-01 | old |
| `B1` | held, 1 of 2 commands | 1 s | 2026-10-01 | old |
| `Z9` | held | 1 s | 2026-10-01 | old |

{END}"""
FULL = "RACES=167 KILLS=2 " + TURNS


def lines_of(results: dict[str, Result]) -> list[str]:
    """Return the rows that a fresh checkout writes over the table that was committed."""
    return [line for line in table(commands_by_row(ROWS), results, COMMITTED).splitlines() if line.startswith("| `")]


def test_a_fresh_checkout_keeps_what_the_page_says_of_rows_that_it_has_not_run() -> None:
    first, second, third = lines_of({TURNS: GOOD})
    assert first == "| `A1` | held | 3 passed, 2 s | 2026-11-01 | abc |"
    assert second == "| `A2` | held | 9 passed, 3 s | 2026-10-01 | old |"
    assert third == "| `B1` | held, 1 of 2 commands | 1 s | 2026-10-01 | old |"


def test_a_row_of_which_less_was_run_than_before_stays_unless_that_is_broken() -> None:
    assert lines_of({FULL: GOOD})[1] == "| `A2` | held | 9 passed, 3 s | 2026-10-01 | old |"
    broken = lines_of({FULL: replace(GOOD, verdict=BROKEN)})[1]
    assert broken == "| `A2` | broken, 1 of 2 commands | 3 passed, 2 s | 2026-11-01 | abc |"
    assert lines_of({FULL: GOOD, LINK: GOOD})[1] == "| `A2` | held | 6 passed, 3 s | 2026-11-01 | abc |"
    assert lines_of({"python -m benchmarks.push --games 2": GOOD})[2].endswith("| 2026-11-01 | abc |")


def test_a_run_in_a_fresh_checkout_keeps_the_rows_of_the_page(page: Path, tmp_path: Path) -> None:
    page.write_text(page.read_text().replace(f"{BEGIN}\nold\n{END}", COMMITTED))
    undergo([quoting('print("2 passed")')], page, tmp_path / "kept", "abc")
    assert "| `A1` | held | 5 passed, 2 s | 2026-10-01 | old |" in page.read_text()
    assert "Z9" not in page.read_text(), "it is a row no more"
