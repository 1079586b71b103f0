"""What no one has thought through is shut to a child, and a child to everyone else: all addresses, walked.

`matrix.txt` says of every address whether a child may use it, and why; a new address fails until it stands there.
All of the API is shut: no child has a token.
"""

import json
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils import timezone

from accounts.children.keeping import make_child_link
from accounts.models import Scope, User
from accounts.tokens import make_token, token_of_secret
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.models import Game, Player
from games.realtime.consumers import GameSocket, LobbySocket, Question
from games.views.children.guard import OPEN as OPEN_TO_CHILDREN
from tests.games.children.families import child_of
from tests.games.tables import ME, OPEN, fresh, invited, open_table, play_out, running, setup
from tests.reliability.addresses import addresses
from tests.reliability.declared import by_heading
from tests.reliability.knock import send
from tests.reliability.world import UNSAFE, World, is_about_a_game, legal_body, logged_in, parts

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries, pytest.mark.slow]

#: What the child is called: nobody else's page may say it.
NAME = "Zwiebelfisch"
#: People whom the child may not meet: none of its pages may say their names.
STRANGERS = ("carol", "dave")


def declared() -> dict[str, bool]:
    """Return of each name whether `matrix.txt` says that it is open to a child."""
    found = by_heading("children")
    for about in found.values():
        assert re.match(r"(open|shut), for .{15,}", about), f"neither open nor shut, with a reason: {about}"
    return {name: about.startswith("open") for name, about in found.items()}


DECLARED = declared()
PAGES = sorted(name for name in addresses() if not name.startswith("api-") or name in DECLARED)


def test_every_address_says_whether_it_is_open_to_a_child_and_why() -> None:
    assert set(DECLARED) | {name for name in addresses() if name.startswith("api-")} == set(addresses())


def test_the_site_opens_to_a_child_what_is_declared_and_nothing_else() -> None:
    assert {name for name, is_open in DECLARED.items() if is_open} == OPEN_TO_CHILDREN


class Family:
    """alice's child, who plays with bob and a bot, in a world of others."""

    def __init__(self, world: World) -> None:
        self.world = world
        alice, self.bob = world.people["alice"], world.people["bob"]
        self.child = child_of(alice, NAME, self.bob)
        world.people["child"], world.cookies["child"] = self.child, logged_in(self.child)
        world.child, world.child_link = self.child, make_child_link(self.child, timezone.now())
        waiting = open_table(self.bob, ME, invited(NAME))
        going = fresh(join_game(self.child, open_table(self.bob, ME, invited(NAME)).slug))
        over = join_game(self.child, open_table(self.bob, ME, invited(NAME)).slug)
        resign(self.bob, over.slug)
        self.games = [waiting, going, fresh(over)]
        self.public = open_table(world.people["carol"], ME, OPEN, is_public=True)
        # All others may see it, and that both have opened so.
        strangers = play_out(running(*(world.people[name] for name in STRANGERS)))
        Player.objects.filter(game=strangers).update(opening="barasona")

    def ask(self, role: str, method: str, name: str, game: Game | None, **more: Any) -> Any:
        cache.clear()
        with transaction.atomic():
            body = more.pop("body", None) or (legal_body(name, game) if method in UNSAFE else {})
            answer = send(self.world, role, method, self.world.path(name, game) + more.pop("query", ""), body)
            answer.shown = b"".join(answer.streaming_content) if answer.streaming else answer.content
            answer.seated = self.company()
            transaction.set_rollback(True)
        return answer

    def company(self) -> set[int]:
        """Return with whom the child sits at a table, is invited to one, or has opened one."""
        at: set[int] = set()
        for game in Game.objects.exclude(status="cancelled").prefetch_related("players"):
            sitting = {key for seat in game.players.all() for key in (seat.user_id, seat.invitee_id) if key is not None}
            at |= sitting | {game.creator_id} if self.child.pk in sitting | {game.creator_id} else set()
        return at - {self.child.pk}


@pytest.fixture(scope="module")
def family(world: World) -> Family:
    """Return a family: made once, since every knock is rolled back."""
    return Family(world)


@pytest.mark.parametrize("name", PAGES)
def test_a_child_is_refused_wherever_it_is_not_let_in(family: Family, name: str) -> None:
    for game in [family.games[1], family.public] if is_about_a_game(name) else [None]:
        for method in ("GET", "POST"):
            answer = family.ask("child", method, name, game)
            is_refused = answer.status_code == 403 and answer.headers.get("X-Error-Code") == "child"
            assert is_refused != DECLARED[name], (name, method, answer.status_code)
            assert answer.seated == {family.bob.pk}, (name, method)
            said = answer.shown.decode("utf-8", "replace") if DECLARED[name] else ""
            assert not re.search(rf"\b({'|'.join(STRANGERS)})\b", said), (name, method)
            if game is family.public and DECLARED[name]:
                # Another way to show boards is remembered for all games.
                ways = (403, 404, 405, *([302] if name == "game-mode" else []))
                assert answer.status_code in ways, (name, method, answer.status_code)


