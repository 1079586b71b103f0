"""The board of the first page: a game plays itself there, and stops when it is told to."""

from playwright.sync_api import expect

from tests.browser.people import TALL, People

TO_COME = ".hero__board [data-to-come]"
PLACED = ".hero__board [data-piece]:not([data-to-come])"


def test_a_game_plays_itself_until_it_is_stopped_and_then_goes_on(people: People) -> None:
    stranger = people.arrive("stranger", TALL)
    stranger.go("/")
    page = stranger.page
    expect(page.locator(TO_COME)).not_to_have_count(0)
    expect(page.locator(PLACED)).not_to_have_count(0)
    page.get_by_role("button", name="Stop").tap()
    left = page.locator(TO_COME).count()
    assert left > 0
    page.get_by_role("button", name="Watch").tap()
    expect(page.locator(TO_COME)).not_to_have_count(left)
    expect(page.locator(TO_COME)).to_have_count(0, timeout=60_000)
    expect(page.get_by_role("button", name="Watch")).to_be_visible()


def test_nothing_moves_by_itself_where_less_motion_is_asked_for(people: People) -> None:
    stranger = people.arrive("stranger", {**TALL, "reduced_motion": "reduce"})
    stranger.go("/")
    button = stranger.page.get_by_role("button", name="Watch")
    expect(button).to_be_visible()
    expect(stranger.page.locator(TO_COME)).to_have_count(0)
    button.tap()
    expect(stranger.page.locator(TO_COME)).not_to_have_count(0)
