"""No function branches so much that it cannot be read; unlike ruff's measure this one counts short branches too."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: What has more is mended by a value that says what a branch said, or by functions by subject.
MOST = 15
BRANCHES = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case),
    *(ast.IfExp, ast.comprehension),
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def ways_through(function: ast.AST) -> int:
    """Return by how many ways a function can be gone through, those inside it left out."""
    count, waiting = 1, list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        if isinstance(node, FUNCTIONS):
            continue
        count += isinstance(node, BRANCHES)
        count += len(node.ifs) if isinstance(node, ast.comprehension) else 0
        count += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        waiting += ast.iter_child_nodes(node)
    return count


def functions() -> dict[str, ast.AST]:
    """Return all functions but those of tests, by where they are."""
    rooms = ("accounts", "benchmarks", "blockyou", "clients", "games", "tools")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    return {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": node
        for path in files
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, FUNCTIONS)
    }


def test_short_branches_count_as_much_as_long_ones() -> None:
    long = ast.parse("def f(a, b):\n    if a and b:\n        return 1\n    return [c for c in a if c]")
    short = ast.parse("def f(a, b):\n    return (1 if a and b else [c for c in a if c])")
    assert [ways_through(tree.body[0]) for tree in (long, short)] == [5, 5]


def test_no_function_branches_more_than_can_be_read() -> None:
    found = {where: ways_through(function) for where, function in functions().items()}
    assert len(found) > 3000
    assert {where: count for where, count in found.items() if count > MOST} == {}
