"""On the board of a study moves are tried by finger, by keys and without scripts, and are variations of the study."""

import re

import pytest
from playwright.sync_api import expect

from games.rules import Position
from games.rules.records import GameRecord, write_json
from tests.browser.people import DESK, PHONE, WIDER, People, Person, swipe

BOARD = re.compile(r"/studies/[a-z0-9]{10}/board/")


def open_study(person: Person) -> str:
    """Keep a record of three moves of Duo as a study; return its path."""
    position = Position.start("duo")
    for _ in range(3):
        position = position.play(position.legal_placements()[0])
    person.sign_up()
    person.go("/studies/")
    person.page.fill("[name=text]", write_json(GameRecord.of(position, title="At noon")))
    person.press("Open the record")
    person.page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/$"))
    return person.path


def variations(person: Person, path: str) -> int:
    """Return how many variations the study lists."""
    person.go(path)
    expect(person.page.locator("h1")).to_have_text("At noon")
    return max(person.page.locator(".study__variations li").count() - 1, 0)


def test_two_taps_add_a_variation_and_one_takes_it_away_again(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    path = open_study(alice)
    page = alice.page
    page.locator("[data-go=back]").tap()
    alice.press("Try moves on the board")
    page.wait_for_url(BOARD)
    assert not page.evaluate(WIDER)
    expect(page.locator("#board .piece")).to_have_count(2)
    alice.choose(alice.playable()[0])
    page.locator(".actions__place").tap()
    expect(page.locator("#board .piece")).to_have_count(3)
    alice.choose(alice.playable()[0])
    page.locator(".actions__place").tap()
    expect(page.locator("#board .piece")).to_have_count(4)
    expect(page.locator(".branches__line [aria-current=true]")).to_have_count(1)
    assert not page.evaluate(WIDER)
    page.locator("[data-go=back]").tap()
    expect(page.locator("#board .piece")).to_have_count(3)
    assert variations(alice, path) == 1
    page.go_back()
    page.get_by_role("button", name="Remove from here on").tap()
    expect(page.locator("#board .piece")).to_have_count(2)
    assert variations(alice, path) == 0


def attempt(person: Person, pieces: int) -> None:
    """Add the first piece that fits to a variation, after which so many lie on the board."""
    person.choose(person.playable()[0])
    person.page.locator(".actions__place").tap()
    expect(person.page.locator("#board .piece")).to_have_count(pieces)


def test_a_finger_drawn_across_the_board_leads_back_and_forward(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    path = open_study(alice)
    alice.go(f"{path}board/?move=2")
    page = alice.page
    attempt(alice, 3)
    attempt(alice, 4)
    for by, place in (
        (120, "?branch=1&move=3"),
        (-120, "?branch=2&move=4"),
        (120, "?branch=1&move=3"),
        (120, "?move=2"),
    ):
        swipe(page, by)
        page.wait_for_url(f"**{path}board/{place}")
        expect(page.locator("#board .piece")).to_have_count(int(place[-1]))
    # With a piece in the hand it leads nowhere.
    alice.choose(alice.playable()[0])
    expect(page.locator(".ghost__shape")).to_be_visible()
    swipe(page, 120)
    expect(page.locator(".ghost__shape")).to_be_visible()
    assert alice.path == f"{path}board/?move=2"
    # Of the ways on, the game's own comes first.
    alice.go(alice.path)
    swipe(page, -120)
    page.wait_for_url(f"**{path}board/?move=3")
    expect(page.locator("#board .piece")).to_have_count(3)


def test_a_finger_and_keys_lead_from_the_games_move_to_a_variation_and_back(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    path = open_study(alice)
    alice.go(f"{path}board/?move=2")
    page = alice.page
    attempt(alice, 3)
    alice.go(f"{path}board/?move=3")
    page.locator(".branches__here").scroll_into_view_if_needed()
    assert not page.evaluate(WIDER)
    swipe(page, -120, over=".branches__here")
    page.wait_for_url(f"**{path}board/?branch=1&move=3")
    page.locator(".branches__here").scroll_into_view_if_needed()
    swipe(page, 120, over=".branches__here")
    page.wait_for_url(f"**{path}board/?move=3")
    page.keyboard.press("ArrowDown")
    page.wait_for_url(f"**{path}board/?branch=1&move=3")
    page.keyboard.press("ArrowUp")
    page.wait_for_url(f"**{path}board/?move=3")


def test_the_page_of_a_study_leads_across_at_the_move_that_is_turned_to(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    path = open_study(alice)
    alice.go(f"{path}board/?move=2")
    attempt(alice, 3)
    alice.go(f"{path}?move=2")
    page, ways = alice.page, alice.page.locator(".study__ways")
    expect(ways).to_be_hidden()
    # Where there is nothing to lead to, the keys scroll.
    page.keyboard.press("ArrowDown")
    page.locator(".leaves [data-go=forward]").tap()
    expect(ways.get_by_role("link")).to_have_text(re.compile("^Variation 1: "))
    assert not page.evaluate(WIDER)
    ways.scroll_into_view_if_needed()
    swipe(page, -120, over=".study__ways")
    page.wait_for_url(f"**{path}?branch=1&move=3")
    expect(ways.get_by_role("link")).to_have_text(re.compile("^The game: "))
    page.keyboard.press("ArrowUp")
    page.wait_for_url(f"**{path}?move=3")
    page.keyboard.press("ArrowDown")
    page.wait_for_url(f"**{path}?branch=1&move=3")
    page.locator(".leaves [data-go=back]").tap()
    expect(ways).to_be_hidden()
    page.keyboard.press("End")
    expect(ways).to_be_visible()


def test_a_variation_and_the_game_are_compared_one_board_after_the_other_on_a_phone(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    path = open_study(alice)
    alice.go(f"{path}board/?move=2")
    page = alice.page
    attempt(alice, 3)
    page.get_by_role("link", name="Compare two").tap()
    page.wait_for_url(f"**{path}compare/?other=1")
    assert not page.evaluate(WIDER)
    one, other = page.locator("#one h2"), page.locator("#other h2")
    expect(one).to_have_text("The end of the game")
    expect(other).not_to_be_in_viewport()
    page.locator("#one").get_by_role("link", name="The other board").tap()
    expect(other).to_be_in_viewport(ratio=0.9)
    expect(one).not_to_be_in_viewport()
    # From the left, as far as a finger goes on so small a screen.
    left = "#other .compare__swap a"
    page.locator(left).scroll_into_view_if_needed()
    swipe(page, 240, over=left)
    expect(one).to_be_in_viewport(ratio=0.9)
    expect(other).not_to_be_in_viewport()


def test_by_keys_a_piece_is_taken_placed_and_gone_back_over(people: People) -> None:
    alice = people.arrive("alice", DESK)
    path = open_study(alice)
    alice.go(f"{path}board/?move=1")
    page = alice.page
    page.locator("#board").focus()
    page.keyboard.press("/")
    page.keyboard.type("V3")
    page.keyboard.press("Enter")
    expect(page.locator(".ghost__shape")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#board .piece")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#board .piece")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.locator("#board .piece")).to_have_count(3)
    assert variations(alice, path) == 1


@pytest.mark.proof
def test_without_scripts_a_variation_is_chosen_from_a_list(people: People) -> None:
    alice = people.arrive("alice", PHONE, java_script_enabled=False)
    path = open_study(alice)
    alice.go(f"{path}board/?move=2")
    alice.choose(alice.playable()[0])
    places = alice.page.locator(".branches__places button")
    expect(places.first).to_be_visible()
    places.nth(places.count() // 2).tap()
    expect(alice.page.locator("#board .piece")).to_have_count(3)
    assert variations(alice, path) == 1


@pytest.mark.proof
def test_without_scripts_what_is_compared_is_chosen_from_two_lists(people: People) -> None:
    alice = people.arrive("alice", PHONE, java_script_enabled=False)
    path = open_study(alice)
    alice.go(f"{path}board/?move=2")
    alice.choose(alice.playable()[0])
    alice.page.locator(".branches__places button").first.tap()
    alice.page.get_by_role("link", name="Compare two").tap()
    titles = alice.page.locator("article h2")
    expect(titles.first).to_have_text("The end of the game")
    alice.page.select_option("#one-branch", "1")
    alice.press("Compare")
    alice.page.wait_for_url(f"**{path}compare/?one=1&other=1")
    assert titles.first.inner_text() == titles.last.inner_text() != "The end of the game"
