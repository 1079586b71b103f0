"""The graphs of a game: what they say is what the rules count."""

from itertools import pairwise

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from games.pages.replay.graphs import BOTTOM, LEFT, RIGHT, TOP
from games.rules import Position
from games.rules.records import GameRecord, write_json
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.replay.pictures import stages_of
from tests.games.tables import ME, bot, open_table, play_out, running
from tests.games.views.records import opened

pytestmark = pytest.mark.django_db


def finished(alice: User, variant: str, seats: int) -> Game:
    return play_out(open_table(alice, ME, *([bot()] * (seats - 1)), variant=variant))


def graphs(client: Client, address: str) -> Element:
    return read(client.get(address)).find("section", id="graphs")


def placed_cells(stage: Position) -> list[int]:
    """Return how many cells of the board each seat's own colours cover."""
    numbers = [[str(stage.variant.colour_number(colour)) for colour in colours] for colours in stage.seats]
    return [sum(map(stage.board.count, each)) for each in numbers]


def figures(page: Element) -> list[list[int]]:
    """Return the rows of the table, each with the number of its move first."""
    rows = page.find("tbody").find_all("tr")
    return [[int(cell.text) for cell in row.children if isinstance(cell, Element)] for row in rows]


@pytest.mark.parametrize(("variant", "seats"), [("blockyou-2", 2), ("trigon-3", 3), ("duo", 2), ("classic-3", 3)])
def test_the_table_has_what_the_rules_count_after_every_move(variant: str, seats: int, alice: User) -> None:
    game = finished(alice, variant, seats)
    stages = stages_of(game)
    expected = [
        [number, *(len(stage.legal_placements(colour)) for colour in stage.colours_in_play), *placed_cells(stage)]
        for number, stage in enumerate(stages)
    ]
    assert figures(graphs(Client(), f"/games/{game.slug}/replay/")) == expected


def test_every_colour_begins_with_58_placements_on_the_classic_board(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="classic-2")
    assert figures(graphs(Client(), f"/games/{game.slug}/replay/")) == [[0, 58, 58, 58, 58, 0, 0]]


def test_lines_lead_from_the_first_move_to_the_last_between_the_extremes(alice: User) -> None:
    page = graphs(Client(), f"/games/{finished(alice, 'duo', 2).slug}/replay/")
    rows = figures(page)
    most = max(row[column] for row in rows for column in (1, 2))
    for graph, columns, highest in zip(page.find_all("figure"), ((1, 2), (3, 4)), (most, 89), strict=True):
        texts = [text.text for text in graph.find_all("text", class_="graph__value")]
        assert texts == [str(highest), "0"]
        for line, column in zip(graph.find_all("polyline"), columns, strict=True):
            spots = [tuple(map(float, spot.split(","))) for spot in line["points"].split()]
            assert (spots[0][0], spots[-1][0]) == (LEFT, RIGHT)
            ends = [BOTTOM - (BOTTOM - TOP) * row[column] / highest for row in (rows[0], rows[-1])]
            assert [spots[0][1], spots[-1][1]] == pytest.approx(ends, abs=0.06)


def test_lines_are_told_apart_by_dashes_and_by_the_mark_at_their_end(alice: User) -> None:
    page = graphs(Client(), f"/games/{finished(alice, 'blockyou-4', 4).slug}/replay/")
    for graph in page.find_all("figure"):
        picture = graph.find("svg", role="img")
        assert [line["data-dash"] for line in picture.find_all("polyline")] == ["0", "1", "2", "3"]
        marks = [group["transform"] for group in picture.find_all("g") if "transform" in group.attributes]
        heights = sorted(float(mark.split()[1].rstrip(")")) for mark in marks)
        assert all(after - before >= 13 for before, after in pairwise(heights))
        assert "table below" in picture["aria-label"]


def test_the_mark_stands_at_the_move_that_is_shown(alice: User) -> None:
    game = finished(alice, "duo", 2)
    for move in (0, 5, game.move_count):
        page = graphs(Client(), f"/games/{game.slug}/replay/?move={move}")
        places = [float(mark["transform"][10:].split()[0]) for mark in page.find_all("path", class_="graph__now")]
        assert places == pytest.approx([LEFT + (RIGHT - LEFT) * move / game.move_count] * 2, abs=0.06)


def test_a_study_has_graphs_too(alice: User, log_in: LogIn) -> None:
    position = Position.start("duo")
    for _ in range(3):
        position = position.play(position.legal_placements()[0])
    browser = log_in(alice)
    study = opened(browser, write_json(GameRecord.of(position)))
    page = graphs(browser, f"/studies/{study.slug}/")
    assert [row[0] for row in figures(page)] == [0, 1, 2, 3]
    assert [text.text for text in page.find_all("th", scope="col")][1:3] == [
        "Purple: possible moves",
        "Orange: possible moves",
    ]
