"""Every benchmark, one after the other: `make bench`, or some of them: `python -m benchmarks rules memory`.

With `--write` what they print is put into docs/benchmarks.md, with the date and the commit.

With `--smallest` each does as little as it can, in seconds: its figures mean nothing, but it fails where it has an
error, and so do the tests (docs/benchmarks.md).

With `--once` each is run in its ordinary size, those of `LONG` in a smaller one, with the lowest priority and an hour
at most each: what `make proof` does last, to see that none has an error at that size or has grown beyond an hour.
"""

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence

from benchmarks.aims import MISSED, UNJUDGED
from benchmarks.figures import write_figures

#: Every benchmark with the arguments of its smallest form. Each runs in a process of its own.
PARTS: Mapping[str, Sequence[str]] = {
    "rules": ("--games=1", "--variant-games=1", "--rounds=1"),
    "engines": ("--boards=duo", "--rounds=1"),
    "learning": ("--seconds=0.1", "--rounds=1"),
    "site": ("--rounds=1",),
    "attempts": ("--boards", "duo", "--rounds=1"),
    "push": ("--sockets=120", "--games=2", "--moves=2", "--in-one=201"),
    "returning": ("--pages=8", "--sockets=8", "--games=2", "--seconds=1", "--spread=1"),
    "watchers": ("--watchers=4", "--moves=4"),
    "streams": ("--streams=4", "--seconds=1", "--moves=1"),
    "slow_neighbours": ("--seconds=1", "--rate=4"),
    "busy_machine": ("--moves=6", "--loops=1", "--tables=1", "--placers=2"),
    "tarpits": ("--notices=4", "--tarpits=2", "--mails=4"),
    "bots": ("--games=1", "--at-once=1", "--seconds=3", "--thinkers=1"),
    "fairness": ("--tables=2", "--burn=0.1", "--turns=1"),
    "archives": ("--moves=1",),
    "merging": ("--games=2",),
    "movers": ("--processes=2", "--moves=3", "--games=2"),
    "planned": ("--games=1", "--workers=1"),
    "same_times": ("--tries=2",),
    "memory": ("--sockets=4", "--pages=2", "--games=1", "--boards=1", "--no-first-start"),
    "season": ("--games=1", "--days=1"),
    "ratings": ("--communities=1", "--largest=12", "--games=100", "--stored=60"),
    "sides": ("--games=2", "--simulations=10"),
    "choosing": ("--pairs=2", "--simulations=10"),
    "upgrade": ("--games=450",),
    "growth": ("--small=450", "--large=450"),
}

#: Those whose ordinary size may take over an hour on two shared cores, and the size that is run instead, in which they
#: do all that they do otherwise.
LONG: Mapping[str, Sequence[str]] = {
    # Sixty days of 200 games are played move by move, by a site that is asked for pages all the while.
    "season": ("--games=48",),
    # Each way to rate reads the games of 200 communities again every month.
    "ratings": ("--communities=40",),
    # A million moves are stored, then all migrations taken back and brought again.
    "upgrade": ("--games=5000",),
}
#: What is least urgent to the system, by its own number.
LAST_IN_LINE = 19
#: How many seconds one may take with `--once`.
LONGEST_ONCE = 3600


def main() -> None:
    """Run the parts named on the command line, or all; one that fails stops none of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=[], metavar="part", help=", ".join(PARTS))
    parser.add_argument("--smallest", action="store_true", help="only see whether they run")
    parser.add_argument("--once", action="store_true", help="see whether they run in their ordinary size")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/benchmarks.md")
    options = parser.parse_args()
    if options.write and (options.smallest or options.once):
        parser.error("figures of the smallest forms, and of those that give way to others, mean nothing")
    if options.once:
        os.nice(LAST_IN_LINE)
    if options.smallest or options.once:
        # Whoever runs these asks whether they run.
        os.environ[UNJUDGED] = "1"
    sizes: Mapping[str, Sequence[str]] = PARTS if options.smallest else LONG if options.once else {}
    longest = LONGEST_ONCE if options.once else None
    failed = [
        part
        for part in options.parts or PARTS
        if not is_well(part, sizes.get(part, ()), longest, is_written=options.write)
    ]
    if failed:
        sys.exit(f"These benchmarks failed: {', '.join(failed)}")


def is_well(part: str, arguments: Sequence[str], longest: float | None, *, is_written: bool) -> bool:
    """Run a benchmark, write its figures into the page if asked to, and return whether it ran and met its aims."""
    print(f"\n== {part}", flush=True)
    output = run(part, arguments, longest)
    if output is not None and is_written:
        write_figures(part, output)
    return output is not None and MISSED not in output


def run(part: str, arguments: Sequence[str], longest: float | None = None) -> str | None:
    """Run a benchmark, show what it prints as it does, and return that; None if it fails or takes longer than that.

    One whose figures miss their aims has run, and says so.
    """
    command, lines = [sys.executable, "-m", f"benchmarks.{part}", *arguments], []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=longest is not None) as process:
        # Sites and workers that it has started end with it.
        end = threading.Timer(longest or 0, os.killpg, (process.pid, signal.SIGTERM))
        if longest is not None:
            end.start()
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    end.cancel()
    output = "".join(lines)
    return None if process.returncode and MISSED not in output else output


if __name__ == "__main__":
    main()
