"""The hand in a real browser: drags by mouse and finger, what survives, how the board is seen, what is hinted."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Locator, Page, Route, expect

from tests.browser.people import DESK, PHONE, People, Person, seat_two
from tests.browser.reach import Board
from tests.browser.site import Site

Middle = tuple[float, float]
PIECE = "L5"
CELL = "document.querySelector('#board .board__grid').getBoundingClientRect().width / 20"


@pytest.fixture(scope="module")
def seat(browser: Browser, site: Site) -> Iterator[tuple[dict[str, Any], str]]:
    """Return somebody's cookies and the path of a game begun against a bot in which it is that person's turn."""
    group = People(browser, site.url)
    person = group.arrive("hand")
    person.sign_up()
    path = person.open_table("blockyou-2", "bot:random")
    Board(person.page).choose_first(2)
    yield {"storage_state": person.context.storage_state()}, path
    group.leave()


def sit(people: People, seat: tuple[dict[str, Any], str], device: dict[str, Any]) -> Person:
    cookies, path = seat
    person = people.arrive("hand", device, **cookies)
    person.go(path)
    person.await_turn()
    return person


def slot(page: Page, piece: str = PIECE) -> Locator:
    """Return the place of a piece in the tray that is shown: the other colour's, once that one is to play."""
    return page.locator(f".tray:not([hidden]) button.slot[value='{piece}']")


def ghost(page: Page) -> Middle:
    """Return where the middle of the piece in the hand is on the screen."""
    box = page.locator("#ghost .ghost__shape").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def cell(page: Page) -> float:
    """Return how many pixels a cell is wide."""
    box = page.locator("#board .board__grid").bounding_box()
    assert box
    return box["width"] / 20


def slide(page: Page, start: Middle, end: Middle, *, by_finger: bool) -> None:
    """Draw something from one point of the screen to another, in steps."""
    steps = [
        (start[0] + (end[0] - start[0]) * step / 8, start[1] + (end[1] - start[1]) * step / 8) for step in range(9)
    ]
    if not by_finger:
        page.mouse.move(*start)
        page.mouse.down()
        for point in steps[1:]:
            page.mouse.move(*point)
        page.mouse.up()
        return
    finger = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(steps):
        kind = "touchMove" if number else "touchStart"
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["finger", "mouse"])
def test_a_drag_anywhere_on_the_board_moves_the_piece_by_as_much(
    people: People, seat: tuple[dict[str, Any], str], device: dict[str, Any]
) -> None:
    page = sit(people, seat, device).page
    slot(page).click()
    (x, y), width = ghost(page), cell(page)
    box = page.locator("#board").bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    right, down = (1 if x < middle[0] else -1) * 5 * width, (1 if y < middle[1] else -1) * 4 * width
    slide(page, middle, (middle[0] + right, middle[1] + down), by_finger="has_touch" in device)
    after = ghost(page)
    # It may have come to rest where it fits, one cell beside.
    assert abs(after[0] - x - right) <= 1.1 * width
    assert abs(after[1] - y - down) <= 1.1 * width


@pytest.mark.parametrize("device", [PHONE, DESK], ids=["finger", "mouse"])
def test_a_piece_is_drawn_from_the_tray_to_the_board_and_back(
    people: People, seat: tuple[dict[str, Any], str], device: dict[str, Any]
) -> None:
    page = sit(people, seat, device).page
    held = slot(page)
    box, board = held.bounding_box(), page.locator("#board").bounding_box()
    assert box
    assert board
    start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    end = board["x"] + board["width"] / 2, board["y"] + board["height"] / 2
    by_finger = "has_touch" in device
    slide(page, start, end, by_finger=by_finger)
    expect(held).to_have_attribute("aria-pressed", "true")
    lift = 56 if by_finger else 0
    assert abs(ghost(page)[0] - end[0]) <= 2 * cell(page)
    assert abs(ghost(page)[1] - end[1] + lift) <= 2 * cell(page)
    page.locator("#place [data-act=cancel]").click()
    slide(page, start, (start[0] + 20, start[1] + 4), by_finger=by_finger)
    expect(held).to_have_attribute("aria-pressed", "false")


