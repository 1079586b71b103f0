"""Two people talk at their table: at once, by touch and by keys, and without scripts."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.people import PHONE, WIDER, People, Person, seat_two

PAYLOAD = "<img src=x onerror=\"document.title='gone'\"> https://example.org"


def lines(person: Person) -> Locator:
    return person.page.locator(".line__text")


def test_what_one_says_the_other_hears_of_at_once_and_reads_without_losing_what_they_type(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    path = seat_two(alice, bob)
    alice.page.get_by_role("link", name="Talk", exact=True).tap()
    alice.press("Take your time")
    expect(lines(alice)).to_have_text(["Take your time"])
    # At the board, before anything is fetched by hand.
    door = bob.page.get_by_role("link", name="Talk, 1 new message")
    expect(door).to_be_visible()
    door.click()
    expect(lines(bob)).to_have_text(["Take your time"])

    field = bob.page.get_by_label("Your message")
    field.fill("I am still typing")
    alice.press("Thank you")
    expect(lines(bob)).to_have_count(2)
    expect(field).to_have_value("I am still typing")
    assert alice.page.evaluate(WIDER) == 0
    bob.page.get_by_role("link", name="Back to the game").click()
    expect(bob.page.get_by_role("link", name="Talk", exact=True)).to_be_visible()
    bob.go(path)


def test_what_is_said_to_one_is_counted_in_the_tab(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob")
    path = seat_two(alice, bob)
    # It is alice's turn, and nothing waits for bob in his lists.
    bob.go("/games/")
    expect(bob.page).not_to_have_title(re.compile(r"^\("))
    alice.go(f"{path}talk/")
    alice.press("Thank you")
    expect(bob.page).to_have_title(re.compile(r"^\(1\) "))
    bob.go(f"{path}talk/")
    expect(lines(bob)).to_have_text(["Thank you"])
    bob.go("/games/")
    expect(bob.page).not_to_have_title(re.compile(r"^\("))


def test_at_a_private_table_they_write_and_what_they_write_is_text(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob", PHONE)
    path = seat_two(alice, bob)
    alice.go(f"{path}talk/")
    bob.go(f"{path}talk/")
    field = alice.page.get_by_label("Your message")
    field.fill(PAYLOAD)
    field.press("Enter")
    for person in (alice, bob):
        expect(lines(person)).to_have_text([PAYLOAD])
        expect(person.page.locator("#lines .line__text :is(img, a)")).to_have_count(0)
        expect(person.page).not_to_have_title("gone")
    expect(field).to_have_value("")
    expect(field).to_be_focused()

    field.fill("you wanker")
    field.press("Enter")
    expect(alice.page.get_by_role("alert")).to_contain_text("These words may insult others.")
    expect(field).to_have_value("you wanker")
    expect(lines(bob)).to_have_count(1)


def test_without_scripts_a_phrase_is_a_button_of_a_form(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob")
    path = seat_two(alice, bob)
    plain = people.new_browser(bob, {"java_script_enabled": False})
    plain.log_in()
    plain.go(f"{path}talk/")
    plain.page.get_by_role("button", name="Nice move", exact=True).click()
    expect(lines(plain)).to_have_text(["Nice move"])
    expect(alice.page.get_by_role("link", name="Talk, 1 new message")).to_be_visible()
