"""What `benchmarks.site` measures on: a game in its middle, whose next move is undone each time."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from django.core.handlers.asgi import ASGIHandler
from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from benchmarks.site import PORT, Person
from games.actions.moves.play_placement import play_placement
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.base import positions
from games.base.setup import GameSetup, SeatSetup
from games.models import Game, Move, Player
from games.queries.turns import next_number

BARE_MIDDLEWARE = [
    "django.middleware.gzip.GZipMiddleware",
    "benchmarks.bare_site.views.Middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
PAGES = (
    "/",
    "/rules/",
    "/lobby/",
    "/games/",
    "/games/new/",
    "/history/",
    "/players/alice/",
    "/accounts/",
    "/games/{}/",
    "/games/{}/board/",
    "/games/{}/placements/",
    "/games/{}/replay/",
)


def our_application() -> ASGIHandler:
    """Return Block-You's HTTP application."""
    from blockyou.asgi import http

    return http


def bare_application() -> ASGIHandler:
    """Return the bare app: a handler takes its middleware from the settings as they are when it is made."""
    with override_settings(MIDDLEWARE=BARE_MIDDLEWARE):
        return ASGIHandler()


def undoing(slug: str) -> Callable[[], None]:
    """Return a function that makes the game and its seats what they are now."""
    game = Game.objects.get(slug=slug)
    seats = list(game.players.all())

    def restore() -> None:
        Move.objects.filter(game=game, number__gt=game.move_count).delete()
        game.save(force_update=True)
        for player in seats:
            player.save(force_update=True)
        connection.close()

    return restore


def midgame(plies: int, others: int) -> tuple[Person, str, str, int]:
    """Return alice's browser, the game's slug, a placement that is legal in it, and the number of the move that is due.

    In that many other games it is her turn.
    """
    call_command("prepare")
    people = [User.objects.create_user(name) for name in ("alice", "bob", "carol", "dave")]
    seats = (SeatSetup(kind="me"), *(SeatSetup(kind="open"),) * 3)
    game = create_game(people[0], GameSetup(variant="blockyou-4", seats=seats, is_shuffled=False))
    for user in people[1:]:
        game = join_game(user, game.slug)
    game = play(game, people, plies)
    legal = positions.position_of(game).legal_placements()
    # The watcher's open connection spares a web process the checkpoint at the end of every request.
    connection.ensure_connection()
    copy(game, others)
    return browser(people[0]), game.slug, str(legal[len(legal) // 2]), next_number(game)


def play(game: Game, people: Sequence[User], plies: int) -> Game:
    """Return the game that many placements later, each chosen among the largest pieces by a seeded chance."""
    rng = random.Random(4)
    for number in range(plies):
        game = Game.objects.get(pk=game.pk)
        legal = positions.position_of(game).legal_placements()
        text = str(legal[rng.randrange(len(legal) // 10 + 1)])
        actor = people[game.turn_seat or 0]
        play_placement(actor, game.slug, placement=text, number=next_number(game), key=f"benchmark-{number}")
    return Game.objects.get(pk=game.pk)


def copy(game: Game, count: int) -> None:
    """Copy the game with its seats and moves."""
    slugs = [f"copy{number:06}" for number in range(count)]
    twins = Game.objects.bulk_create(
        Game(**{**row(game), "slug": slug, "invite_token": f"token-{slug}"}) for slug in slugs
    )
    players, moves = list(game.players.all()), list(game.moves.all())
    Player.objects.bulk_create(Player(**{**row(player), "game_id": twin.pk}) for twin in twins for player in players)
    Move.objects.bulk_create(Move(**{**row(move), "game_id": twin.pk}) for twin in twins for move in moves)


def row(record: Model) -> dict[str, Any]:
    """Return the columns of a row but its key."""
    return {column.attname: getattr(record, column.attname) for column in record._meta.concrete_fields[1:]}


def browser(user: User) -> Person:
    """Return a browser in which this person is logged in and has seen a page."""
    client = _client()
    client.force_login(user)
    client.get("/lobby/")
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    return Person(cookies, cookies["csrftoken"])


def page_queries(person: Person, slug: str) -> dict[str, int]:
    """Return the number of queries of every page, the second time it is asked for."""
    client, found = _client(), {}
    client.cookies.load(person.cookies)
    for page in PAGES:
        path = page.format(slug)
        client.get(path)
        with CaptureQueriesContext(connection) as queries:
            if client.get(path).status_code != 200:
                raise RuntimeError(path)
        found[page.format("…")] = len(queries)
    return found


def _client() -> Client:
    return Client(SERVER_NAME="127.0.0.1", SERVER_PORT=str(PORT))
