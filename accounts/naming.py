"""What people are called: by a name that they choose, and may change, members too."""

from django.db import IntegrityError, transaction

from accounts import limits
from accounts.models import User
from accounts.signals import tell_renamed

#: How often a guest may choose a name in an hour, and a member another one in a day: others know them by it.
GUESTS_NAMES_AN_HOUR = 10
MEMBERS_NAMES_A_DAY = 3


def rename(person: User, name: str) -> None:
    """Call the person so from now on, everywhere; a member goes on logging in with the name had first, too.

    Not checked: whether the name is allowed (`accounts.forms.own.NameForm`).

    Raises: IntegrityError when the name has been taken in the meantime; LimitReached. Nothing has changed then.
    """
    if name == person.username:
        return
    if person.is_guest:
        limits.count_use(f"guest-name:{person.pk}", GUESTS_NAMES_AN_HOUR, 3600)
    else:
        limits.count_use(f"member-name:{person.pk}", MEMBERS_NAMES_A_DAY, 24 * 3600)
    before = person.username, person.login_name, person.login_key
    person.rename(name)
    try:
        with transaction.atomic():
            person.save(update_fields=["username", "login_name", "login_key"])
            tell_renamed(person.pk, person.name_key)
    except IntegrityError:
        person.username, person.login_name, person.login_key = before
        raise
