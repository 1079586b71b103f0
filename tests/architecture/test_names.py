"""One name, one meaning: a public class, function or alias of a type is defined in one module, but for these names."""

import ast
import re
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
    """Return the names of the classes, functions and aliases of types at a module's top level that it offers to others.

    A type variable stands for any type, and no further than its module.
    """
    found = set()
    for node in ast.parse(source).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.Assign(value=ast.Call(func=ast.Name("TypeVar"))):
                pass
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                if re.fullmatch(r"[A-Z]+[a-z]\w*", name):
                    found.add(name)
    return {name for name in found if not name.startswith("_")}


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


#: Names of bounds and spans, which are to say of what: `LONGEST_ADDRESS`, not `LONGEST`.
MEASURE = re.compile(r"(EVERY|FEW|KEPT|LATE|LONGEST|LOT|MOST|PATIENCE|REMEMBERED|SHORTEST)(_[A-Z_]+)?")


def is_text(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def measures(source: str) -> dict[str, str]:
    """Return the bounds and spans that a module defines, by name, each with the text of its value."""
    found = {}
    for node in ast.parse(source).body:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = [*zip(targets, values, strict=True)]
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            # A text is a key, such as a state.
            if isinstance(target, ast.Name) and MEASURE.fullmatch(target.id) and not is_text(value):
                found[target.id] = ast.unparse(value)
    return found


def test_a_bound_of_one_name_has_one_value() -> None:
    values: dict[str, dict[str, str]] = defaultdict(dict)
    for path in modules():
        for name, value in measures(path.read_text("utf-8")).items():
            values[name][str(path.relative_to(ROOT))] = value
    assert {name: found for name, found in values.items() if len({*found.values()}) > 1} == {}


def test_bounds_are_found_in_pairs_too() -> None:
    source = "PAUSE, LONGEST_PAUSE = 1, 2\nMOST: int = 3\nFIRST, LOT = first()\n"
    assert measures(source) == {"LONGEST_PAUSE": "2", "MOST": "3"}
