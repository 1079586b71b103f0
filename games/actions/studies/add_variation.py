"""Try another move at a position of a study, as a variation."""

from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from games.base import access
from games.errors import WrongStatus
from games.rules.records import write_json
from games.table import records
from games.table.seats import lock_person
from games.table.studies import undoing, variations
from games.table.studies.undoing import RecordChange
from games.table.texts import comments
from games.table.texts.comments import CommentPlace


def add_variation(user: User, slug: str, *, move: int, placement: str, edition: int, branch: int = 0) -> CommentPlace:
    """Keep what the colour to play could place after so many moves of a study, or of the variation through the varied
    turn `branch`; return where that leads. What stands there already is not kept twice, and changes nothing.

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: they do not write in it, or the account is closed.
        WrongStatus: the study is not any more in that edition (`study-changed`).
        BadRequest: there is no such position, it is no placement, or there is no room.
        Refused: the rules refuse it.

    """
    record = records.record_to_edit(user, slug, edition)
    if record is None:
        raise WrongStatus(comments.STALE, code="study-changed")
    place = comments.place_at(record, branch, move)
    found = variations.with_turns(record, place, variations.turns_of_placement(record, place, placement))
    if len(found.record.varied) > len(record.varied):
        change = undoing.change_to(record, found.record, found.numbers)
        _keep(user, slug, write_json(found.record), change, found.numbers, edition)
    return found.place


@transaction.atomic
def _keep(user: User, slug: str, record: str, change: RecordChange, numbers: Mapping[int, int], edition: int) -> None:
    study = access.study_to_edit(lock_person(user), slug)
    comments.check_edition(study, edition)
    variations.save_record(study, record, undoing.record_changes_of(study).after(change).to_data(), numbers)
