"""The list of what is promised is whole, and whatever cites a number is named in its line."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAST = {"A": 14, "B": 19, "C": 28, "D": 20}
NUMBER = re.compile(r"\b([ABCD])(\d{1,2})\b")
#: Cells and pieces have such names too: in the rules, a number is no promise.
SOURCES = sorted(
    path
    for folder in ("accounts", "blockyou", "games", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if "rules" not in path.parts
)
PROMISES = {
    found[1]: line
    for line in (ROOT / "docs" / "reliability.md").read_text().splitlines()
    if (found := re.match(r"\| ([ABCD]\d+) \|", line))
}


def cited(path: Path) -> set[str]:
    """Return the numbers in the docstring of a module, those of "D1 to D4" one by one."""
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    spans = re.findall(r"\b([ABCD])(\d+) to \1(\d+)\b", text)
    within = {f"{letter}{number}" for letter, first, last in spans for number in range(int(first), int(last) + 1)}
    return within | {letter + number for letter, number in NUMBER.findall(text)}


def test_every_promise_has_its_line() -> None:
    assert set(PROMISES) == {f"{letter}{number}" for letter, last in LAST.items() for number in range(1, last + 1)}


def test_every_number_that_is_cited_is_a_promise_whose_line_names_the_test() -> None:
    citing = {path: numbers for path in SOURCES if (numbers := cited(path))}
    assert len(citing) > 15
    for path, numbers in citing.items():
        place = str(path.relative_to(ROOT))
        assert numbers <= set(PROMISES), place
        if path.name.startswith("test_"):
            assert [number for number in sorted(numbers) if f"`{place}`" not in PROMISES[number]] == [], place
