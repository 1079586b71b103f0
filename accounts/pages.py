"""What the pages of people show."""

from dataclasses import dataclass

from allauth.account.models import EmailAddress

from accounts.models import User


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
