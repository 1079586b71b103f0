"""The examples of the page about learning run."""

import doctest
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_what_the_page_says_is_what_happens() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "learning.md"), module_relative=False)
    assert (failed, tried > 10) == (0, True)
