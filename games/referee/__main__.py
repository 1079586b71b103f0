"""What `python -m games.referee` runs."""

import sys

from games.referee.command import main

if __name__ == "__main__":
    sys.exit(main())
