"""A piece in the hand: turned, moved, explained, placed."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, PHONE, People, seat_two


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["a finger on a phone", "a mouse on a desk"])
def test_a_piece_is_turned_refused_in_words_where_it_may_not_lie_and_placed_where_it_may(
    people: People, device: dict[str, object]
) -> None:
    alice, bob = people.arrive("alice", device), people.arrive("bob")
    seat_two(alice, bob)
    place, said = alice.page.locator(".actions__place"), alice.page.locator("[data-say]")
    ghost = alice.page.locator("#ghost")

    alice.choose("L5")
    expect(said).to_contain_text("fits here")
    before = ghost.inner_html()
    alice.act("right")
    alice.act("flip")
    alice.page.wait_for_function("before => document.querySelector('#ghost').innerHTML !== before", arg=before)

    alice.tap_cell(10, 10)
    expect(place).to_be_disabled()
    expect(said).to_contain_text("a1")

    alice.tap_cell(0, 0)
    expect(said).to_contain_text("fits here")
    version = alice.place()
    bob.await_version(version)
    expect(bob.page.locator(".board .piece[data-colour=blue]")).to_have_count(1)


def test_a_piece_put_back_leaves_nothing_to_place(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    seat_two(alice, bob)
    alice.choose("F")
    expect(alice.page.locator(".actions__place")).to_be_enabled()
    alice.act("cancel")
    expect(alice.page.locator(".actions__place")).to_be_disabled()
    assert alice.page.locator("#ghost").inner_html() == ""
