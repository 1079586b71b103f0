"""What the pages of people show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress

from accounts.models import Scope, User
from accounts.tokens import tokens_of


@dataclass(frozen=True)
class AccountPage:
    """The page "You". `pending` is an address that waits to be confirmed, "" for none."""

    name: str
    is_guest: bool
    email: str
    is_confirmed: bool
    pending: str


def account_page(user: User) -> AccountPage:
    """Return what a person sees of their own account (one query; none for a guest)."""
    addresses = [] if user.is_guest else list(EmailAddress.objects.filter(user=user).order_by("pk"))
    confirmed = next((address.email for address in addresses if address.verified), "")
    waiting = next((address.email for address in reversed(addresses) if not address.verified), "")
    return AccountPage(
        name=user.username,
        is_guest=user.is_guest,
        email=confirmed or user.email,
        is_confirmed=bool(confirmed),
        pending=waiting if confirmed else "",
    )


@dataclass(frozen=True)
class TokenRow:
    """A token as its owner sees it. `begins` are the first letters of its secret, `scopes` what it may do in words."""

    pk: int
    name: str
    begins: str
    scopes: Sequence[str]
    made: datetime
    used: datetime | None


@dataclass(frozen=True)
class TokensPage:
    """A person's tokens for programs; `secret` is that of one just made, "" for none."""

    tokens: Sequence[TokenRow]
    secret: str


def tokens_page(user: User, secret: str) -> TokensPage:
    """Return the person's tokens, the latest first (one query)."""
    rows = [
        TokenRow(
            token.pk,
            token.name,
            token.hint,
            [str(Scope(scope).label) for scope in token.scopes],
            token.created_at,
            token.used_at,
        )
        for token in tokens_of(user)
    ]
    return TokensPage(rows, secret)
