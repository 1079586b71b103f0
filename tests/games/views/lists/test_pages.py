"""Page numbers are whatever somebody types: the answer is a page all the same."""

import pytest

from accounts.models import User
from games.models import Game
from games.pages.lists.paging import PAGE_SIZE, list_page, page_number
from tests.conftest import LogIn
from tests.games.views.lists import many

ODD = ["0", "-1", "1.5", "x", "", " 2", "\u0662", "1e3", "0x2", "9" * 30, "10" * 30, "\x00"]


@pytest.mark.parametrize("text", ODD)
def test_what_is_no_page_number_is_the_first_page(text: str) -> None:
    assert page_number(text) == 1


def test_a_number_is_that_page() -> None:
    assert (page_number("1"), page_number("24"), page_number("99999")) == (1, 24, 5000)


@pytest.mark.parametrize("address", ["/games/?show=finished", "/history/?x=1", "/players/alice/?x=1"])
@pytest.mark.parametrize("number", ["1" + "0" * 30, "-3", "99999"])
def test_an_odd_page_number_is_answered_with_a_page(
    address: str, number: str, alice: User, bob: User, log_in: LogIn
) -> None:
    many.finished(2, alice, bob)
    many.open_tables(2, bob)
    answer = log_in(alice).get(f"{address}&page={number}")
    assert answer.status_code == 200
    assert answer.content.decode().count('class="list__title"') == 2


NO_PAGES = {
    "/lobby/?page=99": "/lobby/",
    "/lobby/?page=2": "/lobby/",
    "/lobby/?x=1&page=-3": "/lobby/?x=1",
    "/notices/?page=3": "/notices/",
    "/studies/?page=7": "/studies/",
    "/games/?show=turn&page=2": "/games/?show=turn",
    "/games/?show=nonsense": "/games/",
    "/games/?show=nonsense&page=2": "/games/?page=2",
}


@pytest.mark.parametrize(("address", "leads_to"), NO_PAGES.items())
def test_the_address_of_a_page_that_does_not_exist_leads_to_one_that_does(
    address: str, leads_to: str, alice: User, bob: User, log_in: LogIn
) -> None:
    many.open_tables(2, bob)
    client = log_in(alice)
    answer = client.get(address)
    assert (answer.status_code, answer["Location"]) == (302, leads_to)
    assert client.get(leads_to).status_code == 200


def test_the_addresses_of_pages_that_exist_lead_nowhere_else(alice: User, bob: User, log_in: LogIn) -> None:
    many.open_tables(PAGE_SIZE + 1, bob)
    for address in ("/lobby/?page=1", "/lobby/?page=2", "/games/?show=turn&page=1", "/games/?show=away"):
        assert (address, log_in(alice).get(address).status_code) == (address, 200)


def read(start: int, number: int) -> list[Game]:
    return list(Game.objects.order_by("pk")[start : start + number])


def test_beyond_the_last_page_comes_the_last_page(alice: User, bob: User) -> None:
    many.finished(PAGE_SIZE + 3, alice, bob)
    page = list_page(read, 40, PAGE_SIZE + 3, lambda games: games)
    assert (page.number, len(page.rows), page.newer, page.older) == (2, 3, 1, None)


def test_the_first_page_has_no_newer_one(alice: User, bob: User) -> None:
    many.finished(1, alice, bob)
    page = list_page(read, 1, 1, lambda games: games)
    assert (page.pages, page.newer, page.older) == (1, None, None)
