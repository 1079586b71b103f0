"""For whom a token acts, and what waits for them."""

from django.http import HttpRequest, HttpResponse

from accounts.doors import person
from games.actions.people.reopen_game import reopen_game as _reopen_game
from games.api import schemas
from games.api.door import PLAYING, READING
from games.api.endpoints.answers import responses, router
from games.base import access
from games.queries.going import going_seats


@router.get("me", auth=READING, response=responses(schemas.Me), url_name="api-me", tags=["you"])
def show_me(request: HttpRequest) -> schemas.Me:
    """Say for whom the token acts."""
    user = person(request)
    operator = user.operator.username if user.operator else ""
    return schemas.Me(name=user.username, operator=operator, language=user.language, time_zone=user.time_zone)


@router.get("games", auth=READING, response=responses(schemas.MyGamesOut), url_name="api-games", tags=["you"])
def list_my_games(request: HttpRequest) -> schemas.MyGamesOut:
    """List your games that are not over: those that wait for you first, the nearest deadline first."""
    seats = going_seats(person(request), ("turn", "waiting", "invited", "open", "away"))
    lines = {key: [schemas.GameLine.of(player) for player in found] for key, found in seats.items()}
    return schemas.MyGamesOut(**lines)


@router.post("games/{slug}/reopen", auth=PLAYING, response=responses(None, 404), url_name="api-reopen", tags=["you"])
def reopen_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Take up a game again that is put away; it waits for you then as before."""
    access.game_to_view(request.user, slug)
    _reopen_game(person(request), slug)
    return HttpResponse(status=204)
