"""What people type: every form means the placement a record would have, is said back, and then placed."""

import itertools
import random
from typing import Any

import pytest
from django.utils import translation

from accounts.models import User
from games.errors import BadRequest, Refused
from games.models import Game
from games.rules import VARIANTS, Placement
from games.rules.placement import table_for
from games.table.typed import read_typed
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.spoken.words import BOARDS, news, see, spoken, type_in
from tests.games.tables import due, fresh, place, rows, running

TRIGON, CLASSIC = VARIANTS["trigon-4"], VARIANTS["blockyou-4"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("V3:a1,b1,a2", "V3:a1,b1,a2"),
        ("v3 a2, b1, a1", "V3:a1,b1,a2"),
        ("a1,b1,a2", "V3:a1,b1,a2"),
        ("V3 at a1", "V3:a1,b1,a2"),
        (" v3  AT  a1 ", "V3:a1,b1,a2"),
        ("V3@a1", "V3:a1,b1,a2"),
        ("I5 at a1 r90", "I5:a1,b1,c1,d1,e1"),
        # F stands as docs/rules.md lists it: b1, a2 b2, b3 c3.
        ("F at e5", "F:e5,d6,e6,e7,f7"),
        ("F5 at e5", "F:e5,d6,e6,e7,f7"),
        ("F at e5 r90", "F:e5,c6,d6,e6,d7"),
        ("F at e5 flip", "F:e5,e6,f6,d7,e7"),
        ("O4 at c3 r270 flip", "O:c3,d3,c4,d4"),
        ("1 at t20", "1:t20"),
    ],
)
def test_every_form_means_a_placement(typed: str, meant: str) -> None:
    assert str(read_typed(typed, CLASSIC)) == meant


def test_the_short_form_is_read_and_shown_in_the_readers_language(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), spoken(log_in(alice))
    help_text = read(client.get(f"/games/{game.slug}/", headers={"Accept-Language": "fr"})).find(id="text-help").text
    assert "V3 en g11 r90 retourner" in help_text
    with translation.override("fr"):
        for typed in ("F en e5 r90 retourner", "F at e5 r90 flip", "f EN e5 r90 Retourner"):
            assert read_typed(typed, CLASSIC) == read_typed("F:e5,e6,f6,g6,f7", CLASSIC)
    with translation.override("en"), pytest.raises(BadRequest):
        read_typed("F en e5 r90 retourner", CLASSIC)


def by_hand(cells: list[tuple[int, int]], words: list[str]) -> set[tuple[int, int]]:
    """Turn and flip a piece of squares with nothing but a quarter's arithmetic; its first cell comes to (0, 0)."""
    for word in words:
        cells = [(-x, y) for x, y in cells] if word == "flip" else cells
        for _ in range(0 if word == "flip" else int(word[1:]) // 90):
            cells = [(y, -x) for x, y in cells]
    first = min(cells, key=lambda cell: (cell[1], cell[0]))
    return {(x - first[0], y - first[1]) for x, y in cells}


@pytest.mark.parametrize("words", [["r90"], ["r180"], ["r270"], ["flip"], ["r90", "flip"], ["flip", "r90"]])
def test_turns_and_flips_are_made_in_the_order_they_are_written(words: list[str]) -> None:
    for piece in CLASSIC.pieces:
        placed = read_typed(f"{piece.name} at j10 {' '.join(words)}", CLASSIC)
        assert {(x - 9, y - 9) for x, y in placed.points} == by_hand(list(piece.cells), words)


@pytest.mark.parametrize("variant", ["duo", "junior", "trigon-3", "trigon-4"])
def test_every_placement_of_a_board_can_be_written_shortly(variant: str) -> None:
    table, rng = table_for(VARIANTS[variant]), random.Random(2)
    step = 60 if variant.startswith("trigon") else 90
    ways = [f"r{turn} {flip}" for turn, flip in itertools.product(range(0, 360, step), ("", "flip"))]
    for number in rng.sample(range(len(table)), 60):
        wanted = table.placement(number)
        cell = str(wanted).partition(":")[2].partition(",")[0]
        assert wanted in {meant(f"{wanted.piece} at {cell} {way}", variant) for way in ways}


def meant(typed: str, variant: str) -> Placement | None:
    """Return what a text means, None where the piece does not lie so there."""
    try:
        return read_typed(typed, VARIANTS[variant])
    except (BadRequest, Refused):
        return None


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "This move could not be read."),
        ("place it", "This move could not be read."),
        ("F at", "This move could not be read."),
        ("F at e5 turned", "This move could not be read."),
        ("Q at e5", "There is no piece Q here. The pieces are 1, 2, I3,"),
        ("F at e5 r45", "Pieces turn by 90 degrees here, for example r90."),
        ("x" * 5000, "This move could not be read."),
        ("F at e5" + " flip" * 5000, "This move could not be read."),
    ],
)
def test_what_cannot_be_read_says_what_to_write(typed: str, sentence: str) -> None:
    with pytest.raises(BadRequest) as error:
        read_typed(typed, CLASSIC)
    assert str(error.value.sentence).startswith(sentence)


def test_triangles_are_turned_by_sixty_degrees_and_know_which_way_they_point() -> None:
    assert read_typed("1 at r15", TRIGON) == Placement.parse("1:r15", TRIGON)
    with pytest.raises(BadRequest, match="points the other way at r16"):
        read_typed("1 at r16", TRIGON)
    assert read_typed("1 at r16 r60", TRIGON) == Placement.parse("1:r16", TRIGON)


