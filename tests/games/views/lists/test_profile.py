"""A player's page: public games and totals; private games stay private."""

import pytest
from django.test import Client

from accounts.models import User
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.views.lists import many


def facts(text: str) -> list[str]:
    return [part.partition("</dd>")[0] for part in text.split("<dd>")[1:]]


def profile(client: Client, name: str = "alice") -> str:
    return client.get(f"/players/{name}/").content.decode()


@pytest.fixture
def games(alice: User, bob: User) -> None:
    many.finished(2, alice, bob, scores=(-4, -10), name="public")
    many.finished(1, alice, bob, scores=(-6, -6), name="tie")
    many.finished(1, alice, bob, scores=(-50, 10), name="private", is_public=False)


def test_a_stranger_sees_public_games_and_their_totals(games: None) -> None:
    text = profile(Client())
    assert facts(text) == ["3", "2", "1", "0"]
    assert "private" not in text


def test_players_see_the_private_games_they_were_in(
    games: None, alice: User, bob: User, mallory: User, log_in: LogIn
) -> None:
    assert facts(profile(log_in(alice)))[0] == "4"
    assert facts(profile(log_in(bob)))[0] == "4"
    assert facts(profile(log_in(mallory)))[0] == "3"


def test_results_are_told_by_name_to_others(games: None, bob: User, log_in: LogIn) -> None:
    text = profile(log_in(bob))
    assert "alice won" in text
    assert "you won" not in text


def test_running_games_are_not_on_the_profile(alice: User, bob: User) -> None:
    many.running(1, alice, bob, name="running")
    text = profile(Client())
    assert facts(text) == ["0", "0", "0", "0"]
    assert "No finished games" in text


def test_the_name_is_found_whatever_its_case(games: None) -> None:
    assert "alice" in profile(Client(), "ALICE")


@pytest.mark.parametrize("name", ["nobody", "%00", "a" * 300, "..%2f", "%F0%9F%98%80"])
def test_a_name_that_nobody_has_is_not_found(name: str, db: None) -> None:
    assert Client().get(f"/players/{name}/").status_code == 404


def test_somebody_who_has_left_has_no_page(games: None, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert Client().get("/players/alice/").status_code == 404


def test_a_player_can_be_invited_from_the_page(alice: User, bob: User, log_in: LogIn) -> None:
    client = log_in(bob)
    address = "/games/new/?variant=blockyou-2&opponent=alice"
    assert address.replace("&", "&amp;") in profile(client)
    form = client.get(address).content.decode()
    assert '<option value="named" selected>' in form
    assert 'name="seat-1-name" value="alice"' in form


def test_nobody_invites_themselves_or_a_guest(alice: User, bob: User, log_in: LogIn) -> None:
    assert "opponent=" not in profile(log_in(alice))
    assert "opponent=" not in profile(Client())
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    assert "opponent=" not in profile(log_in(bob))


def results(client: Client) -> list[list[str]]:
    """Return the rows of the table of results by board."""
    table = read(client.get("/players/alice/")).find("table", class_="kinds__table")
    rows = table.find_all("tr")[1:]
    return [[cell.text for cell in row.walk() if cell.tag in ("th", "td")] for row in rows]


def test_results_are_told_by_board_to_those_who_may_see_them(
    games: None, alice: User, bob: User, log_in: LogIn
) -> None:
    many.finished(1, alice, bob, scores=(1, 3), variant="duo", name="small")
    public = [["Block-You, 2 players", "3", "2", "1", "0"], ["Duo, 2 players", "1", "0", "0", "1"]]
    everything = [["Block-You, 2 players", "4", "2", "1", "1"], public[1]]
    assert results(Client()) == public
    assert (
        "Each bar shows the share of games won, then of those tied." in Client().get("/players/alice/").content.decode()
    )
    assert results(log_in(alice)) == results(log_in(bob)) == everything
