"""Players react to placements by one tap, on a phone, on a desk, and without scripts."""

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.demo import Demo
from tests.browser.people import PHONE, TALL, WIDER, People, Person, log_in_as, seat_two


def mark(person: Person, name: str) -> Locator:
    return person.page.locator("[data-reacts]").get_by_role("button", name=name, exact=True)


def test_one_tap_under_the_board_of_a_phone_reaches_the_other_at_once_and_changes(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    seat_two(alice, bob)
    mover, other = (alice, bob) if alice.is_my_turn() else (bob, alice)
    expect(mover.page.locator("[data-reacts]")).to_have_count(0)
    mover.play_any()
    other.await_turn()
    row, buttons = other.page.locator("[data-reacts]"), other.page.locator(".actions")
    # In the room of the buttons that rest, and so in view: nothing on the page has moved for it.
    assert row.bounding_box() == buttons.bounding_box()
    mark(other, "Clever").click()
    expect(mark(other, "Clever")).to_have_attribute("aria-pressed", "true")
    told = mover.page.locator("[data-reacted]")
    expect(told).to_have_text(f"{other.name}: Clever")
    mark(other, "Ouch").click()
    expect(told).to_have_text(f"{other.name}: Ouch")
    expect(mark(other, "Clever")).to_have_attribute("aria-pressed", "false")
    mark(other, "Ouch").click()
    expect(told).to_have_count(0)
    assert alice.page.evaluate(WIDER) == bob.page.evaluate(WIDER) == 0
    # With a piece in hand there are its buttons instead.
    other.choose(other.playable()[0])
    expect(row).to_be_hidden()


def test_without_scripts_each_placement_leads_to_a_page_of_its_reactions(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob")
    path = seat_two(alice, bob)
    mover, other = (alice, bob) if alice.is_my_turn() else (bob, alice)
    mover.play_any()
    plain = people.new_browser(other, {"java_script_enabled": False})
    plain.log_in()
    plain.go(path)
    plain.page.get_by_role("link", name="React", exact=True).click()
    plain.page.get_by_role("button", name="Nice", exact=True).click()
    expect(plain.page.get_by_text("You: Nice")).to_be_visible()
    expect(mover.page.locator("[data-reacted]")).to_have_text(f"{other.name}: Nice")


@pytest.mark.proof
def test_after_the_end_all_marks_stand_in_one_row(browser: Browser, demo: Demo) -> None:
    with browser.new_context(**TALL) as context:  # type: ignore[arg-type]  # as `People.arrive`
        page = context.new_page()
        log_in_as(page, demo.site.url, "bob")
        page.goto(demo.site.url + demo.game("Every last piece"))
        tops = page.locator("[data-reacts] > button").evaluate_all(
            "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
        )
        assert len(tops) == 6
        assert len(set(tops)) == 1
