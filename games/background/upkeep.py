"""Slow work of the sweep: old rows go, tables close or get bots, long pauses end, SQLite learns what its tables hold.

Each round takes a bounded number of rows from each kind and finds them by an index, so that it costs next to nothing
when nothing is due, and never holds others up when much is: no transaction takes more than some of them. What breaks
off has done what it had done, and the next round goes on. How long what is kept: docs/operations.md.
"""

import contextlib
import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Case, Exists, F, Model, OuterRef, Q, QuerySet, When
from django.db.models.functions import TruncDay

from accounts.database.deletions import delete_by_keys, statements_to_delete
from accounts.database.lots import lots
from accounts.models import Presence, Session, User
from accounts.sessions import drop_expired_sessions
from games.actions.archives.drop_archives import drop_archives
from games.actions.guests.merge_guest import finish_merge
from games.actions.pauses.expire_pause import expire_pause
from games.actions.tables.expire_table import expire_table
from games.actions.tables.fill_seats import fill_when_due
from games.base.merging import mergings, put_off_merging
from games.errors import NotFound
from games.jobs import UNREACHABLE
from games.models import (
    Advice,
    Analysis,
    Decision,
    Game,
    Group,
    Lease,
    ListVersion,
    Notice,
    Notification,
    Player,
    PlayerReport,
    PushSubscription,
    Reaction,
    Status,
    Study,
    TalkMessage,
    WebhookNotice,
)
from games.notifications.lateness import LATE
from games.queries.notices.devices import live_devices
from games.queries.notices.notices import unread_number

logger = logging.getLogger(__name__)

#: The time between two rounds, and between two looks at SQLite's statistics.
UPKEEP_EVERY, STATISTICS_EVERY = timedelta(minutes=1), timedelta(hours=1)

#: How many rows of a kind one round takes, a lot in each transaction (`accounts.database.lots`); tables are closed, and
#: archives deleted, one by one, each by an action, and guests brought along one by one.
ROWS_AT_ONCE, TABLES_AT_ONCE, MERGES_AT_ONCE = 1000, 50, 5

#: How long what is kept: guests who have come back to nothing, notices, advice.
KEPT_GUESTS, KEPT_NOTICES, KEPT_ADVICE = timedelta(days=30), timedelta(days=30), timedelta(days=30)

#: For how long the minute of a visit is kept; then the noon of its day stands for it, the same day in most time zones.
KEPT_MINUTES, NOON = timedelta(days=1), time(12)
#: How long a report is kept once a moderator has closed it.
KEPT_REPORTS = timedelta(days=365)
#: How long a device is tried whose push service fails.
KEPT_FAILING = timedelta(days=14)
#: For how long after its rest it is known that an address was late.
KEPT_LATE = timedelta(hours=1)

#: What a guest may have left, by tables and their fields, who then stays.
TRACES: tuple[tuple[type[Model], str], ...] = (
    (Player, "user"),
    (Player, "invitee"),
    (Game, "creator"),
    (Study, "owner"),
    # Who is a member and no more leaves the group with the account.
    (Group, "owner"),
    (Analysis, "user"),
    (PlayerReport, "reporter"),
    (Decision, "person"),
)
#: How the row of a guest without any of these goes, with what else points at it.
_OF_GUESTS = statements_to_delete(User, but=TRACES)

#: Rows of an index that SQLite reads to know its distribution.
ANALYSIS_LIMIT = 1000


@dataclass(frozen=True)
class Tidied:
    """How many rows of each kind one round has closed or deleted."""

    tables: int = 0
    sessions: int = 0
    guests: int = 0
    notices: int = 0
    advice: int = 0
    notifications: int = 0
    devices: int = 0
    filled: int = 0
    cancelled: int = 0
    pauses: int = 0
    messages: int = 0
    visits: int = 0
    reactions: int = 0
    reports: int = 0
    archives: int = 0
    late: int = 0
    merged: int = 0

    @property
    def has_done_something(self) -> bool:
        """Whether anything was due."""
        return self != Tidied()


