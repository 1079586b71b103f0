"""Journeys in Debian's Firefox and in WebKitGTK, of the family of iPhones' browsers: what Chromium does elsewhere."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest

from tests.browser.firefox import FIREFOX, Firefox, firefox
from tests.browser.people import PASSWORD, PHONE, WIDER, People
from tests.browser.site import Site
from tests.browser.test_offline import IS_KEPT
from tests.browser.webkit import is_there, webkit
from tests.browser.window import Window

pytestmark = pytest.mark.proof

#: Opens a window, on a phone in the usual look unless it is told otherwise.
Open = Callable[..., Window]
PAGES = ("/", "/lobby/", "/rules/", "/learn/", "/accounts/login/", "/accounts/signup/", "/games/new/", "/bots/")
SLOT = ".tray:not([hidden]) button.slot:not([aria-disabled])"
VERSION = "Number(document.querySelector('#game').dataset.version)"
#: Corners to reach out from are drawn by the script that answers hands and keys: it is at work.
MY_TURN = "document.querySelector('#place[data-my-turn]') !== null && document.querySelector('#hints > *') !== null"
HELD = "document.querySelector('#ghost .ghost__shape')?.getAttribute('d') ?? ''"


@pytest.fixture(params=["firefox", "webkit"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Return what opens a window of one of the browsers; it is closed after the test."""
    if request.param == "firefox" and not FIREFOX.exists():
        pytest.skip("needs Debian's firefox-esr")
    if request.param == "webkit" and not is_there():
        pytest.skip("needs Debian's webkit2gtk-driver and xvfb")
    start: Callable[..., AbstractContextManager[Window]] = firefox if request.param == "firefox" else webkit
    with ExitStack() as stack:

        def open_window(*, width: int = 360, height: int = 740, is_dark: bool = False) -> Window:
            return stack.enter_context(start(tmp_path / "profile", width=width, height=height, is_dark=is_dark))

        yield open_window


def play_bots(window: Window, url: str) -> str:
    """Begin a game against bots as a guest, and return its path when it is the guest's turn."""
    window.go(url)
    window.press("form[action='/play-bots/'] button")
    window.wait_for(f"location.pathname.startsWith('/games/') && {MY_TURN}")
    return str(window.run("location.pathname"))


def test_a_guest_plays_bots_after_one_press(opened: Open, site: Site) -> None:
    window = opened()
    play_bots(window, site.url)
    assert window.run("document.querySelectorAll('.player').length") == 4
    assert window.run("document.querySelectorAll('#board').length") == 1


def test_a_piece_is_placed_by_two_presses(opened: Open, site: Site) -> None:
    window = opened()
    play_bots(window, site.url)
    before = int(window.run(VERSION))
    window.press(SLOT)
    window.wait_for("document.querySelector('#ghost[data-fits=true]') !== null")
    window.press(".actions__place:enabled")
    window.wait_for(f"{VERSION} > {before} && document.querySelectorAll('[data-spent]').length > 0")


def test_a_piece_is_drawn_from_the_tray_and_moved_on_the_board(opened: Open, site: Site) -> None:
    window = opened(width=1280, height=900)
    play_bots(window, site.url)
    (x, y), board = window.middle(SLOT), window.middle("#board")
    window.drag((x, y), board)
    window.wait_for(f"({HELD}) !== ''")
    there = window.run(HELD)
    window.drag(board, (board[0] + 120, board[1] + 120))
    window.wait_for(f"({HELD}) !== '' && ({HELD}) !== {there!r}")


def test_a_piece_is_chosen_and_placed_by_keys_alone(opened: Open, site: Site) -> None:
    window = opened(width=1280, height=900)
    if isinstance(window, Firefox):
        pytest.skip("Firefox without a screen loses keys: about half of the single runs failed by it")
    path = play_bots(window, site.url)
    # A button that has the focus is not pressed by a key where no window is in front, as here: the board takes it.
    window.go(f"{site.url}/accounts/preferences/")
    # The page may still settle while it is pressed.
    while not window.run("document.querySelector('[name=placing][value=direct]').checked"):
        window.press("[name=placing][value=direct]")
    window.press("main form .button--primary")
    window.wait_for("document.body.textContent.includes('Your preferences are saved.')")
    window.go(site.url + path)
    window.wait_for(f"{MY_TURN} && document.querySelector('#place[data-direct]') !== null")
    before = int(window.run(VERSION))
    window.run("document.querySelector('#board').focus()")
    window.type("/")
    window.wait_for("document.activeElement.matches(':popover-open input')")
    window.type("I", "5", "Enter")
    window.wait_for("document.querySelector('#ghost[data-fits=true]') && document.activeElement.id === 'board'")
    window.type("Enter")
    window.wait_for(f"{VERSION} > {before}")


