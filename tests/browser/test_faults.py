"""The network goes away, the server restarts, two pages disagree: open pages recover by themselves."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import People
from tests.browser.site import new_site
from tests.browser.test_a_whole_game import seat_two


def test_open_pages_recover_from_a_restarted_server_without_a_reload(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    site = new_site(Path(tmp_path_factory.mktemp("restarted")))
    site.start()
    request.addfinalizer(site.stop)
    people = People(browser, site.url)
    alice, bob = people.arrive("alice"), people.arrive("bob")
    seat_two(alice, bob)
    alice.page.evaluate("window.sameDocument = true")
    bob.page.evaluate("window.sameDocument = true")

    site.kill()
    site.start()
    version = alice.play_any()
    bob.await_version(version, limit=40_000)
    alice.await_version(bob.play_any(), limit=40_000)

    for person in (alice, bob):
        assert person.page.evaluate("window.sameDocument") is True
    people.leave()


def test_a_move_made_while_the_network_is_gone_arrives_once_it_is_back(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob")
    seat_two(alice, bob)
    alice.choose(alice.playable()[0])
    alice.context.set_offline(True)
    alice.page.locator(".actions__place").click()
    expect(alice.page.locator("[data-connection]")).to_be_visible()
    before = bob.version()

    alice.context.set_offline(False)
    bob.await_version(before + 1, limit=40_000)
    alice.await_version(before + 1, limit=40_000)
    assert alice.page.locator(".board .piece").count() == 1
    expect(alice.page.locator("[data-connection]")).to_be_hidden()


def test_a_second_tab_that_was_asleep_is_told_instead_of_playing_twice(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob")
    path = seat_two(alice, bob)
    asleep = alice.context.new_page()
    asleep.route("**/ws/**", lambda route: route.abort())
    asleep.add_init_script("window.WebSocket = class { constructor() {} addEventListener() {} close() {} send() {} }")
    asleep.goto(alice.url + path)
    piece = alice.playable()[0]
    alice.play_any()

    asleep.locator(f".tray:not([hidden]) button.slot[value='{piece}']").click()
    asleep.locator(".actions__place").click()
    expect(asleep.get_by_role("alert").first).to_contain_text("moved on")
    assert asleep.locator(".board .piece").count() == 1
