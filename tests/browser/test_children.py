"""The pages of guardians and of children, shown to them alone: axe-core finds nothing, and nothing is too wide."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.demo import Demo
from tests.browser.people import PASSWORD, WIDER, log_in_as
from tests.browser.test_axe import AXE, complaints

pytestmark = pytest.mark.proof


def look_at(page: Page, demo: Demo, *paths: str) -> None:
    for path in paths:
        page.goto(demo.site.url + path)
        assert page.url == demo.site.url + path
        assert complaints(page) == []
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate(WIDER) == 0


def test_what_a_guardian_decides_is_seen_by_everyone(browser: Browser, demo: Demo) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        context.add_init_script(path=AXE)
        page = context.new_page()
        log_in_as(page, demo.site.url, "alice")
        page.goto(f"{demo.site.url}/children/")
        page.fill("input[type=password]", PASSWORD)
        page.get_by_role("button", name="Continue").click()
        page.wait_for_url("**/children/")
        child = f"/children/{demo.names['child']}/"
        look_at(page, demo, "/children/", child, f"{child}hand-over/", f"{child}delete/")
        page.goto(demo.site.url + child)
        page.get_by_role("button", name="Make a link").click()
        page.wait_for_url("**/link/")
        assert complaints(page) == []


def test_what_a_child_sees_is_seen_by_everyone(browser: Browser, demo: Demo) -> None:
    with browser.new_context(reduced_motion="reduce") as context:
        context.add_init_script(path=AXE)
        page = context.new_page()
        log_in_as(page, demo.site.url, "Mia")
        look_at(page, demo, "/", "/games/", "/accounts/", "/accounts/preferences/", "/data/", "/lobby/")
