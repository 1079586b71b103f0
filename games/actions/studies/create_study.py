"""Keep a record to study it."""

from collections import deque
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.setup import plain
from games.errors import TooMany
from games.models import Study
from games.rules.records import GameRecord, write_json
from games.table import moves, records, seats

MAX_STUDIES = 200


def create_study(user: User, game: GameRecord, *, title: str = "", now: datetime | None = None) -> Study:
    """Return the new study, which only the user can see. Without a title it is called as the record says.

    Raises:
        TooMany: the user has 200 studies.
        NotSeated: the account is closed.

    """
    position = deque(game.positions(validate=False), maxlen=1).pop()
    people = " · ".join(records.player_names(game, position))
    study = Study(
        title=plain(title) or plain(game.title) or plain(people) or gettext("Study"),
        record=write_json(game),
        variant=game.record.variant,
        board=position.board,
        move_count=len(game.record.moves),
    )
    return _keep(user, study, moves.moment(now))


@transaction.atomic
def _keep(user: User, study: Study, now: datetime) -> Study:
    study.owner, study.created_at = seats.lock_person(user), now
    if Study.objects.filter(owner=study.owner).count() >= MAX_STUDIES:
        raise TooMany(_("You already have 200 studies. Delete one before you open another record."), retry_after=60)
    study.save(force_insert=True)
    return study
