"""C1, C2: who may open which door, for every address, method and role; what is private does not exist for others.

The roles are those that the site has: nobody, a stranger, a guest, an opponent, the owner who is to move, an invited
player, and one who has retired. There is no banned player and no staff: nothing on this site makes somebody either.
"""

import re
from typing import Any

import pytest

from tests.proof import proof
from tests.reliability.addresses import addresses
from tests.reliability.declared import bodies
from tests.reliability.knock import knock, send
from tests.reliability.matrix import MISSING as MISSING_GAME
from tests.reliability.matrix import NOWHERE, as_private, cases, expected, names, outsiders, read_matrix
from tests.reliability.world import BY_LINK, METHODS, MISSING, ROLES, STATES, World, is_about_a_game

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries]

MATRIX = read_matrix()
LISTED = ("GET", "POST")
#: The quick tests ask while a game is played.
OTHER_STATES = tuple(state for state in STATES if state != "running")
UNLISTED = tuple(method for method in METHODS if method not in LISTED)
TOKEN = re.compile(rb'(?<="X-CSRFToken": ")\w+|(?<=name="csrfmiddlewaretoken" value=")\w+|(?<=&quot;)\w{64}(?=&quot;)')


def test_every_address_of_the_site_has_its_lines_and_no_other_has() -> None:
    assert {name for name, _method, _state in MATRIX} == set(addresses())
    assert set(bodies()) <= set(addresses())


@pytest.mark.parametrize("name", names())
@pytest.mark.database
def test_every_role_is_answered_as_declared(world: World, name: str) -> None:
    """Every address is asked on PostgreSQL as well."""
    assert not wrongly_answered(world, name, ("running", NOWHERE))


@pytest.mark.proof
@pytest.mark.parametrize("name", [name for name in names() if is_about_a_game(name)])
def test_every_role_is_answered_as_declared_before_after_and_without_a_game(world: World, name: str) -> None:
    assert not wrongly_answered(world, name, (*OTHER_STATES, MISSING_GAME))


def wrongly_answered(world: World, name: str, states: tuple[str, ...]) -> list[str]:
    """Return where somebody is answered otherwise than the matrix says, in these states of a game."""
    wrong = []
    for state, kind, game in cases(world, name):
        for method in LISTED if state in states else ():
            wanted = (as_private if kind == "private" else expected)(MATRIX, name, method, state)
            for role, status in zip(ROLES, wanted, strict=True):
                found = knock(world, role, method, name, game).status_code
                if found != status:
                    wrong.append(f"{method} {state} {kind} as {role}: {found}, not {status}")
    return wrong


@pytest.mark.proof
@pytest.mark.parametrize("name", names())
def test_head_is_answered_as_get_and_no_other_method_does_anything(world: World, name: str) -> None:
    state, wanted = ("running", as_private) if is_about_a_game(name) else (NOWHERE, expected)
    game = world.games.get((state, "private"))
    wrong = []
    for method in UNLISTED:
        for role, status in zip(ROLES, wanted(MATRIX, name, method, state), strict=True):
            found = knock(world, role, method, name, game).status_code
            if found != status:
                wrong.append(f"{method} as {role}: {found}, not {status}")
    assert not wrong


def essence(answer: Any, slug: str) -> tuple[int, dict[str, str], bytes]:
    """Return an answer without what differs anyway: the name in the address and the tokens against forgery."""
    own = {name: value for name, value in answer.items() if name not in {"Content-Length", "ETag"}}
    body = TOKEN.sub(b"", answer.content.replace(slug.encode(), b"SLUG"))
    return answer.status_code, {name: value.replace(slug, "SLUG") for name, value in own.items()}, body


@pytest.mark.parametrize("name", [name for name in names() if is_about_a_game(name) and name not in BY_LINK])
@pytest.mark.parametrize("states", [("running",), *proof(OTHER_STATES)], ids=len)
def test_a_private_game_is_answered_like_one_that_does_not_exist(
    world: World, name: str, states: tuple[str, ...]
) -> None:
    for state in states:
        game = world.games[state, "private"]
        for role in outsiders(state):
            for method in ("GET", "POST"):
                found = essence(knock(world, role, method, name, game), game.slug)
                assert found == essence(knock(world, role, method, name), MISSING), (state, role, method)


@pytest.mark.parametrize("role", ["nobody", "eve", "guest"])
@pytest.mark.parametrize("name", ["game", "game-board", "replay"])
def test_the_link_of_one_private_game_opens_no_other(world: World, name: str, role: str) -> None:
    key, other = world.games["open", "private"].invite_token, world.games["running", "private"]
    answer = send(world, role, "GET", f"{world.path(name, other)}?token={key}", {})
    assert answer.status_code == 404


def test_the_link_of_one_private_game_seats_nobody_at_another(world: World) -> None:
    key, other = world.games["running", "private"].invite_token, world.games["open", "private"]
    answer = send(world, "eve", "POST", world.path("game-join", other), {"seat": "3", "token": key})
    assert answer.status_code == 404