@dataclass
class Upkeep:
    """The rounds of one process. Each `last` is the key of the row that the last round has looked at last."""

    done_at: datetime | None = None
    statistics_at: datetime | None = None
    last_guest: int = field(default=0)
    last_device: int = field(default=0)
    last_message: int = field(default=0)
    last_visit: int = field(default=0)
    last_reaction: int = field(default=0)

    def tidy_if_due(self, now: datetime) -> Tidied:
        """Do a round if the last one was long enough ago; else nothing."""
        if self.done_at is not None and now - self.done_at < UPKEEP_EVERY:
            return Tidied()
        self.done_at = now
        if self.statistics_at is None or now - self.statistics_at >= STATISTICS_EVERY:
            self.statistics_at = now
            gather_statistics()
        return self.tidy(now)

    def tidy(self, now: datetime) -> Tidied:
        """Close and delete what is due, a lot of each kind."""
        return Tidied(
            pauses=end_pauses(now),
            filled=fill_tables(now),
            tables=close_tables(now),
            sessions=drop_expired_sessions(now, ROWS_AT_ONCE),
            guests=self._drop_guests(now),
            notices=_drop(_old_notices(now - KEPT_NOTICES)),
            advice=_drop(Advice.objects.filter(asked_at__lt=now - KEPT_ADVICE).order_by("asked_at")),
            notifications=drop_notifications(now - KEPT_NOTICES)
            + drop_notifications(now - KEPT_NOTICES, WebhookNotice),
            devices=self._drop_devices(now),
            cancelled=drop_cancelled(now),
            messages=self._drop_messages(now),
            visits=self._round_visits(now),
            reactions=self._drop_reactions(now),
            reports=_drop(PlayerReport.objects.filter(closed_at__lt=now - KEPT_REPORTS).order_by("closed_at")),
            archives=drop_archives(now, TABLES_AT_ONCE),
            late=_drop(Lease.objects.filter(name__startswith=LATE, until__lt=now - KEPT_LATE).order_by("until")),
            # What it takes nobody knows beforehand.
            merged=finish_merges(now),
        )

    def _drop_guests(self, now: datetime) -> int:
        """Delete the guests of the next lot who have left no trace; after the last lot comes the first."""
        guests = User.objects.filter(is_guest=True, pk__gt=self.last_guest).order_by("pk")
        lot = list(guests.values_list("pk", "date_joined", "erased_at")[:ROWS_AT_ONCE])
        self.last_guest = lot[-1][0] if len(lot) == ROWS_AT_ONCE else 0
        old = [pk for pk, joined, erased_at in lot if erased_at is None and joined < now - KEPT_GUESTS]
        return sum(drop_guests(some, now) for some in lots(_idle(old, now)))

    def _drop_messages(self, now: datetime) -> int:
        """Delete those of the next lot of lines that were said in games which ended long ago; the first come again."""
        later = TalkMessage.objects.filter(pk__gt=self.last_message).order_by("pk")
        lot = list(later.values_list("pk", "game_id", _ended("game"))[:ROWS_AT_ONCE])
        self.last_message = lot[-1][0] if len(lot) == ROWS_AT_ONCE else 0
        before = now - timedelta(days=settings.TALK_DAYS)
        old = [(pk, game) for pk, game, ended in lot if ended is not None and ended <= before]
        return sum(drop_messages(dict(some)) for some in lots(old))

    def _round_visits(self, now: datetime) -> int:
        """Keep of the visits of the next lot of people the day alone, once they are a day ago; the first come again."""
        later = Presence.objects.filter(pk__gt=self.last_visit).order_by("pk")
        lot = list(later.values_list("pk", "seen_at")[:ROWS_AT_ONCE])
        self.last_visit = lot[-1][0] if len(lot) == ROWS_AT_ONCE else 0
        old = [pk for pk, seen_at in lot if seen_at < now - KEPT_MINUTES and seen_at.astimezone(UTC).time() != NOON]
        return sum(round_visits(some, now - KEPT_MINUTES) for some in lots(old))

    def _drop_reactions(self, now: datetime) -> int:
        """Delete those of the next lot of marks on placements of games that ended long ago, as lines are."""
        later = Reaction.objects.filter(pk__gt=self.last_reaction).order_by("pk")
        lot = list(later.values_list("pk", _ended("move__game"))[:ROWS_AT_ONCE])
        self.last_reaction = lot[-1][0] if len(lot) == ROWS_AT_ONCE else 0
        before = now - timedelta(days=settings.TALK_DAYS)
        old = [pk for pk, ended in lot if ended is not None and ended <= before]
        return _delete(Reaction, old)

    def _drop_devices(self, now: datetime) -> int:
        """Forget the devices of the next lot whose login is over or whose push service fails for long."""
        later = PushSubscription.objects.filter(pk__gt=self.last_device).order_by("pk")
        lot = list(later.values_list("pk", flat=True)[:ROWS_AT_ONCE])
        self.last_device = lot[-1] if len(lot) == ROWS_AT_ONCE else 0
        failing = Q(failing_since__lt=now - KEPT_FAILING)
        kept = live_devices().filter(pk__in=lot).exclude(failing) if lot else PushSubscription.objects.none()
        return _delete(PushSubscription, sorted({*lot} - {*kept.values_list("pk", flat=True)}))


