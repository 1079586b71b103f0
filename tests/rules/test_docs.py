"""The pages about the rules say what is so: examples run, and the table names what exists."""

import ast
import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
OURS = "ours, not in the specification"


def rows() -> list[tuple[str, str, str]]:
    """Return the table of docs/rules.md: rule, scenario, test."""
    lines = (ROOT / "docs" / "rules.md").read_text().split("\n")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if re.match(r"\| R\d", line)]
    return [(rule, scenario, test.strip("`")) for rule, scenario, test in cells]


def scenarios() -> set[str]:
    """Return `feature: title` of every scenario in the features."""
    return {
        f"{path.stem}: {title}"
        for path in (HERE / "features").glob("*.feature")
        for title in re.findall(r"^\s*Scenario(?: Outline)?: (.+)$", path.read_text(), re.MULTILINE)
    }


def functions() -> set[str]:
    """Return `file::name` of every test function beside this one."""
    return {
        f"{path.name}::{node.name}"
        for path in HERE.rglob("test_*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
    }


def test_every_rule_has_a_row() -> None:
    assert list(dict.fromkeys(rule for rule, _, _ in rows())) == [f"R{n}" for n in range(1, 13)]


def test_the_table_names_every_scenario_and_no_other() -> None:
    assert {scenario for _, scenario, _ in rows()} - {OURS} == scenarios()


def test_the_table_names_tests_that_exist() -> None:
    assert {test for _, _, test in rows()} <= functions()


def test_the_features_tell_40_scenarios_in_46_cases_or_more() -> None:
    assert len(scenarios()) == 40
    text = "\n".join(path.read_text() for path in (HERE / "features").glob("*.feature"))
    outlines = re.findall(r"Scenario Outline:.*?Examples:\n((?:\s*\|.*\n?)+)", text, re.DOTALL)
    examples = sum(len(block.strip().split("\n")) - 1 for block in outlines)
    assert len(scenarios()) - len(outlines) + examples >= 46


def test_every_scenario_is_bound_by_a_test_module() -> None:
    modules = "\n".join(path.read_text() for path in HERE.rglob("*.py"))
    for path in (HERE / "features").glob("*.feature"):
        assert path.name in modules


@pytest.mark.parametrize("page", ["docs/notation.md", "docs/referee.md", "docs/engine.md", "README.md"])
def test_the_examples_of_a_page_do_what_it_says(page: str) -> None:
    failed, _ = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert failed == 0
