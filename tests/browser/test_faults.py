"""The network goes away, the server restarts, two pages disagree: open pages recover by themselves."""

import os
import signal
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.people import People, seat_two
from tests.browser.play.test_advice import THINKING
from tests.browser.site import descendants, new_site

#: What a proxy says in the place of a server that is away.
FAULT = "<!doctype html><html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>"


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


@pytest.mark.proof
def test_advice_whose_worker_was_killed_comes_without_being_asked_for_again(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # So much to think about that no worker is done before it is killed.
    site = new_site(Path(tmp_path_factory.mktemp("killed")), HINT_SIMULATIONS="5000")
    site.start()
    request.addfinalizer(site.stop)
    people = People(browser, site.url)
    alice, bob = people.arrive("alice"), people.arrive("bob")
    seat_two(alice, bob)
    alice.page.get_by_role("button", name="Suggest a move").first.click()
    expect(alice.page.locator("#advice")).to_contain_text("Looking for good moves.")
    assert site.process
    killed = [pid for pid in descendants(site.process.pid) if b"work" in arguments_of(pid)]
    assert killed
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    expect(alice.page.locator("#advice [data-hold]")).to_have_count(3, timeout=THINKING)
    people.leave()


def arguments_of(pid: int) -> list[bytes]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")


def test_a_move_made_while_the_network_is_gone_arrives_once_it_is_back(people: People) -> None:
    alice, bob = people.arrive_by_wire("alice"), people.arrive("bob")
    seat_two(alice, bob)
    alice.choose(alice.playable()[0])
    alice.lose_network()
    alice.page.locator(".actions__place").click()
    expect(alice.page.locator("[data-connection]")).to_be_visible()
    before = bob.version()

    alice.find_network()
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


def test_a_page_that_waits_goes_on_after_faults_on_the_way_and_shows_nothing_of_them(people: People) -> None:
    alice = people.arrive("alice")
    path = seat_two(alice, people.arrive("bob"))
    alice.play_any()
    alice.press("Menu")
    alice.page.locator("#menu").get_by_role("button", name="Resign").click()
    alice.page.locator("#resign").get_by_role("button", name="Resign").click()
    expect(alice.page.locator(".result")).to_be_visible()
    faults = [502, 500, 503]

    def disturb(route: Route) -> None:
        if "hx-request" in route.request.headers and faults:
            route.fulfill(status=faults.pop(), content_type="text/html", body=FAULT)
        else:
            route.continue_()

    alice.page.route(f"**{path}review/", disturb)
    alice.go(f"{path}review/")
    title = alice.page.title()
    alice.press("Review this game")
    expect(alice.page.get_by_role("heading", name="Every move")).to_be_visible(timeout=THINKING)
    assert (faults, alice.page.title()) == ([], title)
