"""Write a comment at a position of a study."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access
from games.base.talk import SWITCHED_OFF, check_may_write, is_switched_on
from games.errors import NotSeated, WrongStatus
from games.models import MAX_COMMENT, Study, StudyComment
from games.rules.records import GameRecord
from games.table import records
from games.table.moves import moment
from games.table.seats import lock_person
from games.table.texts import comments
from games.table.texts.cleaning import cleaned_lines


def write_comment(
    user: User, slug: str, *, move: int, text: str, edition: int, branch: int = 0, now: datetime | None = None
) -> StudyComment:
    """Keep what a person writes after so many moves of a study, or of the variation through the varied turn `branch`.

    A second tap finds the comment of the first.

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: they do not write in it, the account is closed, while a moderator lets the person write nothing
            (`silenced`), or nobody talks on this site (`talk-off`) and the study is another's.
        WrongStatus: the study is not any more in that edition (`study-changed`).
        BadRequest: there is no such position, no room, or the text cannot be kept as it is.
        TooMany: the study has 200 comments.

    """
    record = records.record_to_edit(user, slug, edition)
    comment = StudyComment(text=cleaned_lines(text, MAX_COMMENT, comments.EMPTY), move=move, written_at=moment(now))
    if record is not None:
        comment.variation, comment.move = comments.place_at(record, branch, move)
    return _keep(user, slug, comment, record, edition, branch)


@transaction.atomic
def _keep(
    user: User, slug: str, comment: StudyComment, record: GameRecord | None, edition: int, branch: int
) -> StudyComment:
    comment.author = lock_person(user)
    comment.study = access.study_to_edit(comment.author, slug)
    if comment.study.owner_id != comment.author_id and not is_switched_on():
        raise NotSeated(SWITCHED_OFF, code="talk-off")
    check_may_write(comment.author, comment.text, comment.written_at)
    latest = StudyComment.objects.filter(study=comment.study).order_by("-pk").first()
    is_next = comment.study.edition == edition + 1
    if latest is not None and is_next and _said(latest) == _said(comment) and _stands_at(comment.study, latest, branch):
        return latest
    if record is None:
        raise WrongStatus(comments.STALE_TEXT, code="study-changed")
    comments.check_edition(comment.study, edition, comments.STALE_TEXT)
    comments.check_comment_fits(comment, record)
    comment.save(force_insert=True)
    comments.grow_study(comment.study)
    return comment


def _said(comment: StudyComment) -> tuple[int, int, str]:
    return comment.author_id, comment.move, comment.text


def _stands_at(study: Study, comment: StudyComment, branch: int) -> bool:
    """Return whether a comment is about the position that is called so: the same words may stand in two variations."""
    record = records.stored(study.record)
    return comments.place_at(record, branch, comment.move) == (comment.variation, comment.move)
