"""A call that the browser never answers fails the test that made it, not the whole worker."""

import asyncio

import pytest
from playwright.sync_api import Browser

from tests.browser.hanging import hanging_calls_ended


def test_a_call_that_is_never_answered_fails_where_it_was_made(browser: Browser) -> None:
    page = browser.new_page()
    with hanging_calls_ended(browser, longest=0.2, pause=0.05), pytest.raises(asyncio.CancelledError):
        page.evaluate("new Promise(() => {})")
    assert page.evaluate("1 + 1") == 2
    page.close()
