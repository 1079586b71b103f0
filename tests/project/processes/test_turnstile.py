"""Few requests are inside at a time, and none is lost."""

import asyncio
from collections.abc import Mapping
from typing import Any

from blockyou.processes.turnstile import turnstile


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


async def stand(requests: list[dict[str, Any]]) -> list[Any]:
    """Let these requests come in that order and stay, and return the names of those that were let in."""
    inside: list[Any] = []

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        inside.append(scope["name"])
        await asyncio.Event().wait()

    guarded = turnstile(application, 4, address=lambda scope: str(scope.get("from", "")))
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


async def test_logins_and_tokens_that_one_address_makes_up_leave_a_place_to_others() -> None:
    many = [request(f"login {number}", login=str(number)) | {"from": "192.0.2.7"} for number in range(9)]
    many += [program(f"token {number}", str(number)) | {"from": "192.0.2.7"} for number in range(9)]
    assert await stand([*many, {"name": "other", "from": "192.0.2.8"}]) == ["login 0", "login 1", "login 2", "other"]


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
