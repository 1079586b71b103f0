"""Give a variation of a study a name."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.base import access
from games.base.branches import MAX_BRANCH_NAME
from games.base.talk import check_may_write
from games.errors import WrongStatus
from games.rules.records import write_json
from games.table import records
from games.table.seats import lock_person
from games.table.studies import undoing, variations
from games.table.studies.undoing import RecordChange
from games.table.texts import comments
from games.table.texts.cleaning import cleaned_line


def name_variation(user: User, slug: str, *, branch: int, name: str, edition: int) -> None:
    """Call the variation through the varied turn `branch` so; without a name it is called by its last move again, or
    after what is written there.

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: they do not write in it, the account is closed, or they write nothing for now (`silenced`).
        WrongStatus: the study is not any more in that edition (`study-changed`).
        BadRequest: there is no such variation, or the name cannot be kept.

    """
    record = records.record_to_edit(user, slug, edition)
    if record is None:
        raise WrongStatus(comments.STALE_TEXT, code="study-changed")
    name = cleaned_line(name, MAX_BRANCH_NAME, comments.EMPTY) if name.strip() else ""
    is_owner = access.owns(user, access.study_to_view(user, slug))
    changed = variations.with_variation_name(record, branch, name, is_owner=is_owner)
    if changed != record:
        change = undoing.change_to(record, changed, undoing.same_numbers(record))
        _keep(user, slug, name, write_json(changed), change, edition)


@transaction.atomic
def _keep(user: User, slug: str, name: str, record: str, change: RecordChange, edition: int) -> None:
    person = lock_person(user)
    study = access.study_to_edit(person, slug)
    check_may_write(person, name, timezone.now())
    comments.check_edition(study, edition, comments.STALE_TEXT)
    variations.save_record(study, record, undoing.record_changes_of(study).after(change).to_data())
