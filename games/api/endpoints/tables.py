"""Tables: opened, joined, left, given up, repeated; and the lobby."""

from django.http import HttpRequest

from accounts.doors import person
from games.actions.tables.cancel_game import cancel_game as _cancel_game
from games.actions.tables.choose_seat import choose_seat as _choose_seat
from games.actions.tables.create_game import create_game as _create_game
from games.actions.tables.decline_invitation import decline_invitation as _decline_invitation
from games.actions.tables.join_game import join_game as _join_game
from games.actions.tables.leave_game import leave_game as _leave_game
from games.actions.tables.open_rematch import open_rematch as _open_rematch
from games.actions.tables.repeat_table import repeat_table as _repeat_table
from games.api import schemas
from games.api.door import LOOKING, SITTING
from games.api.endpoints.answers import PUBLIC, doing, game_now, responses, router
from games.queries.play.state import game_state
from games.queries.tables.open_tables import open_tables
from games.table.counting import count_choice, counting_table
from games.table.given.starts import start_asked


@router.post(
    "games", auth=SITTING, response=responses(schemas.GameOut, 404, 409), url_name="api-games", tags=["tables"]
)
def create_game(request: HttpRequest, table: schemas.NewTable) -> schemas.GameOut:
    """Open a table; without an empty seat the game begins at once, at a position of another one where that is asked."""
    user, setup = person(request), table.setup()
    given = start_asked(user, table.from_game, table.from_study, table.move, table.node)
    with counting_table(user, setup):
        game = _create_game(user, setup, group=table.group, given=given)
    return schemas.GameOut.of(game_state(user, game.slug))


@router.post(
    "games/{slug}/join",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-join",
    tags=["tables"],
)
def join_game(request: HttpRequest, slug: str, wish: schemas.Joining) -> schemas.GameOut:
    """Take a seat at a table, or accept an invitation to it; the last seat starts the game."""
    user = person(request)
    _join_game(user, slug, seat=wish.seat, colour=wish.colour, token=wish.token)
    return game_now(request, slug)


@doing("games/{slug}/leave", "api-leave", SITTING, "tables", 409)
def leave_game(request: HttpRequest, slug: str) -> None:
    """Empty your seat at a table that has not started."""
    _leave_game(person(request), slug)


@doing("games/{slug}/decline", "api-decline", SITTING, "tables", 409)
def decline_invitation(request: HttpRequest, slug: str) -> None:
    """Say no to an invitation."""
    _decline_invitation(person(request), slug)


@router.post(
    "games/{slug}/seat",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-seat",
    tags=["tables"],
)
def choose_seat(request: HttpRequest, slug: str, wish: schemas.Colouring) -> schemas.GameOut:
    """Choose another colour at a table where players choose, until the game begins."""
    user = person(request)
    count_choice(user)
    _choose_seat(user, slug, colour=wish.colour)
    return game_now(request, slug)


@doing("games/{slug}/cancel", "api-cancel", SITTING, "tables", 409)
def cancel_game(request: HttpRequest, slug: str) -> None:
    """Give up the table that you have opened, before it starts."""
    _cancel_game(person(request), slug)


@router.post(
    "games/{slug}/rematch",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-rematch",
    tags=["tables"],
)
def open_rematch(request: HttpRequest, slug: str, wish: schemas.Rematch) -> schemas.GameOut:
    """Open the table that follows a finished game, or sit down at it where another player has opened it."""
    user = person(request)
    with counting_table(user):
        game = _open_rematch(user, slug, rotates=wish.rotated)
    return schemas.GameOut.of(game_state(user, game.slug))


@router.post(
    "games/{slug}/again",
    auth=SITTING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-again",
    tags=["tables"],
)
def repeat_table(request: HttpRequest, slug: str) -> schemas.GameOut:
    """Open a table for the people of any finished game of yours, or sit down at the one that waits for them.

    Whoever cannot be invited at the moment has a seat that anyone with the link can take.
    """
    user = person(request)
    with counting_table(user):
        game = _repeat_table(user, slug).game
    return schemas.GameOut.of(game_state(user, game.slug))


@router.get(
    "lobby", auth=LOOKING, response=responses(list[schemas.TableLine]), url_name="api-lobby", tags=["tables", PUBLIC]
)
def list_tables(request: HttpRequest) -> list[schemas.TableLine]:
    """List the public tables that wait for players, the newest first, a hundred at most."""
    return [schemas.TableLine.of(table) for table in open_tables(request.user)]
