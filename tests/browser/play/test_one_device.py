"""Two people on one phone: few taps to the first move, and nothing of a hand while it is handed on."""

import re

from playwright.sync_api import expect

from tests.browser.people import PHONE, People, Person

#: Counts what a finger does, on all pages of this tab.
COUNT = "addEventListener('click', () => (sessionStorage.taps = 1 + Number(sessionStorage.taps ?? 0)), true)"


def begin(host: Person) -> int:
    """Begin a game of two on this device, place its first piece, and return how many taps that took."""
    host.page.add_init_script(COUNT)
    host.go("/")
    host._touch(host.page.get_by_role("link", name="Play on one device"))
    host.press("Begin")
    host.choose("V5")
    host._touch(host.page.locator(".actions__place"))
    expect(host.page.locator(".handing")).to_be_visible()
    return int(host.page.evaluate("sessionStorage.taps"))


def test_two_people_play_on_one_phone(people: People) -> None:
    host = people.arrive("alice", PHONE)
    assert begin(host) == 4
    page = host.page
    title = page.get_by_role("heading", name="Pass the device to Player 2")
    expect(title).to_be_focused()
    expect(page).to_have_title(re.compile("^Pass the device to Player 2"))
    expect(page.locator("#announce")).to_contain_text("Pass the device to Player 2")
    for hidden in (".board", ".tray", "#place", "#position"):
        expect(page.locator(hidden)).to_have_count(0)

    # Who placed it takes it back: the device is still with them.
    host._touch(page.get_by_role("button", name="Player 1: take the move back"))
    expect(page.locator("#place")).to_be_visible()
    host.choose("V5")
    host._touch(page.locator(".actions__place"))
    expect(title).to_be_visible()

    host._touch(page.get_by_role("button", name="I am Player 2"))
    expect(page.locator("#place")).to_be_visible()
    expect(page.locator(".say")).to_contain_text("Your turn")


def test_the_piece_that_one_player_held_is_not_in_the_next_hand(people: People) -> None:
    host = people.arrive("alice", PHONE)
    begin(host)
    page = host.page
    host._touch(page.get_by_role("button", name="I am Player 2"))
    host.choose("F")
    expect(page.locator(".actions__place")).to_be_enabled()
    # The second player gives the device back without a move, and the first takes theirs back.
    slug = page.url.rstrip("/").rpartition("/")[2]
    assert page.evaluate("key => sessionStorage.getItem(key)", f"draft:{slug}")
    host.go(f"{host.path}?takeback=yes")
    host.press("Take back")
    expect(page.get_by_role("heading", name="Pass the device to Player 1")).to_be_focused()
    assert page.evaluate("key => sessionStorage.getItem(key)", f"draft:{slug}") in (None, "null")


def test_without_scripts_the_device_is_handed_on_too(people: People) -> None:
    host = people.arrive("alice", PHONE, java_script_enabled=False)
    host.go("/one-device/")
    page = host.page
    page.get_by_label("Name of player 2").fill("Bea")
    page.get_by_role("button", name="Begin").click()
    host.go(f"{host.path}placements/?piece=V3")
    page.locator("button[name=placement]").first.click()
    expect(page.get_by_role("heading", name="Pass the device to Bea")).to_be_visible()
    page.get_by_role("button", name="I am Bea").click()
    expect(page.get_by_text("Your turn")).to_be_visible()
