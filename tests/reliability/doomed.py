"""Workers that die: `python -m tests.reliability.doomed` is `manage.py work`, and may be told where to fall dead.

`DOOM_STEP` is the step at which each worker, once in a while, is killed as if by SIGKILL. `DOOM_WORKERS` are at work;
`DOOM_SEED` decides how often each comes by before. `DOOM_LIMIT` is how long a bot may think; `DOOM_MAILS` is a folder
that keeps what is sent, and a line for each that fell.
"""

import functools
import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import django
from django.conf import settings

STEP = os.environ.get("DOOM_STEP", "")
SEED = os.environ.get("DOOM_SEED", "")
STEPS = ("claim", "think", "commit", "notify", "finish")
#: On the way of a notice: before it is committed that it is announced, before its messages are asked for, before one
#: is sent, and before it is written down that it was.
NOTICE_STEPS = ("announce", "ask", "send", "sent")
#: The file in `DOOM_MAILS` that has a line for each process that fell dead.
DEATHS = "deaths"
#: A worker dies when it comes to its step for a time drawn from these.
TIMES = (3, 25)


class Doom:
    """Kills this process when it has come by so many times."""

    def __init__(self) -> None:
        self.left = 0
        # Shared by all workers that are forked: how many have come by. Without a lock, which one might die holding.
        self.workers = multiprocessing.RawValue("i", 0)

    def come_by(self, *_anything: Any) -> None:
        # Not before the fork: each worker has a fate of its own.
        self.left = self.left or self.fate()
        self.left -= 1
        if not self.left:
            if folder := os.environ.get("DOOM_MAILS"):
                with Path(folder, DEATHS).open("a") as deaths:
                    deaths.write("x\n")
            os.kill(os.getpid(), signal.SIGKILL)

    def fate(self) -> int:
        """Return how often this worker comes by; the same seed means the same for the first, the second and so on."""
        self.workers.value += 1
        return random.Random(f"{SEED} {self.workers.value}").randint(*TIMES)

    def after(self, step: Callable[..., Any]) -> Callable[..., Any]:
        """Return the step with death lurking behind it, wherever it came to something."""

        @functools.wraps(step)
        def doomed(*arguments: Any, **more: Any) -> Any:
            answer = step(*arguments, **more)
            if answer is not False:
                self.come_by()
            return answer

        return doomed

    def before_noted(self, send: Callable[..., Any]) -> Callable[..., Any]:
        """Return what sends a message, with death lurking between the moment at which it is taken and its noting."""

        @functools.wraps(send)
        def doomed(channel: Any, user: Any, message: Any, taken: Callable[[], Any]) -> None:
            def dying() -> None:
                self.come_by()
                taken()

            send(channel, user, message, dying)

        return doomed


def bring_doom(step: str) -> None:
    """Let death lurk at that step: after the claim of a job, in thought, before a commit, before anybody is told of it,
    or before the job is written down as done."""
    from games import events, jobs, tasks
    from games.bots import turns
    from games.table import moves

    doom = Doom()
    if step == "claim":
        jobs.claim_job = doom.after(jobs.claim_job)
    elif step == "think":
        turns.choose = doom.after(turns.choose)
    elif step == "commit":
        moves.keep_thought = doom.after(moves.keep_thought)
    elif step == "notify":
        events._subscribers[events.MovePlayed].insert(0, doom.come_by)
    elif step == "finish":
        tasks.play_turn = doom.after(tasks.play_turn)  # type: ignore[attr-defined]
    elif step in NOTICE_STEPS:
        doom_notices(step, doom)


def doom_notices(step: str, doom: Doom) -> None:
    """Let death lurk at that step of a notice."""
    from accounts.outbox import Outbox
    from games import tasks
    from games.notifications import announce
    from games.notifications.channels.email import EmailChannel

    if step == "announce":
        announce._post = doom.after(announce._post)
    elif step == "ask":
        tasks.announce_game = doom.after(tasks.announce_game)  # type: ignore[attr-defined]
    elif step == "send":
        Outbox.claim = doom.after(Outbox.claim)  # type: ignore[method-assign]
    else:
        EmailChannel.send = doom.before_noted(EmailChannel.send)  # type: ignore[method-assign]


def main() -> None:
    """Work until told to stop."""
    django.setup()
    from accounts.outbox import Outbox
    from blockyou.processes.pool import Pool
    from games import tasks
    from games.background.worker import hand_back, work
    from games.bots import turns
    from games.models import Delivery
    from games.notifications import deliver, known

    if STEP in NOTICE_STEPS or "DOOM_MAILS" in os.environ:
        # What a dead worker had in hand is to be tried again while the test looks on.
        soon = timedelta(seconds=2)
        deliver.DELIVERY_OUTBOX = Outbox(Delivery, soon, soon)
        tasks.GRACE = timedelta()
        # Else one mail an hour would speak of all invitations of a person.
        known.INVITATIONS = frozenset()
    turns.THINKING_SECONDS = float(os.environ.get("DOOM_LIMIT", "10"))
    if folder := os.environ.get("DOOM_MAILS"):
        settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
        settings.EMAIL_FILE_PATH = folder
    bring_doom(STEP)
    Pool(int(os.environ.get("DOOM_WORKERS", "2")) + 1, work, hand_back).run()


if __name__ == "__main__":
    main()