# Who has a link for the child's device is meant to be it.
@pytest.mark.parametrize("name", sorted(set(addresses()) - {"child-enter"}))
def test_for_a_stranger_there_is_no_such_child_at_any_address(family: Family, name: str) -> None:
    """eve knows its name, its number, the slugs of its games and the secrets of their links."""
    hers = {"name": NAME, "username": NAME, "person": NAME, "member": NAME, "companion": NAME}
    world = family.world
    for game in family.games if is_about_a_game(name) else [None]:
        for method in ("GET", "POST"):
            query = f"?token={game.invite_token}" if game is not None and method == "GET" else ""
            bodies = [{}] if method == "GET" else [{}, {**legal_body(name, game), **hers}]
            if name == "new-game" and method == "POST":
                bodies.append({**legal_body(name, None), "seat-1": "named", "seat-1-name": NAME})
            if name == "api-games" and method == "POST":
                bodies.append({"variant": "duo", "seats": [{"kind": "me"}, {"kind": "named", "name": NAME}]})
            for body in bodies:
                answer = family.ask("eve", method, name, game, query=query, body=body)
                text = said_by_the_site(answer.shown.decode("utf-8", "replace"), method)
                assert NAME not in text, (name, method, answer.status_code)
                assert answer.seated == {family.bob.pk}, (name, method)
                if game is not None:
                    assert answer.status_code in (302, 308, 400, 401, 403, 404, 405), (name, method, answer.status_code)
    named = {part for part in ("username", "name", "member") if part in parts(name)}
    if named and not name.startswith(("group-", "api-group-", "game-")):
        path = re.sub(r"/alice(?=/|$)", f"/{NAME}", world.path(name))
        assert NAME in path
        cache.clear()
        for method in ("GET", "POST"):
            with transaction.atomic():
                answer = send(world, "eve", method, path, legal_body(name, None) if method in UNSAFE else {})
                transaction.set_rollback(True)
            assert answer.status_code in (302, 404, 405), (name, method, answer.status_code)


def said_by_the_site(text: str, method: str) -> str:
    """Return an answer without what only repeats what eve has sent: a form, or what she calls a table or a group."""
    if method == "GET":
        return text
    repeated = (rf'value="{NAME}"', rf"named {NAME}\.", rf"\?name={NAME}", rf"/{NAME}/", rf'"name": ?"{NAME}"')
    return re.sub("|".join(repeated), "", text)


def test_no_program_acts_for_a_child(family: Family) -> None:
    secret = make_token(family.child, "Pentobi", list(Scope), timezone.now())
    assert token_of_secret(secret, timezone.now()) is None
    answer = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 401


def test_sockets_tell_strangers_nothing_of_a_childs_games_and_a_child_nothing_of_others(family: Family) -> None:
    def frames(kind: Any, user: User, slug: str = "", token: str = "") -> list[Any]:
        socket = kind()
        socket.scope = {
            "user": user,
            "url_route": {"kwargs": {"slug": slug}},
            "query_string": f"token={token}".encode(),
        }
        return list(kind.frames([Question(socket, None)]))

    going, eve = family.games[1], family.world.people["eve"]
    assert frames(GameSocket, eve, going.slug, going.invite_token) == [None]
    assert frames(GameSocket, family.world.people["alice"], going.slug) != [None]
    assert frames(GameSocket, family.child, going.slug) != [None]
    assert frames(GameSocket, family.child, family.public.slug) == [None]
    assert frames(LobbySocket, family.child) == [None]
    assert frames(LobbySocket, eve) != [None]


def test_a_bot_account_meets_a_child_only_if_it_is_allowed_itself(family: Family) -> None:
    operator = family.world.people["alice"]
    answer = create_game(family.child, setup(ME, invited("alice")))
    assert Player.objects.filter(game=answer, invitee=operator).exists()
    assert family.world.bot.operator == operator
    secret = make_token(family.world.bot, "Fred", list(Scope), timezone.now())
    body = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "named", "name": NAME}]}
    told = {"Authorization": f"Bearer {secret}"}
    refused = Client().post("/api/v1/games", json.dumps(body), "application/json", headers=told)
    assert refused.status_code == 400
