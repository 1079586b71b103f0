"""A plan made with two taps while another player thinks, seen and cleared from the game."""

import re

from playwright.sync_api import Locator, expect

from tests.browser.people import DESK, PHONE, People, seat_two


def test_two_taps_from_a_tried_piece_plan_it_and_one_more_clears_it(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob", PHONE)
    seat_two(alice, bob)
    mover, waiter = (alice, bob) if alice.is_my_turn() else (bob, alice)
    expect(mover.page.locator("[data-plan]")).to_be_hidden()
    waiter.choose("L5")
    expect(waiter.page.locator("[data-say]")).to_contain_text("You can place it when it is your turn")
    version = waiter.version()
    waiter._touch(waiter.page.locator("[data-plan]"))
    waiter._touch(waiter.page.get_by_role("button", name="Play this when it is my turn"))
    planned = waiter.page.locator("#planned")
    expect(planned).to_contain_text("Planned: L5")
    assert waiter.version() == version
    waiter._touch(planned.get_by_role("button"))
    expect(planned).to_have_count(0)


def test_the_planned_move_is_played_as_the_turn_comes(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob", PHONE)
    seat_two(alice, bob)
    mover, waiter = (alice, bob) if alice.is_my_turn() else (bob, alice)
    waiter.choose("L5")
    waiter._touch(waiter.page.locator("[data-plan]"))
    waiter._touch(waiter.page.get_by_role("button", name="Play this when it is my turn"))
    expect(waiter.page.locator("#planned")).to_be_visible()
    # Nobody is there when the turn comes.
    waiter.page.goto("about:blank")
    mover.choose("L5")
    version = mover.place()
    mover.await_version(version + 1)
    assert mover.is_my_turn()


def reach(target: Locator) -> None:
    """Press Tab until the focus is there."""
    for _stop in range(120):
        if target.evaluate("element => element === document.activeElement"):
            return
        target.page.keyboard.press("Tab")
    raise AssertionError("The Tab key does not lead there.")


def test_by_keys_alone_a_piece_is_tried_planned_and_cleared_again(people: People) -> None:
    alice, bob = people.arrive("alice", DESK), people.arrive("bob", DESK)
    path = seat_two(alice, bob)
    waiter = bob if alice.is_my_turn() else alice
    page, version = waiter.page, waiter.version()
    page.locator("#board").focus()
    page.keyboard.press("/")
    page.keyboard.type("L5\n")
    expect(page.locator(".ghost__shape")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    expect(page.locator("[data-plan]")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"{path}plan/"))
    reach(page.get_by_role("button", name="Play this when it is my turn"))
    page.keyboard.press("Enter")
    planned = page.locator("#planned")
    expect(planned).to_contain_text("Planned: L5")
    assert waiter.version() == version
    reach(planned.get_by_role("button"))
    page.keyboard.press("Enter")
    expect(planned).to_have_count(0)


def test_without_scripts_a_move_is_chosen_from_lists_planned_and_cleared_again(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob", PHONE, java_script_enabled=False)
    path = seat_two(alice, bob)
    page = bob.page
    bob.go(f"{path}plan/")
    page.locator("summary", has_text="Choose from a list").tap()
    page.locator(".plan__list a[href*='piece=L5']").tap()
    page.locator(".plan__list button[name=placement]").first.tap()
    bob.press("Play this when it is my turn")
    page.wait_for_url(re.compile(f"{path}$"))
    planned = page.locator("#planned")
    expect(planned).to_contain_text("Planned: L5")
    planned.get_by_role("button").tap()
    expect(planned).to_have_count(0)
