"""Time at a table: chosen with and without scripts, running on the page, exact in the reader's own zone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.demo import Demo
from tests.browser.people import DESK, PHONE, log_in_as

ZONE = "America/New_York"


@pytest.fixture(params=["phone", "desk", "no scripts"])
def visitor(request: pytest.FixtureRequest, browser: Browser, demo: Demo) -> Iterator[Page]:
    """Return the page of a visitor without an account."""
    device = DESK if request.param == "desk" else PHONE
    scripts = request.param != "no scripts"
    with browser.new_context(**device, base_url=demo.site.url, java_script_enabled=scripts) as context:  # type: ignore[arg-type]
        yield context.new_page()


@pytest.fixture
def dave(browser: Browser, demo: Demo) -> Iterator[Page]:
    """Return the page of dave, whose browser is in New York."""
    with browser.new_context(**DESK, base_url=demo.site.url, timezone_id=ZONE) as context:  # type: ignore[arg-type]
        page = context.new_page()
        log_in_as(page, demo.site.url, "dave")
        yield page


def test_times_of_ones_own_are_asked_for_once_they_are_chosen(visitor: Page) -> None:
    visitor.goto("/games/new/?variant=duo")
    amount = visitor.get_by_label("At the start", exact=True)
    expect(amount).to_be_hidden()
    visitor.get_by_role("radio", name="Custom").check()
    amount.fill("2")
    visitor.locator("#id_seat-1").select_option("link")
    visitor.locator(".create__foot").get_by_role("button", name="Open the table").click()
    expect(visitor.get_by_text("2 days + 1 day per move, up to 7 days on the clock").first).to_be_visible()


def test_a_form_of_times_fits_a_phone(visitor: Page) -> None:
    visitor.goto("/games/new/?variant=blockyou-4")
    visitor.get_by_role("radio", name="Custom").check()
    box = visitor.locator(".times").bounding_box()
    size = visitor.viewport_size
    assert box
    assert size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]


def test_a_clock_under_an_hour_runs_by_the_second(demo: Demo, dave: Page) -> None:
    dave.goto(demo.game("Last hour"))
    clock = dave.locator(".player[data-turn] .player__clock")
    expect(clock).to_have_text(re.compile(r"^\d\d:\d\d$"))
    before = clock.inner_text()
    expect(clock).not_to_have_text(before)


def test_the_exact_moment_opens_by_keyboard_in_the_zone_of_the_browser(demo: Demo, dave: Page) -> None:
    # Another browser of his may have guessed before.
    dave.goto("/accounts/preferences/")
    dave.get_by_label("Time zone").select_option("")
    dave.get_by_role("button", name="Save").click()
    # In one session a browser guesses once.
    dave.evaluate("() => sessionStorage.clear()")
    dave.goto("/games/", wait_until="networkidle")
    dave.goto("/accounts/preferences/")
    expect(dave.get_by_label("Time zone")).to_have_value(ZONE)
    dave.goto(demo.game("Last hour"))
    dave.locator(".say__until").focus()
    dave.keyboard.press("Enter")
    expect(dave.locator("#until")).to_be_visible()
    expect(dave.locator("#until")).to_have_text(re.compile(r"until .* E[SD]T"))
