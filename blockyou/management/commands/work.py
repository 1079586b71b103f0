"""Run background jobs: bots' turns and e-mails."""

import os
import threading
from argparse import ArgumentParser, BooleanOptionalAction
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.autoreload import run_with_reloader

from blockyou.processes.meanwhile import running_beside
from blockyou.processes.pool import Pool
from blockyou.processes.work_lock import WorkLock
from blockyou.processes.worker_names import WorkerNames
from games.background.sweep import note_starved
from games.background.worker import JobWorker, hand_back, load_what_jobs_use, work
from games.bots.engines.kept import is_to_compile
from games.bots.warm import warm_up
from games.jobs.courier import Courier
from games.tasks import people_of


class Command(BaseCommand):
    """Runs some workers, and new ones in the place of those that end."""

    help = "Run the jobs of bots and e-mails. With two workers or more, one takes no bot's long think."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--processes", type=int, default=1, help="how many workers (default: %(default)s)")
        parser.add_argument(
            "--niceness",
            type=int,
            default=0,
            help="how far thinking bots let other processes go first (default: %(default)s)",
        )
        parser.add_argument(
            "--reload",
            action=BooleanOptionalAction,
            default=settings.DEBUG,
            help="run a single worker, started again when a file changes (default: DEBUG)",
        )

    def handle(self, *_args: Any, processes: int, niceness: int, reload: bool, **_options: Any) -> None:
        if reload:
            run_with_reloader(work_alone)
            return
        # SQLite is one host's, so all who do its jobs can be known. A site that was killed leaves some in hand.
        with closing(work_lock()) as lock:
            now = timezone.now()
            self.work(processes, niceness, now if settings.IS_SQLITE and lock.enter() else None)

    def work(self, processes: int, niceness: int, alone_since: datetime | None) -> None:
        """Run workers once their engines are ready; if nobody else has since a moment, hand back what was in hand."""
        if is_to_compile():
            with running_beside(partial(work_uncompiled, niceness)):
                warm_up()
        else:
            warm_up()
        load_what_jobs_use()
        with closing(WorkerNames(Path(settings.VAR_DIR) / "workers")) as names:
            run = partial(work, niceness=niceness, alone_since=alone_since, find_dead=names.of_the_dead)
            pool = Pool(processes + 1, run, hand_back)
            names.keep(pool.identities)
            pool.run()


def work_lock() -> WorkLock:
    """Return the lock of those who do the jobs of a database file, which stands beside it."""
    database = Path(settings.DATABASES["default"]["NAME"])
    return WorkLock(database.with_name(f"{database.name}.work.lock"))


def work_uncompiled(niceness: int) -> None:
    """Run a worker without the compiler: bots of the lower levels answer within a second or two all the same.

    Long thinks wait. Everything else that takes no engine is done too.
    """
    os.environ["BOTS_COMPILED"] = "0"
    load_what_jobs_use()
    Pool(2, partial(work, niceness=niceness, long=("default",)), hand_back).run()


def work_alone() -> None:
    """Run all jobs in this process, which lets nobody go first: it writes too."""
    # Workers that begin beside it leave its job alone.
    lock = work_lock()
    if settings.IS_SQLITE:
        lock.enter()
    warm_up()
    courier = Courier("the courier", people_of, note_starved)
    threading.Thread(target=courier.run, daemon=True, name="courier").start()
    JobWorker("alone").run()
