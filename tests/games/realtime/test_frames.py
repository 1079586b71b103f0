"""What a page may say: a small heartbeat now and then. Anything else closes its socket and no other."""

import json

import pytest

from games.realtime.frames import Budget, FrameError, Ping, parse_ping
from tests.games.realtime.sockets import close_code, live, opened

PING = '{"type":"ping"}'


def received(data: str | bytes) -> dict[str, str | bytes]:
    return {"text": data} if isinstance(data, str) else {"bytes": data}


@pytest.mark.parametrize(
    ("frame", "is_looking"),
    [
        (PING, False),
        ('{"type":"ping","looking":true}', True),
        ('{"type":"ping","looking":false}', False),
        ('{"type":"ping","looking":1,"more":[null]}', False),
    ],
)
def test_a_heartbeat_is_read(frame: str, is_looking: bool) -> None:
    assert parse_ping(received(frame)) == Ping(is_looking)


BAD: dict[str, tuple[str | bytes, int]] = {
    "binary": (b"\x00\x01", 4003),
    "binary that is text": (PING.encode(), 4003),
    "empty": ("", 4007),
    "malformed": ('{"type":', 4007),
    "NaN": ('{"type":"ping","looking":NaN}', 4007),
    "infinity": ("-Infinity", 4007),
    "deep": ("[" * 250, 4007),
    "balanced and deep": ("[" * 120 + "]" * 120, 4008),
    "lone surrogate": ('{"type":"\\ud800"}', 4008),
    "not an object": ("[]", 4008),
    "number": ("17", 4008),
    "unknown type": ('{"type":"move"}', 4008),
    "type of no type": ('{"type":["ping"]}', 4008),
    "no type": ("{}", 4008),
    "5,000 digits": (f'{{"type":{"9" * 5000}}}', 4009),
    "very deep": ("[" * 100_000, 4009),
    "17 KiB": (json.dumps({"type": "ping", "pad": "x" * 17_000}), 4009),
    "large and binary": (b"\x00" * 17_000, 4009),
}


@pytest.mark.parametrize("name", BAD)
def test_anything_else_is_refused_with_its_code(name: str) -> None:
    frame, code = BAD[name]
    with pytest.raises(FrameError) as bad:
        parse_ping(received(frame))
    assert bad.value.code == code


@pytest.mark.parametrize("name", [name for name in BAD if name != "empty"])
@pytest.mark.django_db(transaction=True)
@live
async def test_a_bad_frame_closes_its_socket_and_no_other(name: str) -> None:
    frame, code = BAD[name]
    async with opened("/ws/lobby/") as good, opened("/ws/lobby/") as bad:
        for page in (good, bad):
            await page.receive_json_from()
        await bad.send_input({"type": "websocket.receive", **received(frame)})
        assert await close_code(bad) == code
        await good.send_to(text_data=PING)
        assert (await good.receive_json_from())["type"] == "list"


@pytest.mark.proof
@pytest.mark.django_db(transaction=True)
@live
async def test_a_burst_closes_the_socket_after_at_most_sixty_answers() -> None:
    async with opened("/ws/lobby/") as page:
        for _ in range(100):
            await page.send_input({"type": "websocket.receive", "text": PING})
        answers = 0
        while (message := await page.receive_output(timeout=5))["type"] == "websocket.send":
            answers += 1
        assert message == {"type": "websocket.close", "code": 4008}
        assert answers <= 60
        await page.wait()


def test_the_budget_refills_with_time() -> None:
    budget = Budget(0.0)
    for _ in range(20):
        budget.spend(0.0)
    with pytest.raises(FrameError):
        budget.spend(0.0)
    budget.spend(4.0)
    with pytest.raises(FrameError):
        budget.spend(4.0)
    for minute in range(1, 100):
        budget.spend(4.0 + 25.0 * minute)
