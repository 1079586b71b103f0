"""The rules, told: every rule by number, and pictures drawn from the rules themselves."""

import re

import pytest
from django.test import Client

from games.pages.guide.rules import pictures
from games.rules import VARIANTS
from games.rules.variants import Variant
from games.words import boards
from tests.games.play.pages import read
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.same_queries


def test_every_rule_from_r1_to_r10_is_told_in_order(db: None) -> None:
    text = Client().get("/rules/").content.decode()
    told = re.findall(r'<b class="rule">R(\d+)</b>', text)
    assert list(map(int, told)) == list(range(1, 11))


def test_all_21_pieces_are_drawn_by_name(db: None) -> None:
    text = Client().get("/rules/").content.decode()
    assert all(f'aria-label="{piece.name}"' in text for piece in VARIANTS["blockyou-4"].pieces)


def test_the_refused_piece_is_refused_for_touching_its_own_edge() -> None:
    edge = pictures().boards["edge"]
    assert edge.attempt
    assert edge.faults.count("z") == 1


def test_no_query_is_needed(query_count: QueryCount) -> None:
    assert query_count(Client(), "/rules/") == 0


def section(key: str) -> str:
    """Return the part of the page that tells about one board."""
    text = Client().get("/rules/").content.decode()
    begin = text.index(f'id="{key}"')
    return text[begin : text.index("</section>", begin)]


@pytest.mark.parametrize("key", boards.boards())
def test_each_board_has_a_section_that_leads_to_a_new_game_of_each_of_its_variants(key: str, db: None) -> None:
    asked = re.findall(r'href="/games/new/\?variant=(\S+)"', section(key))
    assert asked == [kind.id for kind in boards.boards()[key]]
    assert f'href="#{key}"' in Client().get("/rules/").content.decode()


@pytest.mark.parametrize("kind", VARIANTS.values(), ids=str)
def test_every_piece_of_every_variant_is_drawn(kind: Variant, db: None) -> None:
    text = Client().get("/rules/").content.decode()
    told = text if kind.pieces == VARIANTS["blockyou-4"].pieces or kind.numbered else section(boards.board_key(kind.id))
    assert {piece.name for piece in kind.pieces} <= set(re.findall(r'aria-label="(\w+)"', told))


def test_a_set_is_drawn_anew_only_where_it_differs(db: None) -> None:
    counts = {key: section(key).count('viewBox="-1 -1 52 32"') for key in boards.boards()}
    assert counts == {"blockyou": 0, "classic": 0, "duo": 0, "junior": 12, "trigon": 22, "codingame": 0}


def test_each_piece_of_the_set_is_named_below_its_picture(db: None) -> None:
    pieces = read(Client().get("/rules/")).find_all("ul", class_="pieces")[0].find_all("li")
    assert [piece.text.strip() for piece in pieces] == [
        "F", "I5", "L5", "N", "P", "T5", "U", "V5", "W", "X", "Y", "Z5", "I4", "L4", "O", "T4", "Z4", "I3", "V3", "2",
        "1",
    ]  # fmt: skip


def test_the_special_rules_are_told(db: None) -> None:
    assert "The page of the game shows who plays Green next." in section("classic")
    assert "any one of the marked start cells that is still free" in section("trigon")
    assert "The game ends when a player has to pass with fewer points than everyone else." in section("codingame")
    assert "You have two of each" in section("junior")


def test_each_way_of_scoring_is_told(db: None) -> None:
    text = Client().get("/rules/").content.decode()
    assert re.findall(r'<b class="rule">(S\d)</b> (\w+)', text) == [
        ("S1", "Penalty"),
        ("S2", "Basic"),
        ("S3", "Coverage"),
    ]
