"""For whom a token acts, and what waits for them."""

from django.http import HttpRequest

from accounts.doors import person
from games.actions.people.keep_note import keep_note as _keep_note
from games.actions.people.reopen_game import reopen_game as _reopen_game
from games.api import schemas
from games.api.door import NOTING, PLAYING, READING
from games.api.endpoints.answers import doing, responses, router
from games.base import access
from games.pages.people.notes import note_page
from games.queries.people.going import going_seats
from games.table.counting import count_note


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


@doing("games/{slug}/reopen", "api-reopen", PLAYING, "you")
def reopen_game(request: HttpRequest, slug: str) -> None:
    """Take up a game again that is put away; it waits for you then as before."""
    access.game_to_view(request.user, slug)
    _reopen_game(person(request), slug)


@router.get(
    "games/{slug}/note", auth=NOTING, response=responses(schemas.NoteOut, 404), url_name="api-note", tags=["you"]
)
def show_note(request: HttpRequest, slug: str) -> schemas.NoteOut:
    """Show your note about a game that you play in: an empty text of edition 0 where you have written none."""
    page = note_page(person(request), slug)
    return schemas.NoteOut(text=page.text, edition=page.edition)


@router.post(
    "games/{slug}/note", auth=NOTING, response=responses(schemas.NoteOut, 404, 409), url_name="api-note", tags=["you"]
)
def keep_note(request: HttpRequest, slug: str, wish: schemas.NoteRequest) -> schemas.NoteOut:
    """Store your note about a game in place of the edition that you have read; only you can see it."""
    user = person(request)
    count_note(user)
    kept = _keep_note(user, slug, wish.text, wish.edition)
    return schemas.NoteOut(text=kept.text, edition=kept.edition)
