"""Studies: records that a person keeps, handed in or of finished games."""

from django.http import HttpRequest, HttpResponse
from ninja import Query

from accounts import limits
from accounts.doors import person
from games.actions.moderation.report_comment import report_comment as _report_comment
from games.actions.studies.add_editor import add_editor as _add_editor
from games.actions.studies.add_variation import add_variation as _add_variation
from games.actions.studies.create_study import create_study as _create_study
from games.actions.studies.delete_study import delete_study as _delete_study
from games.actions.studies.leave_study import leave_study as _leave_study
from games.actions.studies.name_variation import name_variation as _name_variation
from games.actions.studies.remove_comment import remove_comment as _remove_comment
from games.actions.studies.remove_editor import remove_editor as _remove_editor
from games.actions.studies.remove_variation import remove_variation as _remove_variation
from games.actions.studies.share_study import share_study as _share_study
from games.actions.studies.undo_variation import undo_variation as _undo_variation
from games.actions.studies.write_comment import write_comment as _write_comment
from games.api.door import KEEPING, LOOKING, READING, TALKING
from games.api.endpoints.answers import FILES, PUBLIC, doing, file_answer, responses, router
from games.api.finished import RecordRequest
from games.api.schemas import ReportRequest
from games.api.studies import (
    FromGame,
    NewStudy,
    NewStudyComment,
    NewStudyEditor,
    NewVariation,
    RemovedVariation,
    SeenEdition,
    Sharing,
    StudyCommentOut,
    StudyEditorOut,
    StudyOut,
    StudyPlace,
    UndoneVariation,
    VariationName,
    record_sent,
)
from games.base import access
from games.pages.review.record import reviewed_record
from games.queries.analysis.comments import comments_of
from games.queries.analysis.editors import editors_of
from games.queries.lists.studies import own_studies
from games.table import records
from games.table.counting import READ_AN_HOUR, count_comment, count_report, count_study_change, count_variation


@router.get("studies", auth=READING, response=responses(list[StudyOut]), url_name="api-studies", tags=["studies"])
def list_studies(request: HttpRequest) -> list[StudyOut]:
    """List your studies, the latest first."""
    return [StudyOut.of(study) for study in own_studies(person(request))]


@router.post("studies", auth=KEEPING, response=responses(StudyOut), url_name="api-studies", tags=["studies"])
def create_study(request: HttpRequest, sent: NewStudy) -> StudyOut:
    """Keep a record as a study, which only you can see. It is read first, and every move checked."""
    user = person(request)
    limits.count_use(f"study:{user.pk}", READ_AN_HOUR, 3600)
    return StudyOut.of(_create_study(user, record_sent(sent.record), title=sent.title))


@router.post(
    "games/{slug}/study",
    auth=KEEPING,
    response=responses(StudyOut, 404, 409),
    url_name="api-game-study",
    tags=["studies"],
)
def create_study_from_game(request: HttpRequest, slug: str, wish: FromGame) -> StudyOut:
    """Keep a finished game as a study, with what its review has found."""
    user = person(request)
    # A game that the person may not see takes nothing off their limit.
    access.game_to_view(user, slug, wish.token)
    limits.count_use(f"study:{user.pk}", READ_AN_HOUR, 3600)
    return StudyOut.of(_create_study(user, reviewed_record(user, slug, wish.token)))


@router.get(
    "studies/{study}",
    auth=LOOKING,
    response=responses(StudyOut, 404),
    url_name="api-study",
    tags=["studies", PUBLIC],
)
def show_study(request: HttpRequest, study: str) -> StudyOut:
    """Show a study of yours, or one that is shared."""
    return StudyOut.of(access.study_to_view(request.user, study))


@router.get(
    "studies/{study}/record",
    auth=LOOKING,
    response=responses(dict[str, object], 404),
    url_name="api-study-record",
    tags=["studies", PUBLIC, FILES],
)
def show_study_record(request: HttpRequest, study: str, wish: Query[RecordRequest]) -> HttpResponse:
    """Show the record that a study keeps: the file that its page offers, by default as JSON."""
    return file_answer(records.study_record(request.user, study), wish.format)


@router.get(
    "studies/{study}/comments",
    auth=LOOKING,
    response=responses(list[StudyCommentOut], 404),
    url_name="api-study-comments",
    tags=["studies", PUBLIC],
)
def list_comments(request: HttpRequest, study: str) -> list[StudyCommentOut]:
    """List what people have written in a study, the oldest first."""
    found = access.study_to_view(request.user, study)
    return [StudyCommentOut.of(each) for each in comments_of(found, request.user)]


@router.post(
    "studies/{study}/comments",
    auth=KEEPING,
    response=responses(StudyCommentOut, 404, 409),
    url_name="api-study-comments",
    tags=["studies"],
)
def write_comment(request: HttpRequest, study: str, sent: NewStudyComment) -> StudyCommentOut:
    """Write a comment in a study of yours."""
    user = person(request)
    count_comment(user)
    kept = _write_comment(user, study, **sent.model_dump())
    return StudyCommentOut.of(kept)


