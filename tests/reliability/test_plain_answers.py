"""What is answered before a request is the site's own: a sentence, with the headers that every answer carries."""

import contextlib
import socket
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from daphne.http_protocol import WebRequest
from pytest_django import Settings
from twisted.internet.task import Clock

from blockyou import plain
from blockyou.processes import intake
from tests.project.processes.test_restarts import Web, environment
from tests.reliability.test_intake import connected, factory

__all__ = ["environment"]
ASKED = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
UPGRADE = b"GET /ws/lobby/ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
KEY = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
BAD = {
    "a line that is no request": (b"hello\r\n\r\n", 400),
    "a method that is none": (b"G{T / HTTP/1.1\r\n\r\n", 400),
    "a header without a colon": (ASKED + b"nonsense\r\n\r\n", 400),
    "a header of too many characters": (ASKED + b"X: " + b"x" * 16_000 + b"\r\nY: " + b"y" * 9_000 + b"\r\n\r\n", 400),
    "a name of a header that is none": (ASKED + b"X{}: 1\r\n\r\n", 400),
    "a value with a NUL": (ASKED + b"X: \x00\r\n\r\n", 400),
    "two lengths": (ASKED + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    "chunks that are none": (ASKED + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
    "an address that is not ASCII": (b"GET /\xe9 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", 400),
    "a body that is too large": (ASKED.replace(b"GET", b"POST") + b"Content-Length: 99999999\r\n\r\n", 413),
    "a socket without a key": (UPGRADE + b"Sec-WebSocket-Version: 13\r\n\r\n", 400),
    "a socket of another version": (UPGRADE + b"Sec-WebSocket-Version: 1\r\n" + KEY + b"\r\n", 400),
    "a socket from elsewhere": (UPGRADE + b"Sec-WebSocket-Version: 13\r\n" + KEY + b"\r\n", 403),
}


@pytest.fixture(scope="module")
def web(environment: dict[str, str]) -> Iterator[Web]:
    """A web process of its own."""
    process = Web(environment)
    yield process
    process.process.kill()
    process.process.wait()


def read(raw: bytes) -> tuple[int, dict[str, str], str]:
    """Return the status, the headers and the body of an answer."""
    head, _end, body = raw.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    return int(first.split()[1]), headers, body.decode()


def check(raw: bytes, status: int) -> None:
    """Check that this is the answer, whole and with its headers."""
    found, headers, body = read(raw)
    assert found == status
    assert body == plain.sentence(status)
    assert int(headers["content-length"]) == len(body.encode())
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"
    assert headers.get("server", "Block-You") == "Block-You"
    assert not {"strict-transport-security", "x-powered-by"} & set(headers)


@pytest.mark.proof
@pytest.mark.parametrize("what", BAD)
def test_what_the_site_never_sees_is_answered_plainly(web: Web, what: str) -> None:
    said, status = BAD[what]
    found = b""
    with socket.create_connection(("127.0.0.1", web.port), timeout=20) as link, contextlib.suppress(OSError):
        link.sendall(said)
        while piece := link.recv(65_536):
            found += piece
            if found.endswith(plain.sentence(status).encode()):
                break  # a request that was whole leaves its connection open
    check(found, status)


@pytest.mark.parametrize("what", ["a line that is no request", "two lengths", "a body that is too large"])
def test_it_is_answered_so_over_a_connection_in_memory_too(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said, status = BAD[what]
    monkeypatch.setattr(intake, "REACTOR", Clock())
    protocol, transport = connected(factory())
    protocol.dataReceived(said)
    check(transport.value(), status)
    assert transport.disconnecting


def test_chunks_that_are_too_many_are_answered_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "REACTOR", Clock())
    monkeypatch.setattr(intake, "MOST_BODY", 5)
    protocol, transport = connected(factory())
    protocol.dataReceived(ASKED.replace(b"GET", b"POST") + b"Transfer-Encoding: chunked\r\n\r\n")
    [request] = protocol._channel.requests
    with closing(request.content):
        protocol.dataReceived(b"3\r\nabc\r\n3\r\nabc\r\n3\r\nabc\r\n")
    check(transport.value(), 413)


def test_a_socket_that_is_refused_is_not_told_what_it_sent() -> None:
    sent: list[bytes] = []
    socket_asked_for = intake.LimitedSocket()
    socket_asked_for.sendData = sent.append
    socket_asked_for.sendHttpErrorResponse(400, "a-secret is no key")
    check(b"".join(sent), 400)


def test_what_a_socket_says_is_no_answer_to_a_ping(monkeypatch: pytest.MonkeyPatch) -> None:
    def hear(protocol: Any, *_frame: Any) -> None:
        protocol.last_ping = 9.0

    monkeypatch.setattr("daphne.ws_protocol.WebSocketProtocol.onMessage", hear)
    speaking = intake.LimitedSocket()
    speaking.last_ping = 5.0
    speaking.onMessage(b"{}", False)
    assert speaking.last_ping == 5.0


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Return a request for a page with a token in its address, and the connection that it came over."""
    monkeypatch.setattr(intake, "REACTOR", Clock())
    behind = factory()
    behind.server.__dict__.update(server_name="Block-You", http_timeout=60, log_action=lambda *_: None)
    protocol, transport = connected(behind)
    monkeypatch.setattr(WebRequest, "process", lambda _request: None)
    protocol.dataReceived(b"GET /join/a-secret/ HTTP/1.1\r\nHost: a\r\n\r\n")
    [request] = protocol._channel.requests
    request.client_addr, request.request_start = ["10.0.0.1", 1], 0.0
    return request, transport


def test_an_application_that_fails_is_answered_for(asked: tuple[Any, Any]) -> None:
    request, transport = asked
    request.handle_exception(ZeroDivisionError())
    check(transport.value(), 500)


def test_an_application_that_takes_too_long_is_answered_for(asked: tuple[Any, Any]) -> None:
    request, transport = asked
    request.check_timeouts()
    check(transport.value(), 503)
    assert int(read(transport.value())[1]["retry-after"]) > 0


def test_over_https_browsers_are_told_to_keep_to_it(settings: Settings) -> None:
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = 63072000, True
    assert plain.headers(400)["Strict-Transport-Security"] == "max-age=63072000; includeSubDomains"
    settings.SECURE_HSTS_PRELOAD = True
    assert plain.headers(400)["Strict-Transport-Security"].endswith("; preload")


def test_every_sentence_is_said_in_every_language() -> None:
    for status in plain.SENTENCES:
        english, french = plain.sentence(status).splitlines()
        assert english != french
    assert plain.sentence(426) == plain.sentence(400)
    assert plain.sentence(502) == plain.sentence(500)


@pytest.mark.parametrize("kind", ["request", "socket"])
def test_the_log_is_not_told_of_which_address_an_application_was_killed(asked: tuple[Any, Any], kind: str) -> None:
    # Daphne writes down who was connected as `repr` says it.
    protocol = asked[0]
    if kind == "socket":
        protocol = intake.LimitedSocket()
        protocol.client_addr, protocol.path = ["10.0.0.1", 1], b"/ws/games/a-secret/"
    assert "a-secret" not in repr(protocol)
    assert "10.0.0.1" not in repr(protocol)