def test_the_move_of_another_arrives_by_itself(opened: Open, site: Site, people: People) -> None:
    window = opened()
    window.go(site.url)
    window.press("form[action='/play-friend/'] button")
    window.wait_for("document.querySelector('#invite') !== null")
    friend = people.arrive("friend", PHONE)
    friend.go(str(window.run("document.querySelector('#invite').value")).removeprefix(site.url))
    friend.page.locator("main form button.button--primary").first.click()
    friend.page.wait_for_selector("#place")
    window.wait_for("document.querySelector('#place') !== null && document.querySelector('#hints > *') !== null")
    window.run("window.loaded = 'once'")
    if not friend.is_my_turn():
        window.press(SLOT)
        window.press(".actions__place:enabled")
    friend.await_turn()
    version = friend.play_any()
    window.wait_for(f"{VERSION} >= {version}")
    window.wait_for(MY_TURN)
    assert window.run("window.loaded") == "once"


def test_a_finished_game_is_played_over_step_by_step(opened: Open, site: Site, people: People) -> None:
    player = people.arrive("player")
    player.sign_up()
    path = player.open_table("duo", "bot:random")
    player.play_any()
    player.await_turn()
    player.press("Menu")
    player.press("Resign")
    player.page.locator("#resign .button--danger").click()
    player.page.wait_for_selector(".end")
    window = opened()
    window.go(f"{site.url}{path}replay/")
    shown = "document.querySelector('[data-number-shown]').textContent"
    pieces = "[...document.querySelectorAll('.board .piece')].filter((one) => one.checkVisibility()).length"
    assert window.run(pieces) == 2
    window.type("Home")
    window.wait_for(f"{shown} === '0' && {pieces} === 0")
    window.type("ArrowRight")
    window.wait_for(f"{shown} === '1' && {pieces} === 1")


def test_a_game_is_read_while_the_site_is_away(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    site = Site(tmp_path / "site")
    site.start()
    try:
        window = opened()
        path = play_bots(window, site.url)
        # The worker that is installed by the first page stands between the next ones and the site.
        window.go(f"{site.url}/games/")
        window.wait_for("navigator.serviceWorker.controller !== null")
        window.go(f"{site.url}/games/")
        window.wait_for(f"({IS_KEPT})('/games/')")
        window.go(site.url + path)
        window.wait_for(f"({IS_KEPT})('{path}')")
        site.kill()
        window.go(site.url + path)
        assert window.run("document.querySelectorAll('#board').length") == 1
        assert "You are offline." in str(window.run("document.querySelector('.told').textContent"))
        window.go(f"{site.url}/games/")
        assert window.run(f"document.querySelectorAll('main a[href=\"{path}\"]').length > 0")
    finally:
        site.kill()


def test_a_member_logs_in_with_name_and_password(opened: Open, site: Site, people: People) -> None:
    member = people.arrive("member")
    member.sign_up()
    window = opened()
    window.go(f"{site.url}/accounts/login/")
    window.press("[name=login]")
    window.type(*member.name)
    window.press("[name=password]")
    window.type(*PASSWORD, "Enter")
    window.wait_for("location.pathname === '/games/'")
    assert window.run("document.querySelector('.nav__end .face').textContent.trim()") == member.name[0].upper()


def test_one_press_makes_the_site_french(opened: Open, site: Site) -> None:
    window = opened()
    window.go(site.url)
    window.run("document.querySelector('footer [lang=fr]').click()")
    window.wait_for("document.documentElement.lang === 'fr'")
    assert "Jouer contre des robots" in str(window.run("document.querySelector('.doors').textContent"))
    assert window.run(WIDER) == 0


def test_by_dark_the_page_is_dark_and_the_board_is_lit(opened: Open, site: Site) -> None:
    window = opened(is_dark=True)
    window.go(site.url)
    light = "(one) => getComputedStyle(one).backgroundColor.match(/[0-9.]+/g).slice(0, 3).map(Number)"
    page = [float(part) for part in window.run(f"JSON.stringify(({light})(document.documentElement))")[1:-1].split(",")]
    board = window.run(f"JSON.stringify(({light})(document.querySelector('.board')))")[1:-1].split(",")
    assert max(page) < 60
    assert min(map(float, board)) > 120
    letters = window.run("getComputedStyle(document.body).color")
    assert min(map(float, re.findall(r"[\d.]+", str(letters))[:3])) > 180


def test_no_page_is_wider_than_a_phone(opened: Open, site: Site) -> None:
    window = opened()
    for path in PAGES:
        window.go(site.url + path)
        assert window.run("window.innerWidth") == 360
        assert (path, window.run(WIDER)) == (path, 0)
    play_bots(window, site.url)
    assert window.run(WIDER) == 0
    window.press(SLOT)
    assert window.run(WIDER) == 0
