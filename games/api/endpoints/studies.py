"""Studies: records that a person keeps, handed in or of finished games."""

from django.http import HttpRequest, HttpResponse
from ninja import Query

from accounts import limits
from accounts.doors import person
from games.actions.studies.create_study import create_study as _create_study
from games.actions.studies.delete_study import delete_study as _delete_study
from games.actions.studies.share_study import share_study as _share_study
from games.api.door import KEEPING, LOOKING, READING
from games.api.endpoints.answers import FILES, PUBLIC, doing, file_answer, responses, router
from games.api.finished import RecordWish
from games.api.studies import FromGame, NewStudy, Sharing, StudyOut, record_sent
from games.base import access
from games.pages.review.record import reviewed_record
from games.queries.lists.studies import own_studies
from games.table import records
from games.table.counting import READ_AN_HOUR


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
def show_study_record(request: HttpRequest, study: str, wish: Query[RecordWish]) -> HttpResponse:
    """Show the record that a study keeps: the file that its page offers, by default as JSON."""
    return file_answer(records.study_record(request.user, study), wish.format)


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
