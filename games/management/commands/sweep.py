"""Repeat what a crash lost, again and again, in one process at a time."""

import logging
import os
import signal
import socket
import threading
from argparse import ArgumentParser
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections
from django.utils import timezone

from games.background.sweep import JobArguments, hold_lease, release_lease, sweep
from games.background.upkeep import Upkeep
from games.background.worker import ASK_AGAIN_SECONDS
from games.base.positions import load_boards
from games.jobs import UNREACHABLE
from games.queries.tables.present import database_now

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """Runs the sweep every few seconds while it holds the lease."""

    help = "Ask again for bots' turns and e-mails that a crash lost. Several may run: one works, the others wait."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="sweep once, lease or not, and say what was done")
        parser.add_argument(
            "--every", type=float, default=5.0, help="seconds between two sweeps (default: %(default)s)"
        )

    def handle(self, *_args: Any, once: bool, every: float, **_options: Any) -> None:
        if once:
            self.stdout.write(str(sweep(database_now())))
            self.stdout.write(str(Upkeep().tidy_if_due(timezone.now())))
            return
        is_over = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: is_over.set())
        load_boards()
        holder = f"{socket.gethostname()[:40]}:{os.getpid()}:{os.urandom(4).hex()}"
        keep_sweeping(holder, every, is_over)


def keep_sweeping(holder: str, every: float, is_over: threading.Event, since: datetime | None = None) -> None:
    """Sweep while this holder has the lease, until `is_over` is set; a failing database or queue is tried again.

    What failed before `since`, by default before this began, is tried again as if it never had.
    """
    since, parked, upkeep = since or timezone.now(), frozenset[JobArguments](), Upkeep()
    while not is_over.is_set():
        close_old_connections()
        pause = every
        try:
            parked = _sweep_if_mine(holder, since, parked, upkeep)
        except UNREACHABLE:
            logger.exception("The sweep failed and is tried again.")
            pause = min(every, ASK_AGAIN_SECONDS)
        is_over.wait(pause)
    # If that cannot be written down, it ends by itself soon.
    with suppress(*UNREACHABLE):
        release_lease(holder, timezone.now())


def _sweep_if_mine(
    holder: str, since: datetime, parked: frozenset[JobArguments], upkeep: Upkeep
) -> frozenset[JobArguments]:
    """Sweep if this holder has the lease; return what is parked, of which `parked` has been logged before."""
    now = timezone.now()
    if not hold_lease(holder, now):
        return parked
    done = sweep(database_now(), since)
    if done.has_done_something:
        logger.info("%s", done)
    for subject, number in sorted({*done.parked} - parked):
        logger.error("Parked: a job about %s, move %s, has failed too often to be tried again.", subject, number)
    tidied = upkeep.tidy_if_due(now)
    if tidied.has_done_something:
        logger.info("%s", tidied)
    return frozenset(done.parked)