@doing("studies/{study}/comments/{comment}/remove", "api-study-comment-remove", KEEPING, "studies", 409)
def remove_comment(request: HttpRequest, study: str, comment: int, seen: SeenEdition) -> None:
    """Take a comment out of a study for good."""
    user = person(request)
    count_study_change(user)
    _remove_comment(user, study, comment, edition=seen.edition)


@doing("studies/{study}/comments/{comment}/report", "api-study-comment-report", TALKING, "studies")
def report_comment(request: HttpRequest, study: str, comment: int, wish: ReportRequest) -> None:
    """Report a comment that you can read to the moderators, who see a copy of it. Twice is once."""
    user = person(request)
    count_report(user)
    _report_comment(user, study, comment, reason=wish.reason, words=wish.words)


@router.post(
    "studies/{study}/variations",
    auth=KEEPING,
    response=responses(StudyPlace, 404, 409, 422),
    url_name="api-study-variations",
    tags=["studies"],
)
def add_variation(request: HttpRequest, study: str, sent: NewVariation) -> StudyPlace:
    """Try another move in a study that you write in; the answer is where it leads. What is there is not kept twice."""
    user = person(request)
    count_variation(user)
    place = _add_variation(user, study, **sent.model_dump())
    return StudyPlace(branch=place.variation, move=place.move)


@doing("studies/{study}/variations/name", "api-study-variation-name", KEEPING, "studies", 409)
def name_variation(request: HttpRequest, study: str, sent: VariationName) -> None:
    """Give a variation of a study that you write in a name."""
    user = person(request)
    count_study_change(user)
    _name_variation(user, study, **sent.model_dump())


@doing("studies/{study}/variations/remove", "api-study-variation-remove", KEEPING, "studies", 409)
def remove_variation(request: HttpRequest, study: str, sent: RemovedVariation) -> None:
    """Remove a turn from the variations of a study that you write in, and all that follows it."""
    user = person(request)
    count_variation(user)
    _remove_variation(user, study, **sent.model_dump())


@router.post(
    "studies/{study}/variations/undo",
    auth=KEEPING,
    response=responses(StudyPlace, 404, 409),
    url_name="api-study-variation-undo",
    tags=["studies"],
)
def undo_variation(request: HttpRequest, study: str, sent: UndoneVariation) -> StudyPlace:
    """Undo the last change of the variations of a study that you write in; the answer is the place it was about."""
    user = person(request)
    count_variation(user)
    place = _undo_variation(user, study, edition=sent.edition, is_redo=sent.redo)
    return StudyPlace(branch=place.variation, move=place.move)


@router.get(
    "studies/{study}/editors",
    auth=READING,
    response=responses(list[StudyEditorOut], 404),
    url_name="api-study-editors",
    tags=["studies"],
)
def list_editors(request: HttpRequest, study: str) -> list[StudyEditorOut]:
    """List who writes in a study of yours beside you."""
    found = access.study_of_owner(person(request), study)
    return [StudyEditorOut(name=each.username) for each in editors_of(found)]


@router.post(
    "studies/{study}/editors",
    auth=KEEPING,
    response=responses(StudyEditorOut, 404, 409),
    url_name="api-study-editors",
    tags=["studies"],
)
def add_editor(request: HttpRequest, study: str, wish: NewStudyEditor) -> StudyEditorOut:
    """Add a player whom you follow or have played with to a study of yours as an editor. Twice is once."""
    user = person(request)
    count_study_change(user)
    return StudyEditorOut(name=_add_editor(user, study, wish.name).person.username)


@doing("studies/{study}/editors/{name}/remove", "api-study-editor-remove", KEEPING, "studies")
def remove_editor(request: HttpRequest, study: str, name: str) -> None:
    """Remove an editor from a study of yours; what they wrote stays."""
    user = person(request)
    count_study_change(user)
    _remove_editor(user, study, name)


@doing("studies/{study}/leave", "api-study-leave", KEEPING, "studies")
def leave_study(request: HttpRequest, study: str) -> None:
    """Write no more in the study of another; what you wrote stays."""
    user = person(request)
    count_study_change(user)
    _leave_study(user, study)


@router.post(
    "studies/{study}/share",
    auth=KEEPING,
    response=responses(StudyOut, 404),
    url_name="api-study-share",
    tags=["studies"],
)
def share_study(request: HttpRequest, study: str, wish: Sharing) -> StudyOut:
    """Share your study with everybody who has its address, or with nobody."""
    return StudyOut.of(_share_study(person(request), study, is_shared=wish.shared))


@doing("studies/{study}/delete", "api-study-delete", KEEPING, "studies")
def delete_study(request: HttpRequest, study: str) -> None:
    """Delete your study for good."""
    _delete_study(person(request), study)
