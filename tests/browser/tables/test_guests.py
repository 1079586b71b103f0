"""Nobody needs an account to begin."""

import re

from playwright.sync_api import expect

from tests.browser.people import PASSWORD, PHONE, People


def test_one_tap_on_the_home_page_seats_a_guest_among_bots_that_answer(people: People) -> None:
    guest = people.arrive("guest", PHONE)
    guest.go("/")
    guest.press("Play bots")
    guest.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    guest.await_turn()

    before = guest.page.locator(".board .piece").count()
    guest.play_any()
    guest.await_turn()
    seats = guest.page.locator(".players .player").count()
    turns = before + 1 + (3 if seats == 4 else 1)
    assert guest.page.locator(".board .piece").count() >= turns


def test_a_guest_claims_the_account_and_keeps_the_games(people: People) -> None:
    guest = people.arrive("gina")
    guest.go("/")
    guest.press("Play bots")
    guest.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    path = guest.path
    guest.go("/accounts/claim/")
    guest.page.fill("[name=username]", guest.name)
    for box in guest.page.locator("input[type=password]").all():
        box.fill(PASSWORD)
    guest.page.locator("main form button").last.click()
    guest.page.wait_for_url(re.compile(r"/(games|accounts)/"))

    again = people.new_browser(guest)
    again.log_in()
    expect(again.page.locator(f"main a[href^='{path}']").first).to_be_visible()
