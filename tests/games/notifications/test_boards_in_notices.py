"""A notice on a device shows the board: at an address that is signed for that device alone, and drawn when it asks."""

import io
from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.core import signing
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from PIL import Image

from accounts.erasure import close_account
from accounts.models import User
from games.drawing.raster.colours import fill_of
from games.models import Game, Move, Player, PushSubscription
from games.notifications import pictured
from games.notifications.channels import push
from games.notifications.channels.webpush.encryption import LONGEST_MESSAGE
from games.notifications.messages import Message
from games.pages.notices.feeds import board as feed_board
from games.rules.variants import get_variant
from games.views.notices import feeds
from tests.conftest import logged_in
from tests.games.notifications.push_service import Service
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import fresh, large_first, play_out, running

pytestmark = pytest.mark.django_db

WIDE, HIGH = 720, 360


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """A private game of Duo in which alice and bob have placed twice each, and alice is to move."""
    start = timezone.now() - timedelta(minutes=1)
    return play_out(running(alice, bob, variant="duo", is_public=False, now=start), 3, large_first, turns=4, now=start)


@pytest.fixture
def alices(alice: User) -> Client:
    """Alice is reached by her devices alone."""
    User.objects.filter(pk=alice.pk).update(email="")
    return logged_in(alice)


def told(game: Game, service: Service, client: Client) -> str:
    """Return where a device that is switched on finds the board, once it has been told of the turn."""
    device = service.switch_on(client)
    assert deliver_turn(Player.objects.get(game=game, seat=0).pk, 5, now=timezone.now())
    return str(device.read(service.posts[-1])["image"])


def device_of(user: User, client: Client, name: str = "device") -> PushSubscription:
    """Return a device that is switched on, without a service that would be asked."""
    form = {"endpoint": f"https://push.example.org/{name}", "p256dh": "B" * 87, "auth": "A" * 22}
    return PushSubscription.objects.create(
        user=user, session_key=client.session.session_key or "", created_at=timezone.now(), **form
    )


def address(user: User, game: Game, client: Client | None = None) -> str:
    return pictured.board_path(device_of(user, client or logged_in(user), f"of-{user}").pk, game.slug)


def drawn(path: str) -> Image.Image:
    """Return the picture that a program without any cookie is sent."""
    answer = Client().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    return Image.open(io.BytesIO(answer.content)).convert("RGB")


def pixels(picture: Image.Image) -> list[bytes]:
    """Return the colours of a picture, row by row."""
    raw = picture.tobytes()
    return [raw[at : at + 3] for at in range(0, len(raw), 3)]


