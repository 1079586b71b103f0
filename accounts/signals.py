"""What this room tells the others.

`account_closing(user)`: a person leaves for good. Sent inside the transaction, while the row still has its name; a
listener that raises stops the whole thing.

`sessions_ended(user_id, session_key)`: after commit; open sockets of that session have to close, of every session of
the person where `session_key` is None (a closed account, a new password: the browser that stays simply comes back).
"""

from functools import partial

from django.db import transaction
from django.dispatch import Signal

account_closing = Signal()
sessions_ended = Signal()


def tell_sessions_ended(user_id: int, session_key: str | None = None) -> None:
    """Send `sessions_ended` once the transaction has committed; a listener that fails is logged and stops nobody."""
    transaction.on_commit(partial(sessions_ended.send_robust, None, user_id=user_id, session_key=session_key))
