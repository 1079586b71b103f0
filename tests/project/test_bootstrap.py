"""What a bare system lacks is told in a sentence, and nothing is installed twice."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from blockyou import bootstrap

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Point the bootstrap at an empty folder and give it two lock files."""
    monkeypatch.setattr(bootstrap, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    locks = {"run": tmp_path / "requirements.txt", "dev": tmp_path / "requirements-dev.txt"}
    monkeypatch.setattr(bootstrap, "LOCKS", locks)
    for kind, lock in locks.items():
        lock.write_text(f"# what {kind} needs: nothing\n")
    return tmp_path


def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this is 3\.9"):
        bootstrap.check_python()


@pytest.mark.usefixtures("environment")
def test_a_python_without_venv_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="sudo apt install python3-venv"):
        bootstrap.check_python()


def test_no_python_at_all_is_told_by_make() -> None:
    result = subprocess.run(
        ["make", "run", "PYTHON="], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode != 0
    assert "needs Python 3.11 or newer, and none was found" in result.stderr


@pytest.mark.slow
@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="needs no database; run without DATABASE_URL")
def test_an_environment_is_made_once_and_filled_again_when_the_lock_changes(
    environment: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    bootstrap.main(["run"])
    assert "Making the environment" in capfd.readouterr().out
    bootstrap.main(["run"])
    assert capfd.readouterr().out == ""
    (environment / "requirements.txt").write_text("# now it needs something else\n")
    bootstrap.main(["run"])
    assert capfd.readouterr().out == "Installing what Block-You needs (once; about a minute)\n"
    assert not bootstrap.is_installed("dev")


def test_an_environment_with_the_tools_can_serve_too(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "works", lambda: True)
    bootstrap.VENV.mkdir()
    (bootstrap.VENV / ".installed-dev").write_text(bootstrap.digest("dev"))
    assert bootstrap.is_installed("run")
    (environment / "requirements-dev.txt").write_text("# more\n")
    assert not bootstrap.is_installed("run")
