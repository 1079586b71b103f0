"""The analysis board of a running game: by finger on a phone, by keys on a desk, and back to the game with a piece."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, PHONE, WIDER, People, Person, seat_two, swipe

PIECES = "#board .piece"


def attempt(person: Person, pieces: int) -> None:
    """Try the first piece that fits, after which so many lie on the board."""
    person.choose(person.playable()[0])
    person._touch(person.page.locator(".actions__place"))
    expect(person.page.locator(PIECES)).to_have_count(pieces)


def test_by_finger_moves_are_tried_gone_through_undone_and_one_is_taken_into_the_game(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob", PHONE)
    path = seat_two(alice, bob)
    version, page = alice.version(), alice.page
    alice.go(f"{path}analysis/")
    attempt(alice, 1)
    attempt(alice, 2)
    assert not page.evaluate(WIDER)
    swipe(page, 120)
    expect(page.locator(PIECES)).to_have_count(1)
    swipe(page, -120)
    expect(page.locator(PIECES)).to_have_count(2)
    page.locator("[data-do=undo]").click()
    expect(page.locator(PIECES)).to_have_count(1)
    page.locator("[data-do=redo]").click()
    expect(page.locator(PIECES)).to_have_count(2)
    page.locator(".head__next").click()
    page.wait_for_url(f"**{path}")
    expect(page.locator(".ghost__shape")).to_be_visible()
    expect(page.locator(PIECES)).to_have_count(0)
    assert alice.version() == version
    assert alice.place() > version
    bob.await_version(version + 1)


def test_a_finger_drawn_across_the_moves_of_a_branch_leads_to_another_branch(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob", PHONE)
    path = seat_two(alice, bob)
    page = alice.page
    for piece in (0, 1):
        alice.go(f"{path}analysis/")
        alice.choose(alice.playable()[piece])
        page.locator(".actions__place").tap()
        expect(page.locator(".branches__list li")).to_have_count(piece + 1)
    current, line = page.locator(".branches__list [aria-current]"), page.locator(".branches__here")
    one, other = page.locator(".branches__list a").all_inner_texts()
    expect(current).to_have_text(other)
    # Beyond the last there is none.
    for by, name in ((-120, other), (120, one), (120, one), (-120, other)):
        line.scroll_into_view_if_needed()
        swipe(page, by, over=".branches__here")
        expect(current).to_have_text(name)
        expect(page.locator(PIECES)).to_have_count(1)
    # With a piece in the hand it stays.
    alice.choose(alice.playable()[0])
    line.scroll_into_view_if_needed()
    swipe(page, 120, over=".branches__here")
    expect(page.locator(".ghost__shape")).to_be_visible()
    expect(current).to_have_text(other)


def test_by_keys_arrows_lead_through_the_branches_and_what_was_tried_is_undone(people: People) -> None:
    alice, bob = people.arrive("alice", DESK), people.arrive("bob", DESK)
    path = seat_two(alice, bob)
    alice.go(f"{path}analysis/")
    attempt(alice, 1)
    attempt(alice, 2)
    page = alice.page
    page.locator("#board").focus()
    for key, pieces in (("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowRight", 1), ("Home", 0), ("ArrowRight", 1)):
        page.keyboard.press(key)
        expect(page.locator(PIECES)).to_have_count(pieces)
    page.keyboard.press("/")
    page.keyboard.type("V3\n")
    expect(page.locator(".ghost__shape")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(PIECES)).to_have_count(2)
    expect(page.locator(".branches__list li")).to_have_count(2)
    before = page.url
    page.keyboard.press("ArrowUp")
    page.wait_for_url(lambda url: url != before)
    expect(page.locator(PIECES)).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(page.locator(".branches__list li")).to_have_count(1)


@pytest.mark.proof
def test_without_scripts_moves_are_tried_gone_through_undone_named_and_compared(people: People) -> None:
    alice = people.arrive("alice", PHONE, java_script_enabled=False)
    alice.sign_up()
    path = alice.open_table("blockyou-2", "bot:random", hints="yes")
    alice.go(f"{path}analysis/")
    page = alice.page
    for pieces in (1, 2):
        alice.choose(alice.playable()[0])
        page.locator(".branches__places button").first.tap()
        expect(page.locator(PIECES)).to_have_count(pieces)
    for way, pieces in (("[data-go=back]", 1), ("[data-go=forward]", 2), ("[data-do=undo]", 1), ("[data-do=redo]", 2)):
        page.locator(way).tap()
        expect(page.locator(PIECES)).to_have_count(pieces)
    page.fill("#branch-name", "My way")
    alice.press("Name it")
    expect(page.locator(".branches__list a")).to_have_text("My way")
    page.get_by_role("link", name="Compare two").tap()
    expect(page.locator("article h2")).to_have_text(["The game now", "My way"])
    page.go_back()
    page.get_by_role("link", name="Read all").tap()
    expect(page.locator(".read__moves li")).to_have_count(2)
    page.get_by_role("link", name="My way").tap()
    alice.press("Remove from here on")
    expect(page.locator(PIECES)).to_have_count(1)
