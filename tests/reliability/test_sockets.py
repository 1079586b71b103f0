"""B7, B8, B9 over Daphne's sockets: a private game is refused as one that does not exist, and no frame does harm."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.browser.site import Site, new_site
from tests.reliability.visitor import Visitor, arrive_as_guest, open_duel
from tests.reliability.world import MISSING

PATIENCE = 20

pytestmark = [pytest.mark.proof, pytest.mark.database]


class House(NamedTuple):
    """A running site, two who play a private game on it, one who does not, and the game's short name."""

    site: Site
    alice: Visitor
    bob: Visitor
    mallory: Visitor
    slug: str


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    site = new_site(tmp_path_factory.mktemp("sockets"))
    try:
        site.start()
        alice, bob, mallory = (arrive_as_guest(site.url)[0] for _ in range(3))
        yield House(site, alice, bob, mallory, open_duel(alice, bob).split("/")[2])
    finally:
        site.stop()


def knock(house: House, path: str, visitor: Visitor | None = None, origin: str | None = "") -> ClientConnection:
    """Open a socket as the visitor's browser would; without an origin, as a page of the site does."""
    own = house.site.url if origin == "" else origin
    cookies = {"Cookie": f"sessionid={visitor.cookie('sessionid')}"} if visitor else {}
    return connect(
        house.site.url.replace("http", "ws") + path,
        origin=Origin(own) if own else None,
        additional_headers=cookies,
        open_timeout=PATIENCE,
        proxy=None,
    )


def refusal(house: House, path: str, visitor: Visitor | None = None, origin: str | None = "") -> tuple[Any, ...]:
    """Return everything a refused handshake is told, but the date."""
    with pytest.raises(InvalidStatus) as refused:
        knock(house, path, visitor, origin)
    answer = refused.value.response
    headers = sorted((name.lower(), value) for name, value in answer.headers.raw_items() if name.lower() != "date")
    return answer.status_code, answer.reason_phrase, headers, answer.body


def hear(socket: ClientConnection) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
    return frame


@pytest.mark.parametrize("who", ["nobody", "mallory"])
def test_a_private_game_is_refused_exactly_as_one_that_does_not_exist(house: House, who: str) -> None:
    visitor = None if who == "nobody" else house.mallory
    found = [refusal(house, f"/ws/games/{slug}/", visitor) for slug in (house.slug, MISSING, "No-Such", "%00")]
    assert found == [found[0]] * len(found)
    assert found[0][0] == 403


def test_its_players_are_told_its_version_at_once_and_of_every_move(house: House) -> None:
    with knock(house, f"/ws/games/{house.slug}/", house.bob) as socket:
        told = hear(socket)
        assert (told["type"], told["game"]) == ("version", house.slug)
        form = {"placement": "1:a1", "number": "1", "key": "a-key-of-ours"}
        answer = house.alice.post(f"/games/{house.slug}/place/", **form)
        assert answer.status == 302, answer.body
        assert hear(socket) == {**told, "version": told["version"] + 1}


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example.com", "http://127.0.0.1:1", "http://localhost"])
def test_no_other_site_opens_a_socket_in_a_players_name(house: House, origin: str | None) -> None:
    assert refusal(house, f"/ws/games/{house.slug}/", house.alice, origin)[0] == 403


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", 4007),
        ("NaN", 4007),
        ("[" * 250, 4007),
        ("[" * 16_000, 4009),
        ("9" * 5000, 4009),
        ('{"type": "move"}', 4008),
        ("x" * 17_000, 4009),
        (b"\x00\x01", 4003),
    ],
)
def test_a_frame_of_nonsense_closes_its_own_socket_alone(house: House, frame: str | bytes, code: int) -> None:
    with knock(house, "/ws/lobby/", house.alice) as other, knock(house, "/ws/lobby/", house.mallory) as socket:
        hear(socket)
        hear(other)
        socket.send(frame)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(timeout=PATIENCE)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code
        other.send('{"type": "ping"}')
        assert hear(other)["type"] == "list"
    assert "Traceback" not in house.site.log.read_text()
