"""Keep games and studies of another site as studies of one's own."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.models import Study
from games.rules.records import GameRecord
from games.table import seats
from games.table.moves import moment
from games.table.studies.creating import MAX_STUDIES, new_study

#: How many studies one transaction stores.
KEPT_AT_ONCE = 50


def import_studies(user: User, records: Sequence[tuple[GameRecord, str]], *, now: datetime | None = None) -> int:
    """Keep these records, each with its title, as studies that only the person sees; return how many.

    As many as the person may have: the first of them. Some at a time, so that no transaction is long; what breaks off
    has kept those before, which are not kept again.

    Raises:
        NotSeated: the account is closed or suspended.

    """
    at, kept = moment(now), 0
    for start in range(0, len(records), KEPT_AT_ONCE):
        studies = [new_study(record, title) for record, title in records[start : start + KEPT_AT_ONCE]]
        number = _keep(user, studies, at)
        kept += number
        if number < len(studies):
            break
    return kept


@transaction.atomic
def _keep(user: User, studies: list[Study], now: datetime) -> int:
    owner = seats.lock_person(user)
    free = MAX_STUDIES - Study.objects.filter(owner=owner).count()
    kept = studies[: max(0, free)]
    for study in kept:
        study.owner, study.created_at = owner, now
    Study.objects.bulk_create(kept)
    return len(kept)
