"""States of pages that no address shows: a piece in the hand, a refusal, what opens on top, a lost connection."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.demo import Demo

#: Brings an open page of a visitor to a state; the window has the size of the picture already.
Bring = Callable[[Page, Demo], None]
#: How long an engine may take over good moves, in milliseconds.
THINKING = 120_000
OPENS = "[popovertarget={}]:not([popovertargetaction])"
SLOT = ".tray:not([hidden]) button.slot:not([aria-disabled])"


def go(page: Page, demo: Demo, path: str) -> None:
    """Open an address of the site."""
    page.goto(demo.site.url + path)


def press(page: Page, selector: str) -> None:
    """Press a button, out of the game's menu where it stands there alone."""
    button = page.locator(f"button{selector}").locator("visible=true")
    if not button.count():
        page.locator(OPENS.format("menu")).click()
    button.first.click()


def opened(scene: str, what: str) -> Bring:
    """Open the game of a scene, and in it what opens over the page: a dialog or the menu, by its name in the page."""

    def bring(page: Page, demo: Demo) -> None:
        go(page, demo, demo.game(scene))
        press(page, OPENS.format(what))

    return bring


def keys(*pressed: str) -> Bring:
    """Open a game in which alice is to move, and press keys on its board."""

    def bring(page: Page, demo: Demo) -> None:
        go(page, demo, demo.game("Corner cases"))
        page.locator("#board").focus()
        for key in pressed:
            page.keyboard.press(key)

    return bring


def hand(page: Page, demo: Demo) -> None:
    """Take the first piece that fits; the page puts it where it does."""
    go(page, demo, demo.game("Corner cases"))
    page.locator(SLOT).first.click()


def refusal(page: Page, demo: Demo) -> None:
    """Move a piece onto cells that are taken, and let it be refused."""
    hand(page, demo)
    box = page.locator("#board .board__grid").bounding_box()
    if box:
        page.mouse.click(box["x"] + box["width"] * 0.02, box["y"] + box["height"] * 0.97)


def stock(page: Page, demo: Demo) -> None:
    """Open the pieces of another player; a desk shows them all the time."""
    go(page, demo, demo.game("Four seasons"))
    button = page.locator(OPENS.format("stock-1")).locator("visible=true")
    if button.count():
        button.click()


def offline(page: Page, demo: Demo) -> None:
    """Lose the connection."""
    go(page, demo, demo.game("Corner cases"))
    page.context.set_offline(True)
    page.locator(".connection, [data-connection]").locator("visible=true").first.wait_for()


def advice(page: Page, demo: Demo) -> None:
    """Ask for good moves and wait until they are found."""
    go(page, demo, demo.game("Corner cases"))
    if not page.locator("#advice [data-hold]").count():
        press(page, "[form=advise]")
        page.locator("#advice [data-hold]").first.wait_for(timeout=THINKING)


def fault(path: str, values: dict[str, str]) -> Bring:
    """Send the first form of a page with values that are refused."""

    def bring(page: Page, demo: Demo) -> None:
        go(page, demo, path)
        for name, value in values.items():
            page.fill(f"[name={name}]", value)
        page.locator("main form button").last.click()
        page.locator(".faults, [role=alert]").first.wait_for()

    return bring


#: Who sees the moment, and how a page is brought to it. Nothing here is left changed for the next one.
MOMENTS: dict[str, tuple[str, Bring]] = {
    "hand": ("alice", hand),
    "refusal": ("alice", refusal),
    "stock": ("alice", stock),
    "menu": ("alice", opened("Corner cases", "menu")),
    "view": ("alice", opened("Corner cases", "view")),
    "resign": ("alice", opened("Corner cases", "resign")),
    "cancel-table": ("alice", opened("Just us two", "cancel")),
    "keys": ("alice", keys("?")),
    "take": ("alice", keys("/")),
    "offline": ("alice", offline),
    "advice": ("alice", advice),
    "login-fault": ("stranger", fault("/accounts/login/", {"login": "alice", "password": "not this one"})),
    "signup-fault": ("stranger", fault("/accounts/signup/", {"username": "al/ice", "password1": "short"})),
}
