"""Sockets close when their login ends, at once where we end it and at the heartbeat where it is gone."""

import re

import pytest
from django.test import Client

from accounts.erasure import close_account
from accounts.models import Session, User
from accounts.signals import tell_sessions_ended
from tests.conftest import PASSWORD, logged_in
from tests.games.realtime.sockets import close_code, in_thread, live, opened
from tests.games.tables import running

pytestmark = pytest.mark.django_db(transaction=True)


def with_password(user: User) -> None:
    user.set_password(PASSWORD)
    user.save()


def log_out(client: Client) -> None:
    client.logout()


@live
async def test_logging_out_closes_the_sockets_of_that_login_only(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob, is_public=False)
    phone, laptop = await in_thread(logged_in)(alice), await in_thread(logged_in)(alice)
    path = f"/ws/games/{game.slug}/"
    async with opened(path, phone) as gone, opened(path, laptop) as kept, opened("/ws/me/", phone) as gone_too:
        for page in (gone, kept, gone_too):
            await page.receive_json_from()
        key = phone.session.session_key
        await in_thread(log_out)(phone)
        await in_thread(tell_sessions_ended)(alice.pk, key)
        assert await close_code(gone) == await close_code(gone_too) == 4401
        await kept.send_json_to({"type": "ping"})
        assert (await kept.receive_json_from())["game"] == game.slug


def show_password(client: Client) -> None:
    """Say the password once more; the session has another key from then on, and its sockets open anew."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})


def end_the_others(client: Client) -> None:
    """Press *Log out all other devices*."""
    assert client.post("/accounts/keys/logins/end/").status_code == 302


@live
async def test_ending_all_other_log_ins_closes_their_sockets_at_once(alice: User) -> None:
    await in_thread(with_password)(alice)
    phone, laptop = await in_thread(logged_in)(alice), await in_thread(logged_in)(alice)
    await in_thread(show_password)(laptop)
    async with opened("/ws/me/", phone) as gone, opened("/ws/me/", laptop) as kept:
        for page in (gone, kept):
            await page.receive_json_from()
        await in_thread(end_the_others)(laptop)
        assert await close_code(gone) == 4401
        await kept.send_json_to({"type": "ping"})
        assert await kept.receive_json_from()


def end_that_one(client: Client) -> None:
    """Press *Log out* beside the only other device."""
    page = client.get("/accounts/keys/").content.decode()
    (address,) = re.findall(r'action="(/accounts/keys/logins/\w+/end/)"', page)
    assert client.post(address).status_code == 302


@live
async def test_ending_one_log_in_closes_its_sockets_at_once_and_no_others(alice: User) -> None:
    await in_thread(with_password)(alice)
    phone, laptop = await in_thread(logged_in)(alice), await in_thread(logged_in)(alice)
    await in_thread(show_password)(laptop)
    async with opened("/ws/me/", phone) as gone, opened("/ws/me/", laptop) as kept:
        for page in (gone, kept):
            await page.receive_json_from()
        await in_thread(end_that_one)(laptop)
        assert await close_code(gone) == 4401
        await kept.send_json_to({"type": "ping"})
        assert await kept.receive_json_from()


@live
async def test_closing_the_account_closes_all_its_sockets_and_retires_its_games(alice: User, bob: User) -> None:
    game = await in_thread(running)(alice, bob)
    async with (
        opened("/ws/me/", await in_thread(logged_in)(alice)) as hers,
        opened(f"/ws/games/{game.slug}/", await in_thread(logged_in)(bob)) as his,
    ):
        for page in (hers, his):
            await page.receive_json_from()
        await in_thread(close_account)(alice)
        assert (await his.receive_json_from())["version"] == game.version + 1
        assert (await hers.receive_json_from())["type"] == "list"
        assert await close_code(hers) == 4401
    await in_thread(game.refresh_from_db)()
    assert game.reason == "resigned"


@live
async def test_a_session_deleted_behind_our_back_is_noticed_at_the_heartbeat(alice: User) -> None:
    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        await in_thread(Session.objects.all().delete)()
        await page.send_json_to({"type": "ping"})
        assert await close_code(page) == 4401


@live
async def test_a_new_password_ends_the_sockets_of_the_old_one(alice: User) -> None:
    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        alice.set_password("another password")
        await in_thread(alice.save)()
        await page.send_json_to({"type": "ping"})
        assert await close_code(page) == 4401
