"""deploy/take-over promotes a server that has everything, and none that may lack something or is off the net itself."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "deploy" / "take-over"
LACKING = "this server may lack what was acknowledged. A person decides."
#: Stands for psql: what the first server answers is a line of a file, taken away once it is said; none is no answer.
PSQL = """#!{python}
import pathlib, sys
folder = pathlib.Path({folder!r})
if "pg_promote" in sys.argv[-1]:
    (folder / "promoted").touch()
    sys.exit()
answers = folder / "answers"
first, _, rest = answers.read_text().partition("\\n")
answers.write_text(rest)
if not first and not rest:
    (folder / "silences").open("a").write(".")
    sys.exit(2)
print(first)
"""
SLEEP = """#!/bin/sh
[ "$(wc -c < {folder}/silences 2>/dev/null || echo 0)" -lt 8 ] || kill -TERM $PPID
"""


def watched(folder: Path, *answers: str, **told: str) -> tuple[bool, list[str]]:
    """Return whether the second server was promoted once the first had given these answers, and what was said."""
    (folder / "answers").write_text("".join(f"{answer}\n" for answer in answers))
    for name, script in {"psql": PSQL, "sleep": SLEEP}.items():
        (folder / name).write_text(script.format(python=sys.executable, folder=str(folder)))
        (folder / name).chmod(0o755)
    surroundings = {"PATH": f"{folder}:{os.environ['PATH']}", "FIRST": "host=a", "SECOND": "host=b", "WITNESS": "true"}
    ran = subprocess.run(
        [SCRIPT], env={**surroundings, **told}, capture_output=True, text=True, timeout=60, check=False
    )
    return (folder / "promoted").exists(), ran.stderr.splitlines()


def test_a_server_that_was_synchronous_is_promoted_once_the_first_has_failed_to_answer_five_times(
    tmp_path: Path,
) -> None:
    was_promoted, said = watched(tmp_path, "sync", "sync", AFTER=f"touch {tmp_path}/told")
    assert was_promoted
    assert said[-2:] == ["take-over: the first server does not answer (5 of 5).", "take-over: promoted."]
    assert (tmp_path / "told").exists()


@pytest.mark.parametrize(
    ("answers", "told", "reason"),
    [
        (("sync", "async"), {}, LACKING),
        (("sync", " "), {}, LACKING),
        ((), {}, LACKING),
        (("sync",), {"WITNESS": "false"}, "it is this host that is off the net."),
        (("sync",), {"FENCE": "false"}, "the first server could not be switched off."),
    ],
)
def test_what_may_lack_something_or_split_the_site_is_not_promoted(
    tmp_path: Path, answers: tuple[str, ...], told: dict[str, str], reason: str
) -> None:
    was_promoted, said = watched(tmp_path, *answers, **told)
    assert not was_promoted
    assert [line for line in said if "promoted" in line] == [f"take-over: not promoted: {reason}"]
