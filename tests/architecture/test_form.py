"""What people read is in its form: `make format` makes it, `make lint` asks for it, and no line is too long."""

import re
import subprocess
import sys
from pathlib import Path
from shutil import copy

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 120
TOOL = Path(sys.executable).parent / "djangofmt"
# A rule about what opens a fold, and how it says that its element is laid out.
OF_SUMMARIES = re.compile(r"([^{};/]*\bsummary)\s*\{([^{}]*)\}")
LAID_OUT = re.compile(r"^\s*(?:display|list-style)\s*:(?!\s*list-item)\s*([^;]+);", re.MULTILINE)


def files(kind: str) -> list[Path]:
    """Return our files of a kind, also those that git does not know yet."""
    command = ["git", "ls-files", "-co", "--exclude-standard", f"*.{kind}"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=30, check=True).stdout
    return [ROOT / name for name in told.splitlines() if (ROOT / name).exists()]


def complaint(folder: Path, command: str, source: str) -> str:
    """Return what the tool says to a template by the rules of pyproject.toml, nothing where it is content."""
    copy(ROOT / "pyproject.toml", folder)
    (folder / "a.html").write_text(source)
    told = subprocess.run(
        [TOOL, command, "a.html"], cwd=folder, capture_output=True, text=True, timeout=30, check=False
    )
    return told.stdout + told.stderr if told.returncode else ""


@pytest.mark.parametrize("kind", ["html", "js", "css"])
def test_no_line_is_longer_than_120_characters(kind: str) -> None:
    lines = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files(kind)
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > LONGEST
    ]
    assert len(files(kind)) > 20
    assert lines == []


def test_what_opens_shows_its_mark() -> None:
    """A `summary` has a triangle as long as it is a list item."""
    rules = [
        (f"{path.relative_to(ROOT)}: {' '.join(selector.split())}", LAID_OUT.findall(body))
        for path in files("css")
        for selector, body in OF_SUMMARIES.findall(path.read_text())
    ]
    assert len(rules) > 10
    assert {rule: laid_out for rule, laid_out in rules if laid_out} == {}


@pytest.mark.parametrize(
    ("command", "source", "says"),
    [
        ("--check", "<div><p>Text</p>\n</div>\n", "Would reformat"),
        ("--check", "<div>{% if a %}<p>{% endif %}</p></div>\n", "unclosed"),
        ("check", '<p id="a" id="b">Text</p>\n', "Duplicate attribute"),
        ("check", '<a href="javascript:go()">Go</a>\n', "javascript:"),
        ("check", "<p>{% blocktranslate %}Text{% endblocktranslate %}</p>\n", "Missing `trimmed`"),
    ],
)
def test_a_template_out_of_form_or_with_a_fault_is_refused(
    tmp_path: Path, command: str, source: str, says: str
) -> None:
    assert says in complaint(tmp_path, command, source)


@pytest.mark.parametrize("command", ["--check", "check"])
def test_a_template_in_its_form_passes(tmp_path: Path, command: str) -> None:
    assert complaint(tmp_path, command, "<div>\n  <p>Text</p>\n</div>\n") == ""
