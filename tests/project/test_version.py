"""The site says which release it is, in one form: in its footer, at /healthz and on the command line."""

import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from blockyou.version import release_of


def git(folder: Path, *command: str) -> str:
    """Run git in a folder, with a person's name of its own, and return what it printed."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(
        ["git", *who, *command], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository of a project, with one commit."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "project: Begin.")
    return folder


def test_a_release_is_a_version_and_the_commit_that_is_checked_out(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD")
    assert release_of(repository) == f"1.2.3+{commit[:7]}"
    git(repository, "pack-refs", "--all")
    assert release_of(repository) == f"1.2.3+{commit[:7]}"
    git(repository, "checkout", "--quiet", "--detach")
    assert release_of(repository) == f"1.2.3+{commit[:7]}"


def test_a_work_tree_knows_its_commit(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "--quiet", str(tmp_path / "other"), "-b", "other")
    assert release_of(tmp_path / "other") == release_of(repository)


def test_without_a_repository_the_commit_comes_from_the_environment_or_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    assert release_of(tmp_path) == "1.2.3"
    assert release_of(tmp_path, "3dfc0c2a9e81") == "1.2.3+3dfc0c2"
    assert release_of(tmp_path, "<script>") == "1.2.3"


@pytest.mark.django_db
def test_footer_and_command_say_the_same(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("release")
    release = capsys.readouterr().out.strip()
    assert release == settings.RELEASE
    assert f"Block-You {release}</p>" in client.get("/rules/").content.decode()
