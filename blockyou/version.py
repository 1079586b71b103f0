"""Which release this is: the version of `pyproject.toml`, and the commit where it is known."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMIT = re.compile(r"[0-9a-f]{7,64}")


def release_of(root: Path, commit: str = "") -> str:
    """Return a version such as "1.0.0+3dfc0c2"; without the part after "+" where no commit is known.

    `commit` is one that is known otherwise, as in an image without its repository. Reads some small files, and starts
    no program.
    """
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    found = commit or commit_of(root / ".git")
    return f"{version}+{found[:7]}" if COMMIT.fullmatch(found) else str(version)


def commit_of(git: Path) -> str:
    """Return the commit that a repository has checked out, empty where there is none or it cannot be read."""
    try:
        if git.is_file():
            # A work tree beside its repository: its own folder says where the branches are.
            git = git.parent / git.read_text("utf-8").removeprefix("gitdir:").strip()
        shared = git / "commondir"
        common = git / shared.read_text("utf-8").strip() if shared.exists() else git
        head = (git / "HEAD").read_text("utf-8").strip()
        name = head.removeprefix("ref:").strip()
        return head if name == head else _commit_of_branch(common, name)
    except OSError:
        return ""


def _commit_of_branch(common: Path, name: str) -> str:
    loose = common / name
    if loose.exists():
        return loose.read_text("utf-8").strip()
    lines = (common / "packed-refs").read_text("utf-8").splitlines()
    return next((line.split()[0] for line in lines if line.endswith(f" {name}")), "")
