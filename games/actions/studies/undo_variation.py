"""Undo the last change of the variations of a study, or make it again."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.base import access
from games.base.talk import check_may_write
from games.errors import WrongStatus
from games.rules.records import write_json
from games.table import records
from games.table.seats import lock_person
from games.table.studies import undoing, variations
from games.table.studies.undoing import RecordChange, RecordChanges
from games.table.studies.variations import ExtendedRecord
from games.table.texts import comments
from games.table.texts.comments import CommentPlace


def undo_variation(user: User, slug: str, *, edition: int, is_redo: bool = False) -> CommentPlace:
    """Undo the last change of a study's variations, whoever made it, or make again what was undone last; return the
    place that it was about. What is written to a position stays, and keeps what leads there.

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: they do not write in it, the account is closed, or a name comes back and they write nothing for now
            (`silenced`).
        WrongStatus: the study is not any more in that edition (`study-changed`), there is nothing to undo or redo
            (`nothing-to-undo`, `nothing-to-redo`), or someone has written about what would go (`has-comments`).

    """
    record = records.record_to_edit(user, slug, edition)
    study = access.study_to_view(user, slug)
    if record is None or study.edition != edition:
        raise WrongStatus(comments.STALE, code="study-changed")
    kept = undoing.record_changes_of(study)
    change, left = kept.redo() if is_redo else kept.undo()
    found = undoing.with_change(record, change)
    _keep(user, slug, found, write_json(found.record), change, left, edition)
    return found.place


@transaction.atomic
def _keep(
    user: User, slug: str, found: ExtendedRecord, record: str, change: RecordChange, left: RecordChanges, edition: int
) -> None:
    person = lock_person(user)
    study = access.study_to_edit(person, slug)
    check_may_write(person, "".join(one.name for _number, one in change.come), timezone.now())
    comments.check_edition(study, edition)
    undoing.check_may_go(study, change, person)
    variations.save_record(study, record, left.to_data(), found.numbers)
