"""The session engine: Django's database sessions, each knowing the person it belongs to."""

from datetime import datetime
from typing import Any

from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models import CharField, DateTimeField
from django.utils import timezone

from accounts.database.prepared import Prepared
from accounts.signals import session_moved

SLID_ON = "slid_on"


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

    def cycle_key(self) -> None:
        """Go on under a new key; a login that goes on with it is announced."""
        before = self.session_key
        super().cycle_key()
        if before and SESSION_KEY in self:
            session_moved.send(type(self), before=before, after=self.session_key)

    async def acreate_model_instance(self, data: dict[str, Any]) -> Any:
        """Return the row to save, with its owner."""
        row: Any = await super().acreate_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        return row


def slide(session: SessionBase) -> None:
    """Let the session's year start again unless it did so today."""
    today = timezone.now().date().isoformat()
    if session.get(SLID_ON) != today:
        session[SLID_ON] = today


def drop_expired_sessions(now: datetime, most: int) -> int:
    """Delete sessions that no browser can use any more, the oldest first, at most `most`; return how many."""
    rows = SessionStore.get_model_class()
    expired = rows.objects.filter(expire_date__lt=now).order_by("expire_date")
    keys = list(expired.values_list("pk", flat=True)[:most])
    return rows.objects.filter(pk__in=keys).delete()[0] if keys else 0


def end_sessions(user_id: int, *, but: str | None = None) -> None:
    """Delete the sessions of a person, all or all but one; their browsers are logged out at the next request."""
    SessionStore.get_model_class().objects.filter(user_id=user_id).exclude(session_key=but or "").delete()
