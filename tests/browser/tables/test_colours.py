"""The colours in a real browser: with a device's own few colours, with more contrast, by either names."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, StorageState

from tests.browser.people import PHONE, People, Person
from tests.browser.site import Site

#: The few colours of a device are others where it is dark.
THEMES = ["light", "dark"]
PROBE = """name => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = name;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}"""
BLUE, CYAN = "rgb(0, 105, 185)", "rgb(20, 204, 220)"


def style(target: Locator, name: str) -> str:
    """Return what the browser draws something with."""
    return str(target.first.evaluate("(element, name) => getComputedStyle(element)[name]", name))


def system(person: Person, name: str) -> str:
    """Return one of the device's colours as the browser computes it."""
    return str(person.page.evaluate(PROBE, name))


def begin(person: Person) -> str:
    """Sign up and begin a game against a bot; return its path when it is that person's turn again."""
    person.sign_up()
    path = person.open_table("blockyou-2", "bot:random")
    person.await_turn()
    person.play_any()
    person.await_turn()
    return path


@pytest.fixture(scope="module")
def seat(browser: Browser, site: Site) -> Iterator[tuple[StorageState, str]]:
    """Return somebody's cookies, and the path of a game of theirs."""
    group = People(browser, site.url)
    person = group.arrive("eye")
    path = begin(person)
    yield person.context.storage_state(), path
    group.leave()


def at_the_board(people: People, seat: tuple[StorageState, str], **options: object) -> Person:
    """Return that person at another device, with a piece in the hand."""
    cookies, path = seat
    person = people.arrive("eye", PHONE, bypass_csp=True, storage_state=cookies, **options)
    person.go(path)
    person.choose(person.playable()[0])
    return person


@pytest.mark.parametrize("theme", THEMES)
def test_a_device_with_few_colours_keeps_those_of_the_pieces_alone(
    theme: str, people: People, seat: tuple[StorageState, str]
) -> None:
    person = at_the_board(people, seat, forced_colors="active", color_scheme=theme)
    page = person.page
    board = page.locator("#board")
    assert style(board.locator(".piece[data-colour=blue]"), "fill") == BLUE
    assert style(page.locator(".tray[data-colour=blue] .slot:not([data-spent]) .slot__icon"), "fill") == BLUE
    assert style(page.locator(".avatar[data-colour=blue]"), "backgroundColor") == BLUE
    assert style(board, "backgroundColor") == system(person, "Canvas")
    assert style(board.locator("text"), "fill") == system(person, "CanvasText")
    assert style(page.locator(".actions__place"), "backgroundColor") == system(person, "Highlight")
    assert style(page.locator(".actions__place"), "color") == system(person, "HighlightText")
    assert style(page.locator(".slot[aria-pressed=true]"), "outlineWidth") == "3px"


@pytest.mark.parametrize("theme", THEMES)
def test_what_fits_and_what_does_not_differ_by_line_and_hatch_with_few_colours(
    theme: str, people: People, seat: tuple[StorageState, str]
) -> None:
    person = at_the_board(people, seat, forced_colors="active", color_scheme=theme)
    halo, ghost = person.page.locator(".ghost__halo"), person.page.locator("#ghost")
    assert (style(halo, "stroke"), style(halo, "strokeDasharray")) == (system(person, "Highlight"), "none")
    # The middle of the board is far from any corner of ours.
    person.tap_cell(10, 10)
    person.page.wait_for_selector("#ghost[data-fits=false]")
    assert (style(halo, "stroke"), style(halo, "strokeDasharray")) == (system(person, "CanvasText"), "9px, 6px")
    assert ghost.locator("path[fill]").first.get_attribute("fill") == "url(#hatch)"
    assert person.page.locator(".actions__place").is_disabled()


def test_whoever_asks_for_more_contrast_gets_thick_outlines_and_strong_lines(
    people: People, seat: tuple[StorageState, str]
) -> None:
    usual, more = at_the_board(people, seat), at_the_board(people, seat, contrast="more")
    widths = [style(person.page.locator("#board .piece"), "strokeWidth") for person in (usual, more)]
    assert widths == ["2px", "3px"]
    assert style(usual.page.locator(".board__grid"), "stroke") != style(more.page.locator(".board__grid"), "stroke")


def test_a_choice_of_names_changes_the_fills_and_the_words(people: People) -> None:
    person = people.arrive("eye")
    path = begin(person)
    person.go("/accounts/preferences/")
    rows = [person.page.locator(f".row[data-colours={name}] .avatar") for name in ("blue-yellow", "cyan-violet")]
    assert [style(row, "backgroundColor") for row in rows] == [BLUE, CYAN]
    person.page.get_by_label("Cyan, violet, red, green").check()
    person.page.get_by_label("More contrast").check()
    person.press("Save")
    person.go(path)
    assert style(person.page.locator("#board .piece[data-colour=blue]"), "fill") == CYAN
    assert style(person.page.locator("#board .piece"), "strokeWidth") == "3px"
    assert person.page.locator(".tray[data-colour=blue]").get_attribute("aria-label") == "Pieces: Cyan"
