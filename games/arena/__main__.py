"""What `python -m games.arena` runs."""

import sys

from games.arena.command import main

if __name__ == "__main__":
    sys.exit(main())
