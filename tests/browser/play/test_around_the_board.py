"""Around the board: what the players still hold, what the numbers mean, tools, signals, a lost connection."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.demo import Demo
from tests.browser.people import DESK, PHONE, TALL, People, seat_two

#: How much lighter one colour is than another (WCAG 2), as the browser paints them.
CONTRAST = """([ink, ground]) => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const [darker, lighter] = [ink, ground].map((colour) => {
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...paint.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }).sort((one, other) => one - other);
  return (lighter + 0.05) / (darker + 0.05);
}"""


@pytest.fixture
def at(alice_at: Callable[..., Page], demo: Demo) -> Any:
    """Return what opens the game of a scene as alice sees it on a device."""

    def opened(scene: str, device: dict[str, object], **options: object) -> Page:
        page = alice_at(device, **options)
        page.goto(demo.game(scene))
        return page

    return opened


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_tap_on_a_player_of_a_phone_shows_what_is_left_with_points_and_profile(at: Any, scripts: bool) -> None:
    page = at("Four seasons", TALL, java_script_enabled=scripts)
    sheet = page.locator(".player .stock").nth(1)
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="bob: pieces left").tap()
    expect(sheet).to_contain_text("13 pieces · 49 cells left")
    expect(sheet).to_contain_text("40 of 89 placed · joint lead")
    expect(sheet.get_by_role("img", name="Yellow still has")).to_be_visible()
    expect(sheet.get_by_role("link", name="bob")).to_have_attribute("href", "/players/bob/")


def test_a_desk_shows_every_opponents_pieces_and_fades_those_that_fit_nowhere(at: Any) -> None:
    page = at("Four seasons", DESK)
    trays = page.locator(".player .stock__picture")
    expect(trays).to_have_count(3)
    for tray in trays.all():
        expect(tray).to_be_visible()
    faded = page.locator(".stock__picture [data-faded]")
    assert float(faded.evaluate("path => getComputedStyle(path).opacity")) < 0.5
    expect(page.locator(".player__points").first).to_have_text(re.compile(r"^of 89\s+· joint lead\s*$"))


def test_two_colours_of_ones_own_stand_no_further_in_than_those_of_others(at: Any) -> None:
    page = at("Corner cases", DESK)
    mine, theirs = (name.bounding_box() for name in page.locator(".player__who").all())
    assert mine
    assert theirs
    assert abs(mine["x"] - theirs["x"]) <= 2
    overflows = "row => row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight + 1"
    assert not any(row.evaluate(overflows) for row in page.locator(".player").all())


def test_a_piece_of_ones_other_colour_is_told_whose_turn_comes_first(at: Any) -> None:
    page = at("Corner cases", TALL)
    page.locator(".player__colour[aria-pressed=false]").tap()
    page.locator(".tray:not([hidden]) button.slot:not([aria-disabled])").first.tap()
    expect(page.locator("[data-say]")).to_have_text(re.compile(r"fits here\. Place it when it is \w+'s turn\.$"))


def test_a_phone_has_room_for_names_and_points_of_two_colours(at: Any) -> None:
    page = at("Long silence", TALL)
    for count in page.locator(".player__count").all():
        box = count.bounding_box()
        assert box
        assert box["height"] < 24
    overflows = "row => row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight + 1"
    assert not any(row.evaluate(overflows) for row in page.locator(".player").all())


def test_a_finger_on_the_board_leaves_no_frame_and_the_tab_key_does(at: Any) -> None:
    page = at("Corner cases", TALL)
    frame = "() => getComputedStyle(document.querySelector('#board')).outlineStyle"
    page.locator("#board").tap()
    assert page.evaluate(frame) == "none"
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.id") == "board"
    assert page.evaluate(frame) == "solid"


@pytest.mark.parametrize(("locale", "turn"), [("en-GB", "Turn board"), ("fr-FR", "Tourner le plateau")])
def test_no_tool_of_a_phone_is_cut_and_none_is_there_twice(at: Any, locale: str, turn: str) -> None:
    for scene, count in (("Corner cases", 4), ("Four seasons", 3)):
        page = at(scene, TALL, locale=locale)
        names = page.locator(".tools__view .tool > span")
        expect(names).to_have_count(count)
        assert not any(name.evaluate("name => name.scrollWidth > name.clientWidth") for name in names.all())
        # Where the words of a tool have too little room together, its first one is seen.
        named = page.get_by_role("button", name=turn).locator("span")
        assert count == 4 or named.evaluate("name => name.scrollHeight <= name.clientHeight + 1")
    page = at("Corner cases", TALL, locale=locale)
    page.locator("button.head__menu").tap()
    expect(page.locator("#menu")).to_be_visible()
    for doubled in (".menu__tools", ".menu__item--keys", "#view [data-view]"):
        expect(page.locator(doubled).locator("visible=true")).to_have_count(0)


def test_a_short_phone_has_its_tools_in_the_menu(at: Any) -> None:
    page = at("Corner cases", PHONE)
    page.locator("button.head__menu").tap()
    page.locator("#menu").get_by_role("button", name="Turn board").tap()
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator("#board")).not_to_have_attribute("data-turn", "0")


@pytest.mark.parametrize("device", [PHONE, {**PHONE, "viewport": {"width": 360, "height": 720}}], ids=["640", "720"])
def test_a_piece_in_hand_covers_no_player_on_a_short_phone(at: Any, device: dict[str, object]) -> None:
    page = at("Against the machines", device)
    board = page.locator("#board").bounding_box()
    page.locator(".tray:not([hidden]) button.slot:not([aria-disabled])").first.tap()
    strip = page.locator(".tools").bounding_box()
    assert strip
    for player in page.locator(".player").all():
        expect(player).to_be_visible()
        box = player.bounding_box()
        assert box
        assert strip["y"] + strip["height"] <= box["y"]
    assert min(one["height"] for one in boxes(page, ".strip__form")) >= 43.5
    assert page.locator("#board").bounding_box() == board


def boxes(page: Page, selector: str) -> list[Any]:
    """Return where the elements are that can be seen."""
    return [element.bounding_box() for element in page.locator(selector).locator("visible=true").all()]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("device", [TALL, DESK], ids=["phone", "desk"])
def test_a_tool_has_an_edge_and_a_ground_as_buttons_have(at: Any, device: dict[str, object], theme: str) -> None:
    page = at("Corner cases", device, color_scheme=theme)
    look = """element => ["backgroundColor", "borderTopColor", "borderTopWidth"]
        .map((name) => getComputedStyle(element)[name])"""
    button = page.locator("#place > [data-act=left]").evaluate(look)
    tools = page.locator(".tools__view > .tool")
    expect(tools).to_have_count(4)
    assert all(tool.evaluate(look) == button for tool in tools.all())


def test_a_device_that_goes_offline_says_so_at_once_and_that_it_is_back(at: Any) -> None:
    page = at("Corner cases", TALL)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_have_text("Connection lost. Reconnecting…", timeout=2_000)
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_have_text("Connected again.")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("asked", "least"), [({"forced_colors": "active"}, 7), ({"contrast": "more"}, 7), ({}, 4.5)], ids=str
)
def test_the_numbers_of_recent_moves_can_be_read(at: Any, asked: dict[str, str], least: float, theme: str) -> None:
    page = at("Four seasons", DESK, color_scheme=theme, **asked)
    pairs = [
        (".step__number text", "fill", ".step__number rect", "fill"),
        (".move[data-new] .move__number", "color", ".move[data-new] .move__number", "backgroundColor"),
    ]
    for ink, ink_property, ground, ground_property in pairs:
        style = "(element, name) => getComputedStyle(element)[name]"
        found = [
            page.locator(ink).first.evaluate(style, ink_property),
            page.locator(ground).first.evaluate(style, ground_property),
        ]
        assert page.evaluate(CONTRAST, found) >= least, (ink, found)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_names_of_bots_are_not_cut_on_a_desk_however_long_their_points_are_told(people: People, locale: str) -> None:
    guest = people.arrive("guest", DESK, locale=locale)
    guest.go("/")
    guest.page.locator("form[action='/play-bots/'] button").first.click()
    guest.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    names = guest.page.locator(".player__name")
    expect(names).to_have_count(4)
    # The longest that is ever said beside a score, whoever leads now.
    cut = """names => {
      for (const said of document.querySelectorAll(".player__points")) said.textContent = "points · à égalité en tête";
      return names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent);
    }"""
    assert names.evaluate_all(cut) == []
    overflows = "row => row.scrollWidth > row.clientWidth"
    assert not any(row.evaluate(overflows) for row in guest.page.locator(".player").all())


def test_my_turn_is_seen_on_the_tabs_icon_unless_it_is_switched_off(people: People) -> None:
    alice = people.arrive("alice")
    alice.sign_up()
    alice.open_table("duo", "bot:random")
    icon = alice.page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("icon-turn"))
    alice.press("Hints and view")
    alice.page.get_by_label("Dot on the tab's icon").uncheck()
    expect(icon).not_to_have_attribute("href", re.compile("icon-turn"))


#: Counts the notes that a page plays.
HEARD = """window.heard = 0; const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (at) { window.heard += 1; start.call(this, at); };"""
#: Keeps what a device would have felt.
FELT = "window.felt = []; navigator.vibrate = (pulses) => { felt.push(pulses); return true; };"


@pytest.mark.parametrize(("said", "notes"), [("Turn on", 2), ("No thanks", 0)])
def test_a_piece_that_lands_is_heard_and_felt_after_a_yes_and_asked_about_once(
    said: str, notes: int, people: People
) -> None:
    alice = people.arrive("alice")
    alice.context.add_init_script(HEARD)
    alice.context.add_init_script(FELT)
    alice.sign_up()
    alice.open_table("duo", "bot:random")
    question = alice.page.get_by_text("Hear and feel pieces land?")
    expect(question).to_be_hidden()
    alice.play_any()
    expect(question).to_be_visible()
    alice.await_turn()
    tray = alice.page.locator(".tray:not([hidden])")
    before = tray.bounding_box()
    assert alice.page.evaluate("[heard, felt.length]") == [0, 0]
    alice.press(said)
    expect(question).to_be_hidden()
    assert tray.bounding_box() == before, "it takes no room"
    assert alice.page.evaluate("window.heard") == notes
    alice.await_turn()
    alice.play_any()
    assert alice.page.evaluate("[heard, felt.length]") == [2 * notes, notes]
    # One short pulse for each piece.
    assert all(len(pulses) == 1 and pulses[0] < 40 for pulses in alice.page.evaluate("felt"))
    expect(question).to_be_hidden()
    alice.page.reload()
    alice.await_turn()
    alice.play_any()
    expect(question).to_be_hidden()


def test_a_sound_is_heard_only_where_it_was_asked_for(people: People) -> None:
    alice = people.arrive("alice")
    alice.context.add_init_script(HEARD)
    alice.sign_up()
    alice.open_table("duo", "bot:random")
    alice.play_any()
    alice.await_turn()
    assert alice.page.evaluate("window.heard") == 0
    alice.press("Hints and view")
    alice.page.get_by_label("Soft sound").check()
    assert alice.page.evaluate("window.heard") == 2


@pytest.mark.parametrize("is_wanted", [True, False])
def test_my_turn_is_felt_only_where_that_was_asked_for(is_wanted: bool, people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    alice.context.add_init_script(FELT)
    seat_two(alice, bob)
    alice.page.clock.install()
    if is_wanted:
        alice.press("Menu")
        alice.page.locator("#menu").get_by_role("button", name="Hints and view").tap()
        alice.page.get_by_label("Short vibration").check()
        assert alice.page.evaluate("felt") == [[40, 60, 40]], "it is tried out at once"
        alice.page.keyboard.press("Escape")
    alice.play_any()
    # Sooner after the last touch it would be no news.
    alice.page.clock.fast_forward(10_000)
    bob.await_turn()
    version = bob.play_any()
    alice.await_version(version)
    alice.await_turn()
    assert alice.page.evaluate("felt") == [[40, 60, 40]] * (2 if is_wanted else 0)
