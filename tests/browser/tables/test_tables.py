"""From nothing to a table with friends: in few taps, with a link that stays at hand while they come and go."""

import io
import re

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Locator, expect

from tests.browser.people import DESK, PHONE, TALL, People, Person

TABLE = re.compile(r"/games/[a-z0-9]{10}/$")
CLIPBOARD = ["clipboard-read", "clipboard-write"]
#: A device that can share, and keeps what it shared.
SHARES = "navigator.share = async (what) => { window.shared = what; }"
#: Whether all of an element is on the screen of a page that was not scrolled, and nothing lies over its corners.
ON_FIRST_SCREEN = """(element) => {
    const box = element.getBoundingClientRect();
    const is_top = (x, y) => element.contains(document.elementFromPoint(x, y));
    const corners = [[box.left + 4, box.top + 4], [box.right - 4, box.bottom - 4]];
    return window.scrollY === 0 && box.bottom <= window.innerHeight && corners.every(([x, y]) => is_top(x, y));
}"""


#: What is shown for some seconds is shown for a whole test.
LASTING = """{
  const wait = window.setTimeout.bind(window);
  window.setTimeout = (task, delay, ...rest) => wait(task, [2000, 5000].includes(delay) ? 1e6 : delay, ...rest);
}"""


class Thumb:
    """The thumb of one person, which counts: a choice in a list is two taps, one to open it and one to choose."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.taps = 0

    def tap(self, target: Locator) -> None:
        self.taps += 1
        target.tap()

    def choose(self, name: str, value: str) -> None:
        select = self.person.page.locator(f"[name={name}]")
        if select.input_value() != value:
            self.taps += 2
            select.select_option(value)

    def start(self) -> None:
        """Come to the page of a new table from the first page."""
        page = self.person.page
        self.person.go("/")
        self.tap(page.get_by_role("link", name="Lobby").last)
        self.tap(page.get_by_role("link", name="New game").first)
        page.wait_for_url("**/games/new/")
        expect(page.get_by_role("heading", name="New game", level=1)).to_be_visible()


def copied(person: Person) -> str:
    return str(person.page.evaluate("navigator.clipboard.readText()"))


def is_on_first_screen(button: Locator) -> bool:
    """Return whether a whole button is there to tap before anything is scrolled."""
    expect(button).to_be_visible()
    found: bool = button.evaluate(ON_FIRST_SCREEN)
    return found


def join(people: People, host: Person) -> Person:
    """Seat a friend who opens the link; wait until the host's page shows it."""
    version, friend = host.version(), people.arrive("friend")
    friend.go(host.invitation())
    friend.press("Take a seat")
    host.await_version(version + 1)
    friend.go(host.path)
    return friend


def test_copy_and_share_stay_while_friends_come_and_go(people: People) -> None:
    host = people.arrive("host", permissions=CLIPBOARD)
    host.page.add_init_script(SHARES)
    host.sign_up()
    host.open_table("blockyou-4", "link", "link", "link")
    friend = join(people, host)
    version = host.version()
    friend.press("Leave the table")
    host.await_version(version + 1)
    join(people, host)

    host.press("Copy")
    expect(host.page.get_by_role("button", name="Copied")).to_be_visible()
    assert copied(host) == host.url + host.invitation()
    host.press("Share")
    assert host.page.evaluate("window.shared.url") == host.url + host.invitation()


