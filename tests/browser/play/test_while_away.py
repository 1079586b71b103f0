"""The page of what happened while a player was away plays it by itself, move by move, within ten seconds."""

from playwright.sync_api import expect

from tests.browser.people import PHONE, People, Person

#: The pieces that are shown.
PIECES = "#board g[data-number]:not([display=none])"


def answered(people: People) -> tuple[Person, str]:
    """Return a person whose first move three bots have answered, and the path of the page that tells it.

    The time of that person's pages stands still from then on.
    """
    alice = people.arrive("alice", PHONE)
    alice.sign_up()
    path = alice.open_table("blockyou-4", "bot:random", "bot:random", "bot:random")
    alice.play_any()
    alice.await_turn()
    alice.page.clock.install()
    alice.go(path)
    alice.page.clock.pause_at(alice.page.evaluate("Date.now()") / 1000 + 10)
    return alice, f"{path}away/"


def test_what_was_missed_is_played_move_by_move_and_is_all_there_within_ten_seconds(people: People) -> None:
    alice, path = answered(people)
    alice.go(path)
    page = alice.page
    expect(page.locator("[data-play][data-playing]")).to_be_visible()
    expect(page.locator(PIECES)).to_have_count(1)
    seen = []
    for _second in range(10):
        page.clock.run_for(1_000)
        seen.append(page.locator(PIECES).count())
    assert sorted({*seen}) == [2, 3, 4]
    assert seen == sorted(seen)
    expect(page.locator("#move")).to_have_value("4")
    expect(page.locator("[data-play][data-playing]")).to_have_count(0)
    # It stays there.
    page.clock.run_for(10_000)
    expect(page.locator(PIECES)).to_have_count(4)


def test_one_tap_stops_it_at_the_move_that_was_tapped(people: People) -> None:
    alice, path = answered(people)
    alice.go(path)
    page = alice.page
    expect(page.locator("[data-play][data-playing]")).to_be_visible()
    page.clock.run_for(1_000)
    page.locator(".moves__list a[data-go='3']").tap()
    page.clock.run_for(10_000)
    expect(page.locator(PIECES)).to_have_count(3)
    expect(page.locator("[data-play][data-playing]")).to_have_count(0)


def test_who_likes_less_motion_has_the_last_move_at_once(people: People) -> None:
    alice, path = answered(people)
    alice.page.emulate_media(reduced_motion="reduce")
    alice.go(path)
    page = alice.page
    expect(page.locator("[data-play]")).to_be_visible()
    expect(page.locator(PIECES)).to_have_count(4)
    page.clock.run_for(10_000)
    expect(page.locator(PIECES)).to_have_count(4)
