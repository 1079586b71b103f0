"""Clone into an empty folder, `make run`, play a move, stop, `make run` again and find the game.

What a stranger does first, done by a program: `python3 -m tests.project.trial`. It needs git, make, a
Python and the network; the standard library only. With `--first-answer 5` it fails if the first bot takes longer than
that many seconds, while its engines are still being compiled: the full proof asks so, on a machine with nothing else
to do.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.project.player import Player

ROOT = Path(__file__).resolve().parents[2]
FIRST_START_SECONDS = 300.0
LATER_START_SECONDS = 60.0
INHERITED = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "https_proxy", "http_proxy", "no_proxy")


def main() -> None:
    """Try it, and say how long each step took."""
    parser = argparse.ArgumentParser(description="Try what a stranger does first.")
    parser.add_argument("--first-answer", type=float, metavar="SECONDS", help="the longest that the first bot may take")
    try_it(parser.parse_args().first_answer)


def try_it(longest: float | None) -> None:
    """Play in a clone that was never started before; `longest` is what the first bot may take, None for any time."""
    with tempfile.TemporaryDirectory(prefix="block-you-") as folder:
        clone = Path(folder) / "block-you"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True, timeout=60)
        with running(clone, FIRST_START_SECONDS) as site:
            player = Player(site)
            seconds = first_answer(player)
            tell(f"The first bot played after {seconds:.1f} s.")
            placement = player.place_something()
            player.wait_for_turn()
            moves = player.moves()
            tell(f"A guest played {placement}, three bots answered: {moves} moves.")
            assert moves >= 4, moves
            assert longest is None or seconds <= longest, f"The first bot took {seconds:.1f} s, not {longest:.0f} s."
        with running(clone, LATER_START_SECONDS) as site:
            player.site = site
            player.wait_for_turn()
            assert player.moves() == moves
            tell("After a restart the game was there.")
        assert not leftovers(clone), leftovers(clone)
    tell("The trial passed.")


def first_answer(player: Player) -> float:
    """Sit down, place something if nobody is before us, and return after how many seconds a bot had played."""
    began, own = time.monotonic(), 0
    player.sit_down()
    if player.is_due() and not player.moves():
        player.place_something()
        began, own = time.monotonic(), 1
    player.wait_for_moves(own + 1)
    return time.monotonic() - began


@contextmanager
def running(clone: Path, patience: float) -> Iterator[str]:
    """Yield the address of the site that `make run` serves, and end it by Ctrl-C."""
    began = time.monotonic()
    environment = {name: value for name, value in os.environ.items() if name in INHERITED or name.startswith("PIP_")}
    output = clone.parent / "output.txt"
    with output.open("w") as file:
        process = subprocess.Popen(
            ["make", "run", "PORT=0"],
            cwd=clone, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file, start_new_session=True,
        )  # fmt: skip
    try:
        site = address(output, process, began + patience)
        tell(f"`make run` was up after {time.monotonic() - began:.1f} s.")
        yield site
    finally:
        began = time.monotonic()
        # What a terminal does on Ctrl-C: the signal goes to make and to the supervisor.
        os.killpg(process.pid, signal.SIGINT)
        process.wait(30)
        tell(f"Ctrl-C ended it in {time.monotonic() - began:.1f} s.")
    assert "Traceback" not in output.read_text(), output.read_text()


def address(output: Path, process: "subprocess.Popen[bytes]", deadline: float) -> str:
    """Return where the site says it is."""
    while time.monotonic() < deadline and process.poll() is None:
        if found := re.search(r"Block-You is at (\S+)", output.read_text()):
            return found[1]
        time.sleep(0.1)
    sys.exit(f"The site did not come up. It said:\n{output.read_text()}")


def leftovers(clone: Path) -> list[str]:
    """Return the command lines of processes that still work in the clone.

    One that ends has lost its command line with its memory, a moment before the kernel forgets where it worked.
    """
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").readlink() == clone:
                found.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return [line for line in found if line]


def tell(sentence: str) -> None:
    """Say what was seen."""
    print(sentence, flush=True)


if __name__ == "__main__":
    main()
