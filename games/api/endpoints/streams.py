"""Streams: answers that go on, a line of JSON for everything that changes (`games.realtime.streams`)."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts.doors import person
from games.api.door import LOOKING, READING
from games.api.endpoints.answers import LINES, LINES_TYPE, PUBLIC, responses, router
from games.api.problems import problem
from games.api.topics import GameNow, GamesNow, GameTopic, Happening, MyTopic
from games.realtime.streams import EMPTY_LINE, Topic, UnreachableError, open_stream

#: Seconds after which a program that could not be told of changes may try again.
TRY_AGAIN = 5


@router.get(
    "games/{slug}/stream",
    auth=LOOKING,
    response=responses(GameNow, 404),
    url_name="api-game-stream",
    tags=["games", PUBLIC, LINES],
)
def follow_game(request: HttpRequest, slug: str, version: int | None = None, token: str = "") -> HttpResponse:
    """Follow a game: the answer stays open, with a line for the game as it is now, and one after every change.

    Each line is a JSON object, or empty at least every 20 seconds. After a break send the `version` of the last line:
    if nothing has changed since, the first line is empty. `token` is the secret of an invitation link. The same lines
    come over WebSocket at this address.
    """
    return _opened(request, GameTopic(request.user, _token_of(request), slug, token), version)


@router.get(
    "stream", auth=READING, response=responses(GamesNow | Happening), url_name="api-stream", tags=["you", LINES]
)
def follow_me(request: HttpRequest) -> HttpResponse:
    """Follow your games: the answer stays open, with a line for the games that are not over, then one for every event.

    Each line is a JSON object, or empty at least every 20 seconds. After a break ask again: the first line says all
    that waits for you. The same lines come over WebSocket at this address.
    """
    return _opened(request, MyTopic(person(request), _token_of(request)))


def _opened(request: HttpRequest, topic: Topic, version: object = None) -> HttpResponse:
    """Return an answer that begins with what the topic says, unless that is known, and goes on."""
    try:
        news = open_stream(request, topic)
    except UnreachableError:
        sentence = _("We cannot tell you of changes at the moment. Try again in a few seconds.")
        refusal = problem(503, "unreachable", sentence)
        refusal["Retry-After"] = str(TRY_AGAIN)
        return refusal
    answer = HttpResponse(EMPTY_LINE if news.version == version else news.lines, content_type=LINES_TYPE)
    answer["Cache-Control"] = "no-store"
    # nginx would keep lines back until it has many.
    answer["X-Accel-Buffering"] = "no"
    return answer


def _token_of(request: HttpRequest) -> int | None:
    """Return the key of the token that the request has shown, if any; the door has put it there."""
    key: int | None = request.auth.pk  # type: ignore[attr-defined]
    return key
