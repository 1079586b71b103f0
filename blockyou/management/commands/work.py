"""Run background jobs: bots' turns and e-mails."""

from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.autoreload import run_with_reloader

from blockyou.processes.child import step_back
from blockyou.processes.pool import Pool
from games.bots.warm import warm_up
from games.worker import JobWorker, hand_back, work


class Command(BaseCommand):
    """Runs some workers, and new ones in the place of those that end."""

    help = "Run the jobs of bots and e-mails. With two workers or more, one takes no bot's long think."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--processes", type=int, default=1, help="how many workers (default: %(default)s)")
        parser.add_argument(
            "--niceness", type=int, default=0, help="how far to step back for others, once ready (default: %(default)s)"
        )
        parser.add_argument(
            "--reload",
            action=BooleanOptionalAction,
            default=settings.DEBUG,
            help="run a single worker, started again when a file changes (default: DEBUG)",
        )

    def handle(self, *_args: Any, processes: int, niceness: int, reload: bool, **_options: Any) -> None:
        if reload:
            run_with_reloader(work_alone, niceness)
            return
        warm_up_and_step_back(niceness)
        Pool(processes, work, hand_back).run()


def work_alone(niceness: int) -> None:
    """Run all jobs in this very thread."""
    warm_up_and_step_back(niceness)
    JobWorker("alone").run()


def warm_up_and_step_back(niceness: int) -> None:
    """Warm the engines up, as quickly as others let us, and then let others go first."""
    warm_up()
    step_back(niceness)
