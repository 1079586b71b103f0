"""The page of a group follows its games: who is told, what is told, and what is fetched then."""

import re

import pytest
from django.urls import reverse

from accounts.models import User
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.groups.leave_group import leave_group
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.models import Game, Group
from games.queries.site.versions import version_of_group
from games.realtime.groups import circle_group
from tests.conftest import LogIn, logged_in
from tests.games.realtime.sockets import in_thread, live, opened
from tests.games.realtime.test_doors import handshake
from tests.games.tables import ME, NOON, OPEN, change, place, running, setup

pytestmark = pytest.mark.django_db(transaction=True)


def group_of(owner: User, *members: User) -> Group:
    group = create_group(owner, "Family")
    for member in members:
        join_group(member, group.invite_token)
    return group


def table_of(group: Group, user: User) -> Game:
    return create_game(user, setup(ME, OPEN), group=group.slug, now=NOON)


def socket_of(group: Group) -> str:
    return f"/ws/groups/{group.pk}/"


def test_what_happens_in_games_of_the_group_is_another_version_of_its_list(alice: User, bob: User) -> None:
    group = group_of(alice, bob)
    seen = [version_of_group(group.slug)]
    game = table_of(group, alice)
    seen.append(version_of_group(group.slug))
    join_game(bob, game.slug, now=NOON)
    seen.append(version_of_group(group.slug))
    place(game, "V3:a1,b1,a2")
    seen.append(version_of_group(group.slug))
    resign(bob, game.slug, now=NOON)
    seen.append(version_of_group(group.slug))
    assert len(set(seen)) == len(seen)
    running(alice, bob)
    assert version_of_group(group.slug) == seen[-1]


def test_the_page_says_which_version_it_shows_and_htmx_gets_the_games_alone(alice: User, log_in: LogIn) -> None:
    group = group_of(alice)
    table_of(group, alice)
    address, browser = reverse("group", args=[group.slug]), log_in(alice)
    page = browser.get(address).content.decode()
    assert f'data-group="{group.pk}"' in page
    assert re.search(r'data-version="(\d+)"', page)[1] == version_of_group(group.slug)  # type: ignore[index]
    part = browser.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "Open tables" in part
    assert "<html" not in part
    assert "<h1" not in part


def test_the_part_is_for_members_alone(alice: User, bob: User, log_in: LogIn) -> None:
    group = group_of(alice)
    answer = log_in(bob).get(reverse("group", args=[group.slug]), headers={"HX-Request": "true"})
    assert answer.status_code == 404


@live
async def test_a_member_is_told_of_a_game_in_which_they_do_not_sit(alice: User, bob: User, carol: User) -> None:
    group = await in_thread(group_of)(alice, bob, carol)
    async with opened(socket_of(group), await in_thread(logged_in)(carol)) as page:
        first = await page.receive_json_from()
        assert first == {"type": "list", "version": await in_thread(version_of_group)(group.slug)}
        game = await in_thread(table_of)(group, alice)
        assert {frame["type"] for frame in await page.heard(circle_group(group.pk))} == {"list"}
        await in_thread(running)(alice, bob)
        assert not await page.heard(circle_group(group.pk))
        await in_thread(change)(game)
        assert await page.heard(circle_group(group.pk))
        await page.send_json_to({"type": "ping"})
        assert (await page.receive_json_from())["version"] != first["version"]


@live
async def test_who_is_no_member_is_refused_and_who_leaves_is_told_no_more(alice: User, bob: User) -> None:
    group = await in_thread(group_of)(alice, bob)
    async with opened(socket_of(group), await in_thread(logged_in)(bob)) as page:
        await page.receive_json_from()
        await in_thread(leave_group)(bob, group.slug)
        await page.send_json_to({"type": "ping"})
        closed = await page.receive_output()
        assert (closed["type"], closed["code"]) == ("websocket.close", 4403)


@live
async def test_a_stranger_a_visitor_and_a_group_that_is_none_are_refused_alike(alice: User, mallory: User) -> None:
    group = await in_thread(group_of)(alice)
    client = await in_thread(logged_in)(mallory)
    paths = [socket_of(group), "/ws/groups/999999/", "/ws/groups/0/"]
    asked = [(socket_of(group), None), *((path, client) for path in paths)]
    answers = [await handshake(path, who) for path, who in asked]
    assert answers == [{"type": "websocket.close", "code": 4403}] * len(answers)
