"""Whether this site can do its work: asked by monitors, by proxies, and by `make run` before it says that it is up."""

import time
from datetime import UTC, datetime

from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_tasks_db.models import DBTaskResult, get_date_max
from redis import RedisError

# A job that nobody took for so long means that no worker runs, or far too few.
LATE_SECONDS = 120
# Every write costs a wait for the disk, and anybody may ask.
WRITE_EVERY_SECONDS = 5
WRITE_TIMEOUT_MS = 5000


class Memory:
    """When this process last wrote for its health, on the monotonic clock."""

    written_at = float("-inf")


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 when every part works, else 503, with a word a part. `?only=database` asks after one part alone."""
    parts = {"database": is_database_writable, "cache": is_cache_there, "jobs": are_jobs_taken}
    only = request.GET.get("only", "")
    asked = {only: parts[only]} if only in parts else parts
    answer = {name: "ok" if is_well() else "failing" for name, is_well in asked.items()}
    is_ok = set(answer.values()) == {"ok"}
    return JsonResponse({"status": "ok" if is_ok else "failing", **answer}, status=200 if is_ok else 503)


def is_database_writable() -> bool:
    """Return whether a committed write reaches the disk; tried at most every five seconds, in between only read."""
    is_due = time.monotonic() - Memory.written_at >= WRITE_EVERY_SECONDS
    try:
        if is_due:
            _write()
            Memory.written_at = time.monotonic()
        else:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def is_cache_there() -> bool:
    """Return whether what is put into the cache comes back."""
    try:
        cache.set("health", "ok", timeout=60)
        return bool(cache.get("health") == "ok")
    except RedisError:
        return False


def are_jobs_taken() -> bool:
    """Return whether no job has waited long for a worker. One query."""
    try:
        oldest = DBTaskResult.objects.ready().order_by("enqueued_at").values_list("enqueued_at", "run_after").first()
    except DatabaseError:
        return False
    if oldest is None:
        return True
    enqueued_at, run_after = oldest
    since = enqueued_at if run_after in {None, get_date_max()} else max(enqueued_at, run_after)
    return (timezone.now() - since).total_seconds() < LATE_SECONDS


def _write() -> None:
    """Commit something that needs no table: a number in SQLite's header, a message in PostgreSQL's log."""
    now = int(datetime.now(UTC).timestamp()) % 2**31
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with transaction.atomic():
                cursor.execute(f"SET LOCAL statement_timeout={WRITE_TIMEOUT_MS}")
                cursor.execute("SELECT pg_logical_emit_message(true, 'health', '')")
            return
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        try:
            cursor.execute(f"PRAGMA busy_timeout={WRITE_TIMEOUT_MS}")
            cursor.execute(f"PRAGMA user_version={now}")
        finally:
            cursor.execute(f"PRAGMA busy_timeout={patience}")
