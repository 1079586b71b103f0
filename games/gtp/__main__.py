"""What `python -m games.gtp VARIANT BOT` runs."""

import argparse
import sys

from games.arena.errors import ArenaError
from games.arena.players import own_engine
from games.gtp.session import GtpSession, serve_gtp
from games.rules.errors import UnknownVariant
from games.rules.variants import get_variant


def main() -> int:
    """Answer commands from standard input until `quit` or its end; return the exit status."""
    parser = argparse.ArgumentParser("python -m games.gtp", description="An engine, by the Go Text Protocol.")
    parser.add_argument("variant", help="as duo or classic-2; set_game changes it")
    parser.add_argument("bot", help="as greedy or sage-5, or module:Class,argument=value")
    options = parser.parse_args()
    try:
        session = GtpSession(own_engine(options.bot, follows=True), options.bot, get_variant(options.variant))
    except (ArenaError, UnknownVariant) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    serve_gtp(session, sys.stdin, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
