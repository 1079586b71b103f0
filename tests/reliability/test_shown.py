"""A new move can be taken back alone until it is shown to another person: every address that shows it says so.

Whatever reads a game's moves, names it or draws it shows it. All addresses are walked as everybody but the player who
has just moved, and as that player, who may look at the own move for as long as it lasts.
"""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.actions.moves.play_placement import play_placement
from games.base import positions
from games.models import Game
from tests.games.tables import due, fresh, key
from tests.reliability.knock import send
from tests.reliability.matrix import names
from tests.reliability.world import ROLES, UNSAFE, World, is_about_a_game, legal_body

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries, pytest.mark.slow]

OTHERS = tuple(role for role in ROLES if role != "alice")
#: What names the game and shows nothing of its board: why.
NAMED_ALONE: dict[str, str] = {}


@pytest.fixture(scope="module")
def played(world: World) -> list[Game]:
    """Return running games in which alice has just placed, at tables where moves may be taken back."""
    games = [world.games["running", kind] for kind in ("public", "private")]
    Game.objects.filter(pk__in=[game.pk for game in games]).update(allows_takebacks=True)
    for game in games:
        text = str(positions.position_of(fresh(game)).legal_placements()[0])
        play_placement(world.people["alice"], game.slug, placement=text, number=due(fresh(game)), key=key())
        assert fresh(game).alone_person == world.people["alice"].pk
    return games


def standing(world: World, role: str, method: str, name: str, games: list[Game]) -> list[str]:
    """Return of which games this address shows a role something, or may, that can still be taken back afterwards."""
    found = []
    for game in games:
        answer, queries, after = ask(world, role, method, name, game, games)
        is_drawn = answer.get("Content-Type", "").startswith("image/") and is_about_a_game(name)
        text = "" if answer.streaming else answer.content.decode("utf-8", "replace")
        # The page of a game names the next one that waits for its reader, and shows nothing of it.
        for each in [game] if is_about_a_game(name) else games:
            reads_moves = any(
                re.search(rf'"games_move"."game_id" (= |IN \([^)]*\b){each.pk}\b', query)
                for query in queries
                if '"games_move"."placement"' in query
            )
            is_shown = answer.status_code == 200 and (each.slug in text or reads_moves or (is_drawn and each == game))
            if is_shown and each.pk in after:
                found.append(f"{role} {method} {name}")
        if not is_about_a_game(name):
            break
    return found


def ask(
    world: World, role: str, method: str, name: str, game: Game, games: list[Game]
) -> tuple[Any, list[str], set[int]]:
    """Return an answer, the queries for it, and the games of which the last move can still be taken back alone."""
    cache.clear()
    rows, alice = Game.objects.filter(pk__in=[each.pk for each in games]), world.people["alice"]
    with transaction.atomic():
        rows.update(alone_until=timezone.now() + timedelta(seconds=9))
        body = legal_body(name, fresh(game)) if method in UNSAFE else {}
        with CaptureQueriesContext(connection) as captured:
            answer = send(world, role, method, world.path(name, game), body)
        after = set(rows.filter(alone_until__isnull=False, alone_person=alice.pk).values_list("pk", flat=True))
        transaction.set_rollback(True)
    return answer, [query["sql"] for query in captured], after


@pytest.mark.parametrize("name", names())
def test_whoever_else_is_shown_a_move_ends_that_it_can_be_taken_back_alone(
    world: World, played: list[Game], name: str
) -> None:
    found = [
        one for role in OTHERS for method in ("GET", "POST") for one in standing(world, role, method, name, played)
    ]
    assert bool(found) == (name in NAMED_ALONE), found


@pytest.mark.parametrize("name", names())
def test_its_player_may_look_wherever_it_is(world: World, played: list[Game], name: str) -> None:
    for game in played if is_about_a_game(name) else played[:1]:
        _answer, _queries, after = ask(world, "alice", "GET", name, game, played)
        assert len(after) == len(played), name


def test_the_walk_sees_what_is_shown(world: World, played: list[Game]) -> None:
    """Without the middleware the page of the game is found to show a move that can still be taken back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.actions.takebacks.mark_shown.hidden_until", lambda *_args: None)
        for name in ("game", "game-board", "game-picture", "api-game", "my-games"):
            assert standing(world, "bob", "GET", name, played), name
