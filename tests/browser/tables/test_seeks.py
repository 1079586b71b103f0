"""On a phone somebody says once what they always want to play, is seated by another's tap, and ends it by one tap."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import SETTINGS
from tests.browser.people import TALL, WIDER, People, Person
from tests.browser.site import new_site

TABLE = re.compile(r"/games/[a-z0-9]{10}/$")


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a site of its own, in whose lobby no other test has tables."""
    running = new_site(tmp_path_factory.mktemp("seeks"), DJANGO_SETTINGS_MODULE=SETTINGS)
    running.start()
    yield running.url
    running.stop()


@pytest.fixture
def people(browser: Browser, alone: str) -> Iterator[People]:
    group = People(browser, alone)
    yield group
    group.leave()


def set_up(person: Person) -> None:
    """Come to the form from the lobby, and ask for a game of two."""
    person.go("/lobby/")
    person.page.get_by_role("link", name="Set one up").tap()
    person.page.select_option("[name=number]", "1")
    person.page.select_option("[name=variant]", "blockyou-2")
    person.press("Find me games")


def test_said_once_seen_seated_and_ended_on_a_phone(people: People) -> None:
    alice, bob = people.arrive("alice", TALL), people.arrive("bob", TALL)
    for each in (alice, bob):
        each.sign_up()
    set_up(alice)
    row = alice.page.locator(".list__row").filter(has_text="up to 1 game")
    expect(row).to_contain_text("up to 1 game · pace: Normal · rated")
    # A worker opens the table soon.
    expect(alice.page.get_by_role("status").first).to_contain_text("The site finds games for you from now on.")
    for address in ("/seeks/", "/lobby/", "/games/"):
        alice.go(address)
        expect(row).to_be_visible()
        assert alice.page.evaluate(WIDER) == 0
        for button in row.get_by_role("button").all():
            box = button.bounding_box()
            assert box
            assert box["height"] >= 44
    _await_state(alice, "1 table waiting for players")

    bob.go("/")
    bob.press("Play anyone")
    bob.page.wait_for_url(TABLE)
    expect(bob.page.locator("#place")).to_be_attached()
    _await_state(alice, "1 game under way")

    alice.go("/lobby/")
    row.get_by_role("button", name=re.compile("^End")).tap()
    expect(alice.page.get_by_role("status").first).to_contain_text("Those under way go on.")
    expect(row).to_have_count(0)
    alice.go(bob.path)
    expect(alice.page.locator("#place")).to_be_attached()


def _await_state(person: Person, state: str) -> None:
    """Look at the list again until it says so: what it tells of is done by a worker."""
    for _look in range(300):
        person.go("/seeks/")
        if state in person.page.locator("main").inner_text():
            return
    raise AssertionError(state)