def test_copied_is_said_aloud_and_stays_on_the_button_while_a_friend_takes_a_seat(people: People) -> None:
    host = people.arrive("host", permissions=CLIPBOARD)
    host.page.add_init_script(LASTING)
    host.sign_up()
    host.open_table("blockyou-4", "link", "link", "link")
    host.press("Copy")
    expect(host.page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    join(people, host)
    expect(host.page.get_by_role("button", name="Copied")).to_be_visible()


def test_share_is_not_offered_by_a_device_that_cannot(people: People) -> None:
    host = people.arrive("host")
    host.sign_up()
    host.open_table("blockyou-2", "link")
    expect(host.page.get_by_role("button", name="Copy")).to_be_visible()
    expect(host.page.locator("[data-pass=share]")).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("device", [TALL, DESK], ids=["phone", "desk"])
def test_the_code_beside_copy_can_be_scanned(device: dict[str, object], theme: str, people: People) -> None:
    host = people.arrive("host", device, color_scheme=theme)
    host.sign_up()
    host.open_table("blockyou-2", "link")
    picture = host.page.get_by_role("img", name="QR code of the invitation link")
    if device is TALL:
        # On a phone it is folded.
        expect(picture).to_have_count(0)
        host.page.get_by_text("Show the QR code").tap()
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture.screenshot())))
    assert code.text == host.url + host.invitation()


def test_a_misspelt_name_is_seen_at_once_and_leads_to_its_field(people: People) -> None:
    host = people.arrive("host", TALL)
    host.sign_up()
    host.go("/games/new/?variant=blockyou-2")
    host.choose_seat(1, "named")
    host.page.fill("[name=seat-1-name]", "no such person")
    host.press("Open the table")

    summary = host.page.get_by_role("alert").filter(has_text="There is no player named no such person.")
    expect(summary).to_be_in_viewport()
    expect(summary).to_be_focused()
    expect(host.page).to_have_title(re.compile("^Error: New game"))
    summary.get_by_role("link").tap()
    expect(host.page.locator("[name=seat-1-name]")).to_be_focused()


def test_a_link_to_a_full_table_leads_to_the_game(people: People) -> None:
    host = people.arrive("host")
    host.sign_up()
    host.open_table("blockyou-2", "link")
    link, late = host.invitation(), people.arrive("late", TALL)
    join(people, host)
    late.go(link)
    late.page.get_by_role("link", name="Watch").tap()
    expect(late.page.locator("#board")).to_be_visible()


def test_a_friend_chooses_the_colour_and_the_host_finds_the_friend(people: People) -> None:
    host, friend = people.arrive("host"), people.arrive("friend", TALL)
    host.sign_up()
    friend.sign_up()
    path = host.open_table("blockyou-3", "link", "link")
    colour = host.page.locator(".list__row").last.get_by_role("img").get_attribute("aria-label")
    assert colour
    friend.go(host.invitation())
    friend.page.locator("label.choice", has_text=colour).tap()
    friend.press("Take a seat")
    friend.page.wait_for_url(re.compile(path))

    row = host.page.locator(".list__row").last
    row.get_by_role("link", name=friend.name).click()
    expect(host.page.get_by_role("heading", level=1, name=friend.name)).to_be_visible()


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_table_is_cancelled_last_of_all_and_not_by_one_press(has_scripts: bool, people: People) -> None:
    host = people.arrive("host", TALL, java_script_enabled=has_scripts)
    host.sign_up()
    path = host.open_table("blockyou-2", "link")
    last = host.page.locator("main").get_by_role("button", name="Cancel the table").first
    box, link = last.bounding_box(), host.page.locator("#invite").bounding_box()
    assert box
    assert link
    assert box["y"] > link["y"]
    last.tap()
    host.press("Keep waiting")
    host.go(path)
    expect(host.page.locator("#invite")).to_be_visible()
    host.press("Cancel the table")
    host.page.get_by_role("dialog").or_(host.page.locator("#cancel")).get_by_role("button").last.tap()
    expect(host.page.get_by_text("The table has been cancelled.")).to_be_visible()


def test_a_table_with_a_friend_is_two_screens_and_three_taps_away(people: People) -> None:
    host = people.arrive("host", TALL)
    thumb = Thumb(host)
    thumb.start()
    assert host.page.evaluate("document.documentElement.scrollHeight") <= 2 * 740
    thumb.tap(host.page.get_by_role("button", name="Play with a friend"))
    host.page.wait_for_url(TABLE)
    assert thumb.taps == 3
    friend = people.arrive("friend", TALL)
    friend.go(host.invitation())
    friend.press("Take a seat")
    host.page.wait_for_selector("#place")


