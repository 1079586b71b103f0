"""What a release consists of: whole, the same bytes twice, and enough to run a site."""

import json
import re
import secrets
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.browser.site import Site
from tests.project.backups.installation import done
from tools.release import ROOT, bill_of_materials, faults, make_release

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of the commit that is checked out."""
    folder = tmp_path_factory.mktemp("release")
    make_release(folder)
    return folder


@pytest.fixture(scope="module")
def source(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that its source is unpacked to."""
    folder = tmp_path_factory.mktemp("source")
    archive = next(path for path in release.glob("*.tar.gz") if "image" not in path.name)
    # As people unpack it; Python 3.11.2 and 3.14 do not do so by the same call.
    subprocess.run(["tar", "-xf", archive, "-C", folder], check=True, timeout=60)
    [unpacked] = folder.iterdir()
    return unpacked


def test_it_is_the_same_byte_by_byte_when_it_is_made_again(release: Path, tmp_path: Path) -> None:
    make_release(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        path.name: path.read_bytes() for path in release.iterdir()
    }
    assert len([*release.iterdir()]) == 5


def test_its_sums_are_right(release: Path) -> None:
    checked = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=release, capture_output=True, text=True)
    assert (checked.returncode, checked.stdout.count(": OK")) == (0, 4)


def test_its_wheel_says_what_an_index_asks_for(release: Path) -> None:
    with zipfile.ZipFile(next(release.glob("*.whl"))) as wheel:
        [metadata] = [name for name in wheel.namelist() if name.endswith("/METADATA")]
        told = message_from_bytes(wheel.read(metadata))
        assert any(name.endswith("/licenses/LICENSE") for name in wheel.namelist())
    assert (told["License-Expression"], told["Requires-Python"]) == ("MIT", ">=3.11")
    assert "Topic :: Games/Entertainment :: Board Games" in told.get_all("Classifier", [])
    assert told["Description-Content-Type"] == "text/markdown"


def test_a_site_is_made_of_its_source_alone(source: Path, tmp_path: Path) -> None:
    assert (source / "PKG-INFO").read_text().startswith("Metadata-Version: 2")
    site = Site(
        tmp_path, {"DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}", "SECRET_KEY": secrets.token_urlsafe(64)}
    )
    command = [sys.executable, "manage.py", "prepare"]
    done(subprocess.run(command, cwd=source, env=site.surroundings(), capture_output=True, text=True, check=False))
    assert (tmp_path / "db.sqlite3").exists()


def test_the_image_is_sent_what_its_build_copies_and_no_more(release: Path) -> None:
    with tarfile.open(next(release.glob("*-image.tar.gz"))) as archive:
        sent = {*archive.getnames()}
    assert {"deploy/Dockerfile", "manage.py", "requirements.txt", "templates/base.html"} <= sent
    assert not [name for name in sent if name.startswith(("tests/", "docs/", "tools/"))]


def test_every_package_of_the_lock_is_on_the_bill_of_materials(release: Path) -> None:
    bill = json.loads(next(release.glob("*.cdx.json")).read_text())
    lock = (ROOT / "requirements.txt").read_text()
    names = re.findall(r"^([A-Za-z0-9._-]+)", lock, re.MULTILINE)
    assert [component["name"] for component in bill["components"]] == names
    assert sum(len(component["hashes"]) for component in bill["components"]) == lock.count("--hash=")


def test_a_package_has_its_version_and_its_sums_with_extras_and_markers_too() -> None:
    sums = [letter * 64 for letter in "ab"]
    pinned = ["# made", "one[extra]==1.2 \\", f"    --hash=sha256:{sums[0]}"]
    pinned += ["Two==3 ; python_version < '3.12' \\", f"    --hash=sha256:{sums[1]}"]
    one, two = bill_of_materials("\n".join(pinned), "1.0.0", 0)["components"]
    assert (one["purl"], two["purl"]) == ("pkg:pypi/one@1.2", "pkg:pypi/two@3")
    assert [each["hashes"][0]["content"] for each in (one, two)] == sums


def said(version: str, changelog: str, uncommitted: str = "") -> str:
    """Return why there can be no release of that version, with a CHANGELOG that begins so; empty where there can."""
    metadata = f'[project]\nname = "block-you"\nversion = "{version}"\n'
    files = {"pyproject.toml": (metadata.encode(), False), "CHANGELOG.md": (changelog.encode(), False)}
    return "\n".join(faults(files, uncommitted))


def test_a_version_with_its_date_is_released_from_what_is_committed() -> None:
    assert said("1.1.0", "# What is new\n\n## 1.1.0, 5 December 2026\n\n- Plans.\n\n## 1.0.0, 28 November 2026\n") == ""


@pytest.mark.parametrize(
    ("version", "changelog", "reason"),
    [
        ("1.1.0.dev0", "## Unreleased\n", "1.1.0.dev0 is a version that is being developed."),
        ("1.1.0.dev0", "## 1.1.0.dev0, 5 December 2026\n", "1.1.0.dev0 is a version that is being developed."),
        ("1.0.0", "## Unreleased\n\n## 1.0.0, 28 November 2026\n", "CHANGELOG.md begins with Unreleased,"),
        ("1.0.0", "## 1.1.0, 5 December 2026\n\n## 1.0.0, 28 November 2026\n", "CHANGELOG.md begins with 1.1.0,"),
        ("1.1.0", "", "CHANGELOG.md begins with no section,"),
        ("1.1.0", "## 1.1.0\n", "The section 1.1.0 of CHANGELOG.md has no date"),
        ("1.1.0", "## 1.1.0, soon\n", "The section 1.1.0 of CHANGELOG.md has no date"),
        ("1.1.0", "## 1.1.0, 31 February 2026\n", "The section 1.1.0 of CHANGELOG.md has no date"),
    ],
)
def test_any_other_version_is_refused(version: str, changelog: str, reason: str) -> None:
    assert said(version, changelog).startswith(reason)


def test_changes_that_are_not_committed_are_named_and_nothing_is_released() -> None:
    assert said("1.1.0", "## 1.1.0, 5 December 2026\n", " M README.md") == (
        "Commit these changes first, or put them away:\n M README.md"
    )


def test_what_is_checked_out_is_no_release_that_was_made_before() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    sections = re.findall(r"^## ([^,\n]+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    # While something is unreleased, the version is one that is being developed, after all that were released.
    assert sections[0] in {"Unreleased", version}
    assert (sections[0] == "Unreleased") == (".dev" in version)
    assert version not in sections[1:]
