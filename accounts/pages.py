"""What the pages of people show."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext

from accounts.bots.keeping import MOST_BOTS, bot_accounts_of, may_have_bots
from accounts.models import User
from accounts.tokens import scopes_of, tokens_of


@dataclass(frozen=True)
class AccountRow:
    """A row of the page "You": where it leads, what that is called, and what is there."""

    address: str
    title: str
    line: str


@dataclass(frozen=True)
class AccountSection:
    """Rows of the page "You" under one heading; `key` marks the place in the page."""

    key: str
    heading: str
    rows: Sequence[AccountRow]


@dataclass(frozen=True)
class AccountPage:
    """The page "You": its rows by section."""

    is_guest: bool
    sections: Sequence[AccountSection]


def account_page(user: User) -> AccountPage:
    """Return what a person sees of their own account (one query; none for a guest)."""
    sections = [
        AccountSection("playing", gettext("Playing"), tuple(_rows_for_playing(user))),
        AccountSection("circle", gettext("People"), tuple(_rows_for_people(user))),
        AccountSection("own-account", gettext("Your account"), tuple(_rows_for_account(user))),
        AccountSection("house-rules", gettext("Rules and moderation"), tuple(_rows_for_rules(user))),
    ]
    if not user.is_guest and not user.is_child:
        sections.append(AccountSection("for-programs", gettext("For programs"), _rows_for_programs()))
    return AccountPage(user.is_guest, tuple(section for section in sections if section.rows))


def _rows_for_playing(user: User) -> Iterator[AccountRow]:
    yield _row("preferences", gettext("Preferences"), gettext("Your mark, colours, language, placing"))
    notices = gettext("Turns, invitations, deadlines: which, and where")
    yield _row("notice-choices", gettext("Notice settings"), notices)
    if user.is_child:
        return
    yield _row("holidays", gettext("Holidays"), gettext("Days on which your clocks stand still"))
    yield _row("studies", gettext("Studies"), gettext("Saved games, to go through move by move"))
    mistakes = gettext("Positions of your games where there was a better move")
    yield _row("mistakes", gettext("My mistakes"), mistakes)


def _rows_for_people(user: User) -> Iterator[AccountRow]:
    if user.is_child:
        return
    profile = reverse("player", args=[user.username])
    yield AccountRow(profile, gettext("Public page"), gettext("What everyone can see about you"))
    yield _row("people", gettext("People"), gettext("Whom you follow, whom you played with, and your scores"))
    yield _row("groups", gettext("Groups"), gettext("A family, a club: tables and results of your own"))
    if not user.is_guest:
        yield _row("children", gettext("Children"), gettext("Accounts for children you take care of"))


def _rows_for_account(user: User) -> Iterator[AccountRow]:
    if not user.is_child:
        yield _row("own-name", gettext("Your name"), _name_line(user))
    if not user.is_guest:
        yield from _log_in_rows(user)
    yield _row("own-data", gettext("Your data"), gettext("Take all that is yours along, as one file"))


def _rows_for_rules(user: User) -> Iterator[AccountRow]:
    yield _row("rules", gettext("Rules"), gettext("How the pieces are placed, and every board"))
    decisions = gettext("What you have reported, and what was decided")
    yield _row("decisions", gettext("Decisions of moderators"), decisions)
    if user.is_moderator:
        yield _row("moderation", gettext("Open cases"), gettext("What players have reported, for moderators"))


def _row(name: str, title: str, line: str) -> AccountRow:
    return AccountRow(reverse(name), title, line)


def _name_line(user: User) -> str:
    if not user.login_name:
        return gettext("Choose what the others at the table see")
    said = gettext("What the others at the table see. You can still log in as %(name)s")
    return said % {"name": user.login_name}


def _log_in_rows(user: User) -> Iterator[AccountRow]:
    if not user.is_child:
        yield _row("account_email", gettext("E-mail"), _email_line(user))
    password = gettext("Change it and log out all your other devices")
    yield _row("account_change_password", gettext("Password"), password)
    keys = (
        gettext("Your password, and where you are logged in")
        if user.is_child
        else gettext("Passkeys, codes, where you are logged in, programs")
    )
    yield _row("mfa_index", gettext("Log-in and devices"), keys)


def _email_line(user: User) -> str:
    """Return a person's address, and whether it is confirmed or another waits to be (one query)."""
    addresses = list(EmailAddress.objects.filter(user=user).order_by("pk"))
    confirmed = next((address.email for address in addresses if address.verified), "")
    pending = next((address.email for address in reversed(addresses) if not address.verified), "")
    email = confirmed or user.email
    if not email:
        return gettext("None yet")
    if confirmed and pending:
        return gettext("%(email)s, changing to %(pending)s") % {"email": email, "pending": pending}
    if confirmed or not settings.EMAIL_IS_SET:
        return email
    return gettext("%(email)s, not confirmed yet: no turn e-mails") % {"email": email}


def _rows_for_programs() -> tuple[AccountRow, ...]:
    bots = gettext("Accounts for programs that play as players of their own")
    return (
        _row("api-tokens", gettext("Tokens"), gettext("Let a program see your games, or play them")),
        _row("own-webhooks", gettext("Webhooks"), gettext("Let a program know what happens in your games")),
        _row("own-bots", gettext("Your bots"), bots),
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
