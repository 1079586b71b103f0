"""Being shown a good placement, with the engine that the site uses."""

from playwright.sync_api import Route, expect

from tests.browser.people import PHONE, People
from tests.browser.test_a_whole_game import seat_two

#: The first think of a worker waits until its engine is ready.
THINKING = 120_000


def test_a_good_placement_is_shown_on_the_board_and_to_nobody_else(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    seat_two(alice, bob)
    alice.page.get_by_role("button", name="Menu").click()
    alice.page.get_by_role("button", name="Show me a good placement").click()
    expect(alice.page.locator("#menu")).to_be_hidden()
    choices = alice.page.locator("#advice [data-hold]")
    expect(choices).to_have_count(3, timeout=THINKING)
    expect(bob.page.locator("#advice")).to_have_count(0)

    choices.nth(1).click()
    expect(alice.page.locator("[data-say]")).to_contain_text("fits here")
    for width, height in ((1280, 800), (360, 640)):
        alice.page.set_viewport_size({"width": width, "height": height})
        expect(alice.page.locator(".actions__place")).to_be_in_viewport(ratio=1)
    alice.page.get_by_text("Good placements for").click()
    expect(choices.first).to_be_hidden()
    expect(alice.page.locator(".tray:not([hidden])")).to_be_in_viewport()
    chosen = choices.nth(1).get_attribute("data-hold") or ""
    version = alice.place()
    bob.await_version(version)
    expect(alice.page.locator("#advice")).to_have_count(0)
    expect(alice.page.locator(".moves__list")).to_contain_text(chosen.partition(":")[0])


def test_where_asking_meets_a_fault_there_is_a_page_to_ask_on(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    path = seat_two(alice, people.arrive("bob"))
    alice.page.route("**/advice/", lambda route: route.fulfill(status=502) if is_sent(route) else route.continue_())
    alice.page.get_by_role("button", name="Menu").click()
    alice.page.get_by_role("button", name="Show me a good placement").click()
    alice.page.wait_for_url(f"**{path}advice/")
    expect(alice.page.get_by_role("button", name="Show me a good placement")).to_be_visible()


def is_sent(route: Route) -> bool:
    return route.request.method == "POST"
