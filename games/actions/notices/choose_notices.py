"""Choose what to be notified of, and how."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.readers import zones

#: The choice of a summary of the day.
DIGEST = "digest.email"


@transaction.atomic
def choose_notices(
    user: User, choices: Mapping[str, bool], *, now: datetime | None = None, hour: int | None = None
) -> None:
    """Store what a person has chosen by "<kind>.<channel>". What is not among the choices stays as it was.

    E-mails about turns are a preference of their own. `hour` is that of the day at which a summary comes, from 0 to 23.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    rest = dict(choices)
    person.wants_turn_emails = rest.pop("turn.email", person.wants_turn_emails)
    person.notice_choices = {**person.notice_choices, **rest}
    person.digest_hour = person.digest_hour if hour is None else hour
    person.digest_at = _first_digest(person, now or timezone.now()) if person.notice_choices.get(DIGEST) else None
    person.save(update_fields=["wants_turn_emails", "notice_choices", "digest_hour", "digest_at"])


def _first_digest(person: User, now: datetime) -> datetime:
    return zones.next_at_hour(person.time_zone, person.digest_hour, now)
