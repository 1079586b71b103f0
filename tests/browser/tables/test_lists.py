"""Lists: what needs me stands out and can be answered there, and a desk has room for columns and for the way on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.demo import Demo
from tests.browser.people import DESK, PHONE, People

#: How far apart the left edges of the games of a list are: one for each column.
COLUMNS = """(list) => new Set([...list.children].map((row) => Math.round(row.getBoundingClientRect().left))).size"""


@pytest.fixture(params=["phone", "desk"])
def alice(request: pytest.FixtureRequest, alice_at: Callable[..., Page]) -> Page:
    """Return the page of alice, who has games in every state."""
    return alice_at({"phone": PHONE, "desk": DESK}[request.param])


def test_games_that_need_me_have_a_larger_board_and_lead_to_the_move(alice: Page) -> None:
    mine = alice.get_by_role("region", name="Your turn").get_by_role("listitem").first
    theirs = alice.get_by_role("region", name="Waiting for others").get_by_role("listitem").first
    boards = [row.locator(".thumb").bounding_box() for row in (mine, theirs)]
    assert boards[0]
    assert boards[1]
    assert boards[0]["width"] > 1.5 * boards[1]["width"]
    expect(theirs.get_by_role("link", name="Play")).to_have_count(0)
    # On a phone the whole row leads there.
    is_desk = alice.evaluate("innerWidth > 1000")
    expect(mine.get_by_role("link", name="Play")).to_have_count(int(is_desk))
    (mine.get_by_role("link", name="Play") if is_desk else mine.locator(".thumb")).click(force=not is_desk)
    expect(alice.locator("#place")).to_be_visible()


def test_four_games_that_need_me_are_seen_at_once_on_a_phone(alice_at: Callable[..., Page]) -> None:
    rows = alice_at(PHONE).get_by_role("region", name="Your turn").get_by_role("listitem").all()
    heights = sorted(box["height"] for row in rows if (box := row.bounding_box()))
    assert len(heights) > 4
    assert heights[len(heights) // 2] <= 140


def test_on_a_phone_every_row_that_leads_to_a_game_without_a_button_has_an_arrow(alice: Page) -> None:
    arrows = """rows => rows.map(row => [row, row.querySelector(".list__end")].some(
        part => part && getComputedStyle(part, "::after").content.includes("\u203a")))"""
    is_phone = not alice.evaluate("innerWidth > 1000")
    for name in ("Your turn", "Waiting for others", "Your open tables", "Just finished"):
        found = alice.get_by_role("region", name=name).locator(".list__row:has(.list__title)").evaluate_all(arrows)
        assert found, name
        assert all(found) if is_phone else not any(found), name


def test_the_corners_hold_the_games_that_wait_for_me_and_no_others(alice: Page) -> None:
    held = alice.locator("main .list__row").evaluate_all(
        "rows => rows.filter(row => getComputedStyle(row).backgroundImage !== 'none').map(row => row.dataset.needs)"
    )
    assert set(held) == {"turn"}
    assert len(held) == alice.locator("main [data-needs=turn]").count()
    expect(alice.locator("main [data-needs=invitation]")).not_to_have_count(0)


def test_a_deadline_is_said_in_words_with_its_moment_for_those_who_ask(alice: Page) -> None:
    far = alice.get_by_role("region", name="Your turn").locator("time").filter(has_text="days left").first
    assert re.fullmatch(r"\d days left", far.inner_text())
    assert re.search(r"day, \w+ \d+, 20\d\d", far.get_attribute("title") or "")
    near = alice.get_by_role("listitem").filter(has_text="Last hour").locator("time.list__figure")
    expect(near).to_have_text(re.compile(r"^\d\d? min left$"))


def test_what_is_due_is_the_strongest_line_of_a_game_and_what_else_there_is_the_quietest(alice: Page) -> None:
    look = "all => all.map(one => getComputedStyle(one)).map(({fontWeight, fontSize}) => [fontWeight, fontSize])"
    for name, due in (("Your turn", ["650", "14px"]), ("Waiting for others", ["400", "14px"])):
        row = alice.get_by_role("region", name=name).get_by_role("listitem").first
        assert row.locator(".list__words > .list__line").evaluate_all(look) == [due, ["400", "13px"]]


@pytest.mark.parametrize("path", ["/games/", "/lobby/"])
def test_faces_names_and_buttons_of_those_to_challenge_stand_below_each_other(alice: Page, path: str) -> None:
    alice.goto(path)
    for part in (".face", ".challenges__name", "form > .button"):
        found = alice.locator(f".challenges .list__row {part}").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect()).map(({left, right}) => [left, right].map(Math.round))"
        )
        assert len(found) > 4
        assert (part, len({tuple(edges) for edges in found})) == (part, 1)


def test_games_stand_in_columns_where_there_is_room(alice: Page) -> None:
    is_desk = alice.evaluate("innerWidth > 1000")
    games = alice.get_by_role("region", name="Your turn").get_by_role("list")
    assert games.evaluate(COLUMNS) == (2 if is_desk else 1)
    # Whom one may challenge stands beside them on a desk, and below all lists on a phone.
    lists, people = alice.locator("#my-games").bounding_box(), alice.locator(".challenges").bounding_box()
    assert lists
    assert people
    assert is_desk == (people["x"] >= lists["x"] + lists["width"])
    assert is_desk == (people["y"] < lists["y"] + lists["height"])


def test_an_invitation_is_answered_in_one_row_on_a_desk(alice_at: Callable[..., Page]) -> None:
    page = alice_at(DESK)
    (card,) = page.get_by_role("region", name="Invitations").get_by_role("listitem").all()
    row, title, accept = (
        each.bounding_box()
        for each in (card, card.get_by_role("link").first, card.get_by_role("button", name="Accept"))
    )
    assert row
    assert title
    assert accept
    assert row["height"] <= 128
    assert accept["x"] > title["x"] + title["width"]
    assert accept["y"] < title["y"] + 64


def test_the_buttons_of_cards_beside_each_other_stand_at_one_height(alice_at: Callable[..., Page]) -> None:
    page = alice_at(DESK)
    bottoms: dict[float, set[float]] = {}
    cards = page.get_by_role("region", name="Your turn").get_by_role("listitem")
    for card in cards.all():
        row, button = card.bounding_box(), card.get_by_role("link", name="Play").bounding_box()
        assert row
        assert button
        bottoms.setdefault(round(row["y"]), set()).add(round(button["y"] + button["height"]))
    assert len(bottoms) < cards.count(), "some stand beside each other"
    assert [len(line) for line in bottoms.values()] == [1] * len(bottoms)


def test_names_in_a_list_lead_to_people_and_bots(alice: Page) -> None:
    alice.get_by_role("listitem").filter(has_text="Corner cases").get_by_role("link", name="bob", exact=True).click()
    expect(alice.get_by_role("heading", level=1, name="bob")).to_be_visible()


def test_a_day_that_is_being_typed_waits_for_show(alice: Page) -> None:
    alice.goto("/history/")
    alice.get_by_text("More filters").click()
    alice.get_by_label("From").fill("2020-01-01")
    alice.get_by_label("To").fill("2020-01-02")
    assert "?" not in alice.url
    alice.get_by_role("button", name="Show").click()
    expect(alice.get_by_role("heading", name="No game matches")).to_be_visible()
    expect(alice.get_by_label("From")).to_have_value("2020-01-01")


def test_a_moment_says_itself_in_full_where_the_focus_is(alice: Page) -> None:
    alice.goto("/history/")
    moment = alice.locator("time.when").first
    shown = "(moment) => getComputedStyle(moment, '::after').content"
    assert moment.evaluate(shown) == "none"
    alice.get_by_role("link", name="CSV").focus()
    alice.keyboard.press("Shift+Tab")
    last = alice.locator("time.when").last
    assert (last.get_attribute("title") or "?") in last.evaluate(shown)


def test_the_history_finds_a_person_by_a_part_of_the_name(alice: Page) -> None:
    alice.goto("/history/?opponent=aro")
    expect(alice.get_by_role("listitem").filter(has_text="Enough for today")).to_be_visible()
    expect(alice.get_by_role("listitem").filter(has_text="Every last piece")).to_have_count(0)
    expect(alice.get_by_label("Board").locator("option", has_text="13 \N{MULTIPLICATION SIGN} 13")).to_have_count(0)


def test_the_history_finds_a_bot(people: People) -> None:
    person = people.arrive("tired")
    person.sign_up()
    person.open_table("duo", "bot:random")
    person.page.locator("#resign form").evaluate("form => form.submit()")
    expect(person.page.locator(".result")).to_be_visible()
    person.go("/history/?opponent=rand")
    expect(person.page.get_by_role("listitem").get_by_role("link", name="Random bot").first).to_be_visible()


def test_a_stranger_finds_running_games_to_watch_in_the_lobby(people: People, demo: Demo) -> None:
    stranger = people.arrive("stranger")
    stranger.page.goto(f"{demo.site.url}/lobby/")
    to_watch = stranger.page.get_by_role("region", name="Games to watch")
    to_watch.locator("a.list__title").first.click()
    expect(stranger.page.locator("#board")).to_be_visible()


def test_an_invitation_is_counted_and_answered_with_one_tap_in_the_list(people: People) -> None:
    host, guest = people.arrive("host"), people.arrive("invited", PHONE)
    host.sign_up()
    guest.sign_up()
    for answer in ("Decline", "Accept"):
        host.go(f"/games/new/?variant=duo&opponent={guest.name}")
        host.page.locator("main form button.button--primary").click()
        host.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
        guest.go("/games/")
        expect(guest.page.locator("#waiting")).to_have_text(re.compile("^1"))
        guest.press(re.compile(f"^{answer}"))
    expect(guest.page.locator("#board")).to_be_visible()


@pytest.mark.parametrize("end", ["", "replay/"])
@pytest.mark.parametrize("device", [DESK, PHONE])
def test_a_visitor_is_offered_the_log_in_once(
    end: str, device: dict[str, object], browser: Browser, demo: Demo
) -> None:
    with browser.new_context(**device) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(demo.site.url + demo.game("Every last piece") + end)
        assert page.get_by_role("link", name="Log in").count() == (1 if device is DESK or not end else 0)


@pytest.mark.parametrize("end", ["", "replay/"])
def test_a_game_keeps_the_sites_navigation_on_a_desk_and_its_board_the_whole_height(
    end: str, browser: Browser, demo: Demo
) -> None:
    with browser.new_context(**DESK) as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(demo.site.url + demo.game("Every last piece") + end)
        board = page.locator("#board").bounding_box()
        assert board
        assert board["height"] >= 690
        page.get_by_role("navigation", name="Main").get_by_role("link", name="Lobby").click()
        expect(page.get_by_role("heading", level=1, name="Lobby")).to_be_visible()


def test_the_word_of_a_button_stands_in_its_middle(alice: Page) -> None:
    aside = """buttons => buttons.filter(button => button.offsetParent).map((button) => {
        const words = document.createRange();
        words.selectNodeContents(button.firstChild);
        const word = words.getBoundingClientRect(), box = button.getBoundingClientRect();
        return Math.abs(word.left - box.left - (box.right - word.right));
    })"""
    alice.goto("/lobby/")
    found = alice.locator("main .list__row button:has(> .visually-hidden)").evaluate_all(aside)
    assert found
    assert max(found) < 2


def test_preferences_are_saved_without_scrolling_to_their_end(alice: Page) -> None:
    alice.goto("/accounts/preferences/")
    expect(alice.get_by_text(re.compile("^More contrast"))).to_be_in_viewport()
    save = alice.get_by_role("button", name="Save")
    expect(save).to_be_in_viewport(ratio=1)
    save.click()
    expect(alice.get_by_text("Your preferences are saved.")).to_be_visible()
