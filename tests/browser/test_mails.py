"""E-mails as phones show them: however long the words in them, none is wider than its screen."""

import pytest
from playwright.sync_api import Browser

from tests.browser.demo import Demo
from tests.browser.letters import letters_of
from tests.browser.people import PATIENCE, PHONE, WIDER

#: What of a letter's card goes beyond its right edge.
OUT = """() => [...document.querySelectorAll(".card *")].filter((one) => one.checkVisibility())
    .filter((one) => one.getBoundingClientRect().right > document.querySelector(".card").getBoundingClientRect().right)
    .map((one) => one.outerHTML.slice(0, 120))"""
#: In how many lines the words of the button stand.
LINES = "(button) => new Set([...button.getClientRects()].map((box) => Math.round(box.top))).size"


@pytest.fixture(scope="module")
def letters(demo: Demo) -> dict[str, str]:
    """Return the pages of all e-mails in both languages."""
    return letters_of(demo.site)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360])
def test_no_mail_is_wider_than_a_phone(width: int, scheme: str, letters: dict[str, str], browser: Browser) -> None:
    screen = {**PHONE, "viewport": {"width": width, "height": 640}, "color_scheme": scheme}
    wrong = {}
    with browser.new_context(**screen) as context:  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        for kind, letter in letters.items():
            page.set_content(letter, wait_until="load")
            buttons = [button.evaluate(LINES) for button in page.locator("a.button").all()]
            found = (page.evaluate(WIDER), page.evaluate(OUT), buttons)
            if found != (0, [], [1]):
                wrong[kind] = found
    assert wrong == {}
    assert len(letters) > 60
    assert {kind.rpartition(" ")[2] for kind in letters} == {"en", "fr"}
