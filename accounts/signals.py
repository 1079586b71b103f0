"""The signals that accounts send to other packages.

`account_leaving(user)`: a person is about to leave for good. Sent before, outside of any transaction: what can be left
by itself is, in short ones; a listener that raises stops the closing.
`account_closing(user)`: a person leaves for good. Sent inside the transaction, while the row still has its name; a
listener that raises stops the whole thing.

`sessions_ended(user_id, session_key)`: after commit; open sockets of that session have to close, of every session of
the person where `session_key` is None (a closed account, a new password: the browser that stays simply comes back).
`tokens_ended(user_id)`: after commit; what programs have open by tokens of that person has to ask whether it may stay.
`programs_ending(user_id)`: all that programs can do for a person and their bots is taken away, whatever was set up for
them besides tokens too. Sent at once; a listener that raises stops the whole thing.
`session_moved(before, after)`: at once; a session that goes on has got another key.
`renaming(user_id, name_key)`: a person is called something else, with this key. Sent inside the transaction; a listener
that raises stops the whole thing.
`renamed(user_id)`: after commit; a person is called something else now, or has another face, and open pages show the
former one.
`quiet_hours_changed(user_id)`: a person has other quiet hours, or they are read in another time zone. Sent inside the
transaction, in which the person is locked; a listener that raises stops the whole thing.
`writers_changed(user, before)`: a person has chosen anew who may write to them, `before` is the former choice. Sent
inside the transaction, in which the person is locked; a listener that raises stops the whole thing.
`password_stored(user_id, request)`: a person has a new password. Sent inside the transaction that stores it; a listener
that raises stops the whole thing.
`grown_up(user)`: a child's account is one like all others from now on. Sent inside the transaction, in which the person
is locked; a listener that raises stops the whole thing.
`address_restored(user_id, lost_factors)`: a link has given an account its former e-mail address back, and perhaps taken
passkeys and codes away. Sent inside the transaction, in which the person is locked.
`mail_posted(mail_id)`: after commit; an e-mail waits to be sent (`accounts.mail.outbox`).
`reset_asked(request_id)`: after commit; a request for a new password waits to be answered (`accounts.mail.resets`).
`confirmation_asked(request_id)`: after commit; the address of a new account is to be written to
(`accounts.mail.confirmations`).
"""

from functools import partial

from django.db import transaction
from django.dispatch import Signal

account_leaving = Signal()
account_closing = Signal()
sessions_ended = Signal()
tokens_ended = Signal()
programs_ending = Signal()
session_moved = Signal()
renaming = Signal()
renamed = Signal()
grown_up = Signal()
address_restored = Signal()
mail_posted = Signal()
reset_asked = Signal()
confirmation_asked = Signal()
quiet_hours_changed = Signal()
writers_changed = Signal()
password_stored = Signal()


def tell_sessions_ended(user_id: int, session_key: str | None = None) -> None:
    """Send `sessions_ended` once the transaction has committed; a listener that fails is logged and stops no other."""
    transaction.on_commit(partial(sessions_ended.send_robust, None, user_id=user_id, session_key=session_key))


def tell_tokens_ended(user_id: int) -> None:
    """Send `tokens_ended` once the transaction has committed; a listener that fails is logged and stops no other."""
    transaction.on_commit(partial(tokens_ended.send_robust, None, user_id=user_id))


def tell_renamed(user_id: int, name_key: str) -> None:
    """Send `renaming` now, and `renamed` once the transaction has committed; then one that fails stops no other."""
    renaming.send(None, user_id=user_id, name_key=name_key)
    transaction.on_commit(partial(renamed.send_robust, None, user_id=user_id))


def tell_seen_anew(user_id: int) -> None:
    """Send `renamed` for a person whose name stays, once the transaction has committed."""
    transaction.on_commit(partial(renamed.send_robust, None, user_id=user_id))


def tell_mail_posted(mail_id: int) -> None:
    """Send `mail_posted` once the transaction has committed; a listener that fails is logged and stops no other."""
    transaction.on_commit(partial(mail_posted.send_robust, None, mail_id=mail_id))


def tell_reset_asked(request_id: int) -> None:
    """Send `reset_asked` once the transaction has committed; a listener that fails is logged and stops no other."""
    transaction.on_commit(partial(reset_asked.send_robust, None, request_id=request_id))


def tell_confirmation_asked(request_id: int) -> None:
    """Send `confirmation_asked` once the transaction has committed; a listener that fails is logged and stops no
    other.
    """
    transaction.on_commit(partial(confirmation_asked.send_robust, None, request_id=request_id))
