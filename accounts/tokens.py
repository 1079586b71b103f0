"""Tokens by which programs act for a person: made on the account page, shown once, revoked at once.

A new password, a closed account and an address that was given back end all of a person's tokens, as they end sessions,
and those of the person's bots: a thief of the account could have made some.
"""

import hashlib
import re
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.models import ApiToken, Scope, User
from accounts.signals import programs_ending, tell_tokens_ended

#: How many tokens a person may have.
MOST_TOKENS = 20
#: How every secret begins: so people, and programs that search for leaked secrets, know what it is.
PREFIX = "blockyou_"
#: 192 bits of chance.
SECRET = re.compile(PREFIX + r"[A-Za-z0-9_-]{32}")
#: Letters of a secret that its owner sees again.
HINT = len(PREFIX) + 3
#: How exactly is kept when a token was used last.
USE_NOTED_EVERY = timedelta(minutes=1)
#: A token of a person, or of a bot whose operator still has an account; no program acts for a child.
ANSWERED_FOR = (Q(user__operator=None) | Q(user__operator__is_active=True)) & Q(user__guardian=None)


def make_token(user: User, name: str, scopes: Collection[Scope], now: datetime) -> str:
    """Keep a new token of the person, and return its secret, which can never be read again. Two queries.

    Raises:
        ValueError: they have as many as a person may have.

    """
    if ApiToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise ValueError(f"more than {MOST_TOKENS} tokens")
    secret = PREFIX + secrets.token_urlsafe(24)
    kept = [str(scope) for scope in Scope if scope in scopes]
    ApiToken.objects.create(
        user=user, name=name, scopes=kept, digest=_digest(secret), hint=secret[:HINT], created_at=now
    )
    return secret


def tokens_of(user: User) -> Sequence[ApiToken]:
    """Return the tokens of the person, the latest first. One query."""
    return list(ApiToken.objects.filter(user=user).order_by("-created_at", "-pk"))


def tokens_answered_for(user: User) -> Sequence[ApiToken]:
    """Return the tokens of the person and of their bots with whose they are, the latest first. One query."""
    found = ApiToken.objects.filter(user__in=User.answering(user.pk), user__erased_at=None).select_related("user")
    return list(found.order_by("-created_at", "-pk"))


def scopes_of(token: ApiToken) -> Sequence[Scope]:
    """Return what a token may do, in the order of `Scope`; what only another release knows is left out."""
    may_post = token.has_chat_by_tables and Scope.TABLES in token.scopes
    return [scope for scope in Scope if scope in token.scopes or (scope == Scope.CHANNEL and may_post)]


def token_of_secret(secret: str, now: datetime) -> ApiToken | None:
    """Return the token with its user, None if there is no such secret or its person, or a bot's operator, has gone or
    is suspended; note its use.

    One query, two about once a minute.
    """
    if not SECRET.fullmatch(secret):
        return None
    tokens = ApiToken.objects.filter(ANSWERED_FOR, _acting(now), digest=_digest(secret), user__is_active=True)
    found = tokens.select_related("user").first()
    if found and (found.used_at is None or now - found.used_at >= USE_NOTED_EVERY):
        late = Q(used_at=None) | Q(used_at__lt=now)
        ApiToken.objects.filter(late, pk=found.pk).update(used_at=now)
    return found


def tokens_that_hold(pks: Collection[int]) -> set[int]:
    """Return the keys of those of these tokens that still open something. One query, none for no token."""
    found = ApiToken.objects.filter(ANSWERED_FOR, _acting(timezone.now()), pk__in=pks, user__is_active=True)
    return set(found.values_list("pk", flat=True)) if pks else set()


def revoke_token(user: User, pk: int) -> bool:
    """Revoke a token of the person; return whether there was one.

    What was set up with it goes with it.
    """
    is_gone = ApiToken.objects.filter(user=user, pk=pk).delete()[0] > 0
    tell_tokens_ended(user.pk)
    return is_gone


def revoke_tokens(user_id: int) -> None:
    """Revoke all tokens of the person and of their bots, and end what else programs have."""
    programs_ending.send(None, user_id=user_id)
    found = ApiToken.objects.filter(user__in=User.answering(user_id))
    holders = set(found.values_list("user", flat=True))
    owners = {user_id, *holders}
    if holders:
        found.delete()
    for owner in sorted(owners):
        tell_tokens_ended(owner)


def _acting(now: datetime) -> Q:
    """Return the condition that neither the person of a token nor a bot's operator is suspended."""
    return User.acting(now, "user__") & User.acting(now, "user__operator__")


def _digest(secret: str) -> str:
    # A secret of 192 bits cannot be guessed from its digest, so it needs no salt and no slow hash.
    return hashlib.sha256(secret.encode()).hexdigest()
