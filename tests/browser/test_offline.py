"""Without a network: pages seen last can be read, a move is kept until it can be sent, and nothing outlives a login."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Error, expect

from tests.browser.chromium import ARGUMENTS, CHROMIUM
from tests.browser.people import PASSWORD, PATIENCE, PHONE, WIDER, People, Person, log_in_as, seat_two
from tests.browser.tables.test_study_boards import open_study

LATE = "was not played: it came too late"
#: Whether the worker keeps a page, and the page that stands in for others.
IS_KEPT = """async (path) => {
    const kept = [...await caches.keys()].filter((name) => name.startsWith("pages"));
    for (const name of kept) {
        const shelf = await caches.open(name);
        if (await shelf.match(path) && await shelf.match("/offline/")) return true;
    }
    return false;
}"""
WHAT_IS_LEFT = """async () => {
    const opening = indexedDB.open("block-you", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("moves", {keyPath: "game"});
    await new Promise((done) => { opening.onsuccess = done; });
    const all = opening.result.transaction("moves").objectStore("moves").getAll();
    await new Promise((done) => { all.onsuccess = done; });
    opening.result.close();
    const kept = (await caches.keys()).filter((name) => name.startsWith("pages") && !name.endsWith("-none"));
    return [kept.length, all.result.length];
}"""


#: Notes what the page asks of the worker.
NOTED = """
    const post = ServiceWorker.prototype.postMessage;
    globalThis.asked = [];
    ServiceWorker.prototype.postMessage = function (wish, ...more) {
        globalThis.asked.push(JSON.stringify(wish));
        return post.call(this, wish, ...more);
    };
"""


def await_true(person: Person, ask: str, about: object = None) -> None:
    """Wait until an asynchronous function of the page answers something true, for fifteen seconds at most.

    Playwright's `wait_for_function` takes the promise for that, and does not wait. A page that leads on meanwhile is
    asked again when the next one is there.
    """
    asking = """async (about) => {
        for (let tries = 0; tries < 300; tries++) {
            if (await (%s)(about)) return true;
            await new Promise((done) => setTimeout(done, 50));
        }
        return false;
    }"""
    for last in (False, False, True):
        try:
            assert person.page.evaluate(asking % ask, about), ask
            return
        except Error as error:
            if last or "Execution context was destroyed" not in str(error):
                raise
            person.page.wait_for_load_state()


def await_kept(person: Person, path: str) -> None:
    """Wait until the person's device keeps a page."""
    await_true(person, IS_KEPT, path)


def await_left(person: Person, pages: int, moves: int) -> None:
    """Wait until the device keeps pages for so many logins, and so many moves."""
    await_true(person, f"async () => String(await ({WHAT_IS_LEFT})()) === '{pages},{moves}'")


def at_a_game(people: People, device: dict[str, object] | None = None) -> tuple[Person, Person, str]:
    """Return two players, the first of whom is to move and has the game on the device, and its path."""
    alice, bob = people.arrive_by_wire("alice", device), people.arrive("bob")
    path = seat_two(alice, bob)
    alice.go("/games/")
    await_kept(alice, "/games/")
    alice.go(path)
    await_kept(alice, path)
    return alice, bob, path


def puzzle_of_today() -> str:
    """Return the path of the puzzle of the day, which is that by UTC."""
    return f"/puzzles/{datetime.now(UTC).date()}/"


def move_offline(person: Person) -> None:
    """Lose the network and place a piece, which is kept."""
    person.lose_network()
    person.choose("V5")
    person._touch(person.page.locator(".actions__place"))
    expect(person.page.locator("[data-connection]")).to_be_visible()
    await_left(person, 1, 1)


def test_games_and_boards_are_read_without_a_network_marked_with_their_age_and_come_anew_with_it(
    people: People,
) -> None:
    alice, _bob, path = at_a_game(people, PHONE)
    alice.lose_network()
    for address in (path, "/games/"):
        alice.go(address)
        expect(alice.page.locator(".told")).to_contain_text("You are offline. Last updated: just now.")
    expect(alice.page.locator("a.list__title").first).to_be_visible()
    alice.find_network()
    expect(alice.page.locator(".told")).to_have_count(0)


def test_branches_are_read_without_a_network_as_they_were_left_and_the_board_leads_to_them(people: People) -> None:
    alice, _bob, path = at_a_game(people, PHONE)
    board = f"{path}analysis/"
    alice.go(board)
    for pieces in (1, 2):
        alice.choose(alice.playable()[0])
        alice._touch(alice.page.locator(".actions__place"))
        expect(alice.page.locator("#board .piece")).to_have_count(pieces)
    # Left at once: the device keeps the branches as the page goes.
    alice.go("/games/")
    await_kept(alice, f"{board}branches/")
    alice.lose_network()
    alice.go(f"{board}branches/")
    expect(alice.page.locator(".told")).to_contain_text("You are offline.")
    expect(alice.page.locator(".read__moves li")).to_have_count(2)
    assert not alice.page.evaluate(WIDER)
    alice.go(board)
    expect(alice.page.locator(".read__moves li")).to_have_count(2)


def test_a_study_is_read_without_a_network_with_all_that_was_tried_on_its_board(people: People) -> None:
    alice = people.arrive_by_wire("alice", PHONE)
    path = open_study(alice)
    board = f"{path}board/"
    alice.go("/games/")
    await_kept(alice, "/games/")
    alice.go(f"{board}?move=2")
    alice.choose(alice.playable()[0])
    alice._touch(alice.page.locator(".actions__place"))
    expect(alice.page.locator("#board .piece")).to_have_count(3)
    # Left at once: the device keeps the variations as the page goes.
    alice.go("/games/")
    await_kept(alice, f"{board}branches/")
    alice.lose_network()
    for address in (path, board):
        alice.go(address)
        expect(alice.page.locator(".told")).to_contain_text("You are offline.")
        expect(alice.page.locator("h1")).to_have_text("Variations · At noon")
        expect(alice.page.locator(".read__branch")).to_have_count(2)
    assert not alice.page.evaluate(WIDER)


@pytest.mark.proof
def test_a_page_that_is_not_kept_leads_to_those_that_are(people: People) -> None:
    alice, _bob, path = at_a_game(people)
    await_kept(alice, puzzle_of_today())
    alice.lose_network()
    alice.go("/history/")
    expect(alice.page.get_by_text("You are offline.")).to_be_visible()
    links = alice.page.locator("#main .list a")
    expect(links).to_have_count(3)
    assert {link.get_attribute("href") for link in links.all()} == {"/games/", path, puzzle_of_today()}
    alice.go("/")
    assert alice.path == "/games/"


@pytest.mark.proof
def test_the_board_that_is_kept_is_the_one_seen_last_also_where_it_was_updated_in_place(people: People) -> None:
    alice, bob, path = at_a_game(people)
    alice.play_any()
    bob.await_turn()
    version = bob.play_any()
    alice.await_version(version)
    await_true(
        alice,
        """async ([path, version]) => (await (await caches.match(path))?.text())
            ?.includes(`data-version="${version}"`)""",
        [path, version],
    )
    alice.lose_network()
    alice.go(path)
    expect(alice.page.locator(".told")).to_be_visible()
    expect(alice.page.locator("#board .piece")).to_have_count(2)


def test_a_move_made_without_a_network_is_taken_back_and_never_sent(people: People) -> None:
    alice, bob, path = at_a_game(people)
    version = bob.version()
    move_offline(alice)
    alice.press("Take it back")
    await_left(alice, 1, 0)
    expect(alice.page.locator("[data-connection]")).to_be_hidden()
    alice.find_network()
    alice.go(path)
    expect(alice.page.locator("#place[data-my-turn]")).to_be_visible()
    assert alice.version() == version


def test_a_move_that_came_too_late_is_said_on_the_next_page_with_a_way_to_look(people: People) -> None:
    alice, bob, path = at_a_game(people)
    elsewhere = people.new_browser(alice)
    elsewhere.log_in()
    move_offline(alice)
    alice.go("/games/")
    elsewhere.go(path)
    bob.await_version(elsewhere.play_any())
    alice.find_network()
    told = alice.page.locator("#told")
    expect(told).to_contain_text(LATE)
    told.get_by_role("link", name="Look at the game").click()
    alice.page.wait_for_url(re.compile(path))
    expect(alice.page.locator("#board .piece")).to_have_count(1)
    await_left(alice, 1, 0)


def test_logging_out_leaves_nothing_on_the_device(people: People) -> None:
    alice, _bob, path = at_a_game(people)
    alice.go("/accounts/logout/")
    alice.page.locator("main form button").last.click()
    alice.page.wait_for_url(re.compile(r"/$"))
    await_left(alice, 0, 0)
    alice.lose_network()
    assert alice.page.evaluate("(path) => fetch(path).then(() => 'shown', () => 'nothing')", path) == "nothing"


@pytest.mark.proof
def test_what_is_kept_for_a_login_that_ended_elsewhere_goes_with_the_next_page(people: People) -> None:
    alice, bob, _path = at_a_game(people)
    version = bob.version()
    move_offline(alice)
    # Closed, so that it does not send the move itself.
    alice.page.goto("about:blank")
    alice.context.clear_cookies()
    alice.find_network()
    alice.go("/rules/")
    await_left(alice, 0, 0)
    assert bob.version() == version


def test_another_person_at_the_device_finds_nothing_of_the_one_before(people: People) -> None:
    alice, bob, path = at_a_game(people)
    version = bob.version()
    move_offline(alice)
    # Closed, so that it does not send the move itself.
    alice.page.goto("about:blank")
    alice.context.clear_cookies()
    alice.find_network()
    log_in_as(alice.page, alice.url, bob.name)
    await_left(alice, 1, 0)
    alice.go("/games/")
    await_kept(alice, "/games/")
    alice.lose_network()
    alice.go(path)
    expect(alice.page.get_by_text("The page you asked for is not on this device.")).to_be_visible()
    assert bob.version() == version


@pytest.mark.proof
def test_the_box_of_a_device_without_games_keeps_its_distance_from_the_words_above_it(people: People) -> None:
    nobody = people.arrive("nobody", PHONE)
    nobody.go("/offline/")
    words, box = nobody.page.locator(".online").bounding_box(), nobody.page.locator(".offline__none").bounding_box()
    assert words
    assert box
    assert box["y"] - words["y"] - words["height"] >= 12


def test_a_form_on_a_page_without_a_network_says_what_it_needs(people: People) -> None:
    alice, _bob, path = at_a_game(people)
    alice.lose_network()
    alice.go(path)
    alice.press("Menu")
    alice.page.locator("#menu").get_by_role("button", name="Resign").click()
    alice.page.locator("#resign").get_by_role("button", name="Resign").click()
    expect(alice.page.get_by_text("This needs the network.")).to_be_visible()
    assert alice.path == path


@pytest.mark.proof
def test_without_a_network_everything_is_said_in_french_too(people: People) -> None:
    alice, _bob, path = at_a_game(people)
    alice.go("/games/")
    alice.press("Français")
    alice.go(path)
    await_true(alice, """async () => (await caches.match("/offline/"))?.headers.get("Content-Language") === "fr" """)
    alice.lose_network()
    alice.go(path)
    expect(alice.page.locator(".told time")).to_have_text("à l’instant")


@pytest.fixture
def profile(people: People, tmp_path: Path) -> "Profile":
    """Return a browser that keeps what a real one keeps when it is closed."""
    return Profile(people, tmp_path / "profile")


class Profile:
    """A browser with a profile of its own: close it, and open it again."""

    def __init__(self, people: People, folder: Path) -> None:
        self.people = people
        self.folder = folder
        self.wire = people.new_wire()

    def open(self, name: str, *, is_offline: bool = False) -> Person:
        """Start the browser, with a network or without one; a person sits at it."""
        context: BrowserContext = self.people.browser.browser_type.launch_persistent_context(
            self.folder, executable_path=CHROMIUM, args=ARGUMENTS
        )
        context.set_default_timeout(PATIENCE)
        person = Person(name, context, context.pages[0], self.wire.url, wire=self.wire)
        (person.lose_network if is_offline else person.find_network)()
        return person


def test_a_move_made_offline_outlives_the_browser_and_is_played_once(people: People, profile: Profile) -> None:
    alice, bob = profile.open("restarted"), people.arrive("bob")
    # As browsers do that send nothing by themselves once they are started again.
    alice.page.add_init_script("delete ServiceWorkerRegistration.prototype.sync")
    path = seat_two(alice, bob)
    await_kept(alice, path)
    version = bob.version()
    move_offline(alice)
    alice.context.close()

    alice = profile.open(alice.name, is_offline=True)
    alice.go(path)
    expect(alice.page.locator("[data-connection]")).to_be_visible()
    expect(alice.page.locator(".ghost__shape")).to_be_visible()
    assert bob.version() == version
    alice.find_network()
    bob.await_version(version + 1)
    expect(bob.page.locator("#board .piece")).to_have_count(1)
    await_left(alice, 1, 0)
    alice.context.close()


@pytest.mark.proof
def test_the_first_page_after_a_restart_sends_the_move_and_says_so(people: People, profile: Profile) -> None:
    alice, bob = profile.open("returned"), people.arrive("bob")
    path = seat_two(alice, bob)
    await_kept(alice, path)
    version = bob.version()
    move_offline(alice)
    alice.context.close()
    alice = profile.open(alice.name)
    alice.go("/games/")
    bob.await_version(version + 1)
    await_left(alice, 1, 0)
    assert bob.version() == version + 1
    alice.context.close()


def test_a_device_asks_again_for_no_page_but_one_that_it_may_keep(people: People) -> None:
    alice = people.arrive("alice")
    alice.sign_up()
    pages = ["/games/", puzzle_of_today()]
    for path, asked in (("/accounts/", []), ("/games/", [f'{{"keep":"{page}"}}' for page in pages])):
        device = people.new_browser(alice, PHONE)
        device.page.add_init_script(NOTED)
        device.go(f"/accounts/login/?next={path}")
        device.page.fill("[name=login]", device.name)
        device.page.fill("[name=password]", PASSWORD)
        device.page.locator("main form button.button--primary").first.click()
        device.page.wait_for_url(f"**{path}")
        device.page.evaluate("navigator.serviceWorker.ready")
        await_left(device, 1 if asked else 0, 0)
        if asked:
            await_kept(device, puzzle_of_today())
        assert device.page.evaluate("asked") == asked
