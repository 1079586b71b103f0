"""Being shown a good placement, with the engine that the site uses."""

import re

from playwright.sync_api import FloatRect, Locator, Route, expect

from tests.browser.people import DESK, PHONE, TALL, People, Person, seat_two

#: The first think of a worker waits until its engine is ready.
THINKING = 120_000


def ask(person: Person) -> Locator:
    """Ask for a good move by the menu or the tools, and return the choices."""
    asking = person.page.get_by_role("button", name="Suggest a move")
    if not asking.count():
        person.page.get_by_role("button", name="Menu").click()
    asking.first.click()
    choices = person.page.locator("#advice [data-hold]")
    expect(choices).to_have_count(3, timeout=THINKING)
    return choices


def box(person: Person, selector: str) -> FloatRect:
    """Return where something is in the window."""
    found = person.page.locator(selector).first.bounding_box()
    assert found
    return found


def test_a_good_placement_is_shown_on_the_board_and_to_nobody_else(people: People) -> None:
    alice, bob = people.arrive("alice", PHONE), people.arrive("bob")
    seat_two(alice, bob)
    choices = ask(alice)
    expect(alice.page.locator("#menu")).to_be_hidden()
    expect(bob.page.locator("#advice")).to_have_count(0)

    choices.nth(1).tap()
    expect(alice.page.locator("[data-say]")).to_contain_text("fits here")
    pressed = [choice.get_attribute("aria-pressed") for choice in choices.all()]
    assert pressed == ["false", "true", "false"]
    for width, height in ((1280, 800), (360, 740), (360, 640)):
        alice.page.set_viewport_size({"width": width, "height": height})
        expect(alice.page.locator(".actions__place")).to_be_in_viewport(ratio=1)
    chosen = choices.nth(1).get_attribute("data-hold") or ""
    version = alice.place()
    bob.await_version(version)
    expect(alice.page.locator("#advice")).to_have_count(0)
    expect(alice.page.locator(".moves__list")).to_contain_text(chosen.partition(":")[0])


def test_three_small_boards_stand_in_a_row_above_the_tray_and_leave_it_where_it_is(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    seat_two(alice, people.arrive("bob"))
    alice.page.set_viewport_size({"width": 360, "height": 740})
    tray = ".tray:not([hidden])"
    before = box(alice, tray)
    choices = ask(alice)
    tops = {round((choice.bounding_box() or before)["y"]) for choice in choices.all()}
    assert len(tops) == 1
    assert max(tops) + 60 < box(alice, tray)["y"] <= before["y"] + 40
    expect(alice.page.locator(tray)).to_be_in_viewport(ratio=0.75)
    for choice in choices.all():
        expect(choice.locator("svg .advice__edge")).to_have_count(1)
        assert (choice.bounding_box() or before)["height"] >= 44


def test_with_a_suggestion_in_hand_the_players_stay_and_the_strip_is_where_the_tools_were(people: People) -> None:
    alice = people.arrive("alice", TALL)
    seat_two(alice, people.arrive("bob"))
    choices = ask(alice)
    parts = (".head", ".players", "#board", ".tools", ".tray:not([hidden])")
    before = [box(alice, part) for part in parts]
    choices.first.tap()
    expect(alice.page.locator(".strip__form").first).to_be_in_viewport(ratio=1)
    for part in (".head", ".players"):
        expect(alice.page.locator(part)).to_be_visible()
    assert [box(alice, part) for part in parts] == before


def test_at_a_desk_the_orientations_of_a_suggestion_are_in_sight(people: People) -> None:
    alice = people.arrive("alice", DESK)
    alice.sign_up()
    alice.open_table("blockyou-4", *["bot:random"] * 3, hints="yes")
    ask(alice).first.click()
    for form in alice.page.locator(".strip__form").all():
        expect(form).to_be_in_viewport(ratio=1)
        # Nothing lies over it.
        form.click(trial=True)


def test_the_pictures_of_suggestions_lie_as_the_board_does_that_was_turned(people: People) -> None:
    alice = people.arrive("alice", TALL)
    seat_two(alice, people.arrive("bob"))
    pictures = ask(alice).locator("svg")
    expect(pictures.first).to_have_css("rotate", re.compile("none|0deg"))
    turn = alice.page.locator(".tools [data-view=turn]")
    turn.tap()
    for picture in pictures.all():
        expect(picture).to_have_css("rotate", "90deg")
    alice.page.reload()
    expect(ask(alice).locator("svg").first).to_have_css("rotate", "90deg")
    for _ in range(3):
        turn.tap()
    expect(pictures.first).to_have_css("rotate", re.compile("none|0deg"))


def test_by_keyboard_the_sentence_of_the_focused_choice_is_shown_and_enter_takes_it(people: People) -> None:
    alice = people.arrive("alice")
    seat_two(alice, people.arrive("bob"))
    choices = ask(alice)
    sentences = alice.page.locator("#advice .advice__why")
    expect(sentences.nth(0)).to_have_css("opacity", "1")
    choices.nth(1).focus()
    alice.page.keyboard.press("Tab")
    expect(choices.nth(2)).to_be_focused()
    shown = [sentence.evaluate("each => getComputedStyle(each).opacity") for sentence in sentences.all()]
    assert shown == ["0", "0", "1"]
    for choice, sentence in zip(choices.all(), sentences.all(), strict=True):
        expect(choice).to_have_accessible_name(
            re.compile(re.escape(sentence.inner_text()) + r" Chance of winning: \d+%")
        )
    alice.page.keyboard.press("Enter")
    expect(alice.page.locator("[data-say]")).to_contain_text("fits here")


def test_where_asking_meets_a_fault_there_is_a_page_to_ask_on(people: People) -> None:
    alice = people.arrive("alice", PHONE)
    path = seat_two(alice, people.arrive("bob"))
    alice.page.route("**/advice/", lambda route: route.fulfill(status=502) if is_sent(route) else route.continue_())
    alice.page.get_by_role("button", name="Menu").click()
    alice.page.get_by_role("button", name="Suggest a move").click()
    alice.page.wait_for_url(f"**{path}advice/")
    expect(alice.page.get_by_role("button", name="Suggest a move")).to_be_visible()


def is_sent(route: Route) -> bool:
    return route.request.method == "POST"
