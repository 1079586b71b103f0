"""Two variations of a study side by side, or one and the game itself."""

import pytest
from django.test import Client
from django.utils.formats import number_format

from accounts.models import User
from games.actions.people.follow_person import follow_person
from games.actions.studies.add_editor import add_editor
from games.actions.studies.create_study import create_study
from games.actions.studies.share_study import share_study
from games.models import Study
from games.rules import Position
from games.rules.record import Record, play_on
from games.rules.records import GameRecord, VariedTurn
from games.table import records
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.studies.test_board import board
from tests.games.studies.test_comments import FIRST, SECOND, page_of
from tests.games.studies.test_comments import study as study

pytestmark = pytest.mark.django_db


def compared(browser: Client, study: Study, query: str = "") -> Element:
    answer = browser.get(f"/studies/{study.slug}/compare/{query}")
    assert answer.status_code == 200
    return read(answer)


def links(page: Element) -> list[str]:
    """Return where the names of both sides lead."""
    return [side.find("h2").find("a")["href"] for side in page.find_all("article")]


def laid(page: Element) -> list[tuple[int, int]]:
    """Return of either side how many pieces lie there, and how many of them are of the variation."""
    sides = page.find_all("article")
    return [(len(one.find_all("path", class_="piece")), len(one.find_all("g", class_="step"))) for one in sides]


def cells(position: Position, colour: str) -> int:
    """Return how many cells a colour has placed."""
    turns = (turn for turn in position.history if turn.colour == colour)
    return sum(len(turn.placement.points) for turn in turns if turn.placement)


def test_a_variation_is_shown_beside_the_game_with_figures_of_both(alice: User, study: Study, log_in: LogIn) -> None:
    page = compared(log_in(alice), study, "?one=0&other=2")
    assert laid(page) == [(2, 0), (3, 2)]
    sides = page.find_all("article")
    assert [side.find("h2").text for side in sides] == ["The end of the game", "Instead"]
    assert "from move 2 · 2 moves" in sides[1].text
    game = records.stored(study.record)
    ends = [list(play_on(game.start(), game.line(number)))[-1] for number in (0, 2)]
    figures = [cell.text for cell in page.find("table").find_all("td")]
    rows = [(colour, end) for colour in ends[0].colours_in_play for end in ends]
    assert figures == [
        *(f"{cells(end, colour)} of 89" for colour, end in rows),
        *(number_format(len(end.legal_placements(colour)), force_grouping=True) for colour, end in rows),
    ]


def test_two_variations_are_shown_side_by_side_each_up_to_the_turn_asked_for(
    alice: User, study: Study, log_in: LogIn
) -> None:
    page = compared(log_in(alice), study, "?one=1&other=2")
    assert laid(page) == [(2, 1), (3, 2)]
    assert ["1 move" in page.find_all("article")[0].text, "2 moves" in page.find_all("article")[1].text] == [True, True]
    for key, number in (("one", "1"), ("other", "2")):
        [chosen] = [one for one in page.find("select", name=key).find_all("option") if "selected" in one.attributes]
        assert chosen["value"] == number
    # Swiped, or by a link without scripts.
    assert [side.find("a", class_="button")["href"] for side in page.find_all("article")] == ["#other", "#one"]


@pytest.mark.parametrize("query", ["", "?one=99&other=77", "?one=-1&other=x", "?one=0"])
def test_by_default_and_for_what_is_no_variation_the_game_is_beside_the_last_one(
    alice: User, study: Study, log_in: LogIn, query: str
) -> None:
    address = f"/studies/{study.slug}/board/"
    assert links(compared(log_in(alice), study, query)) == [f"{address}?move=2", f"{address}?branch=2&move=3"]


def test_all_who_see_the_study_compare_and_only_those_who_write_in_it_are_led_to_its_board(
    alice: User, bob: User, study: Study, client: Client, log_in: LogIn
) -> None:
    address = f"/studies/{study.slug}/"
    assert client.get(f"{address}compare/").status_code == 404
    share_study(alice, study.slug, is_shared=True)
    for browser in (client, log_in(bob)):
        page = compared(browser, study)
        assert links(page) == [f"{address}?move=2", f"{address}?branch=2&move=3"]
        assert page.find("a", href=address).text == "Back to the study"
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    assert links(compared(log_in(bob), study)) == [f"{address}board/?move=2", f"{address}board/?branch=2&move=3"]


def test_the_study_and_its_board_lead_there_with_the_variation_shown(alice: User, study: Study, log_in: LogIn) -> None:
    browser, address = log_in(alice), f"/studies/{study.slug}/compare/"
    for page in (page_of(browser, study), board(browser, study, "?move=1")):
        assert page.find("a", href=address).text == "Compare two"
    for page in (page_of(browser, study, branch=1, move=2), board(browser, study, "?branch=1&move=2")):
        assert page.find("a", href=f"{address}?other=1").text == "Compare two"


def test_a_study_without_variations_is_not_put_beside_itself(alice: User, log_in: LogIn) -> None:
    study = create_study(alice, GameRecord.of(Position.start("duo").play(FIRST).play(SECOND)))
    browser = log_in(alice)
    for query in ("", "?one=0&other=0", "?one=1"):
        page = compared(browser, study, query)
        assert not page.find_all("article")
        assert not page.find_all("table")
        assert "Nothing to compare yet" in page.find(class_="empty").text
    assert "Compare two" not in page_of(browser, study).text
    assert "Compare two" not in board(browser, study).text


def test_variations_from_a_position_that_was_set_up_and_to_a_resignation_are_compared(
    alice: User, log_in: LogIn
) -> None:
    placed = (("purple", "X:e9,d10,e10,f10,e11"), ("orange", "F:j4,i5,j5,j6,k6"))
    move = str(Position.setup("duo", placed).legal_placements("purple")[0])
    varied = (VariedTurn(0, 0, move), VariedTurn(0, 0, "retire:0"))
    study = create_study(alice, GameRecord(Record("duo", ()), placed=placed, varied=varied))
    page = compared(log_in(alice), study, "?one=1&other=2")
    assert laid(page) == [(3, 1), (2, 0)]
    assert page.find_all("article")[1].find("h2").text == "resigned"
