"""Real Chromium against a real site: nothing here knows the inside of either."""

from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.demo import Demo
from tests.browser.hanging import hanging_calls_ended
from tests.browser.people import PATIENCE, People, log_in_as
from tests.browser.site import Site, new_site

SETTINGS = "tests.browser.settings"
#: How many characters of the site's log are shown with a failure.
LAST_PRINTED = 4000
#: Left to the full proof: how pages look, measure and list. Of what is played, sent and heard the gate has the first
#: test of each file.
PROOFS = {
    "advice", "around_the_board", "axe", "boards", "clocks", "colours", "first_visits", "host", "lists", "mails",
    "navigation", "notices", "onward", "out_of_time", "page_budget", "quiet_hours", "reaching", "recent_moves",
    "replaying", "requests", "room", "scripts", "small_screens", "studies", "tables", "the_end",
}  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder, so that `make test` leaves it to `make test-browser`, and the gate its proofs."""
    known: set[Path] = set()
    for item in sorted(items, key=lambda each: (each.path, each.location[1] or 0, each.nodeid)):
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if item.path.stem.removeprefix("test_") in PROOFS or item.path in known:
                item.add_marker(pytest.mark.proof)
            if not item.get_closest_marker("proof"):
                known.add(item.path)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return Debian's Chromium without a screen."""
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, timeout=60_000, args=ARGUMENTS)
        with hanging_calls_ended(chromium):
            yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a running site that the tests of a run share; each brings people of its own."""
    running = new_site(tmp_path_factory.mktemp("site"), DJANGO_SETTINGS_MODULE=SETTINGS)
    running.start()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """Return a second site, with people and games in every state."""
    running = new_site(tmp_path_factory.mktemp("demo"), DJANGO_SETTINGS_MODULE=SETTINGS)
    running.start()
    yield Demo.on(running)
    running.stop()


@pytest.fixture(scope="session")
def as_alice(browser: Browser, demo: Demo) -> dict[str, Any]:
    """Return what makes a browser that of alice, who has games in every state on the second site."""
    with browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        log_in_as(context.new_page(), demo.site.url, "alice")
        return {"base_url": demo.site.url, "storage_state": context.storage_state()}


@pytest.fixture
def alice_at(browser: Browser, as_alice: dict[str, Any]) -> Iterator[Callable[..., Page]]:
    """Return what gives a page of alice on a device, at home in her lists."""
    contexts = []

    def page_at(device: Mapping[str, Any], **options: object) -> Page:
        contexts.append(browser.new_context(**{**as_alice, **device, **options}))
        contexts[-1].set_default_timeout(PATIENCE)
        page = contexts[-1].new_page()
        page.goto("/games/")
        return page

    yield page_at
    for context in contexts:
        context.close()


@pytest.fixture
def people(browser: Browser, site: Site) -> Iterator[People]:
    """Return who sits at browsers in this test; every page must have been free of errors when it ends."""
    group = People(browser, site.url)
    yield group
    group.leave()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show with a failure what the site printed last: what went wrong may have gone wrong there."""
    report = yield
    site = getattr(item, "funcargs", {}).get("site")
    if report.failed and isinstance(site, Site):
        report.sections.append(("The end of the site's log", site.log.read_text(errors="replace")[-LAST_PRINTED:]))
    return report
