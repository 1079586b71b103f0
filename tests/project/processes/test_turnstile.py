"""Few requests are inside at a time, and none is lost."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone

from accounts.models import Scope, User
from accounts.sessions import SessionStore
from accounts.tokens import make_token
from blockyou import asgi
from blockyou.processes import turnstile as door
from blockyou.processes.turnstile import IS_LOGIN, IS_TOKEN, turnstile
from tests.conftest import LogIn
from tests.project.processes.test_health_beside_pages import status_of


async def test_no_more_requests_are_inside_than_may_be() -> None:
    inside, most, served = 0, 0, []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0)
        inside -= 1
        served.append(scope["number"])

    guarded = turnstile(application, 4)
    await asyncio.gather(*(guarded({"number": number}, nobody, nobody) for number in range(50)))
    assert (most, sorted(served)) == (4, list(range(50)))


async def test_a_request_that_fails_leaves_its_place_to_the_next() -> None:
    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        raise ZeroDivisionError

    guarded = turnstile(application, 1)
    outcomes = await asyncio.gather(*(guarded({}, nobody, nobody) for _ in range(3)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [ZeroDivisionError] * 3


async def stand(requests: list[dict[str, Any]], before: list[dict[str, Any]] | None = None) -> list[Any]:
    """Let these requests come in that order and stay, and return the names of those that were let in.

    Those of `before` were answered one after the other, and it was found out what they say of their login or token.
    """
    inside: list[Any] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if "found" in scope:
            scope |= scope["found"]
            return
        inside.append(scope["name"])
        await asyncio.Event().wait()

    guarded = turnstile(application, 4, address=lambda scope: str(scope.get("from", "")))
    for request in before or []:
        await guarded(request, nobody, nobody)
    tasks = [asyncio.create_task(guarded(request, nobody, nobody)) for request in requests]
    for _ in range(10):
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return inside


def request(name: str, method: str = "GET", login: str = "") -> dict[str, Any]:
    headers = [(b"cookie", f"theme=dark; sessionid={login}".encode())] if login else []
    return {"name": name, "method": method, "headers": headers}


def program(name: str, token: str) -> dict[str, Any]:
    return {"name": name, "headers": [(b"authorization", f"Bearer {token}".encode())]}


async def test_writes_that_wait_for_a_lock_leave_places_to_those_who_read() -> None:
    writes = [request(f"write {number}", "POST", f"login{number}") for number in range(9)]
    assert await stand([*writes, request("read")]) == ["write 0", "write 1", "read"]


async def test_one_login_that_asks_for_much_at_once_leaves_places_to_others() -> None:
    many = [request(f"alice {number}", login="alice") for number in range(9)]
    inside = await stand([*many, request("bob", login="bob"), request("visitor")])
    assert inside == ["alice 0", "alice 1", "bob", "visitor"]


async def test_one_program_that_asks_for_much_at_once_leaves_places_to_others() -> None:
    many = [program(f"robot {number}", "blk_robot") for number in range(9)]
    assert await stand([*many, program("other", "blk_other"), request("visitor")]) == [
        "robot 0",
        "other",
        "visitor",
    ]


async def test_one_address_without_a_login_leaves_places_to_others() -> None:
    many = [{"name": f"visitor {number}", "from": "192.0.2.7"} for number in range(9)]
    assert await stand([*many, {"name": "other", "from": "192.0.2.8"}, request("alice", login="alice")]) == [
        "visitor 0",
        "visitor 1",
        "other",
        "alice",
    ]


HERE, ELSEWHERE = {"from": "192.0.2.7"}, {"from": "192.0.2.8"}
OTHER: dict[str, Any] = {"name": "other", **ELSEWHERE}


async def test_logins_and_tokens_that_one_address_makes_up_have_the_places_of_a_visitor() -> None:
    logins = [request(f"login {number}", login=str(number)) | HERE for number in range(9)]
    tokens = [program(f"token {number}", str(number)) | HERE for number in range(9)]
    found = [await stand([*made_up, OTHER]) for made_up in (logins, tokens, logins[:1] + tokens)]
    assert found == [["login 0", "login 1", "other"], ["token 0", "token 1", "other"], ["login 0", "token 0", "other"]]


async def test_of_logins_that_are_peoples_one_address_has_all_places_but_one() -> None:
    known = [request("", login=str(number)) | HERE | {"found": {IS_LOGIN: True}} for number in range(4)]
    logins = [request(f"login {number}", login=str(number)) | HERE for number in range(4)]
    made_up = [request(f"made up {number}", login=f"x{number}") | HERE for number in range(4)]
    assert await stand([*made_up, *logins, OTHER], known) == ["made up 0", "made up 1", "login 0", "other"]


@pytest.mark.parametrize("found", [{IS_LOGIN: False}, {IS_LOGIN: None, IS_TOKEN: None}, {}])
async def test_a_login_that_has_ended_counts_as_a_visitor_again_but_not_one_of_which_nothing_was_found(
    found: dict[str, Any],
) -> None:
    names = ["alice", "bob", "carol"]
    before = [request("", login=name) | HERE | {"found": {IS_LOGIN: True}} for name in names]
    before += [request("", login=name) | HERE | {"found": found} for name in names]
    inside = await stand([request(name, login=name) | HERE for name in names], before)
    assert inside == (names[:2] if found.get(IS_LOGIN) is False else names)


async def test_one_login_and_one_token_are_one_however_they_are_written() -> None:
    cookies = ['sessionid="alice"', 'sessionid="\\141lice"', "sessionid=x; sessionid=alice", "a=b;sessionid = alice"]
    logins = [{"name": name, "headers": [(b"cookie", name.encode())]} for name in cookies]
    shown = ["Bearer blk_robot", "bearer blk_robot", "BEARER   blk_robot "]
    tokens = [{"name": name, "headers": [(b"authorization", name.encode())]} for name in shown]
    assert await stand([*logins, *tokens, OTHER]) == [*cookies[:2], shown[0], "other"]


async def test_of_logins_only_those_that_came_last_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_KNOWN", 2)
    names = ["alice", "bob", "carol", "dave"]
    before = [request("", login=name) | HERE | {"found": {IS_LOGIN: True}} for name in ("bob", *names[:1], *names[1:3])]
    # Alice came before the two last ones.
    inside = await stand([request(name, login=name) | HERE for name in ("alice", "dave", "bob", "carol")], before)
    assert inside == ["alice", "dave", "bob"]
    assert await stand([request(name, login=name) | HERE for name in ("bob", "dave", "alice", "carol")], before) == [
        "bob",
        "dave",
        "alice",
    ]


class Site:
    """Django at its door, and pages that are not answered once they are held, from one address."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.way, self.monkeypatch = asgi.narrowed(), monkeypatch

    async def ask(self, path: str, **headers: str) -> int:
        shown = [(b"host", b"127.0.0.1"), *((name.encode(), value.encode()) for name, value in headers.items())]
        return await status_of(self.way, path, 7, headers=shown)

    async def held(self, *visits: dict[str, str]) -> list[dict[str, str]]:
        """Return which of these, each known by its headers, are inside while none of them is answered."""
        inside: list[dict[str, str]] = []
        usual, is_over = asgi.http.handle, asyncio.Event()

        async def hold(scope: dict[str, Any], receive: Any, send: Any) -> None:
            inside.append({name.decode(): value.decode() for name, value in scope["headers"] if name != b"host"})
            await is_over.wait()
            await usual(scope, receive, send)

        with self.monkeypatch.context() as patch:
            patch.setattr(asgi.http, "handle", hold)
            tasks = [asyncio.create_task(self.ask("/rules/", **visit)) for visit in visits]
            # A visitor at another address comes last, and is inside once all others are who do not wait at the door.
            tasks.append(asyncio.create_task(status_of(self.way, "/rules/", 8)))
            while {} not in inside:
                await asyncio.sleep(0)
            found = [each for each in inside if each]
            is_over.set()
            await asyncio.gather(*tasks)
        return found


