"""Time runs out on a running site: no one claims anything, and the open pages say what became of the game."""

import sqlite3
from contextlib import closing

from playwright.sync_api import expect

from tests.browser.people import TALL, People, Person
from tests.browser.site import Site

PAST = "2026-01-01 00:00:00"


def let_time_pass(site: Site, path: str) -> None:
    """Put the deadline of the turn that is due into the past."""
    with closing(sqlite3.connect(site.folder / "db.sqlite3", timeout=30)) as database, database:
        database.execute("UPDATE games_game SET deadline = ? WHERE slug = ?", (PAST, path.split("/")[2]))


def seated(people: People, *names: str, variant: str) -> list[Person]:
    """Return people who have joined one table and see the board."""
    host, *others = (people.arrive(name, TALL) for name in names)
    host.sign_up()
    host.open_table(variant, *["link"] * len(others))
    for other in others:
        other.sign_up()
        other.go(host.invitation())
        other.press("Take a seat")
    for person in (host, *others):
        person.go(host.path)
        expect(person.page.locator("#board")).to_be_visible()
    return [host, *others]


def test_a_duel_runs_out_of_time_and_both_pages_say_so(people: People, site: Site) -> None:
    host, guest = seated(people, "late", "prompt", variant="duo")
    host.play_any()
    guest.await_version(host.version())
    guest.play_any()
    host.await_version(guest.version())
    let_time_pass(site, host.path)
    expect(guest.page.locator(".end__lead")).to_have_text("You won", timeout=60_000)
    expect(host.page.locator(".end__lead")).to_have_text("You lost on time")
    expect(host.page.locator("#game")).to_contain_text("You ran out of time.")


def test_a_player_who_was_away_comes_back_with_one_tap(people: People, site: Site) -> None:
    host, other, third = seated(people, "gone", "here", "there", variant="blockyou-3")
    for _ in range(2):
        let_time_pass(site, host.path)
        expect(other.page.locator("#place[data-my-turn]")).to_be_visible(timeout=60_000)
        for person in (other, third):
            person.await_turn()
            person.play_any()
    host.page.get_by_role("button", name="I'm back").tap()
    expect(host.page.locator(".say__absence")).to_contain_text("You are back: you play your next turn yourself.")
