"""What a bare system lacks is told in a sentence, and nothing is installed twice."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from importlib.metadata import distributions, requires
from pathlib import Path
from types import SimpleNamespace

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from blockyou.install import bootstrap
from tests.proof import proof

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = {canonicalize_name(each.name) for each in distributions()}
REAL_LOCKS = dict(bootstrap.LOCKS)


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


@pytest.mark.parametrize(
    ("version", "sentence"),
    [((3, 9, 2), "this is 3.9. Name a newer one"), ((3, 15, 0), "this is 3.15, for which what it uses is not built")],
)
def test_a_python_that_is_too_old_or_too_new_is_refused_before_anything_is_installed(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], sentence: str
) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit, match=re.escape(f"needs Python 3.11 to 3.14; {sentence}")):
        bootstrap.main(["run"])


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
    assert "needs Python 3.11 to 3.14, and none was found" in result.stderr


@pytest.mark.proof
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


@pytest.mark.parametrize("kind", ["run", "dev"])
def test_a_library_wanted_with_extras_is_locked_with_them(kind: str) -> None:
    # pip takes what is wanted with extras for another library than the one that is locked: without them it would look
    # for the newest, and refuse it, as soon as there is one newer than ours.
    lock = bootstrap.LOCKS[kind].read_text()
    locked = {Requirement(line.split("\\")[0]) for line in lock.splitlines() if re.match(r"[a-z]", line)}
    extras = {canonicalize_name(each.name): each.extras for each in locked}
    wanted = [Requirement(text) for name in extras if name in INSTALLED for text in requires(name) or ()]
    found = {(canonicalize_name(each.name), extra) for each in wanted if applies(each) for extra in each.extras}
    assert {name for name, _extra in found} & {"twisted"}
    assert {(name, extra) for name, extra in found if extra not in extras[name]} == set()


def applies(requirement: Requirement) -> bool:
    """Return whether it is wanted here without extras of the library that names it."""
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


class Index:
    """A folder of made-up packages under real names, which pip takes for an index: each library of a lock in the
    version locked, wanting what the real one wants, and in one newer than any.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def offer(self, name: str, version: str, wanted: Iterable[str]) -> str:
        """Write a wheel without modules and return its hash."""
        stem = f"{name.replace('-', '_')}-{version}"
        description = "".join(f"Requires-Dist: {each}\n" for each in wanted)
        path = self.folder / f"{stem}-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as wheel:
            extras = "".join(
                f"Provides-Extra: {extra}\n" for extra in sorted(set(re.findall(r"extra == .(.+?)['\"]", description)))
            )
            wheel.writestr(
                f"{stem}.dist-info/METADATA",
                f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{extras}{description}",
            )
            wheel.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{stem}.dist-info/RECORD", "")
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def lock_like(self, real: str) -> str:
        """Offer all that a lock file names, and return that lock with the hashes of what is offered."""
        lines = []
        for wanted in map(Requirement, re.findall(r"^([a-z][^\\\n]+)", real, re.MULTILINE)):
            name, version = canonicalize_name(wanted.name), str(wanted.specifier).removeprefix("==")
            needs = requires(name) or () if name in INSTALLED else ()
            self.offer(name, "9999.0", ())
            lines.append(f"{wanted} --hash=sha256:{self.offer(name, version, needs)}")
        return "\n".join(lines)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """Point pip at an index that has only what the test offers."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return Index(folder)


@pytest.mark.parametrize("kind", ["run", *proof("dev")])
@pytest.mark.slow
def test_a_lock_still_installs_when_there_is_a_newer_version_of_everything(
    environment: Path, index: Index, kind: str
) -> None:
    (environment / REAL_LOCKS[kind].name).write_text(index.lock_like(REAL_LOCKS[kind].read_text()))
    bootstrap.main([kind])
    command = [str(bootstrap.PYTHON), "-m", "pip", "list", "--format=freeze"]
    installed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "9999" not in installed
    assert re.search(r"^twisted==\d", installed, re.MULTILINE)


@pytest.mark.slow
def test_a_lock_that_lacks_something_is_told(environment: Path, index: Index) -> None:
    lines = index.lock_like(REAL_LOCKS["run"].read_text()).splitlines()
    (environment / "requirements.txt").write_text("\n".join(line for line in lines if not line.startswith("asgiref")))
    with pytest.raises(SystemExit, match=r"requirements\.txt does not name everything that is needed"):
        bootstrap.main(["run"])
    assert not bootstrap.is_installed("run")


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", "the disk is full"),
        (
            "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(...)': /simple/django/\n"
            "ERROR: No matching distribution found for django==5.2.8",
            "the network cannot be reached",
        ),
        ("ERROR: No matching distribution found for numba==0.70.0", "is not built for Python"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "the lines above say why"),
    ],
)
def test_what_made_an_installation_fail_is_a_sentence(printed: str, sentence: str) -> None:
    assert sentence in bootstrap.explain(printed)


def test_too_little_disk_is_told_before_anything_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=1_200_000_000))
    bootstrap.warn_of_a_full_disk()
    assert capsys.readouterr().out == "Only 1.2 GB of disk are free here; installing needs up to 3 GB.\n"
