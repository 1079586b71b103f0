"""Take a comment out of a study."""

from django.db import transaction

from accounts.models import User
from games.base import access
from games.errors import NotFound, NotSeated
from games.models import StudyComment
from games.table.seats import lock_person
from games.table.texts import comments


@transaction.atomic
def remove_comment(user: User, slug: str, comment: int, *, edition: int) -> StudyComment:
    """Delete a comment for good and return it: who wrote it may, and the owner of the study.

    Raises:
        NotFound: there is no such study for this person, or no such comment.
        NotSeated: the study belongs to another person, or the comment does (`not-author`).
        WrongStatus: the study is not any more in that edition (`study-changed`).

    """
    person = lock_person(user)
    study = access.study_to_edit(person, slug)
    found = StudyComment.objects.filter(study=study, pk=comment).first()
    if found is None:
        raise NotFound(comments.NO_COMMENT)
    if person.pk not in (found.author_id, study.owner_id):
        raise NotSeated(comments.OTHERS, code="not-author")
    comments.check_edition(study, edition)
    StudyComment.objects.filter(pk=found.pk).delete()
    comments.grow_study(study)
    return found
