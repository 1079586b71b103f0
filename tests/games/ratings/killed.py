"""`python -m tests.games.ratings.killed STEP` fits Duo and is killed, as if by SIGKILL, within its transaction.

The step is `deleted`, when the old ratings are gone, or `written`, when the new ones are there.
"""

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import django


def main(step: str) -> None:
    """Fit the ratings, and do not come to the end of it."""
    django.setup()
    from django.utils import timezone

    module: Any = import_module("games.actions.ratings.rate_family")
    write: Callable[..., Any] = module.write_ratings

    def dying(*arguments: Any) -> None:
        if step == "written":
            write(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)

    module.write_ratings = dying
    module.rate_family("duo", now=timezone.now())


if __name__ == "__main__":
    main(sys.argv[1])
