"""Make what a release consists of, in dist/: `make release`, at the commit that is checked out.

    block_you-….whl           the rules as a library
    block_you-….tar.gz        the whole source, from which a site runs
    block_you-…-image.tar.gz  what the build of the container's image is sent, with its Dockerfile
    block_you-….cdx.json      what a site runs on, as a CycloneDX document, from the lock
    SHA256SUMS                their sums: sha256sum --check SHA256SUMS

Made twice of one commit they are the same, byte by byte: times are the commit's, owners and the order are fixed.
It refuses a version that is still being developed (1.1.0.dev0), one that CHANGELOG.md does not begin with or gives no
date, and a folder with changes that are not committed.
"""

import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
GIT = shutil.which("git") or "git"
WHEEL = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
#: A package of the lock: its name, extras, version.
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)(.*?)(?=^[A-Za-z0-9]|\Z)", re.MULTILINE | re.DOTALL)
SUM = re.compile(r"--hash=sha256:([0-9a-f]{64})")

#: A version to be released, and how its section of CHANGELOG.md begins.
RELEASED = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
HEADING = re.compile(r"^## (?P<name>[^,\n]+)(?:, (?P<date>.*))?$", re.MULTILINE)

#: The files of a commit: by path the content, and whether it is run.
Files = Mapping[str, tuple[bytes, bool]]


def main() -> None:
    """Make a release in dist/, and say what is there; or say why there can be none, and leave dist/ as it is."""
    if found := faults(_files(), _git("status", "--porcelain")):
        sys.exit("\n".join(found))
    folder = ROOT / "dist"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    make_release(folder)
    sys.stdout.write((folder / "SHA256SUMS").read_text())


def faults(files: Files, uncommitted: str) -> list[str]:
    """Return why no release can be made of these files, a sentence each; `uncommitted` is what git finds changed."""
    version = _version(files)
    newest = HEADING.search(files["CHANGELOG.md"][0].decode())
    name, date = (newest["name"], newest["date"] or "") if newest else ("", "")
    found = []
    if not RELEASED.fullmatch(version):
        found.append(f"{version} is a version that is being developed. Set the version to release in pyproject.toml.")
    elif name != version:
        found.append(f"CHANGELOG.md begins with {name or 'no section'}, and pyproject.toml says {version}.")
    elif not _is_date(date):
        found.append(f"The section {version} of CHANGELOG.md has no date, such as “28 November 2026”.")
    if uncommitted:
        found.append(f"Commit these changes first, or put them away:\n{uncommitted}")
    return found


def _is_date(text: str) -> bool:
    try:
        datetime.strptime(text, "%d %B %Y").replace(tzinfo=UTC)
    except ValueError:
        return False
    return True


def _version(files: Files) -> str:
    return str(tomllib.loads(files["pyproject.toml"][0].decode())["project"]["version"])


def make_release(folder: Path) -> None:
    """Put everything that a release consists of into an empty folder."""
    made_at = int(_git("log", "-1", "--format=%ct"))
    files = _files()
    version = _version(files)
    stem = f"block_you-{version}"
    wheel = _wheel(files, folder, made_at)
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"{stem}.dist-info/METADATA")
    source = {f"{stem}/{path}": found for path, found in {**files, "PKG-INFO": (metadata, False)}.items()}
    _pack(source, folder / f"{stem}.tar.gz", made_at)
    sent = ["deploy/Dockerfile", *admitted([*files], files["deploy/Dockerfile.dockerignore"][0].decode())]
    _pack({path: files[path] for path in sent}, folder / f"{stem}-image.tar.gz", made_at)
    bill = bill_of_materials(files["requirements.txt"][0].decode(), version, made_at)
    (folder / f"{stem}.cdx.json").write_text(json.dumps(bill, indent=1) + "\n", "utf-8")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums), "utf-8")


def admitted(paths: Sequence[str], rules: str) -> list[str]:
    """Return which of these paths Docker sends to a build: the last rule that matches a path decides."""
    lines = [line.strip() for line in rules.splitlines() if line.strip() and not line.startswith("#")]
    found = [(pattern(line.removeprefix("!")), line.startswith("!")) for line in lines]
    return [path for path in paths if next((let_in for rule, let_in in reversed(found) if rule.fullmatch(path)), True)]


def pattern(rule: str) -> re.Pattern[str]:
    """Return what a rule of .dockerignore matches: a path from the root, and with it all that is below."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    cut = re.split(r"(\*\*/|\*\*|\*|\?)", rule.strip("/"))
    return re.compile("".join(parts.get(part, re.escape(part)) for part in cut) + "(?:/.*)?")


def bill_of_materials(lock: str, version: str, made_at: int) -> dict[str, Any]:
    """Return as a CycloneDX document what a site runs on: every package that the lock pins, with the sums it allows."""
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name.lower()}@{pinned}",
            "name": name,
            "version": pinned,
            "purl": f"pkg:pypi/{name.lower()}@{pinned}",
            "hashes": [{"alg": "SHA-256", "content": content} for content in SUM.findall(rest)],
        }
        for name, pinned, rest in PINNED.findall(lock)
    ]
    whole = f"pkg:pypi/block-you@{version}"
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": f"{datetime.fromtimestamp(made_at, UTC):%Y-%m-%dT%H:%M:%SZ}",
            "component": {
                "type": "application",
                "bom-ref": whole,
                "name": "block-you",
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
                "purl": whole,
            },
        },
        "components": components,
        "dependencies": [{"ref": whole, "dependsOn": [component["bom-ref"] for component in components]}],
    }


def _git(*command: str) -> str:
    return subprocess.run([GIT, *command], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _files() -> Files:
    """Return the files of the commit that is checked out; what is not committed is not released."""
    packed = subprocess.run([GIT, "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        members = sorted((member for member in archive if member.isfile()), key=lambda member: member.name)
        return {
            member.name: (read.read(), bool(member.mode & 0o100))
            for member in members
            if (read := archive.extractfile(member))
        }


def _wheel(files: Files, folder: Path, made_at: int) -> Path:
    """Build the wheel in a folder of its own, without the network, and return where it lies."""
    with tempfile.TemporaryDirectory() as name:
        for path, (content, _is_run) in files.items():
            if path in {"pyproject.toml", "README.md", "LICENSE"} or path.startswith("games/rules/"):
                place = Path(name, path)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
                place.chmod(0o644)
        command = [sys.executable, "-c", WHEEL, str(folder)]
        surroundings = {**os.environ, "SOURCE_DATE_EPOCH": str(made_at)}
        subprocess.run(command, cwd=name, env=surroundings, check=True, stdout=subprocess.DEVNULL)
    [wheel] = folder.glob("*.whl")
    return wheel


def _pack(files: Files, place: Path, made_at: int) -> None:
    """Write an archive that is the same whoever makes it, wherever and when."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, (content, is_run) in sorted(files.items()):
            member = tarfile.TarInfo(path)
            member.size, member.mtime, member.mode = len(content), made_at, 0o755 if is_run else 0o644
            archive.addfile(member, io.BytesIO(content))
    place.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=made_at))


if __name__ == "__main__":
    main()
