"""A game of bots, watched by two: whoever opened it takes it step by step, by keys alone."""

import re

from playwright.sync_api import Route, expect

from tests.browser.people import PHONE, People, Person

#: How long a move of a bot may take: the first of a site come once its workers have their engines ready.
ONE_MOVE = 60_000


def open_bots(person: Person) -> str:
    """Open a short game of two quick bots; return its path."""
    person.go("/games/new/?variant=duo")
    expect(person.page.locator(".create__watch")).to_be_hidden()
    for number, bot in enumerate(("bot:random", "bot:greedy")):
        person.choose_seat(number, bot)
        expect(person.page.locator(f"[name=seat-{number}-character]")).to_be_hidden()
    expect(person.page.get_by_label("Start paused")).to_be_checked()
    person.press("Open the table")
    person.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    return person.path


def test_a_game_of_bots_is_stepped_through_and_watched_to_its_end(people: People) -> None:
    alice, eve = people.arrive("alice"), people.arrive("eve", PHONE)
    alice.sign_up()
    path = open_bots(alice)
    eve.go(path)
    expect(eve.page.locator(".say__turn")).to_contain_text("Paused")
    expect(eve.page.get_by_role("group", name="The bots")).to_have_count(0)

    step = alice.page.get_by_role("button", name="Play one move")
    step.focus()
    for pieces in (1, 2):
        alice.page.keyboard.press("Enter")
        for person in (alice, eve):
            expect(person.page.locator("#board .piece")).to_have_count(pieces, timeout=ONE_MOVE)
        expect(step).to_be_focused()

    hold = alice.page.get_by_role("button", name="Continue")
    hold.focus()
    alice.page.keyboard.press("Enter")
    expect(alice.page.get_by_role("button", name="Pause")).to_be_focused()
    for person in (alice, eve):
        person.await_result(ONE_MOVE)
        expect(person.page.locator(".result")).to_be_visible()
    alice.page.get_by_role("link", name="Replay", exact=True).click()
    expect(alice.page.locator(".move__thought").first).to_be_hidden()
    alice.page.get_by_text("What the bots thought").click()
    expect(alice.page.locator(".move__thought").first).to_be_visible()


def test_a_step_asked_for_while_the_last_request_is_still_to_be_answered_is_played_too(people: People) -> None:
    alice = people.arrive("alice")
    alice.sign_up()
    open_bots(alice)
    asked: list[Route] = []

    def hold_first(route: Route) -> None:
        asked.append(route)
        if len(asked) > 1:
            route.continue_()
            return
        answer = route.fetch()
        # By then the socket has told of the piece, and the next one has been asked for.
        alice.page.locator("#board .piece").first.wait_for(timeout=ONE_MOVE)
        step.press("Enter")
        route.fulfill(response=answer)

    alice.page.route("**/step/", hold_first)
    step = alice.page.get_by_role("button", name="Play one move")
    step.press("Enter")
    expect(alice.page.locator("#board .piece")).to_have_count(2, timeout=ONE_MOVE)
    assert len(asked) == 2
