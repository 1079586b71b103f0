"""Choosing a colour at a table for three: by touch beside others who do the same, and by keys alone without scripts."""

import re

from playwright.sync_api import expect

from tests.browser.people import TALL, WIDER, People, Person


def open_for_three(host: Person) -> str:
    """Open a table for three by its link, as the form offers it; return the link's path."""
    host.sign_up()
    host.go("/games/new/?variant=blockyou-3")
    for number in (1, 2):
        host.choose_seat(number, "link")
    host.page.locator("main form button.button--primary").click()
    host.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    return host.invitation()


def test_two_choose_by_touch_and_each_sees_what_the_other_took(people: People) -> None:
    alice, bob = people.arrive("alice", TALL), people.arrive("bob", TALL)
    link = open_for_three(alice)
    bob.go(link)
    bob.page.locator("label.choice", has_text="Green").tap()
    bob.press("Take a seat")
    bob.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    expect(alice.page.locator("input[value=green]")).to_be_disabled()

    # What is marked and not yet sent stays marked while the other changes.
    alice.page.locator("label.choice", has_text="Red").tap()
    bob.page.locator("label.choice", has_text="Yellow").tap()
    bob.press("Change")
    expect(alice.page.locator("input[value=yellow]")).to_be_disabled()
    expect(alice.page.locator("input[value=red]")).to_be_checked()
    alice.press("Change")
    expect(bob.page.locator("input[value=red]")).to_be_disabled()
    expect(bob.page.locator("input[value=blue]")).to_be_enabled()
    assert bob.page.evaluate(WIDER) == 0


def test_one_chooses_by_keys_without_scripts_and_is_asked_again_where_another_was_quicker(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob", java_script_enabled=False)
    carol = people.arrive("carol", java_script_enabled=False)
    link = open_for_three(alice)
    for person in (bob, carol):
        person.sign_up()
        person.go(link)
    for person in (bob, carol):
        # Blue is taken: from "No preference" the arrow leads to yellow, then to red.
        person.page.get_by_role("radio", name="No preference").focus()
        person.page.keyboard.press("ArrowDown")
        person.page.keyboard.press("ArrowDown")
        expect(person.page.get_by_role("radio", name="Red")).to_be_checked()
        person.page.keyboard.press("Enter")
    bob.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    expect(carol.page.get_by_role("alert")).to_contain_text("Choose again from what is free")
    expect(carol.page.get_by_role("radio", name="Red")).to_be_disabled()
    expect(carol.page.locator("label.choice", has_text="Red")).to_contain_text(f"taken by {bob.name}")

    carol.page.get_by_role("radio", name="No preference").focus()
    carol.page.keyboard.press("ArrowUp")
    expect(carol.page.get_by_role("radio", name="Green")).to_be_checked()
    carol.page.keyboard.press("Enter")
    carol.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    expect(alice.page.locator("#place[data-my-turn]")).to_be_visible()
