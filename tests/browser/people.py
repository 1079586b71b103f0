"""People at browsers: they sign up, open tables, choose pieces and press Place, as people do."""

import itertools
import re
import time
from dataclasses import dataclass, field

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from tests.browser.wire import Wire

#: By how many pixels a page is wider than its screen. What a phone calls `innerWidth` grows with such a page.
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
#: A style that makes text twice as large, as people may set it (WCAG 2, 1.4.4).
LARGE = "html { font-size: 200% }"
PHONE: dict[str, object] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
#: A phone as long as most are today.
TALL: dict[str, object] = {**PHONE, "viewport": {"width": 360, "height": 740}}
DESK: dict[str, object] = {"viewport": {"width": 1280, "height": 800}}
PASSWORD = "corner to corner 20"
#: How long a page may take over one thing, in milliseconds: as long as on a machine with much else to do.
PATIENCE = 15_000
# The browser and htmx themselves report a refusal (4xx) and a server that is away; the pages must cope with both.
EXPECTED = re.compile("Failed to load resource|WebSocket connection|Failed to fetch")
# Tells of everything that the content policy stops, also where the browser itself says nothing.
TELL_OF_THE_POLICY = """document.addEventListener("securitypolicyviolation",
    (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));"""
_numbers = itertools.count(1)


@dataclass
class Person:
    """One person at one browser."""

    name: str
    context: BrowserContext
    page: Page
    url: str
    has_touch: bool = False
    complaints: list[str] = field(default_factory=list)
    wire: Wire | None = None

    def lose_network(self) -> None:
        """Be offline: the browser knows it, and nothing that it sends arrives (after `arrive_by_wire`)."""
        assert self.wire
        self.wire.cut()
        self.context.set_offline(True)

    def find_network(self) -> None:
        """Be online again."""
        assert self.wire
        self.wire.mend()
        self.context.set_offline(False)

    def go(self, path: str) -> None:
        """Open an address of the site."""
        self.page.goto(self.url + path)

    def press(self, label: str | re.Pattern[str]) -> None:
        """Press the one button of that name, as a finger does where the device has touch."""
        self._touch(self.page.get_by_role("button", name=label, exact=isinstance(label, str)).first)

    def _touch(self, target: Locator) -> None:
        """Use the finger where the device has touch, else the mouse."""
        if self.has_touch:
            target.tap()
        else:
            target.click()

    def sign_up(self) -> None:
        """Make an account with a name and a password."""
        self.go("/accounts/signup/")
        self.page.fill("[name=username]", self.name)
        for box in self.page.locator("input[type=password]").all():
            box.fill(PASSWORD)
        self.page.locator("main form button").last.click()
        self.page.wait_for_url(re.compile(r"/games/$"))

    def log_in(self) -> None:
        """Log in with the password."""
        log_in_as(self.page, self.url, self.name)

    def open_table(self, variant: str, *others: str, hints: str = "usual") -> str:
        """Open a table, me first and the others as named (open, link, bot:random), unshuffled; return its path."""
        self.go(f"/games/new/?variant={variant}&hints={hints}")
        for number, kind in enumerate(("me", *others)):
            self.choose_seat(number, kind)
        self.page.locator("[name=dealing][value=set]").check()
        self.page.locator("main form button.button--primary").click()
        self.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
        return self.path

    def choose_seat(self, number: int, kind: str) -> None:
        """Say who sits in a seat of the new table; of a bot which one ("bot:random")."""
        who, _, strength = kind.partition(":")
        self.page.select_option(f"[name=seat-{number}]", who)
        if strength:
            self.page.select_option(f"[name=seat-{number}-strength]", strength)

    @property
    def path(self) -> str:
        """Return where the browser is, without the site's address."""
        return self.page.url.removeprefix(self.url)

    def invitation(self) -> str:
        """Return the path of the invitation link that the waiting table shows."""
        return self.page.locator("#invite").input_value().removeprefix(self.url)

    # At the board

    def version(self) -> int:
        """Return the version of the game that the page shows."""
        return int(self.page.locator("#game").get_attribute("data-version") or 0)

    def is_my_turn(self) -> bool:
        """Whether the page says that it is my turn."""
        return self.page.locator("#place[data-my-turn]").count() > 0

    def await_version(self, version: int, limit: float = PATIENCE) -> None:
        """Wait until the page, by itself, shows that version or a later one."""
        self.page.wait_for_function(
            "least => Number(document.querySelector('#game')?.dataset.version) >= least", arg=version, timeout=limit
        )

    def await_turn(self) -> None:
        """Wait for my turn while bots think; in a fresh clone the first of them waits for its engine to be compiled."""
        self.page.wait_for_selector("#place[data-my-turn]", timeout=120_000)

    def await_result(self, limit: float) -> None:
        """Wait for the result as long as the game goes on: each next version may take the whole limit."""
        version = self.version()
        while not self.page.locator(".result").count():
            self.await_version(version + 1, limit)
            version = self.version()

    def playable(self) -> list[str]:
        """Return the pieces in the tray that fit somewhere."""
        slots = self.page.locator(".tray:not([hidden]) button.slot:not([aria-disabled])")
        return [slot.get_attribute("value") or "" for slot in slots.all()]

    def choose(self, piece: str) -> None:
        """Take a piece from the tray; of two alike the first."""
        self._touch(self.page.locator(f".tray:not([hidden]) button.slot[value='{piece}']").first)

    def tap_cell(self, column: int, row: int) -> None:
        """Tap a cell of the board, columns and rows counted from 0 at the lower left."""
        box = self.page.locator("#board .board__grid").bounding_box()
        assert box
        x = box["x"] + box["width"] * (column + 0.5) / 20
        y = box["y"] + box["height"] * (19 - row + 0.5) / 20
        (self.page.touchscreen.tap if self.has_touch else self.page.mouse.click)(x, y)

    def act(self, name: str) -> None:
        """Press a button beside Place: cancel, left, right or flip."""
        self._touch(self.page.locator(f"#place [data-act={name}]"))

    def place(self) -> int:
        """Press Place and return the version that the answer brought."""
        before = self.version()
        button = self.page.locator(".actions__place")
        expect(button).to_be_enabled()
        self._touch(button)
        self.await_version(before + 1)
        return self.version()

    def play_any(self) -> int:
        """Place the first piece of the tray that fits, where the page puts it."""
        self.choose(self.playable()[0])
        return self.place()


