"""The session engine: Django's database sessions, each knowing the person it belongs to."""

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.utils import timezone

SLID_ON = "slid_on"


class SessionStore(DatabaseStore):
    """Store sessions in `accounts.Session`."""

    @classmethod
    def get_model_class(cls) -> Any:
        """Return our table."""
        from accounts.models import Session  # settings name this module before the apps are ready

        return Session

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """Return the row to save, with its owner."""
        row: Any = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        return row

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


def end_sessions(user_id: int, *, but: str | None = None) -> None:
    """Delete the sessions of a person, all or all but one; whoever used them is logged out at the next request."""
    from accounts.models import Session  # settings name this module before the apps are ready

    Session.objects.filter(user_id=user_id).exclude(session_key=but or "").delete()
