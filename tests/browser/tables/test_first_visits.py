"""Small things that a new user met: each is tried once, as it was met."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import DESK, PASSWORD, TALL, People

GAME = re.compile(r"/games/[a-z0-9]{10}/$")


def test_a_player_who_opens_a_public_game_logged_out_logs_in_there_and_is_back(people: People) -> None:
    player = people.arrive("player")
    player.sign_up()
    path = player.open_table("duo", "bot:random")
    again = people.new_browser(player, TALL)
    again.go(path)
    expect(again.page.locator("#board")).to_be_visible()
    again.page.get_by_role("link", name="Log in").first.tap()
    again.page.fill("[name=login]", player.name)
    again.page.fill("[name=password]", PASSWORD)
    again.page.locator("main form button.button--primary").tap()
    again.page.wait_for_url(player.url + path)
    again.await_turn()


def test_a_french_table_of_a_guest_has_no_english_name(people: People) -> None:
    host, friend = people.arrive("host", TALL, locale="fr-FR"), people.arrive("friend", locale="fr-FR")
    host.go("/games/new/")
    host.open_table("duo", "link")
    link = host.invitation()
    friend.go(link)
    for person in (host, friend):
        expect(person.page).not_to_have_title(re.compile("Guest"))
        expect(person.page.locator("main")).to_contain_text("Anonyme-")
        expect(person.page.locator("main")).not_to_contain_text("Guest")


def test_a_french_table_is_named_after_its_host_whatever_letter_the_name_begins_with(people: People) -> None:
    host, friend = people.arrive("anna", locale="fr-FR"), people.arrive("friend", locale="fr-FR")
    host.sign_up()
    host.open_table("duo", "link")
    friend.go(host.invitation())
    expect(friend.page.get_by_role("heading", level=1)).to_have_text(f"Chez {host.name}")


@pytest.mark.parametrize("device", [TALL, DESK], ids=["phone", "desk"])
def test_the_colour_that_three_share_is_told_in_the_present_from_the_first_move(
    device: dict[str, object], people: People
) -> None:
    person = people.arrive("three", device)
    person.sign_up()
    person.open_table("classic-3", "bot:random", "bot:random")
    shared = person.page.locator(".players__shared")
    expect(shared).to_contain_text("You play piece 1 of Green, the shared colour.")
    for _ in range(2):
        person.play_any()
        person.await_turn()
    expect(shared).to_contain_text("Random bot 1 plays piece 2 of Green, the shared colour.")
