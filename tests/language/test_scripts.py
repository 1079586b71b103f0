"""Scripts have no words of their own: what they say comes with the page, in its language."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "static"
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w])//[^\n]*", re.DOTALL)
#: A text that begins like a sentence, or has two words beside each other.
SENTENCE = re.compile(
    r"""["'`](?:[A-Z][a-z]+ [a-z]+ |[^"'`\n]*\b[a-z]{3,} (?:is|are|was|has|not|to|of|the|your|you)\b)"""
)


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.js")), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_script_says_nothing_by_itself(path: Path) -> None:
    # What an error says to whoever reads the console is no text of the page.
    code = re.sub(r"new \w*Error\([^)]*\)", "", COMMENT.sub("", path.read_text("utf-8")))
    assert [found.group() for found in SENTENCE.finditer(code)] == []
