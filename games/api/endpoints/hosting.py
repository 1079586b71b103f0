"""What the player who opened a table does with it: its terms, who sits where, and games of bots."""

from django.http import HttpRequest

from accounts.doors import person
from games.actions.pauses.pause_game import pause_game as _pause_game
from games.actions.pauses.resume_game import resume_game as _resume_game
from games.actions.pauses.step_game import step_game as _step_game
from games.actions.tables.edit_table import edit_table as _edit_table
from games.actions.tables.fill_seats import fill_seats as _fill_seats
from games.actions.tables.remove_player import remove_player as _remove_player
from games.actions.tables.swap_seats import swap_seats as _swap_seats
from games.api import schemas
from games.api.door import PLAYING, SITTING
from games.api.endpoints.answers import game_now, responses, router
from games.api.hosting import Filling, Removing, Stepping, Swapping, TableChanges
from games.base import access
from games.table.counting import count_table_change


@router.post(
    "games/{slug}/edit",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-edit",
    tags=["tables"],
)
def edit_table(request: HttpRequest, slug: str, wish: TableChanges) -> schemas.GameOut:
    """Change the terms of a table that you opened, before the game starts; everybody seated there is told."""
    user = person(request)
    terms = wish.terms(access.table_to_edit(user, slug))
    count_table_change(user)
    _edit_table(user, slug, terms)
    return game_now(request, slug)


@router.post(
    "games/{slug}/swap",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-swap",
    tags=["tables"],
)
def swap_seats(request: HttpRequest, slug: str, wish: Swapping) -> schemas.GameOut:
    """Exchange two seats of the table that you have opened, before it starts."""
    count_table_change(person(request))
    _swap_seats(person(request), slug, one=wish.one, other=wish.other)
    return game_now(request, slug)


@router.post(
    "games/{slug}/remove",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-remove",
    tags=["tables"],
)
def remove_player(request: HttpRequest, slug: str, wish: Removing) -> schemas.GameOut:
    """Remove a player or a bot from the table that you have opened, or withdraw an invitation, before it starts."""
    count_table_change(person(request))
    _remove_player(person(request), slug, seat=wish.seat, reason=wish.reason)
    return game_now(request, slug)


@router.post(
    "games/{slug}/fill",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-fill",
    tags=["tables"],
)
def fill_seats(request: HttpRequest, slug: str, wish: Filling) -> schemas.GameOut:
    """Fill the empty seats of the table that you have opened with bots, which starts the game."""
    count_table_change(person(request))
    _fill_seats(person(request), slug, bot=wish.bot)
    return game_now(request, slug)


@router.post(
    "games/{slug}/bots/pause",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-bots-pause",
    tags=["games of bots"],
)
def pause_game(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """Pause the game between bots that you have opened."""
    _pause_game(person(request), slug, pause_version=wish.version)
    return game_now(request, slug)


@router.post(
    "games/{slug}/bots/resume",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-bots-resume",
    tags=["games of bots"],
)
def resume_game(request: HttpRequest, slug: str, wish: schemas.Pausing) -> schemas.GameOut:
    """Resume the paused game between bots that you have opened."""
    _resume_game(person(request), slug, pause_version=wish.version)
    return game_now(request, slug)


@router.post(
    "games/{slug}/bots/step",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-bots-step",
    tags=["games of bots"],
)
def step_game(request: HttpRequest, slug: str, wish: Stepping) -> schemas.GameOut:
    """Ask for one move of the bots that wait; it comes a moment later."""
    _step_game(person(request), slug, number=wish.number, pause_version=wish.version)
    return game_now(request, slug)
