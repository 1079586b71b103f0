"""A position that is set up by hand becomes a study, whose board goes on from there."""

import gzip
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from urllib.parse import parse_qsl, urlencode

import pytest
from django.test import Client

from accounts.models import User
from games.errors import Refused
from games.models import Study
from games.rules import Position, action_count
from games.rules.variants import SIZED, VARIANTS
from games.table import records
from games.table.setting_up import colours_to_set_up, state_query, with_piece
from tests.conftest import LogIn
from tests.games.play.pages import Element, read

pytestmark = pytest.mark.django_db

PATH = "/studies/set-up/"
CROSS = "X:e9,e10,d10,f10,e11"
CANONICAL = "X:e9,d10,e10,f10,e11"


def sent(**fields: str) -> dict[str, str]:
    """Return the form of a board for two, filled in."""
    return {
        "board": "duo",
        "to_play": "orange",
        **{name.replace("placed_", "placed-"): text for name, text in fields.items()},
    }


def errors(page: Element) -> list[str]:
    return [each.text for each in page.find_all("ul", class_="errorlist")]


def test_every_board_of_one_size_is_offered_with_a_field_for_each_colour(client: Client, db: None) -> None:
    boards = [link["href"] for link in read(client.get(PATH)).find_all("a", class_="list__title")]
    assert boards == [f"{PATH}?board={kind}" for kind in VARIANTS if kind not in SIZED]
    for address in boards:
        variant = VARIANTS[address.partition("=")[2]]
        page = read(client.get(address))
        assert [each["name"] for each in page.find_all("textarea")] == [
            f"placed-{one}" for one in colours_to_set_up(variant)
        ]


def test_what_is_set_up_lies_on_the_board_of_a_new_study_with_the_chosen_colour_to_play(
    alice: User, log_in: LogIn
) -> None:
    browser = log_in(alice)
    link = read(browser.get("/studies/")).find("a", href=PATH)
    assert link.text == "Set up a position"
    fields = sent(placed_purple=f"{CROSS}\n 1:a1 ; ", placed_orange="F at j5 r90", title="A cross in the middle")
    answer = browser.post(PATH, fields)
    study = Study.objects.get()
    assert (answer["Location"], study.title) == (f"/studies/{study.slug}/board/", "A cross in the middle")
    record = records.stored(study.record)
    assert [colour for colour, _piece in record.placed] == ["purple", "purple", "orange"]
    assert (record.to_play, record.record.moves) == ("orange", ())
    assert (study.board.count("0"), study.board.count("1")) == (6, 5)
    assert browser.get(answer["Location"]).status_code == 200
    after = str(record.start().legal_placements()[0])
    tried = browser.post(
        f"/studies/{study.slug}/board/try/", {"placement": after, "move": "0", "branch": "0", "edition": "1"}
    )
    assert tried.status_code == 302
    assert next(one.turn for one in records.stored(Study.objects.get().record).varied) == after


def test_an_empty_board_is_a_position_too(client: Client, db: None) -> None:
    assert client.post(PATH, sent(to_play="purple")).status_code == 302
    assert set(Study.objects.get().board) == {"."}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"placed_purple": CROSS, "placed_orange": "1:e9"}, "1:e9: "),
        ({"placed_purple": f"{CROSS}\n{CROSS}"}, "e9"),
        ({"placed_purple": f"{CROSS}; X:j9,j10,k10,i10,j11"}, "X:"),
        ({"placed_purple": "nonsense"}, "nonsense: This move could not be read."),
        ({"placed_purple": "1:z99"}, "1:z99: "),
        ({"to_play": "blue"}, "blue"),
    ],
)
def test_what_cannot_lie_there_is_said_at_its_colour_and_nothing_is_kept(
    client: Client, db: None, fields: dict[str, str], said: str
) -> None:
    answer = client.post(PATH, sent(**fields))
    assert answer.status_code == 422
    page = read(answer)
    [error] = errors(page)
    assert said in error
    assert not Study.objects.exists()
    kept = {each["name"]: each.text for each in page.find_all("textarea")}
    assert kept["placed-purple"].strip() == " ".join(fields.get("placed_purple", "").split())


