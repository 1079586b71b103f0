"""The session engine: Django's database sessions, each knowing the person it belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import transaction
from django.db.models import CharField, DateTimeField
from django.utils import timezone

from accounts.database.lots import lots
from accounts.database.prepared import Prepared
from accounts.signals import session_moved

SLID_ON = "slid_on"
#: The day on which a session began, in which browser, and when its person last read what has changed about logging in.
BEGAN_ON, DEVICE, READ_AT = "began_on", "device", "changes_read_at"
#: For how long a change is news to a browser that has not shown it.
NEWS = timedelta(days=30)
#: No more logins than these are listed for a person.
MOST_LISTED = 50


_STORED: Prepared[Any] = Prepared(
    lambda key, now: SessionStore.get_model_class().objects.filter(session_key=key, expire_date__gt=now),
    key=CharField(),
    now=DateTimeField(),
)


class SessionStore(DatabaseStore):
    """Store sessions in `accounts.Session`, looked up late: settings name this module before the apps are ready."""

    @classmethod
    def get_model_class(cls) -> Any:
        """Return our table."""
        return apps.get_model("accounts", "Session")

    def _get_session_from_db(self) -> Any:
        """Return the stored session, None where there is none any more: then this one has no key."""
        stored = _STORED.first(key=self.session_key, now=timezone.now())
        if stored is None:
            self._session_key = None
        return stored

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """Return the row to save, with its owner."""
        row: Any = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        return row

    #: Whether it was ended by what was done, as by logging out, and not found ended.
    is_flushed = False

    def flush(self) -> None:
        """End the session."""
        super().flush()
        self.is_flushed = True

    def cycle_key(self) -> None:
        """Go on under a new key; a login that goes on with it is announced."""
        before = self.session_key
        super().cycle_key()
        if before and SESSION_KEY in self:
            session_moved.send(type(self), before=before, after=self.session_key)

    #: Whether it goes on under a new key once it is saved.
    is_renewed = False

    def renew_key(self) -> None:
        """Go on under a new key from the end of the request.

        The key of before holds until then: of a request that fails the browser is not told another.
        """
        self.is_renewed = self.modified = True

    def save(self, must_create: bool = False) -> None:
        """Save the session; if its key is to be another, all of it or nothing.

        Raises: as Django's.
        """
        if must_create or not self.is_renewed:
            super().save(must_create)
            return
        self.is_renewed = False
        with transaction.atomic():
            self.cycle_key()
            super().save()

    async def acreate_model_instance(self, data: dict[str, Any]) -> Any:
        """Return the row to save, with its owner."""
        row: Any = await super().acreate_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        return row


def begin_login(session: SessionBase, device: str) -> None:
    """Note the day on which a person has logged in, and the browser."""
    session[BEGAN_ON] = session[SLID_ON] = timezone.now().date().isoformat()
    session[DEVICE] = device


def slide(session: SessionBase, device: str = "") -> None:
    """Restart the session's year unless that was done today; the browser may be another release by now."""
    today = timezone.now().date().isoformat()
    if session.get(SLID_ON) != today:
        session[SLID_ON] = today
        session[DEVICE] = device


@dataclass(frozen=True)
class StoredLogin:
    """A session of a person: the key, "browser|system", and the days on which it began and was last used.

    What a session of an older release does not know is empty or None.
    """

    key: str
    device: str
    began_on: date | None
    seen_on: date | None


def logins_of(user_id: int, now: datetime) -> Sequence[StoredLogin]:
    """Return where a person is logged in, the latest use first, at most MOST_LISTED. One query."""
    rows = SessionStore.get_model_class().objects.filter(user_id=user_id, expire_date__gt=now)
    return [_login_in(row) for row in rows.order_by("-expire_date", "pk")[:MOST_LISTED]]


def _login_in(row: Any) -> StoredLogin:
    data = row.get_decoded()
    began, seen = (date.fromisoformat(data[name]) if name in data else None for name in (BEGAN_ON, SLID_ON))
    return StoredLogin(row.session_key, data.get(DEVICE, ""), began, seen)


def stored_in(data: str, name: str) -> str | None:
    """Return what a session holds under a name, by what is stored of it; None where it does not know that."""
    found: str | None = SessionStore().decode(data).get(name)
    return found or None


def note_read(session: SessionBase, now: datetime) -> None:
    """Note that this browser has shown all changes until now."""
    session[READ_AT] = now.isoformat()


def has_unread_change(session: SessionBase, changed_at: datetime | None) -> bool:
    """Return whether this browser has yet to show a change of that moment, None for no change ever."""
    if changed_at is None or timezone.now() - changed_at > NEWS:
        return False
    read = session.get(READ_AT)
    return read is None or datetime.fromisoformat(read) < changed_at


def drop_expired_sessions(now: datetime, most: int) -> int:
    """Delete sessions that no browser can use any more, the oldest first, at most `most`; return how many.

    A lot in each transaction.
    """
    rows = SessionStore.get_model_class()
    expired = rows.objects.filter(expire_date__lt=now).order_by("expire_date")
    keys = list(expired.values_list("pk", flat=True)[:most])
    return sum(rows.objects.filter(pk__in=some).delete()[0] for some in lots(keys))


def end_sessions(user_id: int, *, but: str | None = None) -> int:
    """Delete the sessions of a person, all or all but one; their browsers are logged out at the next request.

    Return how many there were.
    """
    rows = SessionStore.get_model_class().objects.filter(user_id=user_id).exclude(session_key=but or "")
    return int(rows.delete()[0])


def end_session(user_id: int, key: str) -> bool:
    """Delete one session of a person; return whether there was one."""
    return bool(SessionStore.get_model_class().objects.filter(user_id=user_id, session_key=key).delete()[0])
