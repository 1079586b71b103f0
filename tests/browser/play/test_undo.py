"""Three seconds to take a placement back: nothing is sent meanwhile, and no placement is lost."""

import re

import pytest
from playwright.sync_api import Error, expect

from tests.browser.people import PHONE, People, Person, seat_two
from tests.browser.play.test_requests import Traffic
from tests.proof import proof

UNDO = "With the button or a second tap, and three seconds to undo"


def placed(people: People, device: dict[str, object] | None = None) -> tuple[Person, Person, Traffic]:
    """Return two players, the first of whom has just placed a piece, and what that page sends from now on."""
    alice, bob = people.arrive("alice", device), people.arrive("bob")
    path = seat_two(alice, bob)
    alice.go("/accounts/preferences/")
    alice.page.get_by_label(UNDO).check()
    alice.page.get_by_role("button", name="Save").click()
    alice.page.clock.install()
    alice.go(path)
    traffic = Traffic(alice)
    # From now on the page's time stands still, so that none of it passes unseen.
    alice.page.clock.pause_at(alice.page.evaluate("Date.now()") / 1000 + 10)
    alice.choose("V5")
    alice._touch(alice.page.locator(".actions__place"))
    expect(alice.page.locator(".undo")).to_be_visible()
    return alice, bob, traffic


def test_a_placement_is_sent_once_when_the_time_is_over_and_not_called_placed_before(people: People) -> None:
    alice, bob, traffic = placed(people)
    version = alice.version()
    expect(alice.page.locator("#announce")).to_have_text("V5 will be placed in 3 seconds.")
    alice.page.clock.run_for(2_900)
    assert traffic.sent["POST place"] == 0
    alice.page.clock.run_for(200)
    alice.page.clock.resume()
    alice.await_version(version + 1)
    bob.await_version(version + 1)
    expect(alice.page.locator(".undo")).to_be_hidden()
    expect(alice.page.locator("#announce")).to_have_text(re.compile("^You placed V5"))
    assert traffic.sent["POST place"] == 1


@pytest.mark.parametrize("way", ["the button", *proof("Escape")])
def test_a_placement_taken_back_is_recorded_as_nothing(way: str, people: People) -> None:
    alice, bob, traffic = placed(people)
    version = bob.version()
    if way == "Escape":
        alice.page.keyboard.press("Escape")
    else:
        alice.press("Undo")
    expect(alice.page.locator(".undo")).to_be_hidden()
    expect(alice.page.locator("#announce")).to_have_text("V5 was not placed.")
    expect(alice.page.locator(".actions__place")).to_be_enabled()
    alice.page.clock.run_for(10_000)
    alice.page.clock.resume()
    bob.go(bob.path)
    alice.go(alice.path)
    assert (traffic.sent["POST place"], bob.version(), alice.version()) == (0, version, version)
    expect(alice.page.locator("#place[data-my-turn]")).to_be_visible()


@pytest.mark.proof
def test_the_piece_stays_where_it_is_while_it_waits(people: People) -> None:
    alice, _bob, traffic = placed(people)
    shape = alice.page.locator(".ghost__shape").get_attribute("d")
    alice.choose("I5")
    alice.tap_cell(10, 10)
    for key in ("r", "ArrowUp", "Enter"):
        alice.page.keyboard.press(key)
    assert alice.page.locator(".ghost__shape").get_attribute("d") == shape
    assert traffic.sent["POST place"] == 0


@pytest.mark.proof
def test_a_second_tap_on_place_takes_nothing_back(people: People) -> None:
    alice, _bob, _traffic = placed(people, PHONE)
    undo, bar = (alice.page.locator(part).bounding_box() for part in (".undo__button", ".undo__bar"))
    assert undo
    assert bar
    alice.press("Undo")
    place = alice.page.locator(".actions__place").bounding_box()
    assert place
    assert undo["x"] + undo["width"] < place["x"]
    assert abs(undo["y"] - place["y"]) < 1
    assert undo["height"] >= 44


@pytest.mark.parametrize("way", ["hidden", "a crash", *proof("another page")])
def test_a_page_that_is_left_sends_what_it_holds(way: str, people: People) -> None:
    alice, bob, _traffic = placed(people)
    path, version = alice.path, bob.version()
    if way == "another page":
        alice.go("/rules/")
    elif way == "hidden":
        alice.page.evaluate(
            "Object.defineProperty(document, 'hidden', { value: true }) &&"
            " document.dispatchEvent(new Event('visibilitychange'))"
        )
        alice.page.clock.resume()
    else:
        with pytest.raises(Error):
            alice.page.goto("chrome://crash")
        alice.page.close()
        again = alice.context.new_page()
        again.goto(alice.url + path)
        again.clock.run_for(3_000)
        again.clock.resume()
    bob.await_version(version + 1)
    expect(bob.page.locator("#board .piece")).to_have_count(1)


def test_what_one_page_takes_back_another_does_not_send(people: People) -> None:
    alice, bob, _traffic = placed(people)
    version = bob.version()
    other = alice.context.new_page()
    other.goto(alice.url + alice.path)
    expect(other.locator(".undo")).to_be_visible()
    alice.press("Undo")
    # Pages of one device may be processes of their own, which read a moment later what another has forgotten.
    while other.evaluate("() => Object.keys(localStorage).some(name => name.startsWith('held:'))"):
        other.wait_for_timeout(20)
    other.clock.run_for(4_000)
    expect(other.locator(".undo")).to_be_hidden()
    bob.go(bob.path)
    assert bob.version() == version


@pytest.mark.parametrize("device", [None, *proof(PHONE)])
def test_a_move_that_nobody_else_has_seen_comes_back_alone_once_it_was_sent(
    device: dict[str, object] | None, people: People
) -> None:
    alice, bob = people.arrive("alice", device), people.arrive("bob")
    path = seat_two(alice, bob)
    bob.go("/rules/")
    alice.go(path)
    alice.play_any()
    version, form = alice.version(), alice.page.locator(".say [data-behaviour=alone]")
    expect(form.locator("button")).to_have_text(re.compile(r"Take back \([1-9]0? s\)"))
    alice._touch(form.locator("button"))
    alice.await_version(version + 1)
    expect(alice.page.locator("#board .piece")).to_have_count(0)
    expect(form).to_have_count(0)
    bob.go(path)
    expect(bob.page.locator("#board .piece")).to_have_count(0)
    # The page is as it was: the piece may still be in the hand.
    alice.go(path)
    alice.play_any()
    bob.await_version(version + 2)
    alice.go(path)
    expect(form).to_have_count(0)
