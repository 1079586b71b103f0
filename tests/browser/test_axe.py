"""axe-core finds nothing wrong with any page: light and dark, on a phone and at a desk, logged in and out."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.demo import VISITS, Demo
from tests.browser.people import log_in_as
from tests.browser.site import ROOT, Site

AXE = ROOT / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDTHS = {"desk": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 740}}
RUN = """async tags => {
    const found = await axe.run(document, {runOnly: tags, resultTypes: ["violations"]});
    return found.violations.flatMap(({id, nodes}) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}
        ${[...node.any, ...node.all, ...node.none].map((check) => check.message).join("; ").slice(0, 300)}`));
}"""


@pytest.fixture(scope="module")
def visitors(browser: Browser, demo: Demo) -> Iterator[dict[str, Page]]:
    """Return a page for everybody who sees pages differently; axe-core is in all of them, beside what is served."""
    if not AXE.exists():
        pytest.fail("axe-core is not installed: npm ci")
    contexts = {name: browser.new_context(reduced_motion="reduce") for name in ("nobody", "alice", "guest")}
    log_in_as(contexts["alice"].new_page(), demo.site.url, "alice")
    become_guest(contexts["guest"], demo.site)
    contexts["spoken"] = browser.new_context(reduced_motion="reduce", storage_state=contexts["alice"].storage_state())
    contexts["spoken"].add_cookies([{"name": "spoken", "value": "yes", "url": demo.site.url}])
    for context in contexts.values():
        context.add_init_script(path=AXE)
    yield {name: context.new_page() for name, context in contexts.items()}
    for context in contexts.values():
        context.close()


def become_guest(context: BrowserContext, site: Site) -> None:
    """Begin a game with bots as a guest."""
    page = context.new_page()
    page.goto(site.url)
    page.get_by_role("button", name="Play bots").first.click()
    page.wait_for_url("**/games/*/")
    page.close()


def seen_by(visitor: str, name: str, demo: Demo) -> list[str]:
    """Return where this visitor sees the page as nobody else does."""
    guests = {"home", "guest-claim", "own-name", "my-games"}
    if (visitor == "guest" and name not in guests) or (visitor == "spoken" and not name.startswith("game")):
        return []
    # In words one board is told like another.
    told = {demo.game(scene) for scene in ("Sunday round", "Corner cases", "Honeycomb", "Every last piece")}
    return [path for path in demo.paths(name) if not (visitor == "spoken" and name == "game" and path not in told)]


def complaints(page: Page) -> list[str]:
    """Return what axe-core has against the page, in both schemes of colours and both widths."""
    found = []
    for width, size in WIDTHS.items():
        page.set_viewport_size(size)  # type: ignore[arg-type]  # a mapping of the two numbers it wants
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found += [f"{width}, {scheme}: {each}" for each in page.evaluate(RUN, TAGS)]
    return found


@pytest.mark.parametrize("name", VISITS)
def test_axe_has_nothing_against_the_page(visitors: dict[str, Page], demo: Demo, name: str) -> None:
    arrived = False
    for visitor, page in visitors.items():
        for path in seen_by(visitor, name, demo):
            page.goto(demo.site.url + path)
            found = complaints(page)
            assert not found, f"{visitor} at {path}\n" + "\n".join(found)
            arrived = arrived or page.url == demo.site.url + path
    assert arrived, "nobody sees this page: everybody is led elsewhere"


def test_axe_has_nothing_against_a_piece_in_the_hand_and_what_opens_on_top(
    visitors: dict[str, Page], demo: Demo
) -> None:
    page = visitors["alice"]
    page.goto(demo.site.url + demo.game("Corner cases"))
    page.locator(".tray:not([hidden]) button.slot:not([aria-disabled])").first.click()
    found = complaints(page)
    for number in range(page.locator("[popover]").count()):
        page.evaluate("number => document.querySelectorAll('[popover]')[number].showPopover()", number)
        found += complaints(page)
        page.keyboard.press("Escape")
    assert not found, "\n".join(found)


def test_axe_has_nothing_against_pages_in_french(browser: Browser, visitors: dict[str, Page], demo: Demo) -> None:
    known = visitors["alice"].context.storage_state()
    context = browser.new_context(reduced_motion="reduce", locale="fr-FR", storage_state=known)
    context.add_init_script(path=AXE)
    page = context.new_page()
    for name in ("home", "my-games", "new-game", "history", "preferences", "notice-choices", "game-edit", "game"):
        path = demo.paths(name)[0]
        page.goto(demo.site.url + path)
        assert page.locator("html").get_attribute("lang") == "fr"
        found = complaints(page)
        assert not found, f"{path}\n" + "\n".join(found)
    context.close()


def test_axe_has_nothing_against_games_that_are_put_away(visitors: dict[str, Page], demo: Demo) -> None:
    page = visitors["alice"]
    page.goto(f"{demo.site.url}/games/")
    page.locator("#put-away summary").click()
    found = complaints(page)
    assert not found, "\n".join(found)
