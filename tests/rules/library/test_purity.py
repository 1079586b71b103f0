"""The rules stand on the standard library alone."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
RULES = ROOT / "games" / "rules"


def test_a_fresh_interpreter_loads_the_rules_without_django() -> None:
    """Import by name is invisible to import contracts, so the loaded modules are looked at."""
    code = (
        "import sys, games.rules, games.rules.perft, games.rules.text, games.rules.records\n"
        "known = set(sys.stdlib_module_names) | {'games', '__main__'}\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} - known))"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"


def test_no_clock_no_chance_no_files_no_network() -> None:
    banned = {"random", "time", "datetime", "os", "pathlib", "socket", "subprocess", "secrets", "io", "threading"}
    for path in RULES.rglob("*.py"):
        assert not imported(path) & banned, path


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names
