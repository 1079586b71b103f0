"""A whole game with JavaScript off: two people, from the sign-up to the result, by forms and links alone."""

import re

from playwright.sync_api import expect

from tests.browser.people import TALL, People, Person


def test_two_people_play_a_game_of_duo_without_scripts(people: People) -> None:
    alice = people.arrive("alice", TALL, java_script_enabled=False)
    bob = people.arrive("bob", java_script_enabled=False)
    alice.sign_up()
    bob.sign_up()
    path = alice.open_table("duo", "link")
    bob.go(alice.invitation())
    bob.press(re.compile("seat|Join", re.I))

    moves = 0
    while not is_over(alice, path):
        mover = alice if alice.is_my_turn() else bob
        place_from_the_list(mover, path)
        moves += 1
    assert moves > 20
    assert is_over(bob, path)
    scores = shown_scores(alice)
    assert len(scores) >= 2
    assert scores == shown_scores(bob)


def test_without_scripts_the_page_comes_again_until_the_bot_has_moved(people: People) -> None:
    alice = people.arrive("alice", TALL, java_script_enabled=False)
    alice.sign_up()
    path = alice.open_table("duo", "bot:greedy")
    place_from_the_list(alice, path)
    # Its own form needs scripts: it is not shown.
    alice.page.wait_for_selector("#place[data-my-turn]", state="attached", timeout=120_000)
    expect(alice.page.locator("meta[http-equiv=refresh]")).to_have_count(0)


def is_over(person: Person, path: str) -> bool:
    """Look at the game as it is now."""
    person.go(path)
    return person.page.locator(".result").count() > 0


def place_from_the_list(person: Person, path: str) -> None:
    """Press a piece in the tray, and on the page that answers one of its places."""
    person.go(path)
    person.choose(person.playable()[0])
    person.page.wait_for_url(re.compile("/placements/"))
    place = person.page.locator("button[name=placement]")
    expect(place.first).to_be_visible()
    place.nth(place.count() // 2).click()
    person.page.wait_for_url(re.compile(f"{path}$"))


def shown_scores(person: Person) -> list[str]:
    """Return each colour's total, as the table of the result shows them."""
    return person.page.locator(".result td:last-child").all_inner_texts()
