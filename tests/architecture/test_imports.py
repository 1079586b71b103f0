"""Who may know whom: the contracts of pyproject.toml, and what their tool cannot see."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: The one door to the accelerator, where its code is kept and its switch is read, and the one file with weights.
DOORS = {"compiled.py": {"numba", "numpy"}, "kept.py": {"os", "pathlib"}, "weights.py": {"pathlib"}}
PURE = sorted([*(ROOT / "games" / "rules").rglob("*.py"), *(ROOT / "games" / "bots" / "engines").rglob("*.py")])


def test_the_import_contracts_are_kept() -> None:
    result = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("module", "rooms"),
    [
        ("games.rules", {"rules"}),
        ("games.clock", {"clock"}),
        ("games.bots.engines", {"bots"}),
        ("games.roster.entries", {"roster"}),
        ("games.drawing.svg", {"drawing", "rules"}),
        ("games.arena.command", {"arena", "bots", "roster", "rules"}),
    ],
)
def test_what_is_pure_loads_no_framework_and_no_other_room(module: str, rooms: set[str]) -> None:
    """Strings such as INSTALLED_APPS are invisible to the linter, so ask a fresh interpreter."""
    program = f"import sys, {module}; print(sorted(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    names = ast.literal_eval(result.stdout)
    loaded = {name.split(".")[0] for name in names}
    assert {name.split(".")[1] for name in names if name.startswith("games.")} == rooms
    assert not loaded & {"django", "channels", "accounts", "blockyou", "asgiref", "redis", "sqlite3"}


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_and_engines_import_the_standard_library_alone(path: Path) -> None:
    allowed = {*sys.stdlib_module_names, "games", *doors(path)}
    assert {name.split(".")[0] for name in imported(path)} <= allowed
    assert {name for name in imported(path) if name.startswith("games.")} <= {
        name for name in imported(path) if name.startswith(("games.rules", "games.bots.engines"))
    }


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(ROOT)))
def test_rules_and_engines_touch_no_clock_and_no_network(path: Path) -> None:
    outside = {"asyncio", "datetime", "http", "logging", "os", "pathlib", "socket", "subprocess", "time", "urllib"}
    assert not {name.split(".")[0] for name in imported(path)} & outside - doors(path)


def test_importing_play_imports_nothing() -> None:
    """`games.rules` is usable as a library only while its parent package does nothing of its own."""
    tree = ast.parse((ROOT / "games" / "__init__.py").read_text())
    assert [node for node in tree.body if not isinstance(node, ast.Expr)] == []


def doors(path: Path) -> set[str]:
    """Return what a file of the engines may import beyond the rest."""
    return DOORS.get(path.name, set()) if "engines" in path.parts else set()


def imported(path: Path) -> set[str]:
    """Return the full names of the modules a file imports, wherever in it."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
