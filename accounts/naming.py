"""What people are called: by a name that they choose, and may change, members too."""

from django.db import IntegrityError, transaction
from django.utils.crypto import get_random_string

from accounts import limits, names
from accounts.models import User
from accounts.signals import tell_renamed

#: How often a guest may choose a name in an hour, and a member another one in a day: others know them by it.
GUESTS_NAMES_AN_HOUR = 10
MEMBERS_NAMES_A_DAY = 3
#: How the name of a member begins who has lost the one they chose.
NEUTRAL_PREFIX = "Player-"


def replace_name(person: User) -> None:
    """Call the person by a neutral name, within a transaction: a moderator has taken away the one they have.

    They choose another one, but never the same again; a member still logs in with the name had first.
    """
    person.refused_names = [*person.refused_names, person.name_key]
    for _try in range(8):
        begins = names.GIVEN_PREFIX if person.is_guest else NEUTRAL_PREFIX
        name = f"{begins}{get_random_string(6, names.NAME_LETTERS)}"
        if not User.is_name_taken(name):
            break
    person.rename(name)
    person.save(update_fields=["username", "login_name", "login_key", "refused_names"])
    tell_renamed(person.pk, person.name_key)


def has_neutral_name(person: User) -> bool:
    """Return whether the person has yet to choose a name in place of the one that was taken away."""
    return bool(person.refused_names) and person.username.startswith((NEUTRAL_PREFIX, names.GIVEN_PREFIX))


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
