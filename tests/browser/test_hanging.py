"""A call that the browser never answers fails the test that made it, not the whole worker; closing is answered."""

import asyncio

import pytest
from playwright.sync_api import Browser, Error

from tests.browser.hanging import hanging_calls_ended
from tests.browser.site import Site


def test_a_call_that_is_never_answered_fails_where_it_was_made(browser: Browser) -> None:
    page = browser.new_page()
    with hanging_calls_ended(browser, longest=0.2, pause=0.05), pytest.raises(asyncio.CancelledError):
        page.evaluate("new Promise(() => {})")
    assert page.evaluate("1 + 1") == 2
    page.close()


def test_a_window_is_closed_while_its_page_loads_again(browser: Browser, site: Site) -> None:
    context = browser.new_context()
    with hanging_calls_ended(browser, longest=20, pause=1):
        for _ in range(10):
            page = context.new_page()
            page.goto(f"{site.url}/rules/")
            with pytest.raises(Error, match="navigation"):
                page.evaluate("() => { location.reload(); return new Promise(() => {}) }")
            page.close()
    context.close()