def spots(picture: Image.Image, colour: str) -> list[tuple[int, int]]:
    """Return where the picture has the very colour of some pieces."""
    wanted = bytes.fromhex(fill_of(colour)[1:])
    width = picture.width
    # What is drawn is reduced to a few colours, of which one is nearly this.
    near = [sum(abs(a - b) for a, b in zip(each, wanted, strict=True)) < 12 for each in pixels(picture)]
    return [(at % width, at // width) for at, is_near in enumerate(near) if is_near]


def middle(found: list[tuple[int, int]]) -> tuple[float, float]:
    return sum(x for x, _y in found) / len(found), sum(y for _x, y in found) / len(found)


def test_a_notice_of_a_turn_says_where_its_device_finds_the_board(game: Game, service: Service, alices: Client) -> None:
    path = told(game, service, alices)
    parts = urlsplit(path)
    assert (parts.scheme, parts.netloc, parts.path.split("/")[1], parts.path.split("/")[3:]) == (
        "",
        "",
        "feeds",
        ["board.png"],
    )
    assert game.slug not in path
    picture = drawn(path)
    assert picture.size == (WIDE, HIGH)
    for colour in get_variant("duo").colours:
        assert spots(picture, colour)


def test_each_is_shown_the_board_from_their_own_seat(game: Game, alice: User, bob: User) -> None:
    of_alice, of_bob = drawn(address(alice, game)), drawn(address(bob, game))
    for colour in get_variant("duo").colours:
        (x, y), (other_x, other_y) = middle(spots(of_alice, colour)), middle(spots(of_bob, colour))
        assert (x, y) == pytest.approx((WIDE - 1 - other_x, HIGH - 1 - other_y), abs=3)


def test_what_is_new_is_outlined_and_what_was_there_is_not(game: Game, alice: User) -> None:
    path = address(alice, game)
    before = drawn(path)
    # Were the last piece alice's own, it would be the only new one too: a bot's for her is not hers.
    Move.objects.filter(game=game, number=3).update(bot="random")
    after = drawn(path)
    changed = [(sum(a), sum(b)) for a, b in zip(pixels(before), pixels(after), strict=True) if a != b]
    # Two more pieces have the dark line around them; of any other place no more than a shade is another.
    darker = [one for one in changed if one[0] - one[1] > 150]
    lighter = [one for one in changed if one[1] - one[0] > 150]
    assert len(darker) > 100 > 10 > len(lighter)


def test_before_the_first_move_there_is_no_board_to_show(
    alice: User, bob: User, service: Service, alices: Client
) -> None:
    game = running(alice, bob, now=timezone.now())
    device = service.switch_on(alices)
    assert deliver_turn(Player.objects.get(game=game, seat=0).pk, 1, now=timezone.now())
    assert device.read(service.posts[-1])["image"] == ""


def test_nothing_is_drawn_to_send_a_notice(
    game: Game, service: Service, alices: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def draw(*about: object) -> bytes:
        asked.append(about)
        return b"a picture"

    monkeypatch.setattr(feed_board, "device_picture", draw)
    path = told(game, service, alices)
    assert asked == []
    assert Client().get(path).content == b"a picture"
    assert len(asked) == 1


def log_out(client: Client) -> None:
    client.logout()


def switch_off(client: Client) -> None:
    assert client.post("/device/stop/").status_code == 204


@pytest.mark.parametrize("end", [log_out, switch_off])
def test_a_device_that_is_no_longer_told_is_shown_nothing(
    game: Game, alice: User, end: Callable[[Client], None]
) -> None:
    client = logged_in(alice)
    path = address(alice, game, client)
    assert Client().get(path).status_code == 200
    end(client)
    assert Client().get(path).status_code == 404


def test_nobody_is_shown_anything_once_the_account_is_closed_or_while_it_is_suspended(game: Game, alice: User) -> None:
    path = address(alice, game)
    User.objects.filter(pk=alice.pk).update(suspended_until=timezone.now() + timedelta(days=1))
    assert Client().get(path).status_code == 404
    User.objects.filter(pk=alice.pk).update(suspended_until=None)
    assert Client().get(path).status_code == 200
    close_account(alice)
    assert Client().get(path).status_code == 404


def test_a_person_who_does_not_sit_in_a_game_is_not_shown_it(game: Game, eve: User) -> None:
    path = address(eve, game)
    assert Client().get(path).status_code == 404
    Game.objects.filter(pk=game.pk).update(is_public=True)
    assert Client().get(path).status_code == 404


def test_an_address_is_signed_and_ends_when_no_service_keeps_the_notice_any_more(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = address(alice, game)
    signed = path.split("/")[2]
    for forged in (
        "1",
        "%00",
        signed[:-1] + ("A" if signed[-1] != "A" else "B"),
        signing.dumps([1, game.slug], salt="x"),
    ):
        assert Client().get(f"/feeds/{forged}/board.png").status_code == 404
    assert pictured.PICTURED_FOR >= push.PUSH_KEPT
    late = timezone.now() + pictured.PICTURED_FOR + timedelta(minutes=1)
    monkeypatch.setattr("django.core.signing.time.time", late.timestamp)
    assert Client().get(path).status_code == 404


def test_it_is_kept_by_no_cache_and_names_its_address_to_nobody(game: Game, alice: User) -> None:
    path = address(alice, game)
    answer = Client().get(path)
    assert answer["Cache-Control"] == "private, no-cache"
    assert (answer["Referrer-Policy"], answer["X-Robots-Tag"]) == ("no-referrer", "noindex")
    assert not answer.cookies
    again = Client().get(path, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_it_is_drawn_so_often_an_hour_for_a_person(game: Game, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(feeds, "READINGS_AN_HOUR", 2)
    path = address(alice, game)
    assert [Client().get(path).status_code for _ in range(3)] == [200, 200, 429]


def test_it_asks_four_queries(game: Game, alice: User) -> None:
    path = address(alice, game)
    with CaptureQueriesContext(connection) as asked:
        drawn(path)
    assert len(asked) == 4


def test_whoever_has_just_placed_may_still_take_it_back_after_their_own_device_was_shown_it(
    game: Game, alice: User, bob: User
) -> None:
    paths = [address(user, game) for user in (bob, alice)]
    left = []
    until = timezone.now() + timedelta(seconds=9)
    Game.objects.filter(pk=game.pk).update(alone_until=until, alone_person=bob.pk)
    for path in paths:
        drawn(path)
        left.append(fresh(game).alone_until)
    assert left == [until, None]


def test_with_the_longest_words_a_notice_fits_into_one_message(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, name="𝔅" * 40), 3, turns=2)
    message = Message(
        key="deadline.9000000000000000000",
        subject="𝔅" * 120,
        text="",
        short="𝔅" * 160,
        path=f"/games/{game.slug}/",
        until=timezone.now(),
        pictured=game.slug,
    )
    assert len(push.payload(message, alice, device_id=9_000_000_000_000_000_000)) <= LONGEST_MESSAGE
