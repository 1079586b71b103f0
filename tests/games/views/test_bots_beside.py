"""A bot beside the ladder: offered by its title, after all levels, and told so of its moves."""

import pytest
from django.test import Client

from accounts.models import User
from games.bots.turns import play_turn
from games.models import Game
from games.queries.play.bot_thoughts import thoughts_of
from games.words.thoughts import thought_lines
from tests.games.play.pages import read
from tests.games.tables import bot, open_table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("beside")]


def test_it_is_offered_after_the_ladder_without_a_level() -> None:
    assert [each.text for each in read(Client().get("/")).find("select").find_all("option")][-2:] == [
        "9: Relentless",
        "Middle",
    ]
    assert [each.text for each in read(Client().get("/bots/")).find_all(class_="rung__title")][-1] == "Middle"


def test_its_moves_are_told_with_its_title_and_no_level(alice: User) -> None:
    game = open_table(alice, bot("middle"), bot("middle"))
    assert play_turn(game.pk, 1)
    Game.objects.filter(pk=game.pk).update(status="finished", turn_colour="", turn_seat=None, turn_since=None)
    sentence = thought_lines(thoughts_of(Game.objects.get(pk=game.pk)))[1]
    assert " Middle · " in sentence
    assert "level" not in sentence


def test_its_page_names_its_engine_and_no_level() -> None:
    facts = read(Client().get("/bots/middle/")).find("dl", class_="bots__facts")
    assert [(term.text, fact.text) for term, fact in zip(facts.find_all("dt"), facts.find_all("dd"), strict=True)] == [
        ("Engine", "Middle"),
    ]
