"""Pages of lists that grow for ever: forwards and backwards, from both ends, and while games go on ending."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from games.pages.lists.paging import PAGE_SIZE
from tests.conftest import LogIn
from tests.games.tables import NOON, bot, open_table
from tests.games.views.lists import many

LISTS = ["/history/", "/games/?show=finished", "/players/alice/", "/history/?result=lost&variant=blockyou-2"]


def slugs(text: str) -> list[str]:
    """Return the games of a page in their order."""
    return re.findall(r'class="list__title" href="/games/(\w+)/"', text)


def walk(client: Client, address: str, rel: str) -> list[list[str]]:
    """Return the games of this page and of all that follow it by their links."""
    text, found, path = client.get(address).content.decode(), [], address.partition("?")[0]
    while True:
        found.append(slugs(text))
        link = re.search(rf'rel="{rel}"\s+href="([^"]*)"', text)
        if link is None:
            return found
        text = client.get(path + link[1].replace("&amp;", "&")).content.decode()


def at_end(address: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}oldest"


@pytest.mark.parametrize("address", LISTS)
def test_every_game_is_on_one_page_from_either_end(address: str, alice: User, bob: User, log_in: LogIn) -> None:
    games, client = many.finished(2 * PAGE_SIZE + 5, alice, bob), log_in(alice)
    newest_first = [game.slug for game in reversed(games)]
    pages = walk(client, address, "next")
    assert [slug for page in pages for slug in page] == newest_first
    assert [len(page) for page in pages] == [PAGE_SIZE, PAGE_SIZE, 5]
    assert walk(client, at_end(address), "prev") == pages[::-1]


def test_games_that_ended_at_one_moment_are_all_shown(alice: User, bob: User, log_in: LogIn) -> None:
    for _ in range(PAGE_SIZE + 2):
        many.finished(1, alice, bob)
    pages = walk(log_in(alice), "/history/", "next")
    assert [len({*page}) for page in pages] == [PAGE_SIZE, 2]


def test_a_page_shows_the_same_games_when_more_have_ended(alice: User, bob: User, log_in: LogIn) -> None:
    games, client = many.finished(PAGE_SIZE + 3, alice, bob), log_in(alice)
    address = f"/history/?older={games[3].slug}"
    before = slugs(client.get(address).content.decode())
    many.finished(9, alice, bob, finished_at=NOON + timedelta(days=9))
    assert before == slugs(client.get(address).content.decode()) == [each.slug for each in games[2::-1]]


@pytest.mark.parametrize("place", ["older=nobodys", "older=", "newer=../x", "page=2", "oldest=x"])
def test_a_place_that_is_none_is_a_page_all_the_same(place: str, alice: User, bob: User, log_in: LogIn) -> None:
    games = many.finished(2, alice, bob)
    assert slugs(log_in(alice).get(f"/history/?{place}").content.decode()) == [games[1].slug, games[0].slug]


def test_beyond_the_oldest_game_comes_the_last_page(alice: User, bob: User, log_in: LogIn) -> None:
    games = many.finished(2, alice, bob)
    assert len(slugs(log_in(alice).get(f"/history/?older={games[0].slug}").content.decode())) == 2


def test_games_of_bots_come_in_pages_too(alice: User, log_in: LogIn) -> None:
    for _ in range(PAGE_SIZE + 1):
        # No more than 40 may be running at once.
        open_table(alice, bot(), bot())
    pages = walk(log_in(alice), "/games/?show=bots", "next")
    assert [len(page) for page in pages] == [PAGE_SIZE, 1]


def test_private_games_in_common_stand_among_the_public_ones(alice: User, bob: User, eve: User, log_in: LogIn) -> None:
    public = many.finished(PAGE_SIZE, alice, bob)
    private = many.finished(PAGE_SIZE, alice, bob, is_public=False)
    many.finished(3, alice, eve, is_public=False)
    in_order = [slug for pair in zip(public, private, strict=True) for slug in (pair[0].slug, pair[1].slug)]
    pages = walk(log_in(bob), "/players/alice/", "next")
    assert [slug for page in pages for slug in page] == in_order[::-1]
    assert walk(log_in(bob), "/players/alice/?oldest", "prev") == pages[::-1]
