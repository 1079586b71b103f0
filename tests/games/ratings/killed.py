"""`python -m tests.games.ratings.killed STEP` fits Duo and is killed, as if by SIGKILL, within its transaction.

The step is `begun`, when all else is stored but the ratings, `half`, when one of them is, or `written`, when all are.
"""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import django


def main(step: str) -> None:
    """Fit the ratings, and do not come to the end of it."""
    django.setup()
    from django.utils import timezone

    module: Any = import_module("games.actions.ratings.rate_family")
    write: Callable[..., Any] = module.replace_ratings

    def dying(ratings: Sequence[Any]) -> None:
        write(ratings[: {"begun": 0, "half": 1, "written": len(ratings)}[step]])
        os.kill(os.getpid(), signal.SIGKILL)

    module.replace_ratings = dying
    module.rate_family("duo", now=timezone.now())


if __name__ == "__main__":
    main(sys.argv[1])