@pytest.mark.parametrize("players", [3, 4])
def test_a_table_for_three_or_four_is_four_taps_away_with_its_link_copied(players: int, people: People) -> None:
    host = people.arrive("host", TALL, permissions=CLIPBOARD)
    thumb = Thumb(host)
    thumb.start()
    thumb.tap(host.page.get_by_role("button", name=f"{players} players", exact=True))
    host.page.wait_for_url(TABLE)
    copy = host.page.get_by_role("button", name="Copy")
    assert is_on_first_screen(copy)
    thumb.tap(copy)
    expect(host.page.get_by_role("button", name="Copied")).to_be_visible()
    assert copied(host) == host.url + host.invitation()
    assert thumb.taps == 4


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("players", [3, 4])
def test_copy_is_on_the_first_screen_of_a_phone_however_seats_are_given(
    players: int, locale: str, people: People
) -> None:
    host = people.arrive("host", TALL, locale=locale)
    host.sign_up()
    for dealing in ("draw", "set", "choose"):
        host.go(f"/games/new/?variant=blockyou-{players}")
        for number in range(1, players):
            host.choose_seat(number, "link")
        host.page.locator(f"[name=dealing][value={dealing}]").check()
        host.page.locator("main form button.button--primary").click()
        host.page.wait_for_url(TABLE)
        assert (dealing, is_on_first_screen(host.page.locator("[data-pass=copy]"))) == (dealing, True)


@pytest.mark.parametrize(("seats", "taps"), [(("me", "link", "bot", "open"), 9), (("link", "link", "bot", "open"), 11)])
def test_four_seats_for_friends_a_bot_and_anyone_take_nine_taps_and_two_more_without_a_seat_of_ones_own(
    seats: tuple[str, ...], taps: int, people: People
) -> None:
    host = people.arrive("host", TALL, permissions=CLIPBOARD)
    thumb = Thumb(host)
    thumb.start()
    thumb.tap(host.page.get_by_text("Customise"))
    for number, kind in enumerate(seats):
        thumb.choose(f"seat-{number}", kind)
    thumb.tap(host.page.get_by_role("button", name="Open the table"))
    host.page.wait_for_url(TABLE)
    thumb.tap(host.page.get_by_role("button", name="Copy"))
    expect(host.page.get_by_role("button", name="Copied")).to_be_visible()
    assert copied(host) == host.url + host.invitation()
    assert thumb.taps == taps


def test_a_table_where_only_bots_would_wait_is_asked_for_no_time(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    alice.sign_up()
    alice.go("/games/new/?variant=duo")
    time = alice.page.get_by_role("group", name="Time")
    for other, has_clock in (("bot:random", False), ("open", True)):
        alice.choose_seat(1, other)
        expect(time.get_by_text("No clock runs, since only bots would wait.")).to_be_visible(visible=not has_clock)
        expect(time.get_by_role("radio").first).to_be_visible(visible=has_clock)


def test_seats_have_colours_only_where_they_are_given_in_order(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    alice.sign_up()
    alice.go("/games/new/?variant=duo")
    for dealing, is_set in (("draw", False), ("set", True)):
        alice.page.locator(f"[name=dealing][value={dealing}]").check()
        expect(alice.page.locator(".seat__mark .avatar").first).to_be_visible(visible=is_set)
        expect(alice.page.locator(".seat__colours").first).to_be_visible(visible=is_set)


def test_what_was_chosen_last_is_there_on_another_device(people: People) -> None:
    host = people.arrive("host")
    host.sign_up()
    host.open_table("trigon-3", "link", "bot:random")
    other = people.new_browser(host, TALL)
    other.log_in()
    other.go("/games/new/")
    expect(other.page.get_by_role("button", name="Play with a friend")).to_contain_text("Trigon, 2 players")
    other.page.get_by_text("Customise").tap()
    values = [other.page.locator(f"[name=seat-{number}]").input_value() for number in range(3)]
    assert values == ["me", "link", "bot"]
