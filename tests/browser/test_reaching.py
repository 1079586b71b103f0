"""Two hundred placements by chance on three kinds of board, by taps that miss and by keys: every one is reached."""

import logging
import random
from collections.abc import Iterator
from statistics import mean, median
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.people import DESK, PHONE, People
from tests.browser.reach import Board, Finger, keys_to
from tests.browser.site import Site

log = logging.getLogger(__name__)

#: Nobody places a piece here, so both tests draw the same placements.
SEED = 20

#: Of 200, how many on each board.
BOARDS = [("blockyou-2", 80), ("duo", 60), ("trigon-2", 60)]


@pytest.fixture(scope="module")
def games(browser: Browser, site: Site) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Return the cookies of somebody and, by variant, a game begun against a bot in which it is that person's turn."""
    group = People(browser, site.url)
    person = group.arrive("reach")
    person.sign_up()
    paths = {variant: person.open_table(variant, "bot:random") for variant, _ in BOARDS}
    for path in paths.values():
        person.go(path)
        person.await_turn()
        Board(person.page).choose_first(4)
    cookies: Any = {"storage_state": person.context.storage_state()}
    yield cookies, paths
    group.leave()


def open_board(people: People, cookies: dict[str, Any], path: str, device: dict[str, Any]) -> Page:
    """Open a game on a device at which nothing is held yet."""
    person = people.arrive("reach", device, **cookies)
    person.go(path)
    person.await_turn()
    return person.page


def version(page: Page) -> str | None:
    return page.locator("#game").get_attribute("data-version")


def test_an_unsteady_finger_reaches_every_placement_in_few_taps(
    people: People, games: tuple[dict[str, Any], dict[str, str]]
) -> None:
    cookies, paths = games
    taps: list[int] = []
    for variant, count in BOARDS:
        page = open_board(people, cookies, paths[variant], PHONE)
        board, before = Board(page), version(page)
        finger = Finger(board, random.Random(variant))
        taps += [finger.bring(target) for target in board.targets(count, SEED)]
        assert version(page) == before
    assert len(taps) == 200
    log.info("taps after choosing the piece: median %s, most %s, mean %.2f", median(taps), max(taps), mean(taps))
    assert median(taps) <= 4


def test_keys_alone_reach_every_placement(people: People, games: tuple[dict[str, Any], dict[str, str]]) -> None:
    cookies, paths = games
    for variant, count in BOARDS:
        page = open_board(people, cookies, paths[variant], DESK)
        board, before = Board(page), version(page)
        for target in board.targets(count, SEED):
            page.keyboard.press("/")
            page.keyboard.type(target.piece)
            page.keyboard.press("Enter")
            for key in keys_to(board, target):
                page.keyboard.press(key)
            assert board.state["canPlace"]
        assert version(page) == before