@pytest.mark.parametrize("typed", ["F at a1", "I5 at t20", "X at a1", "1 at zz99"])
def test_a_piece_that_would_leave_the_board_is_refused_by_the_rule(typed: str) -> None:
    with pytest.raises(Refused) as error:
        read_typed(typed, CLASSIC)
    assert error.value.reasons == ("off-board",)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return running(alice, bob)


def draft(response: Any) -> str:
    return read(response).find("form", id="draft").find("input", name="placement")["value"]


def test_a_typed_placement_is_said_back_before_it_is_placed(game: Game, alice: User, log_in: LogIn) -> None:
    client, before = log_in(alice), rows()
    response = type_in(client, game, "V5 at a1")
    assert (response.status_code, rows()) == (200, before)
    assert draft(response) == "V5:a1,b1,c1,a2,a3"
    assert news(read(response)) == (
        "V5 at a1: a1, b1, c1, a2, a3. It covers your start cell a1. Press Enter again to place it."
    )
    assert type_in(client, game, "V5 at a1", said=draft(response)).status_code == 200
    assert fresh(game).moves.get().placement == "V5:a1,b1,c1,a2,a3"


def test_without_javascript_the_whole_page_says_it_back(game: Game, alice: User, log_in: LogIn) -> None:
    client, fields = spoken(log_in(alice)), {"text": "1 at a1", "number": due(game)}
    page = read(client.post(f"/games/{game.slug}/typed/", fields))
    assert page.find("title")
    form = page.find("form", id="typed")
    fields |= {box["name"]: box["value"] for box in form.find_all("input") if box["name"] != "csrfmiddlewaretoken"}
    answer = client.post(form["action"], fields)
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.slug}/")
    assert fresh(game).moves.get().placement == "1:a1"


def test_another_placement_in_between_is_said_back_anew(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    first = draft(type_in(client, game, "V5 at a1"))
    assert draft(type_in(client, game, "1 at a1", said=first)) == "1:a1"
    assert fresh(game).move_count == 0


def test_who_wants_no_question_is_asked_none(game: Game, alice: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(confirms_placement=False)
    type_in(log_in(alice), game, "V5 at a1")
    assert fresh(game).move_count == 1


@pytest.mark.parametrize("asks", [True, False])
def test_what_is_sent_again_because_its_answer_was_lost_is_answered_again(
    asks: bool, game: Game, alice: User, log_in: LogIn
) -> None:
    User.objects.filter(pk=alice.pk).update(confirms_placement=asks)
    client, number = log_in(alice), due(game)
    answers = [type_in(client, game, "1 at a1", said="1:a1" if asks else "", number=number) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    assert not read(answers[2]).find_all("div", id="notice")
    assert fresh(game).move_count == 1


def test_what_is_refused_at_once_keeps_what_was_typed_too(game: Game, alice: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(confirms_placement=False)
    page = read(type_in(log_in(alice), game, "1 at b2", is_plain=True))
    assert page.find("input", id="text")["value"] == "1 at b2"
    assert page.find(id="notice").text.startswith("Your first piece must cover your start cell, a1.")


def test_what_it_touches_is_said(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo")
    place(game, "I5:e10,f10,g10,h10,i10")
    place(game, "I5:j5,j6,j7,j8,j9")
    client = log_in(alice)
    alone, beside = (news(read(type_in(client, game, text))) for text in ("I3 at j11", "k9,k10,j11,k11"))
    assert alone == "I3 at j11: j11, j12, j13. It touches your corners at i10. Press Enter again to place it."
    assert "It lies next to Orange." in beside


@pytest.mark.parametrize(
    ("typed", "status", "sentence"),
    [
        ("nonsense", 400, "This move could not be read."),
        ("1 at b2", 422, "Your first piece must cover your start cell, a1."),
        ("X at a1", 422, "It goes off the board. Move it inwards."),
    ],
)
def test_a_refusal_is_an_alert_and_keeps_what_was_typed(
    typed: str, status: int, sentence: str, game: Game, alice: User, log_in: LogIn
) -> None:
    before = rows()
    for is_plain in (True, False):
        response = type_in(log_in(alice), game, typed, is_plain=is_plain)
        assert (response.status_code, rows()) == (status, before)
        page = read(response)
        assert page.find(id="game").find(role="alert").text.startswith(sentence)
        box = page.find("input", id="text")
        assert (box["aria-invalid"], box["value"]) == ("true", typed if is_plain else "")
        assert not page.find_all("form", id="draft")


def test_out_of_turn_stale_or_not_at_the_table_nothing_is_placed(
    game: Game, alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    before = rows()
    assert type_in(log_in(bob), game, "1 at t1").status_code == 409
    assert type_in(log_in(alice), game, "1 at a1", number=due(game) + 1).status_code == 409
    assert type_in(log_in(eve), game, "1 at a1").status_code == 403
    assert rows() == before


@pytest.mark.parametrize("variant", BOARDS)
def test_the_examples_on_the_page_can_be_typed(
    variant: str, alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    game = running(*[alice, bob, carol, dave][: BOARDS[variant]], variant=variant)
    help_text = see(spoken(log_in(alice)), game).find(id="text-help").text
    examples = help_text.partition("enter ")[2].partition(". The last")[0].split(" \u00b7 ")
    assert len(examples) == 4
    for example in examples:
        assert read_typed(example, VARIANTS[variant]).piece == examples[0].partition(":")[0]
