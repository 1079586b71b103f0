"""One long command shared by several processes, each a share of it: how far they have come, and where to go on."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO

from django.conf import settings
from django.core.management.base import CommandError

#: Seconds between two lines that say how far a command has come.
TOLD_EVERY = 10.0


@dataclass
class Progress:
    """How many games and moves were looked at, how many games are wrong, and the key up to which all have been."""

    games: int = 0
    moves: int = 0
    wrong: int = 0
    after: int = 0

    def plus(self, games: int, moves: int, wrong: int, *, after: int) -> "Progress":
        """Return the progress after some more games, up to a key."""
        return Progress(self.games + games, self.moves + moves, self.wrong + wrong, after)


@dataclass
class Reporter:
    """Says now and then how far a command has come."""

    tell: Callable[[str], object]
    told_at: float = field(default_factory=time.monotonic)

    def report(self, progress: Progress) -> None:
        """Say how far it has come, unless that was said a moment ago."""
        if time.monotonic() - self.told_at >= TOLD_EVERY:
            self.told_at = time.monotonic()
            self.tell(f"{progress.games} games so far. If this breaks off, --after {progress.after} goes on from here.")


def share_out(command: Sequence[str], processes: int, tell: Callable[[str], object]) -> Progress:
    """Run a command of `manage.py` in several processes, each of which prints its progress as JSON; return the sum.

    Raises: CommandError, saying where to go on, if a process fails.
    """
    manage = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    started = [
        subprocess.Popen([*manage, "--share", str(number), str(processes)], stdout=subprocess.PIPE, text=True)
        for number in range(processes)
    ]
    shares = [Progress() for _ in started]
    readers = [
        threading.Thread(target=_read, args=(process.stdout, shares, number), daemon=True)
        for number, process in enumerate(started)
    ]
    for reader in readers:
        reader.start()
    try:
        reporter = Reporter(tell)
        while alive := [reader for reader in readers if reader.is_alive()]:
            alive[0].join(0.2)
            reporter.report(_sum(shares))
        failed = [process for process in started if process.wait()]
    except BaseException:
        for process in started:
            process.terminate()
        raise
    if failed:
        raise CommandError(f"A process failed. --after {_sum(shares).after} goes on from there.")
    return _sum(shares)


def _read(lines: IO[str] | None, shares: list[Progress], number: int) -> None:
    if lines is not None:
        with lines:
            for line in lines:
                shares[number] = Progress(**json.loads(line))


def _sum(shares: Sequence[Progress]) -> Progress:
    """Return the sum of the shares, with the key that even the slowest of them has reached."""
    total = Progress(after=min(share.after for share in shares))
    for share in shares:
        total = total.plus(share.games, share.moves, share.wrong, after=total.after)
    return total
