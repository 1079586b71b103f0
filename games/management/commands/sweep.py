"""Repeat what a crash lost, again and again, in one process at a time."""

import logging
import os
import signal
import socket
import threading
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from games.sweep import Turn, hold_lease, release_lease, sweep

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
            self.stdout.write(str(sweep(timezone.now())))
            return
        is_over = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: is_over.set())
        holder = f"{socket.gethostname()[:40]}:{os.getpid()}:{os.urandom(4).hex()}"
        keep_sweeping(holder, every, is_over)


def keep_sweeping(holder: str, every: float, is_over: threading.Event, since: datetime | None = None) -> None:
    """Sweep while this holder has the lease, until told that it is over; a failing database is tried again.

    What failed before `since`, by default before this began, is tried again as if it never had.
    """
    since, parked = since or timezone.now(), frozenset[Turn]()
    while not is_over.is_set():
        close_old_connections()
        try:
            parked = _sweep_if_mine(holder, since, parked)
        except DatabaseError:
            logger.exception("The sweep failed and is tried again.")
        is_over.wait(every)
    release_lease(holder, timezone.now())


def _sweep_if_mine(holder: str, since: datetime, parked: frozenset[Turn]) -> frozenset[Turn]:
    """Sweep if this holder has the lease; return what is parked, of which `parked` has been told before."""
    now = timezone.now()
    if not hold_lease(holder, now):
        return parked
    done = sweep(now, since)
    if done.has_done_something:
        logger.info("%s", done)
    for subject, number in sorted({*done.parked} - parked):
        logger.error("Parked: a job about %s, move %s, has failed too often to be tried again.", subject, number)
    return frozenset(done.parked)
