"""Every page on the smallest phone: nothing beside the screen, nothing too small for a thumb, all of it by form too."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.demo import VISITS, Demo
from tests.browser.people import LARGE, TALL, WIDER, People, Person

SMALLEST = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
PUBLIC = ["/", "/rules/", "/api/", "/learn/", "/lobby/", "/nowhere/", "/accounts/login/", "/accounts/signup/"]
MINE = [
    "/games/",
    "/games/new/",
    "/games/new/?variant=blockyou-3",
    "/games/new/?variant=codingame-3",
    "/history/",
    "/accounts/",
    "/accounts/preferences/",
]

# Links in a sentence and in a row that is one target itself are exempt (WCAG 2.5.8).
SMALL = """() => [...document.querySelectorAll("a, button, select, summary, input:not([type=hidden])")]
  .filter((element) => !element.closest("p, dd, td, label, figcaption, .list__words, a.skip"))
  .map((element) => [element.outerHTML.slice(0, 80), element.getBoundingClientRect()])
  .filter(([, box]) => box.height && box.height < 43.5)
  .map(([text]) => text)"""

# What reaches beyond the screen, a turning point, or the table of all placements, which scrolls downwards alone.
BESIDE = """() => [document.documentElement, ...document.querySelectorAll(".review__scroll, .point")]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => `${element.tagName}.${element.className}: ${element.scrollWidth} > ${element.clientWidth}`)"""


def beside_the_screen(person: Person) -> int:
    return int(person.page.evaluate(WIDER))


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_no_page_scrolls_sideways_on_the_smallest_phone_nor_with_text_twice_as_large(size: str, people: People) -> None:
    person = people.arrive("w" * 12, SMALLEST, bypass_csp=True)
    person.sign_up()
    own = f"/players/{person.name}/"
    for path in [*PUBLIC, *MINE, own]:
        person.go(path)
        person.page.add_style_tag(content=f"html {{ font-size: {size} }}")
        assert (path, beside_the_screen(person)) == (path, 0)


@pytest.mark.proof
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_no_page_that_there_is_scrolls_sideways_on_the_smallest_phone(
    locale: str, alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(SMALLEST, locale=locale)
    wide = {}
    for path in (path for name in VISITS for path in demo.paths(name) if name != "account_logout"):
        page.goto(path)
        wide[path] = page.evaluate(WIDER)
    assert {path: width for path, width in wide.items() if width} == {}


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_on_people_the_ways_to_play_are_one_row_and_the_button_that_follows_stands_beside_the_name(
    locale: str, alice_at: Callable[..., Page]
) -> None:
    page = alice_at(TALL, locale=locale)
    page.goto("/people/")
    rows = page.locator(".list--people > .list__row").all()
    assert len(rows) > 1
    for row in rows:
        name, follow = row.locator(".list__words > a").bounding_box(), row.locator("> form .button").bounding_box()
        assert name
        assert follow
        assert follow["y"] < name["y"] + name["height"]
        ways = [way.bounding_box() or follow for way in row.locator(".list__ways .button").all()]
        assert len({round(way["y"]) for way in ways}) <= 1
        assert all(way["y"] >= follow["y"] + follow["height"] for way in ways)


# Which of the scores against a person go on in a second line.
IN_TWO_LINES = """() => [...document.querySelectorAll(".list__scores > .list__line")].filter((line) => {
  const range = document.createRange();
  range.selectNodeContents(line);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
}).map((line) => line.textContent)"""


@pytest.mark.parametrize("width", [360, 1280])
def test_on_people_a_score_stands_on_one_line_in_the_longer_words_of_french(
    width: int, alice_at: Callable[..., Page]
) -> None:
    page = alice_at({"viewport": {"width": width, "height": 740}}, locale="fr-FR")
    page.goto("/people/")
    expect(page.locator(".list--people .list__line", has_text="joueurs")).not_to_have_count(0)
    expect(page.locator(".list__scores")).not_to_have_count(0)
    assert page.evaluate(IN_TWO_LINES) == []


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_line_below_the_name_of_a_game_is_cut_in_no_word(
    locale: str, width: int, alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at({"viewport": {"width": width, "height": 800}}, locale=locale)
    games = [demo.game(scene) for scene in ("Corner cases", "Every last piece")]
    others = [path for name in ("game-away", "replay", "study", "game-analysis") for path in demo.paths(name)]
    for path in (*games, *others):
        page.goto(path)
        cut = page.locator(".head__about, .head__about > span").evaluate_all(
            "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        )
        assert (path, cut) == (path, [])


# What an element with text holds but does not show: cut at its edge, or clipped to nothing. What is said aloud alone is
# meant to be.
UNSEEN = """() => [...document.querySelectorAll(".head__name, .player__long, .player__score")]
  .filter((element) => {
    const box = element.getBoundingClientRect(), outer = element.closest(".player, .head").getBoundingClientRect();
    const cut = ["name", "score"].some((part) => element.className.includes(part))
      && element.scrollWidth > element.clientWidth && getComputedStyle(element).overflow !== "visible";
    return cut || !box.width || box.bottom > outer.bottom + 1 || box.right > outer.right + 1
      || getComputedStyle(element).clipPath !== "none";
  }).map((element) => `${element.className}: ${element.textContent.trim()}`)"""
# Which of the parts of a player stand on one another.
PILED = """() => [...document.querySelectorAll(".player")].flatMap((player) => {
  const parts = [...player.querySelectorAll(".avatar, .player__name, .player__score, .player__lead, .player__clock")]
    .filter((part) => !part.closest(".stock"));
  const boxes = parts.map((part) => part.getBoundingClientRect());
  return parts.filter((_, one) => boxes.some((box, other) => other > one && box.width && boxes[one].width
    && Math.min(box.right, boxes[one].right) - Math.max(box.left, boxes[one].left) > 1
    && Math.min(box.bottom, boxes[one].bottom) - Math.max(box.top, boxes[one].top) > 1)).map((part) => part.outerHTML);
})"""


def test_a_game_loses_no_name_and_no_score_on_a_phone_with_text_twice_as_large(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(TALL, bypass_csp=True)
    page.goto("/")
    page.add_style_tag(content=LARGE)
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360
    for scene in ("Corner cases", "Four seasons", "Last hour", "Three of a kind", "Every last piece"):
        page.goto(demo.game(scene))
        page.add_style_tag(content=LARGE)
        assert (scene, page.evaluate(UNSEEN), page.evaluate(PILED)) == (scene, [], [])
        assert (scene, page.evaluate("() => document.documentElement.scrollWidth")) == (scene, 360)


def test_the_names_at_a_table_are_whole_on_the_smallest_phone_and_nothing_stands_on_them(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(SMALLEST)
    for scene in ("Corner cases", "Four seasons", "Last hour", "Three of a kind"):
        page.goto(demo.game(scene))
        names = page.locator(".player__name")
        cut = names.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length")
        assert (scene, cut, page.evaluate(PILED)) == (scene, 0, [])


def test_in_large_text_the_menu_stays_beside_next_and_points_beside_their_number(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(SMALLEST, bypass_csp=True)
    page.goto(demo.game("Four seasons"))
    page.add_style_tag(content=LARGE)
    row = page.locator(".head__back, .head__next, .head__menu").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect()).map((box) => Math.round(box.top + box.height / 2))"
    )
    assert max(row) - min(row) <= 1
    for player in page.locator(".player").all():
        score = player.locator(".player__score").bounding_box()
        clock = player.locator(".player__clock").bounding_box()
        assert score
        assert clock
        assert score["height"] < 2 * 28, "its points stand beside it, in letters twice as large"
        assert score["y"] <= clock["y"] + 4


# Which words of buttons are broken within a word: at no space, no hyphen and no soft hyphen.
TORN = """() => [...document.querySelectorAll("button, .button, .tool")].flatMap((element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT), words = [];
  const range = document.createRange();
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    for (const { index, 0: word } of text.data.matchAll(/[^\\s\u00ad-]+/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) words.push(word);
    }
  }
  return words;
})"""


def test_in_large_text_a_move_begins_with_its_number_and_no_button_breaks_a_word(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(TALL, bypass_csp=True)
    for scene in ("Corner cases", "Four seasons"):
        page.goto(demo.game(scene))
        page.add_style_tag(content=LARGE)
        assert (scene, page.evaluate(TORN)) == (scene, [])
        moves = page.locator(".move:has(.move__number)").all()
        assert len(moves) > 3
        for move in moves:
            number, what = move.locator(".move__number").bounding_box(), move.locator(".move__what").bounding_box()
            assert number
            assert what
            assert number["x"] + number["width"] <= what["x"]
            assert number["y"] < what["y"] + what["height"]
            assert what["y"] < number["y"] + number["height"]


def test_the_smallest_phone_has_a_score_without_its_unit_and_no_clock_beside_a_name(
    alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(SMALLEST)
    page.goto(demo.game("Last hour"))
    unit = "one => getComputedStyle(one, '::after').display"
    for width, display in ((320, "none"), (360, "inline")):
        page.set_viewport_size({"width": width, "height": 640})
        assert {score.evaluate(unit) for score in page.locator(".player__score").all()} == {display}
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.locator(".player__clock").count() > 0
    assert [clock.is_visible() for clock in page.locator(".player__clock").all()].count(True) == 0
    expect(page.locator(".say__clock")).to_be_visible()


# Which words of a list are cut: by an ellipsis, or after the lines that there is room for.
CUT = """() => [...document.querySelectorAll(".list__title, .list__line, .seats__one > :is(a, span)")]
  .filter((element) => getComputedStyle(element).overflow !== "visible")
  .filter((element) => element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1)
  .map((element) => element.textContent.trim())"""


@pytest.mark.parametrize("name", ["lobby", "my-games", "history", "notices"])
def test_a_list_cuts_no_words_on_a_phone_with_text_twice_as_large(
    name: str, alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(TALL, bypass_csp=True)
    page.goto(demo.paths(name)[0])
    page.add_style_tag(content=LARGE)
    assert page.evaluate(CUT) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") == 360


# Which deadlines of a list stand on more than one line.
BROKEN = """() => [...document.querySelectorAll(".list__figure")].filter((figure) => {
  const range = document.createRange();
  range.selectNodeContents(figure);
  return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
}).map((figure) => figure.textContent)"""


@pytest.mark.parametrize("width", [1280, 1100, 390])
def test_a_deadline_stands_on_one_line_in_the_longer_words_of_french(
    width: int, alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at({"viewport": {"width": width, "height": 800}})
    page.set_extra_http_headers({"Accept-Language": "fr"})
    page.goto("/games/")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator(".list__figure", has_text="jours")).not_to_have_count(0)
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_nor_does_a_page_on_which_an_engine_tells_what_it_found(
    size: str, alice_at: Callable[..., Page], demo: Demo
) -> None:
    page = alice_at(SMALLEST, bypass_csp=True)
    for path in [
        path
        for name in ("bots", "bot", "game-advice", "game-why", "review", "my-games", "notice-choices")
        for path in demo.paths(name)
    ]:
        page.goto(path)
        page.add_style_tag(content=f"html {{ font-size: {size} }}")
        page.evaluate("for (const folded of document.querySelectorAll('#review details')) folded.open = true")
        assert (path, page.evaluate(BESIDE)) == (path, [])


def test_a_review_tells_on_a_phone_what_it_tells_at_a_desk(browser: Browser, demo: Demo) -> None:
    with browser.new_context(**SMALLEST) as context:  # type: ignore[arg-type]  # as `People.arrive`
        page = context.new_page()
        page.goto(demo.site.url + demo.game("Every last piece") + "review/")
        page.get_by_role("heading", name="Every move").click()
        moves = page.get_by_role("table").filter(has_text="Best moves")
        heads = ["Move", "Chance before", "Chance after", "Possible moves"]
        assert moves.get_by_role("columnheader").all_inner_texts() == [
            *heads,
            "Best moves, with the chance of each",
        ]
        last = moves.get_by_role("row").last
        assert last.get_by_role("cell").count() == 4
        expect(last.get_by_role("cell").nth(2)).to_have_text(re.compile(r"Possible moves \d+"), use_inner_text=True)
        for cell in last.get_by_role("cell").all():
            expect(cell).to_be_visible()


def test_everything_to_touch_is_large_enough_for_a_thumb(people: People) -> None:
    person = people.arrive("thumb", SMALLEST)
    for path in PUBLIC:
        person.go(path)
        assert (path, person.page.evaluate(SMALL)) == (path, [])
    person.sign_up()
    for path in MINE:
        person.go(path)
        assert (path, person.page.evaluate(SMALL)) == (path, [])


def test_without_scripts_a_table_is_opened_joined_and_found_in_the_lists(people: People) -> None:
    host = people.arrive("host", java_script_enabled=False)
    host.sign_up()
    path = host.open_table("blockyou-3", "link", "bot:random")
    guest = people.arrive("guest", SMALLEST, java_script_enabled=False)
    guest.go(host.invitation())
    guest.press("Take a seat")
    guest.page.wait_for_url(re.compile(re.escape(path)))
    guest.go("/games/")
    assert guest.page.locator(f"a.list__title[href='{path}']").count() == 1
    host.go("/history/?result=won")
    assert "No game matches" in host.page.locator("main").inner_text()
