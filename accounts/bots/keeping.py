"""Bot accounts as their operators keep them: which there are, who may make one, and how one is made."""

from collections.abc import Sequence

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction

from accounts import limits
from accounts.models import User

#: How many bots a person may have at a time, and how many they may make in a day: a closed one frees its name.
MOST_BOTS, BOTS_A_DAY = 3, 6


class NoMoreBots(Exception):  # noqa: N818  (what is the case, as the form says it)
    """The person has as many bots as a person may have, or may have none."""


def bot_accounts_of(user: User) -> Sequence[User]:
    """Return the bots of a person that are not closed, the oldest first. One query."""
    return list(User.objects.filter(operator=user, erased_at=None).order_by("pk"))


def may_have_bots(user: User) -> bool:
    """Return whether a person can be asked about what their bots do: by a confirmed address, where the site sends mail.

    One query at most.
    """
    if user.is_guest or user.is_bot:
        return False
    return not settings.EMAIL_IS_SET or EmailAddress.objects.filter(user=user, verified=True).exists()


@transaction.atomic
def make_bot(operator: User, name: str) -> User:
    """Return a new bot account of that name, with no way to log in.

    The operator's row is locked: no more bots are made at once than there may be, and none of a closed account.
    Not checked: whether the name is allowed (`accounts.forms.bots`).

    Raises:
        NoMoreBots: the person has as many as there may be, or may have none.
        IntegrityError: the name has been taken in the meantime.
        LimitReached: too many were made today.

    """
    person = User.objects.select_for_update(no_key=True).get(pk=operator.pk)
    if not person.is_active or not may_have_bots(person) or len(bot_accounts_of(person)) >= MOST_BOTS:
        raise NoMoreBots
    limits.count_use(f"bots:{person.pk}", BOTS_A_DAY, 24 * 3600)
    bot = User(username=name, operator=person, wants_turn_emails=False)
    bot.set_unusable_password()
    bot.save()
    return bot
