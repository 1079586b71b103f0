"""The bar below the page: a sign and a name for each page, the current one marked by its shape too."""

from typing import Any

from playwright.sync_api import expect

from tests.browser.people import DESK, PHONE, People

# Of every page in the bar: its name, the size of its target, whether a sign can be seen, whether that is held.
ENTRIES = """() => [...document.querySelectorAll(".nav > a")].filter((link) => link.offsetParent).map((link) => {
  const box = link.getBoundingClientRect();
  const sign = link.querySelector(".nav__icon");
  const look = getComputedStyle(sign);
  return {
    name: link.lastChild.textContent.trim() || link.innerText.trim().split("\\n")[0],
    isCurrent: link.hasAttribute("aria-current"),
    least: Math.min(box.width, box.height),
    sign: sign.getBoundingClientRect().width,
    isDrawn: Boolean(sign.querySelector("path") || sign.matches("svg") || sign.textContent.trim()),
    isHeld: look.backgroundImage !== "none",
  };
})"""


def entries(people: People, path: str, name: str = "") -> list[dict[str, Any]]:
    """Return the pages in the bar of a phone, as a stranger sees them, or as a new account of that name."""
    person = people.arrive(name or "stranger", PHONE)
    if name:
        person.sign_up()
    person.go(path)
    found: list[dict[str, Any]] = person.page.evaluate(ENTRIES)
    return found


def test_every_page_in_the_bar_has_a_sign_a_name_and_room_for_a_thumb(people: People) -> None:
    strangers, members = entries(people, "/rules/"), entries(people, "/lobby/", "nora")
    assert [each["name"] for each in strangers] == ["Home", "Lobby", "Rules", "Log in"]
    assert [each["name"] for each in members] == ["My games", "Lobby", "History", "Notices", "You"]
    for each in [*strangers, *members]:
        assert each["isDrawn"]
        assert each["sign"] >= 24
        assert each["least"] >= 44, each


def test_the_current_page_alone_is_held_by_two_corners(people: People) -> None:
    found = entries(people, "/lobby/", "pia")
    assert (
        [each["isHeld"] for each in found]
        == [each["isCurrent"] for each in found]
        == [False, True, False, False, False]
    )


def test_on_a_desk_the_names_are_enough_but_for_the_own_face(people: People) -> None:
    person = people.arrive("dora", DESK)
    person.sign_up()
    bar = person.page.get_by_role("navigation", name="Main")
    expect(bar.locator("svg.nav__icon").first).to_be_hidden()
    expect(bar.get_by_role("link", name="You", exact=True).locator(".face")).to_have_text("D")