def test_an_unknown_board_is_none(client: Client, db: None) -> None:
    for board in ("chess", "codingame-2", ""):
        assert client.post(PATH, sent() | {"board": board}).status_code in (200, 422)
    assert not Study.objects.exists()


def laid(page: Element) -> list[str]:
    """Return what the page can take off its board again, in order."""
    return [one["value"] for one in page.find_all("button") if "data-cells" in one.attributes]


def state(page: Element) -> dict[str, str]:
    """Return the fields that travel with every step."""
    box = page.find("div", id="state")
    fields = {one["name"]: one["value"] for one in box.find_all("input") if one.attributes.get("value")}
    # Texts are read on one line here; canonical pieces have no spaces.
    return fields | {one["name"]: one.text.strip().replace(" ", "\n") for one in box.find_all("textarea")}


def test_a_piece_is_placed_whatever_it_touches_and_the_address_holds_what_lies_there(client: Client, db: None) -> None:
    answer = client.get(PATH, {"board": "duo", "colour": "orange", "placement": CROSS})
    assert answer.status_code == 302
    page = read(client.get(answer["Location"]))
    assert laid(page) == [f"orange {CANONICAL}"]
    assert state(page) == {"board": "duo", "colour": "orange", "placed-purple": "", "placed-orange": CANONICAL}
    assert page.find("li", class_="player", data_turn="").text.split() == ["Orange", "1"]
    # A piece at the edge of another, of the other colour and of its own.
    for colour, piece in (("purple", "1:e8"), ("orange", "1:f9")):
        answer = client.get(PATH, state(page) | {"colour": colour, "placement": piece})
        page = read(client.get(answer["Location"]))
    assert laid(page) == ["purple 1:e8", f"orange {CANONICAL}", "orange 1:f9"]
    assert client.post(PATH, state(page) | {"to_play": "purple"}).status_code == 302
    assert Study.objects.get().board.count(".") == 14 * 14 - 7


