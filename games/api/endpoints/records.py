"""Games to keep: their records, and those of a person that are over."""

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from ninja import Query

from accounts import limits
from accounts.doors import person
from games.api import finished
from games.api.door import LOOKING, READING
from games.api.endpoints.answers import FILES, LINES, LINES_TYPE, PUBLIC, file_answer, responses, router
from games.pages.analysis.branch_record import record_with_branches
from games.queries.lists.finished import own_finished
from games.table import records
from games.table.counting import FILES_AN_HOUR


@router.get(
    "games/{slug}/record",
    auth=LOOKING,
    response=responses(dict[str, object], 404, 409),
    url_name="api-record",
    tags=["records", PUBLIC, FILES],
)
def show_record(request: HttpRequest, slug: str, wish: Query[finished.GameRecordRequest]) -> HttpResponse:
    """Show the record of a game so far: the file that its page offers, by default as JSON.

    Once the game is over, it holds what bots thought. With `branches` (for its players, and once it is over for whoever
    has a token) it holds what you have tried in it too.
    """
    if wish.branches:
        return file_answer(record_with_branches(person(request), slug, wish.token), wish.format)
    return file_answer(records.game_record(request.user, slug, wish.token), wish.format)


@router.get(
    "me/games", auth=READING, response=responses(finished.FinishedPage), url_name="api-finished", tags=["records"]
)
def list_finished(request: HttpRequest, paging: Query[finished.Paging]) -> finished.FinishedPage:
    """List your finished games, the latest first, in pages of at most a hundred."""
    return finished.finished_page(own_finished(person(request)), paging.cursor, paging.limit)


@router.get(
    "me/games.ndjson",
    auth=READING,
    response=responses(finished.ExportedGame | finished.LastLine),
    url_name="api-finished-lines",
    tags=["records", LINES],
)
def export_finished(request: HttpRequest, cursor: str = "") -> StreamingHttpResponse:
    """Send your finished games with their records, the latest first, a line of JSON each.

    At most 500 at a time. The last line has `next` alone: the cursor of the next request, "" at the end.
    """
    user = person(request)
    limits.count_use(f"history-file:{user.pk}", FILES_AN_HOUR, 3600)
    answer = StreamingHttpResponse(finished.finished_lines(user, cursor), content_type=LINES_TYPE)
    answer["Content-Disposition"] = 'attachment; filename="games.ndjson"'
    return answer
