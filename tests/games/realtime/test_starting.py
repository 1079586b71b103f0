"""The application starts the process's one watcher with its first request or socket, where it is needed."""

from typing import Any

import pytest

from games.realtime import watch
from tests.games.realtime.sockets import live


@pytest.mark.parametrize("is_needed", [True, False])
@live
async def test_the_first_request_starts_one_watcher_where_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, is_needed: bool
) -> None:
    started: list[Any] = []
    requests: list[str] = []

    class Fake:
        def __init__(self, handler: Any) -> None:
            assert handler is watch.announce_change

        def start(self) -> None:
            started.append(self)

    async def app(scope: Any, _receive: Any, _send: Any) -> None:
        requests.append(scope["type"])

    monkeypatch.setattr(watch, "Watcher", Fake)
    monkeypatch.setattr(watch, "is_needed", lambda: is_needed)
    application = watch.watching(app)
    assert started == []
    for kind in ("http", "websocket", "http"):
        await application({"type": kind}, None, None)  # type: ignore[arg-type]  # the app above asks for nothing
    assert requests == ["http", "websocket", "http"]
    assert len(started) == is_needed
