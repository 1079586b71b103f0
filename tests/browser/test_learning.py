"""The lessons by touch: a newcomer is refused, told why, and comes to the end."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.people import PHONE, TALL, WIDER, People, Person

AT = """([column, row]) => {
  const matrix = document.querySelector("#board").getScreenCTM();
  const { x, y } = new DOMPoint(10 * column + 5, 10 * (7 - row) - 5).matrixTransform(matrix);
  return [x, y];
}"""


def tap(person: Person, column: int, row: int) -> None:
    """Tap a cell of the board, columns and rows counted from 0 at the lower left."""
    x, y = person.page.evaluate(AT, [column, row])
    person.page.touchscreen.tap(x, y)


def said(person: Person, sentence: str) -> None:
    expect(person.page.locator(".lesson__said")).to_contain_text(sentence)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_a_phone_the_places_to_choose_from_are_seen_above_the_bar(locale: str, people: People) -> None:
    page = people.arrive("nina", TALL, locale=locale).page
    page.goto(f"{people.url}/learn/")
    places = [place.bounding_box() for place in page.locator(".place").all()]
    bar = page.locator(".nav").bounding_box()
    assert bar
    assert len(places) == 4
    assert all(place and place["y"] + place["height"] <= bar["y"] for place in places)


def test_a_newcomer_with_a_thumb_goes_through_all_lessons_and_is_told_what_was_wrong(people: People) -> None:
    nina = people.arrive("nina", PHONE)
    nina.go("/learn/")
    nina.press("Place")
    said(nina, "must cover your start cell, a7.")
    assert nina.page.evaluate(WIDER) == 0
    tap(nina, 0, 5)
    said(nina, "It fits here.")
    nina.press("Place")
    nina.page.get_by_role("link", name="Next lesson").tap()
    nina.page.wait_for_url(re.compile("lesson=corner"))
    nina.press("Place")
    said(nina, "It does not touch any of your corners.")
    tap(nina, 3, 4)
    nina.press("Place")
    nina.page.get_by_role("link", name="Next lesson").tap()
    nina.page.wait_for_url(re.compile("lesson=edge"))
    nina.press("Place")
    said(nina, "It touches one of your own pieces along an edge, at d5.")
    nina.page.keyboard.press("ArrowRight")
    said(nina, "It fits here.")
    nina.page.keyboard.press("Enter")
    nina.page.get_by_role("link", name="Next lesson").tap()
    nina.press(re.compile("^A"))
    said(nina, "The other place leaves you 58.")
    nina.press(re.compile("^B"))
    nina.page.get_by_role("link", name="Next lesson").tap()
    nina.press(re.compile("^A"))
    said(nina, "Another place leaves only 5.")
    nina.press(re.compile("^B"))
    said(nina, "You blocked the way in")
    nina.press("Play a game now")
    nina.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    nina.choose("P")
    nina.tap_cell(10, 10)
    nina.page.get_by_role("link", name="Why?").tap()
    nina.page.wait_for_url(re.compile("lesson=start$"))


@pytest.mark.proof
def test_the_columns_and_rows_of_a_lesson_have_names_that_can_be_read_on_a_phone(people: People) -> None:
    nina = people.arrive("nina", PHONE)
    for lesson in ("start", "corner", "edge", "lanes", "block"):
        nina.go(f"/learn/?lesson={lesson}")
        for names, height in ((".board__letters", 1), (".board__numbers", 7)):
            line = nina.page.locator(f".lesson__board {names}")
            expect(line).to_be_visible()
            box = line.bounding_box()
            assert box
            assert box["height"] >= 10 * height


def test_with_keys_alone_the_lesson_on_blocking_is_answered_and_left_for_a_game(people: People) -> None:
    kim = people.arrive("kim")
    kim.go("/learn/?lesson=block")
    kim.page.get_by_role("button", name=re.compile("1 at e5")).focus()
    kim.page.keyboard.press("Enter")
    said(kim, "Your opponent now has 4 corners and 5 possible moves.")
    expect(kim.page.get_by_role("button", name="Play a game now")).to_be_focused()


def test_without_scripts_the_lesson_on_blocking_is_answered_on_pages(people: People) -> None:
    ola = people.arrive("ola", PHONE, java_script_enabled=False)
    ola.go("/learn/?lesson=block")
    ola.press(re.compile("^C"))
    said(ola, "Another place leaves only 5. Choose that one.")
    ola.press(re.compile("^B"))
    said(ola, "You blocked the way in")
    expect(ola.page.get_by_role("button", name="Play a game now")).to_be_visible()


@pytest.mark.proof
def test_an_attempt_that_met_a_fault_is_answered_on_a_page_of_its_own(people: People) -> None:
    nina = people.arrive("nina", PHONE)

    def disturb(route: Route) -> None:
        if "hx-request" in route.request.headers:
            route.fulfill(status=502, content_type="text/html", body="<html><body>Bad gateway</body></html>")
        else:
            route.continue_()

    nina.page.route("**/learn/?*", disturb)
    nina.go("/learn/")
    nina.press("Place")
    nina.page.wait_for_url(re.compile("placement="))
    said(nina, "must cover your start cell, a7.")
