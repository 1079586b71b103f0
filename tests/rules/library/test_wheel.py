"""The rules install alone: a wheel of them has no site, needs nothing, and plays in a bare interpreter."""

import shutil
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PLAY = """
import sys
sys.path.insert(0, sys.argv[1])
import games.rules, games.rules.perft, games.rules.records, games.rules.symmetry, games.rules.text
from games.rules import Position
known = set(sys.stdlib_module_names) | {"games", "__main__"}
position = Position.start("duo").play("1:e10")
print(games.rules.__file__, position.colour, sorted({name.partition(".")[0] for name in sys.modules} - known))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel, built without the network from a copy of what could be packaged."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheels")
    for folder in ("accounts", "blockyou", "games"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("LICENSE", "README.md", "manage.py", "pyproject.toml"):
        shutil.copy(ROOT / file, source)
    offline = ["--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "wheel", *offline, "--wheel-dir", str(target), str(source)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = target.glob("*.whl")
    return path


def test_the_wheel_holds_every_module_of_the_rules_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    rules = {str(path.relative_to(ROOT)) for path in (ROOT / "games" / "rules").rglob("*.py")}
    assert names == {*rules, "games/rules/py.typed"}


def test_the_wheel_needs_nothing(wheel: Path) -> None:
    files = zipfile.ZipFile(wheel)
    (metadata,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
    needed = message_from_bytes(files.read(metadata)).get_all("Requires-Dist") or []
    assert [each for each in needed if "extra ==" not in each] == []


def test_the_rules_of_the_wheel_play_in_a_bare_interpreter(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    command = [sys.executable, "-I", "-S", "-c", PLAY, str(tmp_path)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.split(" ", 1) == [str(tmp_path / "games/rules/__init__.py"), "orange []\n"]
