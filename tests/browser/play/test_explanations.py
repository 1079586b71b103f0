"""Why a bot made its move: read on a phone and at a desk, by touch, by keys, without scripts, and by ear."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.people import TALL, WIDER, People, Person
from tests.browser.test_without_scripts import place_from_the_list

pytestmark = pytest.mark.proof

WHY = re.compile(r"^Why \w+\?")


def begin(person: Person) -> str:
    """Open a game against a bot, place a piece and wait for the bot's; return the game's path."""
    person.sign_up()
    path = person.open_table("duo", "bot:greedy")
    person.await_turn()
    person.play_any()
    person.await_turn()
    return path


def places(page: Page) -> list[tuple[float, float]]:
    """Return where the board and the tray begin."""
    boxes = [page.locator(selector).bounding_box() for selector in ("#board", ".tray:not([hidden])")]
    return [(box["x"], box["y"]) for box in boxes if box]


def expect_explanation(page: Page) -> None:
    """Expect a bot's move with its picture, what it does, and how it was chosen, in the width of the window."""
    told = page.get_by_role("article")
    expect(told.get_by_role("heading", level=2)).to_have_text("Move 2: Greedy bot")
    expect(told.get_by_role("img")).to_be_in_viewport(ratio=1)
    expect(told.locator("li").first).to_be_visible()
    expect(told).to_contain_text("The bot placed its largest piece where it opens the most corners.")
    assert page.evaluate(WIDER) == 0


def test_on_a_phone_it_is_one_tap_away_and_moves_nothing(people: People) -> None:
    alice = people.arrive("alice", TALL)
    alice.sign_up()
    path = alice.open_table("duo", "bot:greedy")
    alice.await_turn()
    before = places(alice.page)
    alice.play_any()
    alice.await_turn()
    assert places(alice.page) == before
    link = alice.page.get_by_role("link", name=WHY)
    box = link.bounding_box()
    assert box
    assert box["height"] >= 44
    assert box["width"] >= 44
    before = places(alice.page)
    link.tap()
    expect_explanation(alice.page)
    alice.page.wait_for_url(re.compile(f"{path}$"))
    assert places(alice.page) == before
    alice.page.get_by_role("button", name="Close").tap()
    expect(alice.page.get_by_role("article")).to_have_count(0)
    assert places(alice.page) == before
    link.tap()
    expect_explanation(alice.page)
    alice.page.touchscreen.tap(180, 8)
    expect(alice.page.get_by_role("article")).to_have_count(0)


def test_at_a_desk_it_is_reached_and_left_by_keys(people: People) -> None:
    alice = people.arrive("alice")
    path = begin(alice)
    link = alice.page.get_by_role("link", name=WHY)
    link.focus()
    alice.page.keyboard.press("Enter")
    expect_explanation(alice.page)
    close = alice.page.get_by_role("button", name="Close")
    expect(close).to_be_focused()
    # Keys are for what lies over the board.
    held = alice.page.locator(".slot[aria-pressed=true]").count()
    alice.page.keyboard.press("n")
    assert alice.page.locator(".slot[aria-pressed=true]").count() == held
    close.press("Enter")
    expect(close).to_be_hidden()
    expect(link).to_be_focused()
    alice.page.keyboard.press("Enter")
    expect(close).to_be_visible()
    alice.page.keyboard.press("Escape")
    expect(close).to_be_hidden()
    expect(link).to_be_focused()
    alice.page.wait_for_url(re.compile(f"{path}$"))
    alice.play_any()
    alice.await_turn()
    link.click()
    alice.page.get_by_role("link", name="Previous move").click()
    expect_explanation(alice.page)
    expect(alice.page.get_by_role("link", name="Next move")).to_be_visible()


def test_without_scripts_it_is_the_same_page(people: People) -> None:
    alice = people.arrive("alice", TALL, java_script_enabled=False)
    alice.sign_up()
    path = alice.open_table("duo", "bot:greedy")
    place_from_the_list(alice, path)
    link = alice.page.get_by_role("link", name=WHY)
    for _look in range(120):
        if link.count():
            break
        alice.page.wait_for_timeout(500)
        alice.go(path)
    link.tap()
    expect(alice.page.get_by_role("article").get_by_role("heading", level=2)).to_have_text("Move 2: Greedy bot")


def test_in_words_it_is_an_answer(people: People) -> None:
    alice = people.arrive("alice")
    begin(alice)
    alice.page.get_by_role("button", name="Play without the board").first.press("Enter")
    link = alice.page.get_by_role("link", name=WHY)
    link.click()
    answer = alice.page.locator("#answer")
    expect(answer).to_contain_text("2. Greedy bot placed")
    expect(answer).to_contain_text("The bot placed its largest piece where it opens the most corners.")


@pytest.mark.parametrize("allowed", ["yes", "no"])
def test_the_table_says_when_bots_explain_their_moves(allowed: str, people: People) -> None:
    alice = people.arrive("alice", TALL)
    alice.sign_up()
    alice.go(f"/games/new/?variant=duo&explains={allowed}")
    alice.choose_seat(0, "me")
    alice.choose_seat(1, "bot:greedy")
    alice.page.locator("[name=dealing][value=set]").check()
    alice.page.locator("main form button.button--primary").last.click()
    alice.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    alice.await_turn()
    alice.play_any()
    alice.await_turn()
    expect(alice.page.get_by_role("link", name=WHY)).to_have_count(1 if allowed == "yes" else 0)
