"""What the pages of people show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from django.urls import reverse

from accounts.bots.keeping import MOST_BOTS, bot_accounts_of, may_have_bots
from accounts.models import User
from accounts.tokens import scopes_of, tokens_of


@dataclass(frozen=True)
class AccountPage:
    """The page "You". `pending` is an address that waits to be confirmed, "" for none.

    `login_name` is what a member logs in with besides the public name, "" where that is the same.
    """

    name: str
    login_name: str
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
        login_name=user.login_name or "",
        is_guest=user.is_guest,
        email=confirmed or user.email,
        is_confirmed=bool(confirmed),
        pending=waiting if confirmed else "",
    )


@dataclass(frozen=True)
class TokenRow:
    """A token as its owner sees it. `begins` are the first letters of its secret, `scopes` what it may do in words.

    `revoke` is the address that revokes it.
    """

    pk: int
    name: str
    begins: str
    scopes: Sequence[str]
    made: datetime
    used: datetime | None
    revoke: str


@dataclass(frozen=True)
class TokensPage:
    """A person's tokens for programs; `secret` is that of one just made, "" for none."""

    tokens: Sequence[TokenRow]
    secret: str


def tokens_page(user: User, secret: str) -> TokensPage:
    """Return the person's tokens, the latest first (one query)."""
    return TokensPage(_token_rows(user), secret)


@dataclass(frozen=True)
class BotLine:
    """A bot account in its operator's list: the addresses of the page where it is kept and of its public one."""

    name: str
    since: datetime
    address: str
    profile: str


@dataclass(frozen=True)
class BotsPage:
    """The bots of a person. `may_have` says whether they may have any, `is_full` whether they have all they may."""

    bots: Sequence[BotLine]
    may_have: bool
    is_full: bool


def bots_page(user: User) -> BotsPage:
    """Return the bots of a person, the oldest first (two queries at most)."""
    lines = [
        BotLine(
            bot.username, bot.date_joined, reverse("own-bot", args=[bot.pk]), reverse("player", args=[bot.username])
        )
        for bot in bot_accounts_of(user)
    ]
    return BotsPage(lines, may_have_bots(user), len(lines) >= MOST_BOTS)


@dataclass(frozen=True)
class BotAccountPage:
    """A bot account as its operator keeps it: its name and number, its public page, its tokens.

    `secret` is that of a token just made, "" for none.
    """

    pk: int
    name: str
    profile: str
    tokens: Sequence[TokenRow]
    secret: str


def bot_account_page(bot: User, secret: str) -> BotAccountPage:
    """Return a bot account with its tokens, the latest first (one query)."""
    return BotAccountPage(bot.pk, bot.username, reverse("player", args=[bot.username]), _token_rows(bot), secret)


def _token_rows(user: User) -> Sequence[TokenRow]:
    return [
        TokenRow(
            token.pk,
            token.name,
            token.hint,
            [str(scope.label) for scope in scopes_of(token)],
            token.created_at,
            token.used_at,
            _revoke_address(user, token.pk),
        )
        for token in tokens_of(user)
    ]


def _revoke_address(user: User, token: int) -> str:
    if user.is_bot:
        return reverse("own-bot-revoke", args=[user.pk, token])
    return reverse("api-token-revoke", args=[token])
