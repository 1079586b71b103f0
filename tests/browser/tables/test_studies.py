"""A record is saved, opened from a file, and gone through with a finger on a phone."""

import json
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from games.rules import Position
from games.rules.records import GameRecord, read, write_blksgf
from tests.browser.demo import Demo
from tests.browser.people import DESK, TALL, WIDER, People


def short_game() -> GameRecord:
    """Return three moves of Trigon, with a word about the second."""
    position = Position.start("trigon-3")
    for _ in range(3):
        position = position.play(position.legal_placements()[0])
    return GameRecord.of(position, players=("Ann", "Ben", ""), comments={2: "Well met."}, title="At noon")


VISIBLE_PIECES = "#board g[data-number]:not([display=none])"


def visible_pieces(page: Page) -> int:
    return page.locator(VISIBLE_PIECES).count()


def is_too_wide(page: Page) -> bool:
    return bool(page.evaluate(WIDER))


def test_a_file_is_opened_without_an_account_and_gone_through_by_touch(people: People, tmp_path: Path) -> None:
    file = tmp_path / "noon.blksgf"
    file.write_text(write_blksgf(short_game()), encoding="utf-8")
    person = people.arrive("pat", TALL)
    page = person.page
    person.go("/studies/")
    assert not is_too_wide(page)
    page.set_input_files("[name=file]", file)
    person.press("Open the record")
    page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/$"))
    expect(page.locator("h1")).to_have_text("At noon")
    assert (visible_pieces(page), is_too_wide(page)) == (3, False)
    for command, pieces, is_said in (("back", 2, True), ("back", 1, False), ("first", 0, False), ("forward", 1, False)):
        page.locator(f"[data-go={command}]").tap()
        expect(page.locator(VISIBLE_PIECES)).to_have_count(pieces)
        expect(page.locator("[data-comment]")).to_be_visible(visible=is_said)
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-comment]")).to_have_text("Well met.")
    expect(page.locator("[data-words]")).to_contain_text("Ben placed")


def test_a_study_is_saved_shared_and_deleted(people: People, tmp_path: Path) -> None:
    person = people.arrive("quinn", TALL)
    page = person.page
    person.go("/studies/")
    page.fill("[name=text]", write_blksgf(short_game()))
    person.press("Open the record")
    page.wait_for_url(re.compile(r"/studies/[a-z0-9]{10}/$"))
    with page.expect_download() as download:
        page.get_by_role("link", name="As .json").tap()
    download.value.save_as(tmp_path / "saved.json")
    assert json.loads((tmp_path / "saved.json").read_text(encoding="utf-8"))["variant"] == "trigon-3"
    assert read((tmp_path / "saved.json").read_bytes()) == short_game()
    person.press("Share by link")
    expect(page.get_by_label("Link to this study")).to_have_value(page.url)
    visitor = people.arrive("rita", TALL)
    visitor.page.goto(page.url)
    expect(visitor.page.locator("h1")).to_have_text("At noon")
    person.press("Delete the study")
    person.press("Delete")
    page.wait_for_url(re.compile(r"/studies/$"))
    expect(page.locator("main")).to_contain_text("The study has been deleted.")


def test_a_file_that_is_none_is_told_at_the_field(people: People, tmp_path: Path) -> None:
    file = tmp_path / "bad.blksgf"
    file.write_text("(;GM[Blokus Duo];B[a1", encoding="utf-8")
    person = people.arrive("sam", TALL)
    person.go("/studies/")
    person.page.set_input_files("[name=file]", file)
    person.press("Open the record")
    expect(person.page.locator(".errorlist")).to_contain_text("Line 1, column")
    assert not is_too_wide(person.page)


def test_comments_among_the_moves_have_room_on_a_desk(alice_at: Callable[..., Page], demo: Demo) -> None:
    page = alice_at(DESK)
    page.goto(demo.paths("study")[1])
    moves = page.locator(".moves").bounding_box()
    assert moves
    assert moves["height"] >= 380
    assert page.locator("#comment-" + str(demo.names["comment"])).count() == 1
