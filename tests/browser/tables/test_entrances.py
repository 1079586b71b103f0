"""From nothing to a game: how many taps it takes a stranger, and where a link leads who is not logged in."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.people import PASSWORD, PHONE, People, Person

GAME = re.compile(r"/games/[a-z0-9]{10}/$")


def taps(person: Person) -> list[str]:
    """Return a list that grows with every tap on something that can be pressed."""
    counted: list[str] = []
    person.page.expose_function("tapped", lambda words: counted.append(words))
    person.page.add_init_script(
        "addEventListener('click', (event) => event.isTrusted && tapped(event.target.textContent.trim()), true)"
    )
    return counted


def test_a_game_against_bots_is_one_tap_away_from_the_first_page(people: People) -> None:
    guest = people.arrive("guest", PHONE)
    counted = taps(guest)
    guest.go("/")
    guest.press("Play bots")
    guest.page.wait_for_url(GAME)
    expect(guest.page.locator(".board").first).to_be_visible()
    assert len(counted) == 1


def test_a_friend_plays_by_link_within_two_and_five_taps_and_both_have_names(people: People) -> None:
    host, friend = people.arrive("host", PHONE), people.arrive("friend", PHONE)
    counted = taps(host)
    host.go("/")
    host.press("Play with a friend")
    host.page.wait_for_url(GAME)
    expect(host.page.get_by_role("button", name="Copy")).to_be_visible()
    assert len(counted) == 1, "the second tap copies the link"
    path = host.invitation()
    host.page.get_by_label("What should we call you?").fill(host.name)
    host.press("Save")
    expect(host.page.get_by_role("link", name=host.name)).to_be_visible()

    counted = taps(friend)
    friend.go(path)
    expect(friend.page.get_by_text(f"{host.name} invites you to play Block-You.")).to_be_visible()
    friend.page.get_by_label("What should we call you?").fill(friend.name)
    friend.press("Take a seat")
    friend.page.wait_for_url(GAME)
    if not friend.is_my_turn():
        host.await_turn()
        host.play_any()
        friend.await_turn()
    friend.play_any()
    assert len(counted) <= 5
    expect(host.page.locator(".players")).to_contain_text(friend.name)


@pytest.mark.proof
def test_a_host_sees_at_once_what_a_waiting_friend_is_called(people: People) -> None:
    host, friend = people.arrive("host"), people.arrive("friend")
    host.sign_up()
    path = host.open_table("blockyou-3", "open", "open")
    friend.go("/lobby/")
    friend.page.locator(f"form[action='{path}join/'] button").click()
    friend.page.get_by_label("What should we call you?").fill(friend.name)
    friend.press("Save")
    friend.page.wait_for_url(GAME)
    expect(host.page.locator(".waiting")).to_contain_text(friend.name)


def test_anyone_is_two_taps_away_at_most(people: People) -> None:
    one = people.arrive("one", PHONE)
    counted = taps(one)
    one.go("/")
    one.press("Play anyone")
    one.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$|/accounts/name/"))
    if "/accounts/name/" in one.page.url:
        one.page.get_by_role("link", name="Continue as").tap()
        one.page.wait_for_url(GAME)
    assert len(counted) <= 2


def test_a_stranger_opens_a_table_by_the_form_without_an_account(people: People) -> None:
    stranger = people.arrive("stranger")
    stranger.go("/lobby/")
    stranger.page.get_by_role("link", name="New game").first.click()
    stranger.page.wait_for_url(re.compile(r"/games/new/"))
    stranger.open_table("blockyou-2", "link")
    expect(stranger.page.locator("#invite")).to_be_visible()


def test_a_link_to_a_private_game_leads_through_the_log_in_and_back(people: People) -> None:
    player = people.arrive("player")
    player.sign_up()
    player.go("/")
    player.press("Play with a friend")
    player.page.wait_for_url(GAME)
    path = player.path
    again = people.new_browser(player, PHONE)
    again.go(path)
    expect(again.page.get_by_role("heading", name="Not found")).to_be_visible()
    again.page.locator("main").get_by_role("link", name="Log in").tap()
    again.page.fill("[name=login]", player.name)
    again.page.fill("[name=password]", PASSWORD)
    again.page.locator("main form button.button--primary").tap()
    again.page.wait_for_url(player.url + path)
    expect(again.page.locator("#invite")).to_be_visible()


@pytest.mark.proof
def test_the_wrong_account_is_changed_for_the_right_one_on_the_way(people: People) -> None:
    player, wrong = people.arrive("player"), people.arrive("wrong")
    player.sign_up()
    player.go("/")
    player.press("Play with a friend")
    player.page.wait_for_url(GAME)
    path = player.path
    wrong.sign_up()
    wrong.go(path)
    expect(wrong.page.get_by_text(f"You are logged in as {wrong.name}.")).to_be_visible()
    wrong.press("Log in with another account")
    wrong.page.wait_for_url(re.compile(r"/accounts/login/"))
    assert parse_qs(urlsplit(wrong.page.url).query) == {"next": [path]}


@pytest.mark.proof
def test_a_table_that_waits_offers_the_log_in_and_leads_back(people: People) -> None:
    host, known = people.arrive("host"), people.arrive("known", PHONE)
    host.sign_up()
    known.sign_up()
    path = host.open_table("blockyou-2", "open")
    known.context.clear_cookies()
    known.go(path)
    known.page.get_by_role("main").get_by_role("link", name="Log in").tap()
    known.page.fill("[name=login]", known.name)
    known.page.fill("[name=password]", PASSWORD)
    known.page.locator("main form button.button--primary").tap()
    known.page.wait_for_url(f"**{path}")
    expect(known.page.get_by_role("button", name="Take a seat")).to_be_visible()
    expect(known.page.get_by_role("main").get_by_role("link", name="Log in")).to_have_count(0)


@pytest.mark.proof
def test_a_site_without_mail_promises_none(people: People) -> None:
    member = people.arrive("member")
    for path in ("/accounts/signup/", "/accounts/password/reset/"):
        member.go(path)
        expect(member.page.locator("main")).to_contain_text("This site sends no e-mails.")
        expect(member.page.locator("main")).not_to_contain_text("manage.py")
    member.sign_up()
    member.go("/notices/choices/")
    expect(member.page.locator("main")).to_contain_text("This site sends no e-mails.")
    for path in ("/accounts/", "/accounts/preferences/"):
        member.go(path)
        expect(member.page.locator("main")).not_to_contain_text(re.compile("by e-mail|e-mails", re.I))


def test_the_doors_open_without_scripts_and_by_keyboard(people: People) -> None:
    plain = people.arrive("plain", java_script_enabled=False)
    for door in ("Play with a friend", "Play anyone"):
        plain.go("/")
        button = plain.page.get_by_role("button", name=door)
        button.focus()
        plain.page.keyboard.press("Enter")
        plain.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$|/accounts/name/"))
        # Where a table waits for anyone, the game has begun.
        expect(plain.page.locator("#own-name, #place")).not_to_have_count(0)
