"""What the documents name is there: links, files and folders, modules, make targets, management commands."""

import re
import subprocess
from collections import defaultdict
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest

from blockyou.install.bootstrap import LOCKS

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MAKEFILE = (ROOT / "Makefile").read_text()
FILES = subprocess.run(
    ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
    cwd=ROOT, capture_output=True, text=True, timeout=30, check=True,
).stdout.splitlines()  # fmt: skip
PLACES = {*FILES, *(str(folder) for file in FILES for folder in Path(file).parents)}

#: Where a path with a folder in it may begin: templates and static files are named as code names them.
BASES = ("", "templates/", "static/", "docs/")
PATH = re.compile(r"(?:[\w.<>*-]+/)+[\w.<>*-]*|[\w-][\w.-]*\.(?:py|js|css|html|md|toml|json|txt|po|mo|svg|ttf|yml)")
MODULE = re.compile(r"(?:accounts|benchmarks|blockyou|games|tests|tools)(?:\.\w+)+(?::\w+)?(?:,\S*)?")
#: What is not in the repository: made by running the site, or an example, or somebody else's.
ELSEWHERE = re.compile(
    r"(?:var|\.venv)/.*|backups/|\.\.?/.*x?\.js|blockyou\.dump|NotoSans_\w+\.ttf|.*\bcentre(\.py|:\w+)"
)


def name(path: Path) -> str:
    """Return the path as people write it."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_link_to_a_file_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text())
    files = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in files if not (path.parent / link).exists()] == []


def words_in_code(path: Path) -> list[str]:
    """Return the words of a document that are marked as code within a line of text."""
    text = re.sub(r"^ *```.*?^ *```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    words = [word.strip('"(),;') for span in re.findall(r"`([^`\n]+)`", text) for word in span.split()]
    return [word for word in words if not ELSEWHERE.fullmatch(word)]


def is_path(word: str) -> bool:
    """Return whether a file or folder is there; `<name>` stands for any one name, a bare name for a file anywhere."""
    if "/" not in word:
        return any(file == word or file.endswith(f"/{word}") for file in FILES)
    wanted = re.sub(r"<\w+>|\*", "[^/]+", re.escape(word.rstrip("/")).replace(r"\*", "*"))
    begins = "|".join(map(re.escape, BASES))
    return any(re.fullmatch(rf"(?:{begins}){wanted}", place) for place in PLACES)


def is_module(word: str) -> bool:
    """Return whether there is a module or package of that name, or one that has what the rest of the name says."""
    address, *attributes = re.split(r"[:,]", word)
    parts = address.split(".")
    while not (found := [path for path in module_files(parts) if path.exists()]):
        attributes.insert(0, parts.pop())
    return not attributes or re.search(rf"\b{attributes[0]}\b", found[0].read_text()) is not None


def module_files(parts: list[str]) -> list[Path]:
    """Return where the source of a module may be."""
    return [(ROOT / Path(*parts)).with_suffix(".py"), ROOT / Path(*parts) / "__init__.py"]


# docs/pages.md names places within their layer, and is compared with what the code imports instead.
@pytest.mark.parametrize("path", [path for path in DOCUMENTS if path != ROOT / "docs" / "pages.md"], ids=name)
def test_every_file_and_folder_that_is_named_exists(path: Path) -> None:
    named = {word for word in words_in_code(path) if PATH.fullmatch(word)}
    assert {word for word in named if not is_path(word)} == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_module_that_is_named_exists(path: Path) -> None:
    named = {word for word in words_in_code(path) if MODULE.fullmatch(word) and not PATH.fullmatch(word)}
    assert {word for word in named if not is_module(word)} == set()


@cache
def sources_of_classes() -> dict[str, str]:
    """Return by the name of each class of ours the modules that define it; of a package's, all its modules."""
    found: dict[str, str] = defaultdict(str)
    for path in (ROOT / file for file in FILES if re.match(r"(?:accounts|blockyou|clients|games)/.*\.py$", file)):
        source = path.read_text()
        around = path.parent.glob("*.py") if path.name == "__init__.py" else ()
        for each in re.findall(r"^class (\w+)", source, flags=re.MULTILINE):
            found[each] += "\n".join([source, *(other.read_text() for other in around)])
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_every_part_of_a_class_that_is_named_exists(path: Path) -> None:
    named = {
        (kind, part) for word in words_in_code(path) for kind, part in re.findall(r"^([A-Z]\w+)\.([a-z]\w*)", word)
    }
    ours = {(kind, part): source for kind, part in named if (source := sources_of_classes().get(kind))}
    assert {pair for pair, source in ours.items() if not re.search(rf"\b{pair[1]}\b", source)} == set()


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
    packages = re.findall(r"^([a-z0-9][\w.-]*)(?:\[[\w, -]+\])?(\S*)(.*)$", lock.read_text(), flags=re.MULTILINE)
    assert len(packages) > 20
    assert [
        package for package, version, rest in packages if not version.startswith("==") or not rest.endswith("\\")
    ] == []


def test_the_lock_answers_what_the_project_asks_for() -> None:
    import tomllib

    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for lock, wanted in ((LOCKS["run"], asked["site"]), (LOCKS["dev"], [*asked["site"], *asked["dev"]])):
        locked = set(re.findall(r"^([a-z0-9][\w.-]*)(?:\[[\w, -]+\])?==", lock.read_text(), flags=re.MULTILINE))
        assert {re.split(r"[\[<>=~! ]", each)[0].lower().replace("_", "-") for each in wanted} <= locked


def test_nothing_generated_is_in_the_repository() -> None:
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False
    ).stdout
    unwanted = r"(^|/)(__pycache__|node_modules|var|\.venv|staticfiles)/|\.(pyc|sqlite3|log)$"
    assert [file for file in files.splitlines() if re.search(unwanted, file)] == []
