"""What the documents name is there."""

import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from blockyou.bootstrap import LOCKS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MAKEFILE = (ROOT / "Makefile").read_text()


def name(path: Path) -> str:
    """Return the path as people write it."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_link_to_a_file_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text())
    files = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in files if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_make_target_that_is_named_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", MAKEFILE, flags=re.MULTILINE))
    code = re.findall(r"`[^`\n]+`|^```.*?^```", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    named = {target for span in code for target in re.findall(r"\bmake ([a-z][a-z-]*)", span)}
    assert named <= targets


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_management_command_that_is_named_exists(path: Path) -> None:
    from django.core.management import get_commands

    named = set(re.findall(r"manage\.py ([a-z][a-z_]+)", path.read_text()))
    assert named <= set(get_commands())


def test_every_setting_read_from_the_environment_is_documented() -> None:
    sources = [*(ROOT / "blockyou").rglob("*.py"), *(ROOT / "accounts").rglob("*.py"), *(ROOT / "games").rglob("*.py")]
    read = {
        variable
        for source in sources
        for variable in re.findall(r'env\.(?:text|flag|integer|words|secret|email)\(\s*"([A-Z_]+)"', source.read_text())
    }
    table = (ROOT / "docs" / "operations.md").read_text()
    assert read >= {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "EMAIL_URL", "PUBLIC_URL"}
    assert {variable for variable in read if f"| `{variable}` |" not in table} == set()


def test_vendored_files_are_those_whose_sums_are_kept() -> None:
    for sums in (ROOT / "static").rglob("SOURCES.md"):
        kept = dict(re.findall(r"`([\w./-]+)`.*?`([0-9a-f]{64})`", sums.read_text()))
        there = {str(path.relative_to(sums.parent)) for path in sums.parent.rglob("*") if path.is_file()} - {
            "SOURCES.md"
        }
        assert set(kept) == there
        assert {file: sha256((sums.parent / file).read_bytes()).hexdigest() for file in kept} == kept


def test_everything_vendored_says_where_it_is_from() -> None:
    assert [folder for folder in (ROOT / "static").rglob("vendor") if not (folder / "SOURCES.md").exists()] == []


@pytest.mark.parametrize("lock", LOCKS.values(), ids=name)
def test_every_locked_package_is_pinned_by_hash(lock: Path) -> None:
    packages = re.findall(r"^([a-z0-9][\w.-]*)(\S*)(.*)$", lock.read_text(), flags=re.MULTILINE)
    assert len(packages) > 20
    assert [
        package for package, version, rest in packages if not version.startswith("==") or not rest.endswith("\\")
    ] == []


def test_the_lock_answers_what_the_project_asks_for() -> None:
    import tomllib

    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for lock, wanted in (
        (LOCKS["run"], asked["dependencies"]),
        (LOCKS["dev"], [*asked["dependencies"], *asked["optional-dependencies"]["dev"]]),
    ):
        locked = set(re.findall(r"^([a-z0-9][\w.-]*)==", lock.read_text(), flags=re.MULTILINE))
        assert {re.split(r"[\[<>=~! ]", each)[0].lower().replace("_", "-") for each in wanted} <= locked


def test_nothing_generated_is_in_the_repository() -> None:
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    ).stdout
    unwanted = r"(^|/)(__pycache__|node_modules|var|\.venv|staticfiles)/|\.(pyc|sqlite3|log)$"
    assert [file for file in files.splitlines() if re.search(unwanted, file)] == []
