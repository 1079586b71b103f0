"""A pause on which two players agree: by touch, by keys alone, and without scripts."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.people import PHONE, People, Person, seat_two

pytestmark = pytest.mark.proof
#: No more stops lie between a control and the next one that is wanted.
MOST_STOPS = 80


def told(person: Person) -> Locator:
    """Return what the page says of a pause."""
    return person.page.locator("#pausing")


def ask(person: Person) -> None:
    """Ask for a pause by the menu."""
    person.press("Menu")
    link = person.page.get_by_role("link", name="Pause the game", exact=True)
    (link.tap if person.has_touch else link.click)()
    person.press("Ask everyone")


def go_to(person: Person, target: Locator) -> None:
    """Press the Tab key until that has the focus."""
    expect(target).to_be_visible()
    for _ in range(MOST_STOPS):
        if target.evaluate("target => target === document.activeElement"):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not reach {target}")


def press_by_key(person: Person, name: str) -> None:
    """Reach the button of that name with the Tab key, and press Enter."""
    go_to(person, person.page.get_by_role("button", name=name, exact=True))
    person.page.keyboard.press("Enter")


def test_by_touch_a_game_is_paused_and_goes_on_and_both_see_it_at_once(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    seat_two(alice, bob)
    ask(alice)
    expect(told(alice)).to_contain_text("You asked for a pause.")
    expect(told(bob)).to_contain_text(f"{alice.name} asks for a pause.")
    expect(bob.page.locator("#announce")).to_contain_text(f"{alice.name} asks for a pause.")
    box = told(alice).bounding_box()
    assert box
    assert box["x"] + box["width"] <= 360
    bob.press("Agree")
    for person in (alice, bob):
        expect(told(person)).to_contain_text("All clocks stand still.")
        expect(person.page.locator(".say__turn")).to_contain_text("Paused")
        assert not person.is_my_turn()
    alice.press("End pause")
    expect(alice.page.locator("#place[data-my-turn]")).to_be_visible()
    for person in (alice, bob):
        expect(told(person)).to_have_count(0)
    version = alice.play_any()
    bob.await_version(version)


def test_by_keys_a_request_is_withdrawn_asked_again_and_declined(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob")
    seat_two(alice, bob)
    for again in (False, True):
        press_by_key(bob, "Menu")
        go_to(bob, bob.page.get_by_role("link", name="Pause the game", exact=True))
        bob.page.keyboard.press("Enter")
        press_by_key(bob, "Ask everyone")
        expect(told(alice)).to_contain_text(f"{bob.name} asks for a pause.")
        press_by_key(*((alice, "Decline") if again else (bob, "Withdraw")))
        for person in (alice, bob):
            expect(told(person)).to_have_count(0)
    assert alice.is_my_turn()


def test_without_scripts_a_game_is_paused_and_goes_on(people: People) -> None:
    alice = people.arrive("alice", PHONE, java_script_enabled=False)
    bob = people.arrive("bob", java_script_enabled=False)
    alice.sign_up()
    bob.sign_up()
    path = alice.open_table("duo", "link")
    bob.go(alice.invitation())
    bob.press(re.compile("seat|Join", re.I))
    ask(bob)
    expect(told(bob)).to_contain_text("You asked for a pause.")
    alice.go(path)
    alice.press("Agree")
    expect(told(alice)).to_contain_text("All clocks stand still.")
    bob.go(path)
    bob.press("End pause")
    alice.go(path)
    assert alice.is_my_turn()
    expect(told(alice)).to_have_count(0)
