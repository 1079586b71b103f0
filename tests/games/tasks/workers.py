"""Running the jobs that wait, in this process."""

from datetime import timedelta

from django.core.management import call_command
from django.utils import timezone
from django_tasks_db.models import DBTaskResult


def run_jobs() -> None:
    """Run every job that waits until none does, those that are to wait a while too."""
    DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now() - timedelta(seconds=1))
    call_command("db_worker", queue_name="*", batch=True, startup_delay=False, interval=0, verbosity=0, reload=False)


def waiting() -> list[tuple[str, list[int]]]:
    """Return name and arguments of every job that waits, in the order of asking."""
    jobs = DBTaskResult.objects.filter(status="READY").order_by("enqueued_at")
    return [(job.task_name, job.args_kwargs["args"]) for job in jobs]
