"""Run what docs/reliability.md names in the rows of its promises, and keep in that page how each went last.

    make ordeal                       every row whose commands have not held yet at this commit
    python -m tools.ordeal A6 B       some rows, or all of a letter
    python -m tools.ordeal --list     only say what would be run
    python -m tools.ordeal --within 600 C     begin nothing after ten minutes

The page is the one list: a row is tried by the tests and benchmarks that it names, with the variables that it names
(`RACES=167`), long proofs and all. What has run is kept in var/ordeal, one file with the results and the output of each
command, so that a run that was ended goes on where it was; of a row of which less was run here, the page keeps what it
says. Databases are those of the environment; see `.ci/servers`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reliability.md"
FOLDER = ROOT / "var" / "ordeal"
#: The table stands between these lines of the page.
BEGIN, END = "<!-- ordeal: written by `make ordeal` -->", "<!-- /ordeal -->"
#: A command that takes longer is ended, in seconds.
LONGEST = 2 * 3600

ROW = re.compile(r"^\| ([ABCD]\d+[a-z]?) \|(.*)\|$", re.MULTILINE)
QUOTED = re.compile(r"`([^`]+)`")
COUNTED = re.compile(r"\b(\d+) (passed|failed|errors?|skipped)\b")
#: A line of the table with its row, and how many of its commands it tells of where that is not all.
LINE = re.compile(r"^(\| `([ABCD]\d+[a-z]?)` \|.*)$", re.MULTILINE)
PART = re.compile(r", (\d+) of \d+ commands")
#: How it went: tests that were run hold; one does not; nothing could be tried here.
HELD, BROKEN, SKIPPED = "held", "broken", "skipped"


@dataclass(frozen=True)
class Result:
    """How one command went: HELD, BROKEN or SKIPPED, what was counted, when, and at which commit."""

    verdict: str
    counted: str
    seconds: float
    day: str
    commit: str


def commands_by_row(page: str) -> dict[str, list[str]]:
    """Return the commands of every promise in a page, none where its row names none."""
    return {number: _commands(row) for number, row in ROW.findall(page)}


def _commands(row: str) -> list[str]:
    """Return what a row names: its tests in one folder after the other, then its benchmarks."""
    words = QUOTED.findall(row)
    settings = " ".join(word for word in words if re.fullmatch(r"([A-Z_]+=\w+ ?)+", word))
    found = []
    for word in words:
        if re.fullmatch(r"tests/\S*test_\w+\.py", word):
            found.append(f"{settings} python -m pytest -q -p no:randomly {word}".strip())
        elif word.endswith(".test.js"):
            found.append(f"node --require ./tests/js/browser.cjs --test {word}")
        elif benchmark := re.match(r"benchmarks/(\w+)\.py$", word):
            found.append(f"python -m benchmarks.{benchmark[1]}")
        elif word.startswith("python -m benchmarks."):
            found.append(word)
    return list(dict.fromkeys(found))


def chosen(rows: Mapping[str, Sequence[str]], wanted: Sequence[str]) -> list[str]:
    """Return the commands of the rows wanted, by number or letter, each once; those of all rows if none is named."""
    asked = [row for row in rows if not wanted or row in wanted or row[0] in wanted]
    return list(dict.fromkeys(command for row in asked for command in rows[row]))


def still_due(commands: Sequence[str], results: Mapping[str, Result], here: str) -> list[str]:
    """Return the commands that have not held at this commit."""
    held = {command for command, result in results.items() if (result.verdict, result.commit) == (HELD, here)}
    return [command for command in commands if command not in held]


def verdict_of(status: int, output: str) -> tuple[str, str]:
    """Return how a command went by its status and output, and what it counted, if it counts."""
    closing = next((line for line in reversed(output.splitlines()) if COUNTED.search(line)), "")
    counts = {word.rstrip("s"): int(number) for number, word in COUNTED.findall(closing)}
    counted = ", ".join(f"{number} {word}" for word, number in counts.items())
    if status not in (0, 5):
        return BROKEN, counted
    # Status 5 is pytest's for no test at all.
    return (SKIPPED if status == 5 or (counts and not counts.get("passed")) else HELD), counted


def run(command: str, *, longest: float = LONGEST) -> tuple[int, str]:
    """Run a command in the root of the project, and return its status and what it printed; one too long is ended."""
    words = shlex.split(command)
    settings = dict(word.split("=", 1) for word in words if re.match(r"[A-Z_]+=", word))
    program = [word for word in words if not re.match(r"[A-Z_]+=", word)]
    if program[0] == "python":
        program[0] = sys.executable
    # It does not outlive this process, which holds the other end: the next run would try the same beside it.
    follows, held = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "tools.followed", *program],
        cwd=ROOT,
        env=os.environ | settings,
        stdin=follows,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        os.close(follows)
        try:
            output, _ = process.communicate(timeout=longest)
        except subprocess.TimeoutExpired:
            output = f"It took longer than {longest:.0f} s.\n"
        finally:
            # Whatever it has started ends with it.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            os.close(held)
    return process.returncode, output


def read_results(folder: Path) -> dict[str, Result]:
    """Return what is kept of earlier runs, by command."""
    file = folder / "results.json"
    return {command: Result(**kept) for command, kept in json.loads(file.read_text()).items()} if file.exists() else {}


def keep(results: Mapping[str, Result], folder: Path) -> None:
    """Keep the results in place of those before."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {command: asdict(result) for command, result in results.items()}
    # A run that is ended meanwhile leaves the former file or the new one.
    draft = folder / "results.draft"
    draft.write_text(json.dumps(kept, indent=2) + "\n")
    draft.replace(folder / "results.json")


