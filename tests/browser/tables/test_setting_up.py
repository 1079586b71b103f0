"""A position is set up on the board by taps, without a rule in the browser, and becomes a study."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, TALL, WIDER, People, Person

DUO = "/studies/set-up/?board=duo"
#: Whether a word of an element is cut, or goes on in a line that is not shown.
CUT = "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"


def tap_board(person: Person, across: float, down: float) -> None:
    """Tap the board at a part of its width and height."""
    box = person.page.locator("#board").bounding_box()
    assert box
    person.page.touchscreen.tap(box["x"] + across * box["width"], box["y"] + down * box["height"])


def test_pieces_are_placed_turned_and_taken_off_by_taps_and_become_a_study(people: People) -> None:
    alice = people.arrive("alice", TALL)
    alice.sign_up()
    alice.go(DUO)
    page, pieces = alice.page, alice.page.locator("#board .piece")
    place = page.locator(".actions__place")
    alice.choose("F")
    page.locator("[data-act=right]").tap()
    page.locator("[data-act=flip]").tap()
    place.tap()
    expect(pieces).to_have_count(1)
    expect(page.locator(".tray button.slot[value=F]")).to_have_count(0)
    page.locator(".player__open").nth(1).tap()
    expect(page.locator(".player[data-turn] .player__open")).to_have_attribute("value", "orange")
    alice.choose("W")
    tap_board(alice, 0.25, 0.25)
    place.tap()
    expect(pieces).to_have_count(2)
    assert not page.evaluate(WIDER)
    tap_board(alice, 0.25, 0.25)
    expect(page.locator("#board .piece[data-picked]")).to_have_attribute("data-colour", "orange")
    page.locator(".asks").get_by_role("button", name="Remove").tap()
    expect(pieces).to_have_count(1)
    expect(pieces).to_have_attribute("data-colour", "purple")
    # The browser's own Back undoes the last step, and the one before.
    page.go_back()
    expect(pieces).to_have_count(2)
    page.go_back()
    expect(pieces).to_have_count(1)
    page.go_forward()
    expect(pieces).to_have_count(2)
    page.select_option("[name=to_play]", "orange")
    alice.press("Study this position")
    page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/board/"))
    expect(pieces).to_have_count(2)
    expect(page.locator(".say strong")).to_have_text("Orange to play")


def test_by_keys_a_position_is_set_up_and_a_piece_removed(people: People) -> None:
    alice = people.arrive("alice", DESK)
    alice.sign_up()
    alice.go(DUO)
    page, pieces = alice.page, alice.page.locator("#board .piece")
    page.locator("#board").focus()
    page.keyboard.press("/")
    page.keyboard.type("V3")
    page.keyboard.press("Enter")
    expect(page.locator(".ghost__shape")).to_be_visible()
    page.keyboard.press("r")
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    expect(pieces).to_have_count(1)
    page.locator(".set-up__laid button").focus()
    page.keyboard.press("Enter")
    expect(pieces).to_have_count(0)
    # What is typed counts too, with the next step.
    page.get_by_text("Type the pieces").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("1:a1")
    page.locator(".tray button.slot[value=X]").click()
    page.locator("#board").focus()
    page.keyboard.press("Enter")
    expect(pieces).to_have_count(2)


def test_without_scripts_the_pieces_are_typed(people: People) -> None:
    alice = people.arrive("alice", TALL, java_script_enabled=False)
    alice.go(DUO)
    page = alice.page
    expect(page.locator(".tray")).to_be_hidden()
    page.get_by_text("Type the pieces").tap()
    page.fill("[name=placed-purple]", "1:a1\n1:a2")
    alice.press("Study this position")
    expect(page.locator("#board .piece")).to_have_count(1)
    page.fill("[name=placed-purple]", "1:a1\nX:e9,e10,d10,f10,e11")
    alice.press("Study this position")
    page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/board/"))
    expect(page.locator("#board .piece")).to_have_count(2)


@pytest.mark.parametrize("board", ["duo", "blockyou-4", "trigon-4"])
def test_a_desk_shows_the_button_without_scrolling(people: People, board: str) -> None:
    alice = people.arrive("alice", DESK)
    alice.go(f"/studies/set-up/?board={board}")
    expect(alice.page.get_by_role("button", name="Study this position")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_tools_below_the_board_have_words_that_are_not_cut_on_a_phone(people: People, locale: str) -> None:
    alice = people.arrive("alice", TALL, locale=locale)
    alice.go(DUO)
    words = alice.page.locator(".tools__view > .tool > span")
    expect(words).to_have_text(["Turn board", "Zoom"] if locale == "en-GB" else ["Tourner le plateau", "Zoom"])
    assert not any(one.evaluate(CUT) for one in words.all())
