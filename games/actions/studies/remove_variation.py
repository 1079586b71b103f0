"""Take a move out of the variations of a study, with all that follows it."""

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


def remove_variation(user: User, slug: str, *, branch: int, edition: int) -> CommentPlace:
    """Remove the varied turn `branch` of a study and all that follow it; return the position before it.

    Passes that made themselves go with their placement (`variations.first_to_go`).

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: they do not write in it, or the account is closed.
        WrongStatus: the study is not any more in that edition (`study-changed`), or someone has written a comment about
            what would go, or the record says more of it than a name, and the study is another's (`has-comments`).
        BadRequest: there is no such variation.

    """
    record = records.record_to_edit(user, slug, edition)
    if record is None:
        raise WrongStatus(comments.STALE, code="study-changed")
    first = variations.first_to_go(record, branch)
    found = variations.without_variation(record, first)
    change = undoing.change_to(record, found.record, found.numbers)
    _keep(user, slug, write_json(found.record), change, found.numbers, edition)
    return found.place


@transaction.atomic
def _keep(user: User, slug: str, record: str, change: RecordChange, numbers: Mapping[int, int], edition: int) -> None:
    person = lock_person(user)
    study = access.study_to_edit(person, slug)
    comments.check_edition(study, edition)
    undoing.check_may_go(study, change, person)
    variations.save_record(study, record, undoing.record_changes_of(study).after(change).to_data(), numbers)
