"""Workers that die: `python -m tests.reliability.doomed` is `manage.py work`, and may be told where to fall dead.

`DOOM_STEP` is the step at which each worker, once in a while, is killed as if by SIGKILL. `DOOM_WORKERS` are at work;
`DOOM_LIMIT` is how long a bot may think; `DOOM_MAILS` is a folder that keeps what is sent.
"""

import functools
import os
import random
import signal
from collections.abc import Callable
from typing import Any

import django
from django.conf import settings

STEP = os.environ.get("DOOM_STEP", "")
STEPS = ("claim", "think", "commit", "notify", "finish")
#: A worker dies when it comes to its step for a time drawn from these.
TIMES = (3, 25)


class Doom:
    """Kills this process when it has come by so many times."""

    def __init__(self) -> None:
        self.left = 0

    def come_by(self, *_anything: Any) -> None:
        # Not before the fork: each worker has a fate of its own.
        self.left = self.left or random.randint(*TIMES)
        self.left -= 1
        if not self.left:
            os.kill(os.getpid(), signal.SIGKILL)

    def after(self, step: Callable[..., Any]) -> Callable[..., Any]:
        """Return the step with death lurking behind it, wherever it came to something."""

        @functools.wraps(step)
        def doomed(*arguments: Any, **more: Any) -> Any:
            answer = step(*arguments, **more)
            if answer is not False:
                self.come_by()
            return answer

        return doomed


def bring_doom(step: str) -> None:
    """Let death lurk at that step: after the claim of a job, in thought, before a commit, before anybody is told of it,
    or before the job is written down as done."""
    from blockyou.worker import JobWorker
    from games import events, moves, tasks
    from games.bots import turns

    doom = Doom()
    if step == "claim":
        JobWorker.claim = doom.after(JobWorker.claim)  # type: ignore[method-assign]
    elif step == "think":
        turns.choose = doom.after(turns.choose)
    elif step == "commit":
        moves.keep_thought = doom.after(moves.keep_thought)
    elif step == "notify":
        events._subscribers[events.MovePlayed].insert(0, doom.come_by)
    elif step == "finish":
        tasks.play_turn = doom.after(tasks.play_turn)  # type: ignore[attr-defined]


def main() -> None:
    """Work until told to stop."""
    django.setup()
    from blockyou.pool import Pool
    from blockyou.worker import work
    from games.bots import turns

    turns.THINKING_SECONDS = float(os.environ.get("DOOM_LIMIT", "10"))
    if folder := os.environ.get("DOOM_MAILS"):
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        settings.EMAIL_FILE_PATH = folder
    bring_doom(STEP)
    Pool(int(os.environ.get("DOOM_WORKERS", "2")), work).run()


if __name__ == "__main__":
    main()
