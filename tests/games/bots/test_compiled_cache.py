"""Compiled code is kept for exactly the sources it was compiled from."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.bots import warm
from games.bots.engines import compiled, kept
from games.roster.entries import BOTS

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the engines be two small files."""
    monkeypatch.setattr(kept, "ENGINES", tmp_path)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    for name in ("tree.py", "playout.py"):
        (tmp_path / name).write_text("NUMBER = 1\n")
    return tmp_path


def test_an_engine_that_changes_leaves_the_compiled_code_of_all_engines_behind(engines: Path) -> None:
    before = kept.cache_folder()
    assert kept.cache_folder() == before
    (engines / "playout.py").write_text("NUMBER = 2\n")
    assert kept.cache_folder() != before


def test_compiled_code_is_kept_in_the_folder_of_the_installation_unless_another_is_named(
    engines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "var"))
    assert kept.cache_folder().parent == tmp_path / "var" / "engines"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "elsewhere"))
    assert kept.cache_folder().parent == tmp_path / "elsewhere"


def test_compiled_code_of_other_sources_goes_a_week_after_a_process_last_started_with_it(tmp_path: Path) -> None:
    now, day = 1_800_000_000.0, 24 * 3600
    for name, age in {"compiled-1": 8 * day, "compiled-2": 6 * day, "compiled-3": 30 * day, "other": 30 * day}.items():
        (tmp_path / name / "engines").mkdir(parents=True)
        os.utime(tmp_path / name, (now - age, now - age))
    warm.keep_compiled(tmp_path / "compiled-3", now)
    assert {path.name for path in tmp_path.iterdir()} == {"compiled-2", "compiled-3", "other"}
    assert (tmp_path / "compiled-3").stat().st_mtime == now


def test_engines_work_where_nothing_can_be_kept(tmp_path: Path) -> None:
    """A file stands in the place of the folder, since root can write every folder."""
    (tmp_path / "file").write_text("")
    compiling = "from games.bots.engines.compiled import compiled; print(compiled(lambda x: x + 1)(41))"
    answer = subprocess.run(
        [sys.executable, "-c", compiling],
        cwd=ROOT, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "file"), "BOTS_COMPILED": "1"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert answer.stdout == "42\n", answer.stderr


def test_that_nothing_can_be_kept_is_said_where_engines_are_made_ready(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(compiled, "IS_COMPILED", True)
    monkeypatch.setattr(compiled, "IS_KEPT", False)
    monkeypatch.setattr(warm, "_one_of_each", list)
    warm.warm_up()
    assert "The engines are compiled anew at every start" in caplog.text


@pytest.mark.parametrize("is_compiled_before", [False, True])
def test_engines_are_compiled_by_a_process_that_ends_and_loaded_by_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_compiled_before: bool
) -> None:
    thinkers = tmp_path / "thinkers"

    class Noting:
        def think(self, *_position: Any, **_seed: int) -> None:
            with thinkers.open("a") as file:
                file.write(f"{os.getpid()}\n")

    monkeypatch.setattr(compiled, "IS_COMPILED", True)
    monkeypatch.setattr(compiled, "IS_KEPT", True)
    monkeypatch.setattr(kept, "cache_folder", lambda: tmp_path)
    monkeypatch.setenv("BOTS_COMPILED", "1")
    monkeypatch.setattr(warm, "make_engine", lambda _bot: Noting())
    monkeypatch.setattr(warm, "BOTS", {"random": BOTS["random"]})
    if is_compiled_before:
        (tmp_path / kept.COMPLETE).touch()
    warm.warm_up()
    found = thinkers.read_text().split()
    assert found[-2:] == [str(os.getpid())] * 2
    assert len({*found}) == (1 if is_compiled_before else 2)
