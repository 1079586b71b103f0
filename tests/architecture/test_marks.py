"""Which tests are run on both databases."""

import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.browser.conftest import PROOFS
from tests.conftest import pytest_collection_modifyitems

ROOT = Path(__file__).resolve().parents[2]
MARKED = re.compile(r"pytest\.mark\.proof\b|^from tests\.proof import", re.M)


def asking(nodeid: str, *marks: str) -> Any:
    """Return a test that asks the database."""
    found = [*marks]
    return SimpleNamespace(
        nodeid=nodeid,
        fixturenames=["db"],
        get_closest_marker=lambda mark: mark if mark in found else None,
        add_marker=lambda mark: found.append(mark.name),
        found=found,
    )


def marked(items: Sequence[Any]) -> list[bool]:
    """Return which of these tests are run on PostgreSQL."""
    pytest_collection_modifyitems(list(items))
    return ["database" in item.found for item in items]


@pytest.mark.parametrize("folder", ["games/actions", "games/tasks", "games/queries", "games/realtime", "reliability"])
def test_every_case_of_a_write_a_job_or_a_race_is_run_on_both_databases(folder: str) -> None:
    path = f"tests/{folder}/test_it.py::test_it"
    assert marked([asking(f"{path}[1]"), asking(f"{path}[2]"), asking(path, "proof")]) == [True, True, True]


def test_of_the_cases_of_a_page_one_is_run_on_both() -> None:
    path = "tests/games/replay/test_it.py::test_"
    items = [asking(f"{path}{name}") for name in ("a[1]", "a[2]", "b", "c[1]", "c[2]")]
    assert marked(items) == [True, False, True, True, False]


def test_what_sends_the_same_queries_is_run_on_both_once_and_its_proofs_are_not() -> None:
    path, mark = "tests/reliability/test_it.py::test_it", "same_queries"
    items = [asking(f"{path}[1]", mark, "proof"), asking(f"{path}[2]", mark), asking(f"{path}[3]", mark)]
    assert marked(items) == [False, True, False]


def test_a_case_marked_by_hand_stays_marked() -> None:
    path = "tests/reliability/test_it.py::test_it"
    assert marked([asking(f"{path}[{case}]", "same_queries", "database") for case in (1, 2)]) == [True, True]


def files_with_proofs() -> set[str]:
    """Return the files with tests that are left to the full proof, marked in them or by their folder."""
    names = {f"test_{name}.py" for name in PROOFS}
    found = {str(path.relative_to(ROOT)) for path in (ROOT / "tests/browser").rglob("test_*.py") if path.name in names}
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path != Path(__file__) and MARKED.search(path.read_text("utf-8")):
            found.add(str(path.relative_to(ROOT)))
    return found


def test_the_page_about_testing_lists_every_file_with_proofs() -> None:
    text = (ROOT / "docs/testing.md").read_text("utf-8").partition("## What is left to `make proof`, by file")[2]
    rows = re.findall(r"^\| `(tests/[^`]*)` \| (.*) \|$", text.partition("\n## ")[0], re.M)
    listed = {f"{folder}/{name}" for folder, names in rows for name in re.findall(r"`([^`]+)`", names)}
    assert listed == files_with_proofs()
