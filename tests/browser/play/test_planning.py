"""A plan made with two taps while another player thinks, seen and cleared from the game."""

from playwright.sync_api import expect

from tests.browser.people import PHONE, People, seat_two


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
