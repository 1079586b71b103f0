"""A game is turned by keys, by itself and by its graphs, passed on by link, and shown in a frame of another page."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from playwright.sync_api import Page, expect

from games.rules import Position
from games.rules.records import GameRecord, write_json
from tests.browser.demo import Demo
from tests.browser.people import DESK, PHONE, People, Person


def long_game() -> str:
    """Return a record of fifteen moves of Duo."""
    position = Position.start("duo")
    for _ in range(15):
        position = position.play(position.legal_placements()[0])
    return write_json(GameRecord.of(position, title="At noon"))


def open_study(person: Person) -> Page:
    person.go("/studies/")
    person.page.fill("[name=text]", long_game())
    person.press("Open the record")
    person.page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/$"))
    return person.page


def shown(page: Page) -> int:
    """Return the move shown; the board, the slider and the address agree about it."""
    pieces = page.locator("#board g[data-number]:not([display=none])").count()
    assert page.locator("#move").input_value() == str(pieces) == page.locator("[data-number-shown]").inner_text()
    return pieces


def after(page: Page, *keys: str) -> list[int]:
    found = []
    for key in keys:
        page.keyboard.press(key)
        found.append(shown(page))
    return found


def test_keys_turn_the_leaves_but_not_while_somebody_types(people: People) -> None:
    page = open_study(people.arrive("uma"))
    assert after(page, "Home", "ArrowRight", "l", "l", "h", "ArrowLeft") == [0, 1, 2, 3, 2, 1]
    assert after(page, "k", "j", "PageDown", "End", "PageUp") == [11, 1, 11, 15, 5]
    assert after(page, "Control+l", "Alt+h") == [5, 5]
    page.locator("[data-speed]").focus()
    assert after(page, "h", "k") == [5, 5]
    page.locator("#move").focus()
    assert after(page, "ArrowLeft", "l", "Home") == [4, 5, 0]


def test_the_piece_of_the_move_shown_is_pictured_beside_its_words(people: People) -> None:
    page = open_study(people.arrive("uma"))
    shape = page.locator("[data-piece] use")
    for key in ("ArrowLeft", "Home", "ArrowRight"):
        page.keyboard.press(key)
        listed = page.locator(".moves__list a[aria-current] use")
        assert [use.get_attribute("href") for use in shape.all()] == [use.get_attribute("href") for use in listed.all()]
        assert shape.count() == (key != "Home")


def test_the_list_opens_at_the_move_shown_and_the_page_at_its_top(people: People, demo: Demo) -> None:
    for device in (DESK, PHONE):
        page = people.arrive("reader", device).page
        page.goto(f"{demo.site.url}{demo.game('Every last piece')}replay/?move=40")
        expect(page.locator("[data-play]")).to_be_visible()
        assert page.evaluate(IN_SIGHT) == [True, 0]


#: Whether the line of the move shown is in sight of its box, and how far the page is scrolled.
IN_SIGHT = """() => {
    const line = document.querySelector(".moves__list a[aria-current]").closest("li").getBoundingClientRect();
    const boxes = [".moves", ".moves__list"].map((each) => document.querySelector(each).getBoundingClientRect());
    return [boxes.every((box) => box.top <= line.top && line.bottom <= box.bottom + 1), scrollY];
}"""

KEEP_NUMBERS = """() => {
    window.numbers = [];
    const shown = document.querySelector("[data-number-shown]");
    new MutationObserver(() => window.numbers.push(shown.textContent.trim()))
        .observe(shown, { childList: true, characterData: true, subtree: true });
}"""


def test_it_plays_by_itself_to_the_end_and_while_it_is_seen(people: People) -> None:
    page = open_study(people.arrive("vic"))
    # As browsers do that have had their fill of addresses.
    page.evaluate("() => { history.replaceState = () => { throw new DOMException('Too many', 'SecurityError'); }; }")
    play = page.locator("[data-play]")
    page.locator("[data-speed]").select_option("fast")
    page.locator("#board").click()
    # Each number stands for 400 ms only: a look every half a second could miss it.
    page.evaluate(KEEP_NUMBERS)
    page.keyboard.press("Space")
    expect(play).to_have_text("Pause")
    page.wait_for_function("() => window.numbers.includes('3')")
    page.keyboard.press("Home")
    expect(play).to_have_text("Play")
    assert shown(page) == 0
    page.locator("a[data-go='13']").click()
    play.click()
    expect(page.locator("[data-number-shown]")).to_have_text("15")
    expect(play).to_have_text("Play")
    page.reload()
    expect(page.locator("[data-speed]")).to_have_value("fast")


def test_pieces_are_numbered_on_request_and_so_the_next_time(people: People) -> None:
    page = open_study(people.arrive("wim"))
    numbers = page.locator("#board text.figure")
    expect(numbers.first).to_be_hidden()
    page.get_by_role("button", name="Numbers").click()
    expect(numbers.first).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Numbers")).to_have_attribute("aria-pressed", "true")
    assert numbers.nth(9).text_content() == "10"


def test_a_tap_on_a_graph_goes_to_that_move_and_its_link_can_be_copied(people: People) -> None:
    person = people.arrive("xan", PHONE)
    page = open_study(person)
    person.press("Share by link")
    page.locator("[data-graph] svg[role]").first.scroll_into_view_if_needed()
    box = page.locator("[data-graph] svg[role]").first.bounding_box()
    assert box
    # Moves stand from 34 to 294 of 320: the twelfth of fifteen is tapped a little beside.
    page.touchscreen.tap(box["x"] + box["width"] * (34 + 260 * 12.2 / 15) / 320, box["y"] + box["height"] / 2)
    expect(page.locator("[data-number-shown]")).to_have_text("12")
    expect(page).to_have_url(re.compile(r"\?move=12$"))
    expect(page.get_by_label("Link to this move")).to_have_value(page.url)
    sizes = page.locator(".leaves a, .film button, .film select, .scrub input").evaluate_all(
        "targets => targets.flatMap(target => [target.offsetWidth, target.offsetHeight])"
    )
    assert min(sizes) >= 44


def test_the_picture_that_would_be_saved_is_shown_and_follows_the_move(people: People, demo: Demo) -> None:
    page = people.arrive("viewer").page
    page.goto(demo.site.url + demo.game("Every last piece") + "replay/?move=12")
    picture = page.get_by_role("img", name="The board, the players and their scores")
    expect(picture).to_be_hidden()
    page.get_by_text("Show the picture").click()
    page.wait_for_function("() => document.querySelector('.preview__picture').naturalWidth === 1200")
    page.keyboard.press("ArrowRight")
    expect(picture).to_have_attribute("src", re.compile(r"move=13$"))


@contextmanager
def another_site(html: str) -> Iterator[str]:
    """Serve one page from an origin of its own."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def see_frames(page: Page) -> None:
    allowed, refused = (page.locator("iframe").nth(number).content_frame for number in (0, 1))
    expect(allowed.locator("#board")).to_be_visible()
    allowed.get_by_role("link", name="First").click()
    expect(allowed.locator("[data-number-shown]")).to_have_text("0")
    expect(allowed.get_by_role("link", name="Open on Block-You")).to_be_visible()
    expect(refused.locator("#board")).to_have_count(0)


def test_a_game_is_shown_in_a_frame_and_its_other_pages_are_not(people: People) -> None:
    person = people.arrive("yve")
    person.sign_up()
    path = person.open_table("duo", "bot:random")
    page = person.page
    person.go(path + "replay/")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    person.press("Copy embed code")
    code = str(page.evaluate("navigator.clipboard.readText()"))
    with another_site(code + code.replace("/embed/", "/replay/")) as address:
        page.goto(address)
        see_frames(page)
    # The browser says that it refused the second.
    refusals = [said for said in person.complaints if re.search("frame-ancestors|X-Frame-Options", said)]
    assert refusals
    person.complaints[:] = [said for said in person.complaints if said not in refusals]
