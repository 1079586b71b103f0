"""People play each other over the network, from sign-up to the result."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, People, Person, seat_two


@pytest.mark.proof
def test_two_people_play_a_whole_game_and_find_it_in_their_histories(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    path = seat_two(alice, bob)

    play_turns(path, [alice, bob], at_most=24)
    alice = resume_elsewhere(people, alice, path)
    play_turns(path, [alice, bob], at_most=400)

    for person in (alice, bob):
        expect(person.page.locator(".result")).to_be_visible()
    scores = shown_scores(alice)
    assert scores == shown_scores(bob)
    assert scores == [signed(str(score)) for score in scores_by_counting(alice, path)]
    counts = [data.get_attribute("value") for data in alice.page.locator(".players .player__score").all()]
    for person, other, placed in ((alice, bob, counts[0]), (bob, alice, counts[1])):
        person.go("/history/")
        entry = person.page.locator(f"main a[href^='{path}']").first
        expect(entry).to_contain_text(other.name)
        expect(person.page.locator("main")).to_contain_text(f"{placed} of 178")


def test_four_people_open_a_game_and_see_each_other_move(people: People) -> None:
    cast = [people.arrive(name, PHONE if name == "carol" else None) for name in ("alice", "bob", "carol", "dave")]
    for person in cast:
        person.sign_up()
    path = cast[0].open_table("blockyou-4", "link", "link", "link")
    invitation = cast[0].invitation()
    for person in cast[1:]:
        person.go(invitation)
        person.press(re.compile("seat|Join", re.I))
        person.page.wait_for_url(re.compile(path))
    expect(cast[0].page.locator("#board")).to_be_visible()

    for turn in range(8):
        mover = cast[turn % 4]
        mover.await_turn()
        version = mover.play_any()
        for other in cast:
            other.await_version(version)
    assert {person.page.locator(".board .piece").count() for person in cast} == {8}


def play_turns(path: str, cast: list[Person], at_most: int) -> None:
    """Let whoever is to move place something, until the game is over or enough has been played."""
    for _ in range(at_most):
        if cast[0].page.locator(".result").count():
            return
        mover = next(person for person in cast if person.is_my_turn())
        version = mover.play_any()
        for person in cast:
            person.await_version(version)


def resume_elsewhere(people: People, person: Person, path: str) -> Person:
    """Let somebody close the browser and go on at another one, found through My games."""
    person.context.close()
    again = people.new_browser(person)
    again.log_in()
    again.page.locator(f"main a[href^='{path}']").first.click()
    again.page.wait_for_selector("#board")
    return again


def shown_scores(person: Person) -> list[str]:
    """Return the players' totals in seat order, as the page has them."""
    totals = person.page.locator(".result__player").evaluate_all(
        "rows => rows.map(row => [row.querySelector('th').textContent, row.lastElementChild.textContent.trim()])"
    )
    names = [name.strip() for name in person.page.locator(".players .player__name").all_text_contents()]
    return [next(total for who, total in totals if name in who) for name in names]


def scores_by_counting(person: Person, path: str) -> list[int]:
    """Count by hand, on the replay's picture (each cell has one glyph), what each of the two left unplaced (R9)."""
    person.go(f"{path}replay/")
    pieces = person.page.locator("g[data-number]")
    placed = pieces.evaluate_all(
        "all => all.map(g => [g.dataset.colour, g.querySelector('.glyph').getAttribute('d').match(/M/g).length])"
    )
    person.go(path)
    return [sum(colour_score(placed, colour) for colour in pair) for pair in (("blue", "red"), ("yellow", "green"))]


def colour_score(placed: list[tuple[str, int]], colour: str) -> int:
    """Return one colour's score from the sizes of its pieces in the order they were placed."""
    sizes = [size for owner, size in placed if owner == colour]
    left = 89 - sum(sizes)
    return -left if left else (20 if sizes[-1] == 1 else 15)


def signed(score: str) -> str:
    """Return a score as pages write it, with a true minus sign."""
    return score.replace("-", "−")
