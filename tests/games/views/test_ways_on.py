"""Pages that say no lead on, and offer a login only where one would show more."""

import pytest
from django.test import Client

from accounts.models import User
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import running

LOGIN = "/accounts/login/?next="


@pytest.mark.parametrize(
    "address", ["/bots/no-such-bot/", "/openings/no-such-opening/", "/players/no-one/", "/nowhere/"]
)
def test_where_nothing_is_private_no_login_is_offered(address: str, db: None) -> None:
    answer = Client().get(address)
    assert answer.status_code == 404
    assert LOGIN not in answer.content.decode()


@pytest.mark.parametrize("address", ["/games/abcdefghjk/", "/studies/abcdefghjk/"])
def test_where_something_may_be_private_a_login_is_offered_with_the_way_back(address: str, db: None) -> None:
    answer = Client().get(address)
    assert answer.status_code == 404
    assert f'{LOGIN}{address}"' in answer.content.decode()


@pytest.mark.parametrize(
    "address",
    ["/accounts/password/reset/done/", "/accounts/confirm-email/"],
)
def test_a_page_of_an_account_leads_on(address: str, alice: User, log_in: LogIn) -> None:
    assert 'class="button" href="/accounts/login/"' in Client().get(address).content.decode()
    assert 'class="button" href="/accounts/"' in log_in(alice).get(address).content.decode()


def test_what_is_asked_for_before_the_end_is_not_called_out_of_date(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    for answer in (log_in(alice).get(f"/games/{game.slug}/review/"), log_in(alice).post(f"/games/{game.slug}/study/")):
        page = read(answer)
        assert (page.find("h1").text, "out of date" in page.text) == ("Not yet", False)
        assert f"/games/{game.slug}/" in [link["href"] for link in page.find("main").find_all("a")]


@pytest.mark.parametrize("kind", ["bots", "openings"])
def test_what_is_not_there_leads_to_the_list_of_its_kind(kind: str, db: None) -> None:
    page = read(Client().get(f"/{kind}/no-such-one/"))
    assert f"/{kind}/" in [link["href"] for link in page.find("main").find_all("a")]


def test_the_choice_of_notices_leads_to_those_on_this_device(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    links = [link["href"] for link in read(client.get("/notices/choices/")).find("main").find_all("a")]
    assert "/accounts/preferences/#notices" in links
    assert read(client.get("/accounts/preferences/")).find_all(id="notices")
