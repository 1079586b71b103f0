"""Every benchmark, one after the other: `make bench`, or some of them: `python -m benchmarks rules memory`."""

import subprocess
import sys

# The site's benchmark ends with the push. Each part has a process of its own, so that none leaves anything to the next.
PARTS = ("rules", "engines", "site", "fanout", "quiet_pages", "bots", "first_game", "memory")


def main() -> None:
    """Run the parts named on the command line, or all."""
    for part in sys.argv[1:] or PARTS:
        print(f"\n== {part}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{part}"], check=True)


if __name__ == "__main__":
    main()
