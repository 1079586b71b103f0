"""The pages of guardians and of children, shown to them alone: axe-core finds nothing, and nothing is too wide, in both
languages.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.demo import Demo
from tests.browser.moderated import CHILD_VISITS, GUARDIAN_VISITS
from tests.browser.people import WIDER
from tests.browser.test_axe import AXE, complaints

pytestmark = [pytest.mark.proof, pytest.mark.parametrize("language", ["en", "fr"])]


@contextmanager
def page_of(browser: Browser, demo: Demo, session: str, language: str) -> Iterator[Page]:
    with browser.new_context(reduced_motion="reduce", locale=language) as context:
        context.add_init_script(path=AXE)
        context.add_cookies([{"name": "sessionid", "value": demo.names[session], "url": demo.site.url}])
        yield context.new_page()


def look_at(page: Page, demo: Demo, visits: Mapping[str, Sequence[str]], language: str) -> None:
    for path in (each.format_map(demo.names) for paths in visits.values() for each in paths):
        page.goto(demo.site.url + path)
        assert page.url == demo.site.url + path
        assert page.locator("html").get_attribute("lang") == language
        assert (path, complaints(page)) == (path, [])
        page.set_viewport_size({"width": 360, "height": 740})
        assert (path, page.evaluate(WIDER)) == (path, 0)


def test_what_a_guardian_decides_is_seen_by_everyone(browser: Browser, demo: Demo, language: str) -> None:
    with page_of(browser, demo, "guardian", language) as page:
        look_at(page, demo, GUARDIAN_VISITS, language)
        child = f"/children/{demo.names['child']}/"
        page.goto(demo.site.url + child)
        page.locator(f"form[action='{child}link/'] button").click()
        page.wait_for_url("**/link/")
        assert complaints(page) == []


def test_what_a_child_sees_is_seen_by_everyone(browser: Browser, demo: Demo, language: str) -> None:
    with page_of(browser, demo, "childs-session", language) as page:
        look_at(page, demo, CHILD_VISITS, language)
