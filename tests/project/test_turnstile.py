"""Few requests are inside at a time, and none is lost."""

import asyncio
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


async def nobody(*_: Any) -> Any:
    """Neither send nor receive anything."""
