"""What `python -m games.play` runs."""

import argparse
import sys

from games.play.session import PlaySession, converse
from games.rules.errors import UnknownVariant


def main() -> int:
    """Do commands from standard input until `quit` or its end; return 1 if one was refused and no person typed it."""
    parser = argparse.ArgumentParser("python -m games.play", description="Look into games: `help` lists the commands.")
    parser.add_argument("variant", nargs="?", default="blockyou-4", help="as duo or codingame-2:13:7")
    options = parser.parse_args()
    try:
        session = PlaySession(options.variant)
    except UnknownVariant as error:
        sys.stderr.write(f"{error}\n")
        return 1
    is_person = sys.stdin.isatty()
    refused = converse(session, sys.stdin, sys.stdout, prompt="> " if is_person else "")
    return int(refused > 0 and not is_person)


if __name__ == "__main__":
    sys.exit(main())
