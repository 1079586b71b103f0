"""Every kind of board, opened by the form with a finger on a phone, and played on."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.people import TALL, WIDER, People, Person
from tests.browser.site import Site

TABLES = [
    ("Trigon", "3 players", {}, ["blue", "yellow", "red"]),
    # Green is played by the seats in turn, and its first piece by mine.
    ("Classic", "3 players", {}, ["blue", "yellow", "red"]),
    ("CodinGame", "2 players", {"size": "10", "seed": "42"}, ["blue", "yellow"]),
    ("Junior", "2 players", {"scoring": "coverage"}, ["green", "orange"]),
    ("Duo", "2 players", {"scoring": "coverage"}, ["purple", "orange"]),
]


@pytest.fixture(scope="module")
def member(browser: Browser, site: Site) -> dict[str, Any]:
    """Return the cookies of somebody who has an account: all of this file is one person, for a site limits sign-ups."""
    group = People(browser, site.url)
    person = group.arrive("pat")
    person.sign_up()
    cookies = person.context.storage_state()
    group.leave()
    return {"storage_state": cookies}


def choose_board(person: Person, board: str, players: str) -> None:
    """Tap a board, then a number of players; each tap brings the form for it."""
    for fieldset, name in (("Board", board), ("Number of players", players)):
        group = person.page.get_by_role("group", name=fieldset, exact=True)
        button = group.get_by_role("button", name=name).first
        button.tap()
        expect(button).to_have_attribute("aria-pressed", "true")


def fill_in(page: Page, values: dict[str, str]) -> None:
    for name, value in values.items():
        field = page.locator(f"[name={name}]")
        if field.first.get_attribute("type") == "radio":
            page.locator(f"[name={name}][value={value}]").locator("..").tap()
        else:
            field.fill(value)


def open_against_bots(person: Person, board: str, players: str, values: dict[str, str], bot: str = "random") -> None:
    """Open a table for me and bots, me first."""
    person.go("/games/new/?variant=blockyou-4")
    person.page.locator("[name=dealing][value=set]").locator("..").tap()
    choose_board(person, board, players)
    expect(person.page.locator("[name=dealing][value=set]")).to_be_checked()
    fill_in(person.page, values)
    for number in range(1, int(players[0])):
        person.choose_seat(number, f"bot:{bot}")
    person.press("Open the table")
    person.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))


@pytest.mark.parametrize(("board", "players", "values", "colours"), TABLES, ids=[table[0] for table in TABLES])
def test_a_table_is_opened_by_touch_and_the_bots_answer_my_first_piece(
    board: str, players: str, values: dict[str, str], colours: list[str], people: People, member: dict[str, Any]
) -> None:
    person = people.arrive("pat", TALL, **member)
    open_against_bots(person, board, players, values)
    person.await_turn()
    expect(person.page.locator("main")).to_contain_text(board)

    person.play_any()

    person.await_turn()
    placed = person.page.locator(".board .piece").evaluate_all("all => all.map(piece => piece.dataset.colour)")
    assert placed[: len(colours)] == colours
    assert person.page.evaluate(WIDER) == 0


def test_the_seed_that_draws_the_pieces_is_shown_at_the_table(people: People, member: dict[str, Any]) -> None:
    person = people.arrive("pat", TALL, **member)
    open_against_bots(person, "CodinGame", "2 players", {"size": "10", "seed": "42"})
    person.press("Menu")
    expect(person.page.locator("#menu")).to_contain_text("The pieces are drawn from seed 42.")
    expect(person.page.locator("h1 + p")).to_contain_text("CodinGame 10 × 10, 2 players")


def test_the_result_says_how_it_was_scored(people: People, member: dict[str, Any]) -> None:
    person = people.arrive("pat", TALL, **member)
    open_against_bots(person, "Duo", "2 players", {"scoring": "coverage"}, bot="greedy")
    person.await_turn()
    person.play_any()
    person.await_turn()

    person.press("Menu")
    person.page.locator("#menu").get_by_role("button", name="Resign").tap()
    person.page.locator("#resign").get_by_role("button", name="Resign").tap()

    result = person.page.locator(".result")
    expect(result).to_be_visible()
    expect(person.page.locator("main")).to_contain_text(re.compile("coverage", re.I))
    assert person.page.locator(".result__player > td:last-child").all_text_contents() == ["5", "5"]


def test_a_size_that_no_board_has_is_told_at_its_field_and_the_rest_is_kept(
    people: People, member: dict[str, Any]
) -> None:
    person = people.arrive("pat", TALL, **member)
    person.go("/games/new/?variant=blockyou-4")
    choose_board(person, "CodinGame", "4 players")
    fill_in(person.page, {"size": "99", "seed": "7"})
    person.press("Open the table")
    expect(person.page.get_by_label("Rows and columns")).to_have_attribute("aria-invalid", "true")
    expect(person.page.locator("#id_size_error")).to_contain_text("from 7 to 26")
    expect(person.page.get_by_label("Seed", exact=True)).to_have_value("7")


def test_enter_in_a_field_opens_the_table(people: People, member: dict[str, Any]) -> None:
    person = people.arrive("pat", **member)
    person.go("/games/new/?variant=duo")
    person.page.get_by_text("More options").click()
    person.page.fill("[name=name]", "By the key")
    person.page.press("[name=name]", "Enter")
    person.page.wait_for_url(re.compile(r"/games/[a-z0-9]{10}/$"))
    expect(person.page.locator("h1")).to_have_text("By the key")


def test_boards_are_chosen_by_keyboard_and_the_focus_stays_near(people: People, member: dict[str, Any]) -> None:
    person = people.arrive("pat", **member)
    person.go("/games/new/?variant=blockyou-4")
    page = person.page
    page.get_by_role("group", name="Board", exact=True).get_by_role("button", name="Trigon").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("variant=trigon-4.*#variant$"))
    # The page that was asked for may be there before it has the focus.
    page.wait_for_load_state()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_attribute("value", "trigon-4")


@pytest.mark.parametrize("scripts", [True, False])
def test_without_scripts_another_board_keeps_what_was_typed_too(
    scripts: bool, people: People, member: dict[str, Any]
) -> None:
    person = people.arrive("pat", java_script_enabled=scripts, **member)
    person.go("/games/new/?variant=blockyou-4")
    person.page.get_by_text("More options").click()
    person.page.fill("[name=name]", "Kept")
    person.page.get_by_role("button", name=re.compile("^Junior")).click()
    expect(person.page.locator("[name=name]")).to_have_value("Kept")
    expect(person.page.locator("[name=variant]")).to_have_value("junior")
