"""The container's image: exactly what the build lets in makes a site that starts, read-only and without privileges."""

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import free_port
from tests.project.processes.test_restarts import wait_for
from tools.release import admitted, pattern

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
IGNORE = ROOT / "deploy" / "Dockerfile.dockerignore"
SECRET = "a secret of no use, long enough for the settings of prod 123"
#: Of the rest, what the tests run with would lead to another database or folder.
INHERITED = ("LANG", "LD_LIBRARY_PATH")


def copied(paths: list[str], dockerfile: str) -> list[str]:
    """Return which of the paths that a build is sent the lines COPY of its first stage take, each into the root."""
    stage = dockerfile.partition("\nFROM ")[2].partition("\nFROM ")[0]
    sources = [line.split()[:-1] for line in re.findall(r"^COPY (?!--)(.*)$", stage, re.MULTILINE)]
    found = {
        path for names in sources for name in names for path in paths if name == "." or pattern(name).fullmatch(path)
    }
    missing = [name for names in sources for name in names if name != "." and name not in found]
    assert not missing, f"COPY names what the build is not sent: {missing}"
    return sorted(found)


def environment(dockerfile: str) -> dict[str, str]:
    """Return the variables of the line ENV."""
    text = dockerfile.partition("\nENV ")[2].partition("\nUSER ")[0]
    return dict(re.findall(r"([A-Z][A-Z_]+)=(\S+)", text))


def unprivileged(command: list[str]) -> list[str]:
    """Return the command for a process that may only do what files allow: root without any of its capabilities."""
    if os.getuid() or not shutil.which("setpriv"):
        return command
    return ["setpriv", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", *command]


class Container:
    """The tree of the image, which nobody may write to, and the two volumes beside it."""

    def __init__(self, folder: Path) -> None:
        self.app, self.data, self.public = folder / "app", folder / "data", folder / "public"
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60).stdout
        present = [name for name in names.split("\0") if (ROOT / name).is_file()]
        for name in copied(admitted(present, IGNORE.read_text()), DOCKERFILE.read_text()):
            place = self.app / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, place)
        self.data.mkdir()
        self.public.mkdir()
        for path in (self.app, *self.app.rglob("*")):
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)

    def surroundings(self, **more: str) -> dict[str, str]:
        """Return the environment of the image, with the volumes where they are here, and more."""
        own = {
            name: re.sub(r"^/(data|public)\b", lambda found: str(getattr(self, found[1])), value)
            for name, value in environment(DOCKERFILE.read_text()).items()
        }
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        return inherited | own | {"PATH": "/usr/bin:/bin", "HOST": "127.0.0.1"} | more

    def open_again(self) -> None:
        """Let the tree be deleted."""
        for path in (self.app, *(path for path in self.app.rglob("*") if path.is_dir())):
            path.chmod(0o700)


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Container]:
    container = Container(tmp_path_factory.mktemp("image"))
    yield container
    container.open_again()


def test_rules_of_dockerignore_are_read_as_docker_reads_them() -> None:
    paths = ["a/b.py", "a/__pycache__/b.pyc", "deploy/healthcheck.py", "deploy/manage", "manage.py", "tests/a.py"]
    rules = "# All but these.\n*\n!a\n!deploy/healthcheck.py\n!manage.py\n**/__pycache__\n"
    assert admitted(paths, rules) == ["a/b.py", "deploy/healthcheck.py", "manage.py"]


def test_the_image_knows_its_release(container: Container) -> None:
    told = subprocess.run(
        unprivileged([sys.executable, "manage.py", "release"]),
        cwd=container.app,
        env=container.surroundings(COMMIT="1234567", SECRET_KEY=SECRET),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert told.stdout.strip().endswith("+1234567"), told.stderr


@pytest.mark.skipif(not os.getuid() and not shutil.which("setpriv"), reason="root may write everywhere")
def test_the_image_cannot_be_written_to(container: Container) -> None:
    command = unprivileged(["touch", str(container.app / "games" / "new")])
    assert subprocess.run(command, capture_output=True, timeout=60, check=False).returncode


@pytest.mark.slow
def test_the_image_starts_the_site_and_is_well_without_writing_into_itself(container: Container) -> None:
    before = sorted(container.app.rglob("*"))
    command = re.findall(r'^CMD \["python", (.*)\]$', DOCKERFILE.read_text(), re.MULTILINE)[-1]
    check = re.findall(r'^HEALTHCHECK .* CMD \["python", "(.*)"\]$', DOCKERFILE.read_text(), re.MULTILINE)[-1]
    surroundings = container.surroundings(PORT=str(free_port()), BOTS_COMPILED="0")
    log = container.data / "log"

    def is_well() -> bool:
        asked = [sys.executable, check]
        return subprocess.run(asked, cwd=container.app, env=surroundings, timeout=60, check=False).returncode == 0

    with log.open("w") as file:
        site = subprocess.Popen(
            unprivileged([sys.executable, *re.findall(r'"([^"]*)"', command)]),
            cwd=container.app, env=surroundings, stdout=file, stderr=file,
        )  # fmt: skip
    try:
        wait_for(lambda: is_well() or site.poll() is not None)
        assert site.poll() is None, log.read_text()
    finally:
        site.send_signal(signal.SIGTERM)
        site.wait(60)
    assert sorted(container.app.rglob("*")) == before
