"""The host's own pages: for staff alone, by the site's login and under its policy; they change nothing."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, resolve
from django.utils import timezone

from accounts.guests import create_guest
from accounts.models import User
from blockyou.host import host_site
from games.background.sweep import hold_lease
from games.models import Game, Move
from tests.accounts.factors import AGAIN, BETWEEN, Clock, code_of, secret_of, show_factor, with_codes
from tests.accounts.factors import clock as clock
from tests.conftest import PASSWORD
from tests.games.tables import advance, running

pytestmark = pytest.mark.django_db
LISTS = ("accounts/user/", "games/game/", "games/lease/", "games/notice/")
LogIn = Callable[[User], Client]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game with some moves."""
    begun, rng = running(alice, bob), random.Random(1)
    for _ in range(4):
        begun = advance(begun, rng)
    return begun


@pytest.fixture
def host(log_in: LogIn) -> Client:
    """Return the browser of the host, at a site that is swept."""
    hold_lease("a process", timezone.now())
    harriet = User.objects.create_superuser("harriet", password=PASSWORD)
    with_codes(harriet)
    client = log_in(harriet)
    show_factor(client, harriet)
    return client


def walk(patterns: Sequence[URLPattern | URLResolver], before: str) -> Iterator[str]:
    """Yield the pattern of every address."""
    for entry in patterns:
        if isinstance(entry, URLResolver):
            yield from walk(entry.url_patterns, before + str(entry.pattern))
        else:
            yield before + str(entry.pattern)


def addresses() -> list[str]:
    """Return every address of the host's pages, with 1 where a key stands."""
    plain = [re.sub(r"\(\?P<app_label>[^)]*\)", "games", each) for each in walk(host_site.get_urls(), "/host/")]
    return [re.sub(r"<[^>]*>", "1", each).replace("^", "").rstrip("$") for each in plain]


@pytest.mark.slow
def test_only_staff_finds_anything(log_in: LogIn, alice: User) -> None:
    ways_out = {"/host/login/", "/host/logout/", "/host/password_change/", "/host/password_change/done/"}
    inside = [address for address in addresses() if address not in ways_out]
    assert len([resolve(address) for address in inside]) > 20
    for person in (alice, create_guest()):
        client = log_in(person)
        answers = {client.get(address).status_code for address in inside}
        assert answers | {client.post(address).status_code for address in inside} == {404}


def test_strangers_log_in_as_everywhere_and_come_back(client: Client, host: Client, clock: Clock) -> None:
    answer = client.get("/host/games/game/")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=/host/games/game/")
    answer = client.post(answer["Location"], {"login": "harriet", "password": PASSWORD})
    assert answer["Location"] == BETWEEN
    answer = client.post(BETWEEN, {"code": code_of(secret_of(User.objects.get(username="harriet")))})
    assert answer["Location"] == "/host/games/game/"
    assert client.get("/host/login/")["Location"] == "/accounts/login/"


@pytest.mark.parametrize("address", ["", *LISTS])
def test_the_pages_hold_under_the_policy_of_the_site(host: Client, game: Game, address: str) -> None:
    page = host.get(f"/host/{address}")
    assert page.status_code == 200
    assert "unsafe" not in page["Content-Security-Policy"]
    assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle=|\son\w+=", page.content.decode())


def test_a_game_is_shown_with_seats_and_moves_and_without_its_secrets(host: Client, game: Game) -> None:
    page = host.get(f"/host/games/game/{game.pk}/change/").content.decode()
    first = Move.objects.filter(game=game).first()
    assert first
    assert "alice" in page
    assert first.placement in page
    assert game.invite_token not in page
    assert str(first.client_key) not in page
    assert not re.findall(r"<script(?![^>]*\bsrc=)[^>]*>|<style|\sstyle=|\son\w+=", page)


def test_a_person_is_found_by_name_and_shown_without_the_password(host: Client, alice: User) -> None:
    found = host.get("/host/accounts/user/", {"q": "ALICE"}).content.decode()
    assert f"/host/accounts/user/{alice.pk}/change/" in found
    assert "harriet</a></th>" not in found
    page = host.get(f"/host/accounts/user/{alice.pk}/change/").content.decode()
    assert alice.email in page
    assert "pbkdf2" not in page
    assert alice.password not in page


@pytest.mark.parametrize("way", ["add/", "{pk}/change/", "{pk}/delete/"])
def test_nothing_can_be_changed(host: Client, game: Game, way: str) -> None:
    before = Game.objects.values().get(pk=game.pk)
    answer = host.post(f"/host/games/game/{way.format(pk=game.pk)}", {"name": "mine now", "post": "yes"})
    assert answer.status_code == 403
    assert Game.objects.values().get(pk=game.pk) == before


def test_staff_without_a_second_factor_is_led_to_set_one_up(
    alice: User, log_in: LogIn, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("staff", "alice")
    assert "alice has no second factor yet" in capsys.readouterr().out
    for page in ("/host/", "/host/games/game/"):
        answer = log_in(alice).get(page, follow=True)
        assert answer.redirect_chain[0][0] == "/accounts/keys/"
        assert "The host's pages need a second factor" in unescape(answer.content.decode())


def test_the_command_lets_a_person_in_and_out_again(alice: User, log_in: LogIn) -> None:
    with_codes(alice)
    call_command("staff", "ALICE")
    client = log_in(alice)
    show_factor(client, alice)
    assert client.get("/host/games/game/").status_code == 200
    call_command("staff", "alice", "--remove")
    assert client.get("/host/games/game/").status_code == 404


def test_a_session_that_has_shown_no_second_factor_is_asked_for_it(host: Client, log_in: LogIn, clock: Clock) -> None:
    harriet = User.objects.get(username="harriet")
    thief = log_in(harriet)
    thief.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for page in ("/host/", "/host/games/game/"):
        assert thief.get(page)["Location"].startswith(AGAIN)
    owner = log_in(harriet)
    asked = owner.get("/host/games/game/")["Location"]
    answer = owner.post(asked, {"code": code_of(secret_of(harriet)), "next": "/host/games/game/"})
    assert answer["Location"] == "/host/games/game/"
    assert owner.get("/host/games/game/").status_code == 200


def test_staff_sees_what_it_is_permitted_and_no_more(log_in: LogIn) -> None:
    helper = User.objects.create_user("helper", password=PASSWORD, is_staff=True)
    with_codes(helper)
    client = log_in(helper)
    show_factor(client, helper)
    assert client.get("/host/").status_code == 200
    assert client.get("/host/games/game/").status_code == 403


def test_a_page_costs_the_same_with_many_rows(host: Client, game: Game, alice: User, bob: User) -> None:
    pages = [f"/host/{each}" for each in LISTS] + [f"/host/games/game/{game.pk}/change/"]
    for page in pages:
        host.get(page)  # kinds of rows are looked up once a process
    few = {page: cost(host, page) for page in pages}
    rng = random.Random(2)
    for _ in range(12):
        running(alice, bob)
        game = advance(game, rng)
    assert {page: cost(host, page) for page in pages} == few
    assert max(few.values()) <= 10


def cost(client: Client, page: str) -> int:
    """Return how many queries a page takes."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(page).status_code == 200
    return len(queries)
