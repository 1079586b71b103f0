"""What moderators and the suspended alone are shown, and a device that is handed on: axe-core finds nothing, and
nothing is too wide, in both languages.
"""

from collections.abc import Mapping, Sequence

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.demo import Demo
from tests.browser.moderated import DESK_VISITS, SUSPENDED_VISITS
from tests.browser.people import PHONE, WIDER
from tests.browser.test_axe import AXE, complaints

pytestmark = pytest.mark.proof

#: Whose session sees these pages, and how each answers.
VISITORS: Mapping[str, tuple[Mapping[str, Sequence[str]], Mapping[str, int]]] = {
    "desk": (DESK_VISITS, {}),
    "suspended": (SUSPENDED_VISITS, {"suspended": 403}),
}


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("visitor", VISITORS)
def test_axe_has_nothing_against_what_others_do_not_see(
    browser: Browser, demo: Demo, visitor: str, language: str
) -> None:
    visits, statuses = VISITORS[visitor]
    with browser.new_context(reduced_motion="reduce", locale=language) as context:
        context.add_init_script(path=AXE)
        context.add_cookies([{"name": "sessionid", "value": demo.names[visitor], "url": demo.site.url}])
        page = context.new_page()
        for name, paths in visits.items():
            for path in (each.format_map(demo.names) for each in paths):
                answer = page.goto(demo.site.url + path)
                assert answer
                assert (answer.status, page.url) == (statuses.get(name, 200), demo.site.url + path)
                assert page.locator("html").get_attribute("lang") == language
                page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
                found = complaints(page)
                assert not found, f"{path}\n" + "\n".join(found)
                assert page.evaluate(WIDER) == 0, path


@pytest.mark.parametrize("language", ["en", "fr"])
def test_axe_has_nothing_against_a_device_that_is_handed_on(browser: Browser, demo: Demo, language: str) -> None:
    with browser.new_context(**PHONE, reduced_motion="reduce", locale=language) as context:  # type: ignore[arg-type]
        context.add_init_script(path=AXE)
        page = context.new_page()
        page.goto(f"{demo.site.url}/one-device/")
        page.locator("main form button.button--primary").tap()
        page.wait_for_url("**/games/*/")
        slug = page.url.rstrip("/").rpartition("/")[2]
        page.goto(f"{demo.site.url}/games/{slug}/placements/")
        page.locator("a[href*='piece=']").first.click()
        page.locator("button[name=placement]").first.click()
        expect(page.locator(".handing")).to_be_visible()
        found = complaints(page)
        assert not found, "\n".join(found)
        assert page.evaluate(WIDER) == 0