class People:
    """Everybody in one test. Names are new in every test, because a test run shares one site."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser = browser
        self.url = url
        self.everyone: list[Person] = []
        self.wires: list[Wire] = []

    def arrive(self, name: str, device: dict[str, object] | None = None, **options: object) -> Person:
        """Return a person at a new browser that has no cookies yet."""
        context = self.browser.new_context(**{**(device or DESK), **options})  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        context.add_init_script(TELL_OF_THE_POLICY)
        page = context.new_page()
        person = Person(f"{name}{next(_numbers)}", context, page, self.url, has_touch="has_touch" in (device or {}))
        page.on("console", lambda message: self._hear(person, message))
        page.on("pageerror", lambda error: self._hear_error(person, str(error)))
        self.everyone.append(person)
        return person

    def arrive_by_wire(self, name: str, device: dict[str, object] | None = None) -> Person:
        """Return a person at a new browser who can lose the network."""
        person = self.arrive(name, device)
        person.wire = self.new_wire()
        person.url = person.wire.url
        return person

    def new_browser(self, person: Person, device: dict[str, object] | None = None) -> Person:
        """Return the same person at another browser, not logged in there."""
        other = self.arrive("x", device)
        other.name = person.name
        return other

    def new_wire(self) -> Wire:
        """Return a wire to the site, removed when the test ends."""
        wire = Wire(int(self.url.rpartition(":")[2]))
        self.wires.append(wire)
        return wire

    @staticmethod
    def _hear(person: Person, message: ConsoleMessage) -> None:
        if message.type == "error" and not EXPECTED.search(message.text):
            person.complaints.append(message.text)

    @staticmethod
    def _hear_error(person: Person, text: str) -> None:
        if not EXPECTED.search(text):
            person.complaints.append(text)

    def leave(self) -> None:
        """Close every browser; nobody may have seen a script error or a violation of the content policy."""
        complaints = {person.name: person.complaints for person in self.everyone if person.complaints}
        for person in self.everyone:
            person.context.close()
        for wire in self.wires:
            wire.remove()
        assert not complaints, complaints


def log_in_as(page: Page, url: str, name: str) -> None:
    """Log somebody in at a site, by name and password."""
    page.goto(f"{url}/accounts/login/")
    page.fill("[name=login]", name)
    page.fill("[name=password]", PASSWORD)
    page.locator("main form button.button--primary").click()
    page.wait_for_url(re.compile(r"/games/$"))


def seat_two(alice: Person, bob: Person) -> str:
    """Sign both up, let alice open a table for two with all hints and bob join by its link; return the game's path."""
    alice.sign_up()
    bob.sign_up()
    path = alice.open_table("blockyou-2", "link", hints="yes")
    bob.go(alice.invitation())
    bob.press(re.compile("seat|Join", re.I))
    bob.page.wait_for_url(re.compile(path))
    expect(alice.page.locator("#place[data-my-turn]")).to_be_visible()
    return path


def swipe(page: Page, by: int, over: str = "#board") -> None:
    """Draw a finger across the board, or something else, by so many pixels to the right, and rest it before it is
    lifted.

    A finger that is lifted in motion flings, and Chromium takes the next tap for one that stops the fling: no click.
    """
    box = page.locator(over).bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    now = time.time()
    path = [x + by * min(step, 5) / 5 for step in range(9)]
    for step, there in enumerate(path):
        kind, moment = "touchMove" if step else "touchStart", now + step / 10
        points = [{"x": there, "y": y}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, "timestamp": moment})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": [], "timestamp": now + 1})
    finger.detach()
