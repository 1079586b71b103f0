"""Which tests are run on both databases."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import pytest_collection_modifyitems


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
