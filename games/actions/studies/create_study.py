"""Keep a record to study it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.errors import TooMany
from games.models import Study
from games.rules.records import GameRecord
from games.table import moves, seats
from games.table.studies.creating import MAX_STUDIES, new_study


def create_study(user: User, game: GameRecord, *, title: str = "", now: datetime | None = None) -> Study:
    """Return the new study, which only the user can see. Without a title it is called as the record says.

    Raises:
        TooMany: the user has 500 studies.
        NotSeated: the account is closed.

    """
    return _keep(user, new_study(game, title), moves.moment(now))


@transaction.atomic
def _keep(user: User, study: Study, now: datetime) -> Study:
    study.owner, study.created_at = seats.lock_person(user), now
    if Study.objects.filter(owner=study.owner).count() >= MAX_STUDIES:
        raise TooMany(_("You already have 500 studies. Delete one before you open another record."), retry_after=60)
    study.save(force_insert=True)
    return study
