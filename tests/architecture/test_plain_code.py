"""Docstrings say what is done, and names are the field's words: what has slipped in before is refused here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("accounts", "benchmarks", "blockyou", "clients", "games", "tools")
#: How a docstring begins that has somebody do what the function does.
ROUNDABOUT = re.compile(r"(Let|Have)\b")


def modules() -> list[Path]:
    """Return our modules but for migrations, which stay as they were released."""
    found = [ROOT / "manage.py", *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
    return sorted(path for path in found if "migrations" not in path.parts)


def explained(source: str) -> Iterator[tuple[str, str]]:
    """Yield what a module says of itself, its classes and functions and, of a command, to who asks for help: each with
    the name of what it is about.
    """
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assign(targets=[ast.Name("help")], value=ast.Constant(str(text))):
                yield "help", text
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                yield getattr(node, "name", "the module"), ast.get_docstring(node) or ""


def roundabout(source: str) -> list[str]:
    """Return what is explained in a roundabout way."""
    return [name for name, text in explained(source) if ROUNDABOUT.match(text)]


def test_a_docstring_says_what_is_done() -> None:
    found = {str(path.relative_to(ROOT)): roundabout(path.read_text("utf-8")) for path in modules()}
    assert len(found) > 900
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('def fill() -> None:\n    """Let bots take the empty seats."""', ["fill"]),
        ('class Archive:\n    async def ask(self) -> None:\n        """Have it made."""', ["ask"]),
        ('"""Let a person see all pages."""', ["the module"]),
        ('class Command:\n    help = "Let a person see all pages."', ["help"]),
        (
            'def fill() -> None:\n    """Fill the seats. Let no one wait."""\n"""Letters."""',
            [],
        ),
    ],
)
def test_a_docstring_that_is_roundabout_is_found(source: str, found: list[str]) -> None:
    assert roundabout(source) == found
