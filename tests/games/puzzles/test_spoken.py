"""Puzzles in words: without a picture what lies where, what to do, how to answer; the cookie of games in words asks."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.actions.puzzles.store_puzzles import store_puzzles
from games.models import PuzzleTry
from games.pages.spoken.page import PAGE
from games.puzzles.puzzle import ENDING, KINDS, PLACE_ALL, Puzzle
from games.queries.puzzles.days import today_of
from games.words.sentences import colour as colour_name
from tests.games.play.pages import Element, read
from tests.games.puzzles.samples import SAMPLES, in_order, wrong

pytestmark = pytest.mark.django_db

ANSWER = SAMPLES[ENDING].solutions[0][0]


@pytest.fixture(autouse=True)
def days() -> None:
    """Store a puzzle of each kind, that of today an ending."""
    first = today_of(timezone.now()) - timedelta(days=len(KINDS) - 1)
    for kind in (*(kind for kind in KINDS if kind != ENDING), ENDING):
        assert store_puzzles([(1, SAMPLES[kind])], source="bots", first=first)


@pytest.fixture
def listener(client: Client) -> Client:
    """Return a visitor who wants boards in words."""
    answer = client.post(f"{today()}mode/", {"spoken": "yes"})
    assert (answer.status_code, answer["Location"]) == (302, today())
    return client


def today() -> str:
    return f"/puzzles/{today_of(timezone.now())}/"


def cells_of(page: Element) -> dict[str, str]:
    """Return the board in words: what is on each cell, by its name."""
    [board] = page.find_all("table", class_="told__board")
    return dict(cell.text.split(" ", 1) for cell in board.find_all("td") if cell.text)


def lies_there(puzzle: Puzzle) -> dict[str, str]:
    position = puzzle.position
    names = enumerate(position.variant.cells)
    return {name: colour_name(owner) for cell, name in names if (owner := position.owner(cell))}


def send(browser: Client, form: Element, **filled: str) -> Element:
    fields = {each["name"]: each.attributes.get("value", "") for each in form.find_all("input", type="hidden")}
    return read(browser.post(form["action"], {**fields, **filled}))


def test_it_says_what_to_do_what_lies_on_every_cell_and_what_is_left(listener: Client) -> None:
    page = read(listener.get(today()))
    assert not page.find_all(id="board")
    puzzle = SAMPLES[ENDING]
    taken = {name: held for name, held in cells_of(page).items() if held not in {"empty", "corner you can use"}}
    assert taken == lies_there(puzzle)
    assert "corner you can use" in cells_of(page).values()
    assert colour_name(puzzle.colour) in page.find("section", id="task").text
    stocks = [each.text for each in page.find("section", id="pieces").find_all("dt")]
    assert stocks == [f"Pieces: {colour_name(each)}" for each in puzzle.position.colours_in_play]


def test_the_answer_is_typed_and_explained(listener: Client) -> None:
    form = read(listener.get(today())).find("form", id="typed")
    page = send(listener, form, placement=wrong(SAMPLES[ENDING]))
    assert "ook again" in page.find("section", id="task").text
    page = send(listener, page.find("form", id="typed"), placement=ANSWER)
    assert "Solved." in page.find("section", id="task").text
    assert "Best play goes on with" in page.find("section", id="answer").text
    assert not page.find_all("form", id="typed")
    assert not PuzzleTry.objects.exists()


def test_the_answer_is_found_among_the_places_of_a_piece(listener: Client) -> None:
    puzzle, piece = SAMPLES[ENDING], ANSWER.partition(":")[0]
    page = read(listener.get(today()))
    assert not page.find_all("form", id="choices")
    places = [str(each) for each in puzzle.position.legal_placements() if each.piece == piece]
    link = page.find("a", id=f"piece-{piece}")
    assert str(len(places)) in link.text
    found: list[str] = []
    while True:
        page = read(listener.get(link["href"].partition("#")[0]))
        form = page.find("form", id="choices")
        found += [button["value"] for button in form.find_all("button")]
        if not (after := page.find_all("a", id="after")):
            break
        link = after[0]
    assert found == places
    assert len(form.find_all("button")) <= PAGE
    assert page.find("p", id="news").text == page.find("h3", id="places-title").text
    assert "Solved." in send(listener, form, placement=ANSWER).find("section", id="task").text


def test_what_takes_several_placements_goes_on_and_the_list_follows(listener: Client) -> None:
    kinds = [kind for kind in KINDS if kind != ENDING]
    day = today_of(timezone.now()) - timedelta(days=len(kinds) - kinds.index(PLACE_ALL))
    page = read(listener.get(f"/puzzles/{day}/"))
    moves = in_order(SAMPLES[PLACE_ALL])
    for count, move in enumerate(moves, 1):
        page = send(listener, page.find("form", id="typed"), placement=move)
        if count < len(moves):
            assert f"{count} of {len(moves)} placed" in page.find("section", id="task").text
            [link] = [each for each in page.find_all("a") if each.attributes.get("id", "").startswith("piece-")][:1]
            assert read(listener.get(link["href"].partition("#")[0])).find_all("form", id="choices")
    assert "Solved." in page.find("section", id="task").text


def test_hints_come_in_steps_and_a_refusal_says_why(listener: Client) -> None:
    page = send(listener, read(listener.get(today())).find("form", id="hint"))
    assert "Take " in page.find("section", id="task").text
    page = send(listener, page.find("form", id="hint"))
    assert "of the board." in page.find("section", id="task").text
    # A list of places keeps them in sight.
    page = read(listener.get(page.find("a", id=f"piece-{ANSWER.partition(':')[0]}")["href"].partition("#")[0]))
    assert "of the board." in page.find("section", id="task").text
    puzzle = SAMPLES[ENDING]
    taken = next(str(turn.placement) for turn in puzzle.position.history if turn.colour == puzzle.colour)
    page = send(listener, page.find("form", id="typed"), placement=taken)
    assert page.find("div", id="notice")["role"] == "alert"
    assert "of the board." in page.find("section", id="task").text


def test_what_a_script_asks_for_is_answered_in_words_too(listener: Client) -> None:
    part = listener.post(f"{today()}try/", {"placement": ANSWER}, headers={"HX-Request": "true"})
    assert part.content.decode().count('id="game"') == 1
    assert "told__board" in part.content.decode()


def test_the_board_comes_back_where_it_was_left(listener: Client) -> None:
    [form] = read(listener.get(today())).find_all("form", id="mode")
    assert "Show the board" in form.text
    page = read(listener.post(form["action"], {"spoken": "no"}, follow=True))
    assert page.find_all(id="board")
    assert "Play without the board" in page.find("form", id="mode").text


def test_a_day_that_is_none_is_not_found(client: Client) -> None:
    assert client.post("/puzzles/nonsense/mode/", {"spoken": "yes"}).status_code == 404


def test_it_is_french_for_those_who_read_french(listener: Client) -> None:
    listener.cookies["django_language"] = "fr"
    page = read(listener.get(today()))
    assert page.find("section", id="task").find("h2").text == "À faire"