def test_escape_closes_what_lies_over_the_page_before_it_puts_the_piece_back(
    people: People, seat: tuple[dict[str, Any], str]
) -> None:
    page = sit(people, seat, DESK).page
    held = slot(page)
    held.click()
    page.get_by_role("button", name="Menu", exact=True).click()
    expect(page.locator("#menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(held).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(held).to_have_attribute("aria-pressed", "false")


@pytest.mark.proof
def test_keys_tell_the_scores_and_the_board_aloud(people: People, seat: tuple[dict[str, Any], str]) -> None:
    page = sit(people, seat, DESK).page
    said = page.get_by_role("status").and_(page.locator("#announce"))
    page.keyboard.press("s")
    expect(said).to_have_text(re.compile(r"^You \S\d+, \S+ bot \S\d+$"))
    page.keyboard.press("b")
    expect(said).to_have_text(re.compile("^Board, 20 by 20. Last move: "))


def test_a_second_finger_puts_the_piece_back_where_it_was_and_zooms(
    people: People, seat: tuple[dict[str, Any], str]
) -> None:
    page = sit(people, seat, PHONE).page
    slot(page).tap()
    before = page.locator("#ghost .ghost__shape").get_attribute("d")
    x, y = ghost(page)
    down = 5 * cell(page) if y < 300 else -5 * cell(page)
    hand = page.context.new_cdp_session(page)
    for step in range(6):
        kind = "touchMove" if step else "touchStart"
        points = [{"x": x, "y": y + down * step / 5, "id": 0}]
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_function(
        "before => document.querySelector('#ghost .ghost__shape').getAttribute('d') !== before", arg=before
    )
    for apart in (60, 90, 120, 160):
        points = [{"x": x, "y": y + down, "id": 0}, {"x": x + (apart if x < 180 else -apart), "y": y + down, "id": 1}]
        kind = "touchStart" if apart == 60 else "touchMove"
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("() => visualViewport.scale > 1")
    assert page.locator("#ghost .ghost__shape").get_attribute("d") == before


def test_a_draft_survives_a_reload(people: People, seat: tuple[dict[str, Any], str]) -> None:
    page = sit(people, seat, DESK).page
    page.keyboard.press("/")
    page.keyboard.type(f"{PIECE}\n")
    page.keyboard.press("n")
    before = page.locator("#ghost").inner_html()
    page.reload()
    expect(page.locator("#ghost .ghost__shape")).to_have_count(1)
    assert page.locator("#ghost").inner_html() == before
    expect(page.locator(".actions__place")).to_be_enabled()


def test_the_enter_key_places_a_piece_when_it_is_pressed_once_more(
    people: People, seat: tuple[dict[str, Any], str]
) -> None:
    page = sit(people, seat, DESK).page
    before = page.locator("#game").get_attribute("data-version")
    answers: list[tuple[Route, APIResponse]] = []
    page.route("**/place/", lambda route: answers.append((route, route.fetch())))
    slot(page, "2").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#ghost .ghost__shape")).to_have_count(1)
    page.locator("#board").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".actions__place")).to_be_focused()
    assert page.locator("#game").get_attribute("data-version") == before
    page.keyboard.press("Enter")
    # A live update overtakes the answer and disables the button: the focus stays where play goes on.
    page.wait_for_selector(f"#game:not([data-version='{before}'])")
    expect(page.locator("#board")).to_be_focused()
    route, answer = answers[0]
    route.fulfill(response=answer)
    page.wait_for_selector("#place[data-my-turn]", timeout=90_000)
    expect(page.locator("#board")).to_be_focused()


