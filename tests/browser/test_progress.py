"""Whoever waits for more than a second sees that something is going on."""

from playwright.sync_api import Route, expect

from tests.browser.people import People

# The page tells by itself: a browser that is on its way to another page answers no questions.
TELL = """() => new MutationObserver(() => {
    const main = document.getElementById("main");
    console.log(`busy: ${main.ariaBusy} ${getComputedStyle(main, "::before").position}`);
}).observe(document.getElementById("main"), {attributeFilter: ["aria-busy"]})"""


def test_a_slow_page_is_seen_to_be_on_its_way(people: People) -> None:
    # What goes through a service worker is not seen by the page, and so could not be held.
    person = people.arrive("pat", service_workers="block")
    page = person.page
    held: list[Route] = []
    page.route("**/lobby/", lambda route: held.append(route))
    person.go("/")
    page.evaluate(TELL)
    with page.expect_console_message(lambda message: message.text == "busy: true fixed"):
        page.get_by_role("link", name="Lobby", exact=True).first.click(no_wait_after=True)
    held[0].continue_()
    expect(page.get_by_role("heading", name="Lobby", exact=True)).to_be_visible()
    expect(page.locator("#main")).not_to_have_attribute("aria-busy", "true")
