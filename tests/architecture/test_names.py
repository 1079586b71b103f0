"""One name, one meaning: a public class or function is defined in one module, but for the names listed here."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "what a process runs when it is started"
ACTION = "a view and the one action that it calls"
#: The names that stand in several modules, and why.
SHARED = {
    "Command": "Django's name for every management command",
    "main": PROGRAM,
    "rematch": ACTION,
    "resign": ACTION,
}


def public_names(source: str) -> set[str]:
    """Return the names of the classes and functions at a module's top level that it offers to others."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.parse(source).body if isinstance(node, kinds) and not node.name.startswith("_")}


def modules() -> list[Path]:
    found = [path for folder in ("accounts", "blockyou", "games") for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "migrations" not in path.parts)


def names_in_several_modules() -> dict[str, list[str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for path in modules():
        for name in public_names(path.read_text("utf-8")):
            places[name].append(str(path.relative_to(ROOT)))
    return {name: where for name, where in places.items() if len(where) > 1}


def test_a_public_name_is_defined_in_one_module() -> None:
    assert {name: where for name, where in names_in_several_modules().items() if name not in SHARED} == {}


def test_every_listed_name_still_stands_in_several_modules() -> None:
    assert SHARED.keys() <= names_in_several_modules().keys()
