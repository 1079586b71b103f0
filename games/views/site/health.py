"""The health of the site, for monitors, proxies, and `make run`, which waits for it before it reports that it is up."""

import os
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.db import DatabaseError, connection, transaction
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.background.sweep import LEASE, LIVELY, STARVED
from games.bots.turns import FALLBACK
from games.jobs import UNREACHABLE, in_hand, left_alone
from games.queries.notices.notices import oldest_notice_due
from games.queries.site.health import lease_until, recent_fallbacks
from games.queries.tables.turns import bot_turns_due, oldest_bot_turn
from games.tasks import play_bot_turn

# Jobs that wait while no worker has taken one for this long mean that none runs, or that all hang.
LATE = timedelta(seconds=120)
# Every write costs a wait for the disk, and the page is open to everybody.
WRITE_EVERY_SECONDS = 5
WRITE_TIMEOUT_MS = 5000
# What some moves need where the database is. A number in a header still fits where no move does.
ROOM_BYTES = 1 << 20
# A lease ends half a minute after the last sweep. A restart of the only process that sweeps takes a few seconds more.
SWEEP_GRACE = timedelta(minutes=1)
# A bot that is due for so long and for which no job waits is parked.
STUCK_AFTER = timedelta(minutes=10)
# Where a mail server does not answer, the next try is put off, so that only what no worker looks at is late.
NOTICES_STUCK_AFTER = timedelta(minutes=10)
# One move in ten, and not the single one of a bot that was unlucky once.
FALLBACKS_LEAST, FALLBACKS_ONE_IN = 3, 10


class Memory:
    """When this process last wrote for its health, on the monotonic clock, and what it found then of each part."""

    written_at = float("-inf")
    found: dict[str, tuple[float, bool]] = {}


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 when every part works, else 503, with a word a part. `?only=database` asks after one part alone."""
    only = request.GET.get("only", "")
    asked = {only: PARTS[only]} if only in PARTS else PARTS
    answer = {name: "ok" if is_well() else "failing" for name, is_well in asked.items()}
    is_ok = set(answer.values()) == {"ok"}
    about = {"status": "ok" if is_ok else "failing", "version": settings.RELEASE}
    return JsonResponse(about | answer, status=200 if is_ok else 503)


def is_database_writable() -> bool:
    """Return whether a committed write reaches the disk, and there is room for moves.

    Tried at most every five seconds, in between only read.
    """
    is_due = time.monotonic() - Memory.written_at >= WRITE_EVERY_SECONDS
    try:
        if is_due:
            _write()
            check_room()
            Memory.written_at = time.monotonic()
        else:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
    except (DatabaseError, OSError):
        return False
    return True


def check_room() -> None:
    """Refuse a disk without room for moves where the database is, by taking the room for a moment. Nothing is kept.

    Raises: OSError on SQLite, DatabaseError on PostgreSQL.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL work_mem='64kB'")
            # More than the memory it may take: PostgreSQL writes it into a file beside its tables.
            asked = "SELECT count(*) FROM unnest(array_fill(repeat('x', 8192), ARRAY[%s]))"
            cursor.execute(asked, [ROOM_BYTES // 8192])
        return
    folder = Path(connection.settings_dict["NAME"]).parent
    # Without a name: it is gone whatever becomes of this process.
    with TemporaryFile(dir=folder) as taken:
        os.posix_fallocate(taken.fileno(), 0, ROOM_BYTES)


def is_cache_there() -> bool:
    """Return whether what is put into the cache comes back."""
    cache.set("health", "ok", timeout=60)
    # A cache that has lost its server answers from this process's memory, and says so.
    return bool(cache.get("health") == "ok") and not getattr(cache, "is_away", False)


def are_jobs_taken() -> bool:
    """Return whether workers take jobs of every kind that waits. One query where none has waited for long.

    That many wait is no failure: otherwise a visitor with many tables would be one.
    """
    try:
        return not left_alone(settings.QUEUES, timezone.now() - LATE)
    except UNREACHABLE:
        return False


def is_swept() -> bool:
    """Return whether a process repeats what crashes lose: whether it has just renewed its lease. One query."""
    until = lease_until(LEASE)
    return until is not None and until + SWEEP_GRACE > timezone.now()


def are_bots_playing() -> bool:
    """Return whether no game stands still at a bot that no job asks. One query where none is due for long.

    A bot may wait behind many others, which a visitor can bring about. Whether workers take jobs is another part.
    """
    now = timezone.now()
    since = oldest_bot_turn()
    if since is None or now - since < STUCK_AFTER:
        return True
    try:
        asked = {(game, number) for game, number, *_tries in in_hand(play_bot_turn, now - LIVELY)}
    except UNREACHABLE:
        return True
    return bot_turns_due(now - STUCK_AFTER).keys() <= asked


def are_processors_free() -> bool:
    """Return whether no bot, and no other job, has waited for a processor for long in the last minutes. One query."""
    until = lease_until(STARVED)
    return until is None or until < timezone.now()


def are_notices_going() -> bool:
    """Return whether no notice waits for so long that no worker can be looking at it. Two queries."""
    since = oldest_notice_due()
    return since is None or timezone.now() - since < NOTICES_STUCK_AFTER


def are_bots_themselves() -> bool:
    """Return whether bots choose their moves, and another engine seldom stands in for them. One query."""
    lately = recent_fallbacks(timezone.now(), FALLBACK)
    return lately.fallbacks < max(FALLBACKS_LEAST, lately.moves / FALLBACKS_ONE_IN)


def are_static_files_there() -> bool:
    """Return whether every static file that pages of this process name is on the disk."""
    names: dict[str, str] | None = getattr(staticfiles_storage, "hashed_files", None)
    if names is None:
        return True  # nothing is collected while the code is worked on
    return bool(names) and all(staticfiles_storage.exists(name) for name in names.values())


def remembered(name: str, is_well: Callable[[], bool]) -> Callable[[], bool]:
    """Return a question to the database that this process asks at most every five seconds; failing where it fails."""

    def answer() -> bool:
        asked_at, found = Memory.found.get(name, (float("-inf"), False))
        if time.monotonic() - asked_at < WRITE_EVERY_SECONDS:
            return found
        try:
            found = is_well()
        except DatabaseError:
            found = False
        Memory.found[name] = time.monotonic(), found
        return found

    return answer


#: What is asked after, by the name it has in the answer.
PARTS: dict[str, Callable[[], bool]] = {
    "database": is_database_writable,
    "cache": is_cache_there,
    "jobs": are_jobs_taken,
    "sweep": remembered("sweep", is_swept),
    "turns": remembered("turns", are_bots_playing),
    "processors": remembered("processors", are_processors_free),
    "notices": remembered("notices", are_notices_going),
    "bots": remembered("bots", are_bots_themselves),
    "static": are_static_files_there,
}


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
            with transaction.atomic():
                cursor.execute(f"PRAGMA user_version={now}")
        finally:
            cursor.execute(f"PRAGMA busy_timeout={patience}")
