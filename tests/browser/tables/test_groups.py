"""A group on phones: how few taps lead from nothing to a table of four of its people."""

import re

from playwright.sync_api import expect

from tests.browser.people import PHONE, WIDER, People, Person

#: Counts what a finger does, on all pages of this tab.
COUNT = "addEventListener('click', () => (sessionStorage.taps = 1 + Number(sessionStorage.taps ?? 0)), true)"
GAME = re.compile(r"/games/[a-z0-9]{10}/$")


def taps(person: Person) -> int:
    """Return how often the person has tapped; nothing on the way was wider than the phone."""
    assert person.page.evaluate(WIDER) == 0
    return int(person.page.evaluate("Number(sessionStorage.taps ?? 0)"))


def follow(person: Person, name: str) -> None:
    person._touch(person.page.get_by_role("link", name=name, exact=True).first)


def test_from_nothing_to_a_table_of_four_people_of_a_group_takes_eight_taps_on_phones(people: People) -> None:
    """Counted is every tap on a page of this site by all four of them, from the founder's list of games on.

    Not counted is what comes before and between: the founder's account (guests make no groups), sending the link by
    whatever they write to each other with, and opening it there. The others have no account and give no name.
    """
    founder = people.arrive("alice", PHONE)
    founder.sign_up()
    founder.page.add_init_script(COUNT)
    founder.go("/games/")
    follow(founder, "Lobby")
    follow(founder, "Groups")
    founder.press("Make the group")
    link = founder.page.locator("#invite").input_value().removeprefix(founder.url)
    founder.press("Copy")
    founder.press("4 players")
    founder.page.wait_for_url(GAME)
    counted = [taps(founder)]

    for name in ("bob", "carol", "dave"):
        friend = people.arrive(name, PHONE)
        friend.page.add_init_script(COUNT)
        friend.go(link)
        friend.press("Join and take a seat")
        friend.page.wait_for_url(GAME)
        assert friend.path == founder.path
        counted.append(taps(friend))

    # All four sit at the board, which came to the founder by itself.
    expect(founder.page.locator("#board")).to_be_visible()
    expect(friend.page.locator("#board")).to_be_visible()
    assert counted == [5, 1, 1, 1]
    assert sum(counted) <= 8