def table(rows: Mapping[str, Sequence[str]], results: Mapping[str, Result], page: str = "") -> str:
    """Return the table of the rows: how each went, in how many tests and seconds, when, and at which commits.

    What the table in the page says of a row stays where less of it was run here, unless that is broken: results are
    kept by each checkout, the page by all. Rows without a result follow in a sentence.
    """
    found = {row: [results[command] for command in commands if command in results] for row, commands in rows.items()}
    before = {row: line for row, line in _lines_of(page).items() if row in rows}
    lines = ["| row | how it went | in | when | commit |", "|---|---|---|---|---|"]
    for row, kept in found.items():
        if kept and not _says_more(before.get(row, ""), rows[row], kept):
            lines.append(f"| `{row}` | {' | '.join(_cells(rows[row], kept))} |")
        elif row in before:
            lines.append(before[row])
    without = {row: commands for row, commands in rows.items() if not found[row] and row not in before}
    return "\n".join([*lines, *_sentences_on(without)])


def _sentences_on(rows: Mapping[str, Sequence[str]]) -> list[str]:
    """Return what is said below the table of rows that are not in it: they wait, or name nothing to run."""
    waiting = ", ".join(row for row, commands in rows.items() if commands)
    nothing = ", ".join(row for row, commands in rows.items() if not commands)
    waits = ["", f"Not run yet: {waiting}."] if waiting else []
    return [*waits, "", f"Nothing to run is named by {nothing}."] if nothing else waits


def _lines_of(page: str) -> dict[str, str]:
    return {row: line for line, row in LINE.findall(page.partition(BEGIN)[2].partition(END)[0])}


def _says_more(line: str, commands: Sequence[str], found: Sequence[Result]) -> bool:
    """Return whether a line of the page tells of more commands than have been run here, of which none is broken."""
    if not line or any(result.verdict == BROKEN for result in found):
        return False
    part = PART.search(line)
    return len(found) < (int(part[1]) if part else len(commands))


def _cells(commands: Sequence[str], found: Sequence[Result]) -> tuple[str, str, str, str]:
    verdicts = [result.verdict for result in found]
    words = next((verdict for verdict in (BROKEN, HELD) if verdict in verdicts), SKIPPED)
    if len(found) < len(commands):
        words += f", {len(found)} of {len(commands)} commands"
    counted = _sum(result.counted for result in found)
    took = f"{counted}, {sum(result.seconds for result in found):.0f} s".removeprefix(", ")
    days = sorted({result.day for result in found})
    return (
        words,
        took,
        " to ".join(dict.fromkeys([days[0], days[-1]])),
        ", ".join(sorted({one.commit for one in found})),
    )


def _sum(counted: Iterable[str]) -> str:
    totals: dict[str, int] = {}
    for number, word in COUNTED.findall(", ".join(counted)):
        totals[word] = totals.get(word, 0) + int(number)
    return ", ".join(f"{number} {word}" for word, number in totals.items())


def write_table(text: str, page: Path) -> None:
    """Put the table between its two lines in the page."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{page} has no place for the table")
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")


def commit() -> str:
    """Return the commit that is tried, and whether something was changed since; the page itself does not count."""
    changed = _git("status", "--porcelain", "-uno", "--", ".", ":!docs")
    return f"{_git('rev-parse', '--short=10', 'HEAD')}{' with changes' if changed else ''}"


def _git(*arguments: str) -> str:
    command = [shutil.which("git") or "git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def undergo(due: Sequence[str], page: Path, folder: Path, here: str, *, within: float = math.inf) -> None:
    """Run these commands at a commit, keep how each went in the folder, and write the table of all into the page.

    None is begun after so many seconds: the next run begins there.
    """
    results, ends_at = read_results(folder), time.monotonic() + within
    try:
        for number, command in enumerate(due, 1):
            if time.monotonic() >= ends_at:
                say(f"{len(due) - number + 1} of {len(due)} commands were left for another time.")
                break
            say(f"{number} of {len(due)}: {command}")
            results[command] = _try(command, folder, here)
            keep(results, folder)
            say(f"    {results[command].verdict} {results[command].counted}".rstrip())
    finally:
        text = table(commands_by_row(page.read_text()), results, page.read_text())
        write_table(text, page)
        say(f"\n{text}")


def _try(command: str, folder: Path, here: str) -> Result:
    began = time.monotonic()
    status, output = run(command)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{re.sub(r'[^A-Za-z0-9]+', '-', command)[-120:]}.log").write_text(f"{command}\n\n{output}")
    verdict, counted = verdict_of(status, output)
    return Result(verdict, counted, round(time.monotonic() - began, 1), f"{datetime.now(UTC):%Y-%m-%d}", here)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Run what has not held yet, keep how it went, and say by the exit status whether anything is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", help="numbers or letters of rows; all without any")
    parser.add_argument("--again", action="store_true", help="run what has held at this commit, too")
    parser.add_argument("--within", type=float, default=math.inf, help="seconds after which nothing is begun")
    parser.add_argument("--list", action="store_true", help="only say what would be run")
    asked = parser.parse_args()
    commands, here = chosen(commands_by_row(PAGE.read_text()), asked.rows), commit()
    due = commands if asked.again else still_due(commands, read_results(FOLDER), here)
    if asked.list:
        say("\n".join(due))
        return
    undergo(due, PAGE, FOLDER, here, within=asked.within)
    results = read_results(FOLDER)
    sys.exit(any(results[command].verdict == BROKEN for command in commands if command in results))


if __name__ == "__main__":
    main()