def test_a_script_gets_the_part_that_changes_and_the_address_to_go_back_from(client: Client, db: None) -> None:
    asked = {"board": "duo", "colour": "orange", "to_play": "orange", "title": "Mine"}
    answer = client.get(PATH, asked | {"placement": CROSS}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    page = read(answer)
    kept = {"board": "duo", "colour": "orange", "title": "Mine"}
    assert state(page) == {**kept, "placed-purple": "", "placed-orange": CANONICAL}
    assert page.find("option", selected="")["value"] == "orange"
    assert laid(read(client.get(answer["HX-Push-Url"]))) == laid(page)
    back = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert b"<html" in client.get(answer["HX-Push-Url"], headers=back).content


def test_the_hand_of_another_colour_is_taken_and_all_else_stays(client: Client, db: None) -> None:
    fields = {"board": "duo", "colour": "purple", "placed-purple": CANONICAL, "placed-orange": ""}
    answer = client.get(PATH, {"hand": "orange"} | fields, headers={"HX-Request": "true"})
    assert "colour=orange" in answer["HX-Replace-Url"]
    assert "HX-Push-Url" not in answer
    page = read(answer)
    assert state(page) == fields | {"colour": "orange"}
    assert page.find("form", class_="tray")["data-colour"] == "orange"
    # X of purple lies there; that of orange is in the hand.
    assert "X" in {slot["value"] for slot in page.find_all("button", class_="slot")}


@pytest.mark.parametrize(
    ("placement", "status", "said"),
    [
        ("1:e9", 422, "e9"),
        (CROSS, 422, "Already taken"),
        ("X:a1,a2,a3", 422, ""),
        ("I5:n1,o1,p1,q1,r1", 422, ""),
        ("nonsense", 400, "could not be read"),
    ],
)
def test_what_cannot_be_placed_gets_the_reasons_of_the_board_and_nothing_changes(
    client: Client, db: None, placement: str, status: int, said: str
) -> None:
    before = {"board": "duo", "colour": "orange", "placed-purple": CANONICAL}
    answer = client.get(PATH, before | {"placement": placement, "colour": "purple"}, headers={"HX-Request": "true"})
    assert answer.status_code == status
    assert "HX-Push-Url" not in answer
    page = read(answer)
    assert said in page.find(role="alert").text
    assert laid(page) == [f"purple {CANONICAL}"]


def test_a_piece_is_taken_off_and_is_in_the_hand_again(client: Client, db: None) -> None:
    before = {"board": "duo", "placed-purple": f"{CANONICAL}\n1:a1", "colour": "purple"}

    def hand(page: Element) -> set[str]:
        return {slot["value"] for slot in page.find_all("button", class_="slot")}

    page = read(client.get(PATH, before))
    assert not hand(page) & {"1", "X"}
    answer = client.get(PATH, before | {"remove": f"purple {CANONICAL}"})
    page = read(client.get(answer["Location"]))
    assert laid(page) == ["purple 1:a1"]
    assert hand(page) & {"1", "X"} == {"X"}
    again = client.get(PATH, before | {"placed-purple": "1:a1", "remove": f"purple {CANONICAL}"})
    assert laid(read(again)) == ["purple 1:a1"]


def test_an_address_with_pieces_that_cannot_lie_there_shows_the_others_and_says_why(client: Client, db: None) -> None:
    asked = {"board": "duo", "placed-purple": f"{CROSS};1:a1;nonsense", "placed-orange": "1:a1;2:a2,a3"}
    answer = client.get(PATH, asked)
    assert answer.status_code == 422
    page = read(answer)
    assert laid(page) == [f"purple {CANONICAL}", "purple 1:a1", "orange 2:a2,a3"]
    assert len([one for each in page.find_all("ul", class_="errorlist") for one in each.find_all("li")]) == 2
    part = client.get(PATH, asked | {"placement": "2:n13,n14"}, headers={"HX-Request": "true"})
    assert part.status_code == 422
    assert read(part).find(role="alert").text == "Please check the pieces you have typed."
    assert laid(read(part)) == laid(page)


@pytest.mark.parametrize("board", [kind for kind in VARIANTS if kind not in SIZED])
def test_the_hand_knows_every_free_place_and_the_fullest_board_fits_into_an_address(
    client: Client, db: None, board: str
) -> None:
    variant = VARIANTS[board]
    position, placed = Position.start(board), []
    for colour in colours_to_set_up(variant):
        for piece in position.stock(colour):
            ids = [n for n in position.layable_ids(colour) if position.placement(n).piece == piece]
            if ids:
                placed.append((colour, str(position.placement(ids[-1]))))
                position = Position.setup(board, placed)
    query = state_query(variant, tuple(placed), placed[-1][0], "T" * 80, placed[0][0])
    # A browser writes a comma as three characters.
    assert len(urlencode(dict(parse_qsl(query)))) < 6_000
    answer = client.get(f"{PATH}?{query}")
    assert answer.status_code == 200
    assert len(laid(read(answer))) == len(placed)
    assert max(len(gzip.compress(page.content)) for page in (answer, client.get(PATH, {"board": board}))) <= 20_000


def test_every_placement_that_the_hand_offers_can_be_set_up_and_no_other() -> None:
    before = (("purple", CANONICAL), ("orange", "1:a1"))
    position = Position.setup("duo", before)
    offered = set(position.layable_ids("purple"))
    for number in random.Random(50).sample(range(action_count("duo")), 400):
        try:
            with_piece(position.variant, before, "purple", str(position.placement(number)))
        except Refused:
            assert number not in offered
        else:
            assert number in offered


def test_a_step_asks_for_no_more_than_who_is_there(
    alice: User, log_in: LogIn, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    browser = log_in(alice)
    with django_assert_max_num_queries(3):
        assert (
            browser.get(PATH, {"board": "duo", "placement": CROSS}, headers={"HX-Request": "true"}).status_code == 200
        )