def _ended(game: str) -> Case:
    """Return when the game at this path ended: one that was cancelled, with its last change."""
    is_cancelled = Q(**{f"{game}__status": Status.CANCELLED})
    return Case(When(is_cancelled, then=F(f"{game}__changed_at")), default=F(f"{game}__finished_at"))


def close_tables(now: datetime) -> int:
    """Cancel tables whose time is over, the oldest first; return how many."""
    return _act_on_due("expires_at", now, lambda slug: expire_table(slug, now=now))


def end_pauses(now: datetime) -> int:
    """End the pauses that have lasted for long enough, the first first; return how many."""
    return _act_on_due("pause_ends_at", now, expire_pause)


def finish_merges(now: datetime) -> int:
    """Go on with guests whose merging into an account has broken off; return how many are merged now.

    One that fails holds no other up, and is tried again after a while. So few are gone on with in a round that it does
    not last.
    """
    done = 0
    for merging in mergings(due_by=now)[:MERGES_AT_ONCE]:
        try:
            done += finish_merge(User.objects.get(pk=merging.guest), now)
        except Exception as error:
            if isinstance(error, UNREACHABLE) and not isinstance(error, IntegrityError):
                raise
            logger.exception("The guest %s could not be merged into the account %s.", merging.guest, merging.member)
            put_off_merging(merging.guest, now)
    return done


def fill_tables(now: datetime) -> int:
    """Fill the empty seats of tables that wanted bots by now, the first first; return how many tables."""
    return _act_on_due("fill_at", now, lambda slug: fill_when_due(slug, now=now))


def _act_on_due(column: str, now: datetime, act: Callable[[str], bool]) -> int:
    """Act on games of which the moment in a column is past, the first first; return on how many."""
    due = Game.objects.filter(**{f"{column}__lte": now}).order_by(column).values_list("slug", flat=True)
    done = 0
    for slug in list(due[:TABLES_AT_ONCE]):
        with contextlib.suppress(NotFound):
            done += act(slug)
    return done


def drop_cancelled(now: datetime) -> int:
    """Delete tables that were cancelled long enough ago and of which no notice speaks any more; return how many.

    A lot is looked at, the first first. None of them was ever played, and nothing but notices refers to them.
    """
    due = Game.objects.filter(dropped_at__lte=now).order_by("dropped_at").values_list("pk", flat=True)[:ROWS_AT_ONCE]
    silent = ~Exists(Notification.objects.filter(game=OuterRef("pk")))
    dropped = 0
    for lot in lots(list(due)):
        unplayed = Game.objects.filter(silent, status=Status.CANCELLED, started_at=None, pk__in=lot)
        keys = list(unplayed.values_list("pk", flat=True))
        Game.objects.filter(pk__in={*lot} - {*keys}).update(dropped_at=now + KEPT_NOTICES)
        Game.objects.filter(pk__in=keys).delete()
        dropped += len(keys)
    return dropped


@transaction.atomic
def drop_messages(games: Mapping[int, int]) -> int:
    """Delete these lines, each with its game; return how many. Nobody is told of unread ones any more."""
    Player.objects.filter(game__in={*games.values()}, unread_messages__isnull=False).update(unread_messages=None)
    return TalkMessage.objects.filter(pk__in=games).delete()[0]


def round_visits(keys: Sequence[int], before: datetime) -> int:
    """Keep only the day of those of these people's visits that were before that moment; return how many. One query."""
    noon = TruncDay("seen_at", tzinfo=UTC) + timedelta(hours=NOON.hour)
    return Presence.objects.filter(pk__in=keys, seen_at__lt=before).update(seen_at=noon)


