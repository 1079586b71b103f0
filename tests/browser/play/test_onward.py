"""After a move, on to the next game that waits for me, where I like that."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import People, Person, seat_two


def two_games(people: People) -> tuple[Person, str, str]:
    """Return a player who is to move in two games, and both."""
    alice, bob = people.arrive("alice"), people.arrive("bob")
    first = seat_two(alice, bob)
    second = alice.open_table("blockyou-2", "bot:random")
    alice.go(first)
    return alice, first, second


def likes_to_go_on(alice: Person) -> None:
    alice.page.locator("[popovertarget=view]").locator("visible=true").first.click()
    alice.page.get_by_label("After my move, go on to the next game").check()
    alice.page.locator("#view").get_by_role("button", name="Close").click()


def test_a_move_leads_on_to_the_next_game_which_is_said_before(people: People) -> None:
    alice, _first, second = two_games(people)
    likes_to_go_on(alice)
    alice.play_any()
    expect(alice.page.locator("#announce")).to_have_text(re.compile("^Going on to your next game"))
    alice.page.wait_for_url(f"**{second}")
    expect(alice.page.locator("#place[data-my-turn]")).to_be_visible()


@pytest.mark.parametrize("why", ["it is not asked for", "a key was pressed"])
def test_the_page_stays(why: str, people: People) -> None:
    alice, first, _second = two_games(people)
    if why == "a key was pressed":
        likes_to_go_on(alice)
    alice.page.clock.install()
    alice.go(first)
    alice.play_any()
    alice.page.keyboard.press("Shift")
    alice.page.clock.run_for(10_000)
    assert alice.path == first


def test_skip_leads_past_this_game_and_the_title_counts_the_others(people: People) -> None:
    alice, first, second = two_games(people)
    assert alice.page.title().startswith("(1) Your turn")
    alice.page.get_by_role("link", name="To play · 1").click()
    alice.page.wait_for_url(f"**{second}")
    alice.page.get_by_role("link", name="To play · 1").click()
    alice.page.wait_for_url(f"**{first}")
