"""Make the environment in .venv from the lock files and run something in it; needs nothing but Python 3.11 to 3.14.

    python3 blockyou/install/bootstrap.py run python -m blockyou.processes.serve

`run` installs requirements.txt, `dev` also the tools in requirements-dev.txt. Nothing is installed again until a lock
file changes. What the system lacks is said in a sentence.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

OLDEST, NEWEST = (3, 11), (3, 14)
ROOT = Path(__file__).resolve().parents[2]
# Another folder where a second Python is tried beside the first.
VENV = ROOT / os.environ.get("BLOCKYOU_VENV", ".venv")
PYTHON = VENV / "bin" / "python"
#: What an installation may take on the disk, in bytes, with what pip keeps meanwhile.
ROOM = 3 * 10**9
#: What pip prints when it fails, and what that means; the first that fits counts.
REASONS = (
    ("No space left|Disk quota exceeded", "the disk is full. Make room for 3 GB and start again."),
    (
        "NewConnectionError|ConnectionError|[Cc]onnection broken|[Tt]imed? ?out|resolution",
        "the network cannot be reached. It is needed this once; start again when it is there.",
    ),
    (
        "No matching distribution|requires a different Python|Failed (to build|building)|error: command",
        f"what Block-You uses is not built for Python {sys.version_info[0]}.{sys.version_info[1]} on this machine. "
        "Name another: make run PYTHON=python3.12",
    ),
)
LOCKS = {"run": ROOT / "requirements.txt", "dev": ROOT / "requirements-dev.txt"}


def main(arguments: list[str]) -> None:
    """Prepare the environment of the kind named first, then become the command that follows, if there is one."""
    kind, command = arguments[0], arguments[1:]
    check_python()
    if not is_installed(kind):
        make_environment()
        install(kind)
    if command:
        become(command)


def check_python() -> None:
    """Leave with a sentence when this Python is too old or too new, or cannot make environments."""
    version = ".".join(map(str, sys.version_info[:2]))
    if sys.version_info[:2] < OLDEST:
        exit_with(
            f"Block-You needs Python 3.11 to 3.14; this is {version}. Name a newer one: make run PYTHON=python3.12"
        )
    if sys.version_info[:2] > NEWEST:
        # Not all that requirements.txt locks is built for it: pip would fail in the middle, at a compiler.
        exit_with(
            f"Block-You needs Python 3.11 to 3.14; this is {version}, for which what it uses is not built yet. "
            "Install an older one beside it and name that: make run PYTHON=python3.14"
        )
    if not PYTHON.exists() and importlib.util.find_spec("ensurepip") is None:
        exit_with("This Python cannot make environments. Install the missing part: sudo apt install python3-venv")


def is_installed(kind: str) -> bool:
    """Return whether the environment works and holds what the lock file says; `dev` holds `run`."""
    kinds = ("run", "dev") if kind == "run" else ("dev",)
    return works() and any(stamp(each) == digest(each) for each in kinds)


def works() -> bool:
    """Return whether the environment's interpreter starts (an upgrade of the system may have taken it away)."""
    return PYTHON.exists() and subprocess.call([PYTHON, "-c", ""], stderr=subprocess.DEVNULL) == 0


def digest(kind: str) -> str:
    """Return the hash of the lock file."""
    return hashlib.sha256(LOCKS[kind].read_bytes()).hexdigest()


def stamp(kind: str) -> str:
    """Return the hash of the lock file that was installed last; empty before the first time."""
    path = VENV / f".installed-{kind}"
    return path.read_text().strip() if path.exists() else ""


def make_environment() -> None:
    """Create .venv unless it works."""
    if works():
        return
    print_line("Making the environment in .venv")
    if subprocess.call([sys.executable, "-m", "venv", "--clear", VENV]) != 0:
        exit_with("The environment could not be made. On Debian and Ubuntu: sudo apt install python3-venv")


def install(kind: str) -> None:
    """Install exactly what the lock file names, checked by hash, and remember it.

    Nothing but that is ever looked for: the lock file is complete, and pip would refuse a newer release of what a
    library wants with extras (`twisted[tls]`) as soon as there is one.
    """
    warn_of_a_full_disk()
    print_line("Installing what Block-You needs (once; about a minute)")
    options = ["--quiet", "--disable-pip-version-check", "--no-warn-script-location", "--require-hashes", "--no-deps"]
    if kind == "dev":
        # Of what developers use, most modules are never imported: compiling all of them takes longer than installing.
        options.append("--no-compile")
    status, output = run_pip("install", *options, "--requirement", str(LOCKS[kind]))
    if status != 0:
        exit_with(explain(output))
    status, output = run_pip("check", "--disable-pip-version-check")
    if status != 0:
        exit_with(f"{LOCKS[kind].name} does not name everything that is needed. `make lock` writes it anew.")
    (VENV / f".installed-{kind}").write_text(digest(kind))


def warn_of_a_full_disk() -> None:
    """Print how much is free where that may be too little."""
    free = shutil.disk_usage(VENV.parent).free
    if free < ROOM:
        print_line(f"Only {free / 10**9:.1f} GB of disk are free here; installing needs up to {ROOM / 10**9:.0f} GB.")


def run_pip(*arguments: str) -> tuple[int, str]:
    """Run the environment's pip, print what it prints as it comes, and return its exit status and that."""
    lines = []
    command = [str(PYTHON), "-m", "pip", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        for line in pip.stdout or ():
            lines.append(line)
            if line.strip() != "No broken requirements found.":
                print_line(line.rstrip())
    return pip.returncode, "".join(lines)


def explain(output: str) -> str:
    """Return a sentence on why pip failed and what to do, from what it printed."""
    found = (sentence for pattern, sentence in REASONS if re.search(pattern, output))
    return f"Installing failed: {next(found, 'the lines above say why.')}"


def become(command: list[str]) -> NoReturn:
    """Replace this process by the command; its `python` is the environment's."""
    program, *arguments = command
    program = str(PYTHON) if program == "python" else program
    os.chdir(ROOT)
    os.execvp(program, [program, *arguments])  # noqa: S606  (no shell is wanted; the command is the Makefile's)


def print_line(sentence: str) -> None:
    """Print what is going on."""
    print(sentence, flush=True)  # noqa: T201  (logging is not there yet)


def exit_with(sentence: str) -> NoReturn:
    """Stop with a sentence instead of a traceback."""
    sys.exit(sentence)


if __name__ == "__main__":
    main(sys.argv[1:])
