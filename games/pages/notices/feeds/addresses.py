"""The addresses of a person's calendar and feed, for the page on which they are changed."""

from collections.abc import Callable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.queries.notices.feeds import feed_secret

#: What is found at an address, and the name of the address.
LABELS: tuple[tuple[Promise, str], ...] = (
    (_("Deadlines, for a calendar (iCal)"), "calendar"),
    (_("Notices, for a feed reader (Atom)"), "atom"),
)


@dataclass(frozen=True)
class FeedAddress:
    """Where one of the two is found: a secret of the person."""

    label: Promise
    address: str


def feed_addresses(user: User, absolute: Callable[[str], str]) -> list[FeedAddress]:
    """Return both addresses, none where they are switched off; `absolute` puts the site before a path. One query."""
    secret = feed_secret(user.pk)
    return [FeedAddress(label, absolute(reverse(name, args=[secret]))) for label, name in LABELS] if secret else []