@transaction.atomic
def drop_guests(keys: Sequence[int], now: datetime) -> int:
    """Delete those of these guests who have no game, study or group and have not come back; return how many.

    Games stay as they are: a guest with a seat at any table stays too. The rows are locked first, and looked at again
    then: a guest who is just sitting down locks the same row.
    """
    is_skipped = connection.features.has_select_for_update_skip_locked
    locked = User.objects.select_for_update(skip_locked=is_skipped).filter(pk__in=keys).order_by("pk")
    idle = _idle(list(locked.values_list("pk", flat=True)), now)
    Session.objects.filter(user_id__in=idle).delete()
    ListVersion.objects.filter(owner__in=idle).delete()
    # Said at a table that they left before the start: no account says it any more.
    TalkMessage.objects.filter(author__in=idle).update(author=None, text="")
    delete_by_keys(idle, _OF_GUESTS)
    return len(idle)


def _idle(keys: Sequence[int], now: datetime) -> list[int]:
    """Return those of these guests who have left nothing behind. A session ends a year after its last use."""
    recent = now + timedelta(seconds=settings.SESSION_COOKIE_AGE) - KEPT_GUESTS
    traces = [model._default_manager.filter(**{field: OuterRef("pk")}) for model, field in TRACES]
    traces.append(Session.objects.filter(user_id=OuterRef("pk"), expire_date__gt=recent))
    guests = User.objects.filter(pk__in=keys, is_guest=True).exclude(pk__in=[guest for guest, _member in mergings()])
    for trace in traces:
        guests = guests.exclude(Exists(trace))
    return list(guests.values_list("pk", flat=True))


def _old_notices(before: datetime) -> QuerySet[Notice]:
    """Return the notices written before then, of which the first are the oldest; they need no index of their own."""
    first = Notice.objects.order_by("pk").values_list("created_at", flat=True).first()
    notices = Notice.objects.order_by("pk")
    return notices.filter(created_at__lt=before) if first is not None and first < before else notices.none()


def drop_notifications(before: datetime, kind: "type[Notification] | type[WebhookNotice]" = Notification) -> int:
    """Delete the first notifications of a kind written before then, with their messages; return how many.

    The first are the oldest, so that they need no index of their own. What was unread is not counted any more.
    """
    first = kind.objects.order_by("pk").values_list("created_at", flat=True).first()
    if first is None or first >= before:
        return 0
    old = kind.objects.order_by("pk").values_list("pk", "user_id", "created_at")[:ROWS_AT_ONCE]
    rows = [(pk, user) for pk, user, created_at in old if created_at < before]
    return sum(_drop_notifications(kind, dict(some)) for some in lots(rows))


@transaction.atomic
def _drop_notifications(kind: "type[Notification] | type[WebhookNotice]", rows: Mapping[int, int]) -> int:
    """Delete these notifications, each with the person whose it is; return how many."""
    people = sorted({*rows.values()})
    # People before their notifications, as everywhere.
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk").values_list("pk"))
    kind.objects.filter(pk__in=[*rows]).delete()
    User.objects.filter(pk__in=people, unread_notices__gt=0).update(unread_notices=unread_number())
    return len(rows)


def _drop(rows: QuerySet[Advice] | QuerySet[Lease] | QuerySet[Notice] | QuerySet[PlayerReport]) -> int:
    """Delete the first rows of a kind; return how many."""
    keys: list[Any] = list(rows.values_list("pk", flat=True)[:ROWS_AT_ONCE])
    return _delete(rows.model, keys)


def _delete(model: type[Model], keys: Sequence[Any]) -> int:
    """Delete rows with these keys, a lot in each transaction; return how many went, with what went along."""
    return sum(model._base_manager.filter(pk__in=some).delete()[0] for some in lots(keys))


def gather_statistics() -> None:
    """Update SQLite's statistics of its tables, by which it chooses an index. PostgreSQL does so by itself.

    Before version 3.46 its own `PRAGMA optimize` passes over tables that this very connection has not asked for.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA analysis_limit = {ANALYSIS_LIMIT}")
        cursor.execute("PRAGMA optimize = 0x10002" if sqlite3.sqlite_version_info >= (3, 46) else "ANALYZE")
