"""Running the jobs that wait: in this process, or in worker processes that can be killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from threading import Event
from urllib.parse import quote

from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult


def run_jobs() -> None:
    """Run every job that waits until none does, those that are to wait a while too."""
    DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now() - timedelta(seconds=1))
    # The command takes the signals of its process, which here is that of the tests.
    kept = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT)}
    call_command("db_worker", queue_name="*", batch=True, startup_delay=False, interval=0, verbosity=0, reload=False)
    for number, handler in kept.items():
        signal.signal(number, handler)


def jobs(status: str = "READY") -> list[tuple[str, list[int]]]:
    """Return name and arguments of every job in that state, in the order of asking."""
    found = DBTaskResult.objects.filter(status=status).order_by("enqueued_at")
    return [(job.task_name, job.args_kwargs["args"]) for job in found]


def worker(*options: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Start a worker process on the database of this test."""
    return manage(
        "db_worker", "--queue-name=*", "--interval=0.02", "--no-startup-delay", "-v0", *options, **environment
    )


def manage(*arguments: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Start a command on the database of this test."""
    surroundings = {**os.environ, "DJANGO_SETTINGS_MODULE": "blockyou.settings.test", "DATABASE_URL": database_url()}
    return subprocess.Popen([sys.executable, "manage.py", *arguments], env={**surroundings, **environment})


def database_url() -> str:
    """Return the address of the database that this test uses."""
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{values['NAME']}"
    login = f"{quote(values['USER'])}:{quote(values['PASSWORD'])}@" if values["USER"] else ""
    return f"postgres://{login}{values['HOST']}:{values['PORT']}/{values['NAME']}"


def wait_until(is_so: Callable[[], bool], seconds: float = 30) -> None:
    """Ask again and again until it is so."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        Event().wait(0.02)
