"""Whether mail about games may go to the address of an account."""

from allauth.account.models import EmailAddress

from accounts.models import User


def has_confirmed_address(person: User) -> bool:
    """Return whether the person has proved that the account's address is theirs. One query."""
    return EmailAddress.objects.filter(user=person, email__iexact=person.email, verified=True).exists()
