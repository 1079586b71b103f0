"""Visible changes that are no moves land between a page and the move made on it: no move is refused, none is lost.

As a proof, 504 times: 168 rounds in each of the three ways to move.
"""

import random
from typing import Any

import pytest
from django.test import Client

from games.base import positions
from games.models import Game, Kind, Move, Status
from tests.conftest import LogIn, person
from tests.games.play.pages import Element, read
from tests.games.spoken.words import HTMX
from tests.games.tables import any_placement, change, due, fresh, running
from tests.proof import proof


def fields_of(form: Element) -> dict[str, str]:
    return {field["name"]: field["value"] for field in form.find_all("input", type="hidden")}


def on_the_board(client: Client, game: Game, text: str) -> Any:
    """Place as the page with the board does; yield before the form is sent."""
    form = read(client.get(f"/games/{game.slug}/")).find("form", id="place")
    yield
    yield client.post(form["action"], {**fields_of(form), "placement": text}, headers=HTMX)


def in_words(client: Client, game: Game, text: str) -> Any:
    """Place as the page in words does: what was typed is said back first."""
    client.cookies["spoken"] = "yes"
    form = read(client.get(f"/games/{game.slug}/")).find("form", id="typed")
    said = read(client.post(form["action"], {**fields_of(form), "text": text}, headers=HTMX)).find("form", id="draft")
    del client.cookies["spoken"]
    yield
    yield client.post(said["action"], fields_of(said), headers=HTMX)


def in_the_list(client: Client, game: Game, text: str) -> Any:
    """Place as the list of placements does, without scripts and without a key."""
    path, piece = f"/games/{game.slug}/", text.partition(":")[0]
    form = read(client.get(f"{path}placements/?piece={piece}")).find("section", aria_labelledby="places").find("form")
    yield
    yield client.post(form["action"], {**fields_of(form), "placement": text}, follow=True)


@pytest.mark.django_db
@pytest.mark.parametrize("rounds", [12, *proof(168)])
@pytest.mark.parametrize("way", [on_the_board, in_words, in_the_list])
def test_every_move_counts_once_whatever_changes_between_page_and_move(way: Any, rounds: int, log_in: LogIn) -> None:
    people, rng, game = [person("alice"), person("bob")], random.Random(1), None
    for _ in range(rounds):
        if game is None or game.status != Status.RUNNING:
            game = running(*people)
        text = any_placement(positions.position_of(game), rng)
        move = way(log_in(people[game.turn_seat or 0]), game, text)
        next(move)
        for _ in range(rng.randint(1, 3)):
            change(game)
        answer = next(move)
        assert answer.status_code == 200, answer.content.decode()
        assert Move.objects.get(game=game, number=due(game)).placement == text
        game = fresh(game)
    placed = Move.objects.filter(kind=Kind.PLACE).count()
    assert placed == rounds
