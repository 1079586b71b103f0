"""The rules, told: every rule by number, and pictures drawn from the rules themselves."""

import re

from django.test import Client

from games.queries.rules import pictures
from games.rules import VARIANTS
from tests.games.views.conftest import QueryCount


def test_every_rule_from_r1_to_r10_is_told(db: None) -> None:
    text = Client().get("/rules/").content.decode()
    told = re.findall(r'<b class="rule">R(\d+)</b>', text)
    assert sorted(map(int, told)) == list(range(1, 11))


def test_all_21_pieces_are_drawn_by_name(db: None) -> None:
    text = Client().get("/rules/").content.decode()
    assert all(f'aria-label="{piece.name}"' in text for piece in VARIANTS["blockyou-4"].pieces)


def test_the_refused_piece_is_refused_for_touching_its_own_edge() -> None:
    edge = pictures().boards["edge"]
    assert edge.attempt
    assert edge.faults.count("z") == 1


def test_no_query_is_needed(query_count: QueryCount) -> None:
    assert query_count(Client(), "/rules/") == 0