@pytest.mark.proof
def test_a_turned_board_keeps_its_names_and_the_arrows_go_where_they_point(
    people: People, seat: tuple[dict[str, Any], str]
) -> None:
    page = sit(people, seat, DESK).page
    page.keyboard.press("t")
    expect(page.locator("#board")).to_have_attribute("data-turn", "1")
    labels = page.locator("#labels text")
    expect(labels).to_have_count(40)
    first, last = labels.nth(0).bounding_box(), labels.nth(19).bounding_box()
    assert first
    assert last
    # Turned clockwise by a quarter, a comes to lie above t.
    assert first["y"] < last["y"]
    slot(page).click()
    expect(page.locator("#ghost .ghost__shape")).to_have_count(1)
    before = ghost(page)
    page.keyboard.press("ArrowUp")
    after = ghost(page)
    assert (round(after[0] - before[0]), round((after[1] - before[1]) / cell(page))) in [(0, -1), (0, 0)]
    page.reload()
    expect(page.locator("#board")).to_have_attribute("data-turn", "1")


@pytest.mark.proof
def test_the_board_is_shown_twice_as_large_around_the_piece(people: People, seat: tuple[dict[str, Any], str]) -> None:
    page = sit(people, seat, PHONE).page
    slot(page).tap()
    expect(page.locator("#ghost .ghost__shape")).to_have_count(1)
    width = page.evaluate(CELL)
    page.keyboard.press("z")
    page.wait_for_function(f"width => Math.abs({CELL} / width - 2) < 0.02", arg=width)
    board, (x, y) = page.locator("#board").bounding_box(), ghost(page)
    assert board
    assert board["x"] < x < board["x"] + board["width"]
    assert board["y"] < y < board["y"] + board["height"]


def test_hints_are_shown_to_whoever_likes_them_and_remembered(people: People, seat: tuple[dict[str, Any], str]) -> None:
    page = sit(people, seat, PHONE).page
    expect(page.locator("#hints .rings")).to_have_count(1)
    expect(page.locator("#hints .heat")).to_have_count(0)
    page.get_by_role("button", name="Menu").tap()
    page.locator("#menu").get_by_role("button", name="Hints and view").tap()
    for name in (
        "Corners I can use",
        "Cells that my pieces could cover",
        "Number of possible moves of each piece",
    ):
        page.get_by_label(name).tap()
    page.locator("#view").get_by_role("button", name="Close").tap()
    page.reload()
    expect(page.locator("#hints .rings")).to_have_count(0)
    expect(page.locator("#hints .heat")).to_have_count(4)
    position = page.evaluate("() => JSON.parse(document.querySelector('#position').textContent)")
    legal = position["colours"][position["toPlay"]]["legal"][PIECE]
    counted = slot(page).get_attribute("data-count")
    assert counted == str(sum(len(anchors) for anchors in legal.values()))


@pytest.mark.proof
def test_a_table_without_hints_shows_none(people: People, seat: tuple[dict[str, Any], str]) -> None:
    cookies, _path = seat
    person = people.arrive("hand", DESK, **cookies)
    person.go("/games/new/?variant=duo")
    person.page.get_by_text("More options").click()
    person.page.locator("[name=hints][value=no]").locator("..").click()
    person.choose_seat(1, "bot:random")
    person.page.locator("main form button.button--primary").click()
    person.page.wait_for_selector("#place")
    expect(person.page.locator("#hints > *")).to_have_count(0)
    assert person.page.locator("path.corners").count() == 0


def test_a_piece_is_tried_ahead_and_the_page_says_what_became_of_it(people: People) -> None:
    alice, bob = people.arrive("alice"), people.arrive("bob", PHONE)
    seat_two(alice, bob)
    bob.page.locator("button.slot[value='1']").first.tap()
    expect(bob.page.locator("[data-say]")).to_contain_text("when it is your turn")
    expect(bob.page.locator(".actions__place")).to_be_disabled()
    bob.await_version(alice.play_any())
    expect(bob.page.locator("[data-say]")).to_have_text("1 fits here.")
    expect(bob.page.locator(".actions__place")).to_be_enabled()