@pytest.mark.django_db(transaction=True)
async def test_only_cookies_and_tokens_that_are_somebodys_have_places_of_their_own(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cookie_of(user: User) -> dict[str, str]:
        key = log_in(user).cookies[settings.SESSION_COOKIE_NAME].value
        return {"cookie": f"{settings.SESSION_COOKIE_NAME}={key}"}

    def cookie_of_nobody() -> dict[str, str]:
        session = SessionStore()
        session["seen"] = "welcome"
        session.create()
        return {"cookie": f"{settings.SESSION_COOKIE_NAME}={session.session_key}"}

    people = [await sync_to_async(cookie_of)(user) for user in (alice, bob)]
    secret = await sync_to_async(make_token)(alice, "robot", [Scope.READ], timezone.now())
    strangers = [await sync_to_async(cookie_of_nobody)() for _ in range(3)]
    made_up = [{"cookie": f"{settings.SESSION_COOKIE_NAME}={'x' * 32}{number}"} for number in range(3)]
    robot, no_robot = {"authorization": f"Bearer {secret}"}, {"authorization": f"Bearer {secret[:-1]}"}
    site = Site(monkeypatch)
    for visit in (*people, *strangers, *made_up):
        assert await site.ask("/rules/", **visit) == 200
    assert await site.ask("/api/v1/me", **robot) == 200
    assert await site.ask("/api/v1/me", **no_robot) == 401
    assert await site.held(*strangers) == strangers[:2]
    assert await site.held(*made_up) == made_up[:2]
    assert await site.held(*made_up[:2], no_robot) == made_up[:2]
    assert await site.held(*made_up[:2], robot) == [*made_up[:2], robot]
    assert await site.held(*made_up, people[0]) == [*made_up[:2], people[0]]


async def test_who_asks_too_often_waits_for_the_answer_outside() -> None:
    events: list[str] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        events.append(f"{scope['name']} is inside")
        await send({"type": "http.response.start", "status": 429 if scope["name"] == "robot" else 200})
        await send({"type": "http.response.body", "body": scope["name"].encode()})

    async def tell(message: Mapping[str, Any]) -> None:
        events.append(str(message.get("status") or message["body"].decode()))

    guarded = turnstile(application, 1, rest=0.01)
    await asyncio.gather(*(guarded(request(name), nobody, tell) for name in ("robot", "alice")))
    assert events == ["robot is inside", "alice is inside", "200", "alice", "429", "robot"]


async def test_those_who_wait_come_in_once_others_have_gone() -> None:
    served: list[str] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await asyncio.sleep(0)
        served.append(scope["name"])

    guarded = turnstile(application, 4)
    names = [f"write {number}" for number in range(20)]
    await asyncio.gather(*(guarded(request(name, "POST", "alice"), nobody, nobody) for name in names))
    assert served == names


async def nobody(*_: Any) -> Any:
    """Neither send nor receive anything."""
