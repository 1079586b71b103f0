"""A bot that simulates games simulates as many before each move as its seat was told, within limits."""

from typing import Any, cast

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.rematch import rematch
from games.bots import turns
from games.bots.engines.search import SearchEngine
from games.bots.factory import make_engine
from games.bots.turns import play_turn
from games.errors import BadRequest
from games.models import Thought
from games.roster.entries import BOTS
from games.rules.records import read, write_json
from games.setup import SeatSetup
from tests.conftest import LogIn
from tests.games.bots.fakes import FirstFew
from tests.games.play.pages import read as read_page
from tests.games.tables import ME, bot, fresh, open_table, setup
from tests.games.views.records import fetched

pytestmark = pytest.mark.django_db


def told(simulations: int | None, name: str = "mason-5", kind: Any = "bot") -> SeatSetup:
    return SeatSetup(kind=kind, bot=name, seed=1, simulations=simulations)


@pytest.fixture
def no_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bots answer at once, and report the simulations that their engines were made for."""
    monkeypatch.setattr(turns, "make_engine", lambda bot: FirstFew(bot.simulations))
    monkeypatch.setattr(turns, "get_ready", lambda _position: None)


@pytest.mark.parametrize(("simulations", "done"), [(None, 100), (60, 60), (500, 500)])
def test_a_bot_simulates_as_many_games_as_it_was_told(
    simulations: int | None, done: int, no_thinking: None, alice: User
) -> None:
    game = open_table(alice, told(simulations), ME)
    assert play_turn(game.pk, 1)
    assert list(Thought.objects.values_list("level", "simulations")) == [(5, done)]


def test_the_engine_is_made_with_the_number_and_keeps_the_character() -> None:
    usual, more = (cast(SearchEngine, make_engine(BOTS["mason-5"].simulating(number))) for number in (None, 77))
    assert (usual.simulations, more.simulations, more.bias) == (100, 77, usual.bias)
    assert BOTS["greedy"].simulating(77) is BOTS["greedy"]


@pytest.mark.parametrize(
    ("seat", "sentence"),
    [
        (told(9), "A bot of this level can simulate 10 to 500 games"),
        (told(501), "A bot of this level can simulate 10 to 500 games"),
        (told(16_001, "sage-7"), "A bot of this level can simulate 10 to 16000 games"),
        (told(-1), "A bot of this level can simulate"),
        (told(100, "greedy"), "This bot simulates no games."),
        (told(100, "", "open"), "A bot, an opening or a seed needs a bot's seat."),
    ],
)
def test_a_number_of_games_that_makes_no_sense_is_refused(seat: SeatSetup, sentence: str, alice: User) -> None:
    with pytest.raises(BadRequest, match=sentence) as refused:
        create_game(alice, setup(ME, seat))
    assert refused.value.field == "seats-1"


def test_the_host_may_allow_less(alice: User, settings: Settings) -> None:
    settings.SEAT_SIMULATIONS = 200
    with pytest.raises(BadRequest, match="can simulate 10 to 200 games"):
        create_game(alice, setup(ME, told(201)))
    assert create_game(alice, setup(ME, told(200))).players.get(seat=1).bot_simulations == 200


def test_it_stands_beside_the_pieces_and_in_the_record_and_is_the_same_at_a_rematch(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, told(60))
    notes = read_page(log_in(alice).get(f"/games/{game.slug}/")).find_all(class_="stock__note")
    assert "Seed 1. Simulates up to 60 games to their end before each move." in [note.text for note in notes]
    record = read(fetched(Client(), game, "json"))
    assert (record.bots[1].name, record.bots[1].simulations) == ("mason-5", 60)
    assert read(write_json(record)) == record
    resign(alice, game.slug)
    assert rematch(alice, game.slug).players.get(bot="mason-5").bot_simulations == 60


def test_a_game_of_bots_is_repeated_with_the_same_number(no_thinking: None, alice: User) -> None:
    game = open_table(alice, told(60), bot("greedy"), variant="codingame-2:7:1")
    while play_turn(game.pk, fresh(game).move_count + 1):
        pass
    links = read_page(Client().get(f"/games/{game.slug}/replay/")).find_all("a")
    [address] = [link["href"] for link in links if "seat-0-seed" in link["href"]]
    assert "seat-0-simulations=60" in address
    assert "seat-1-simulations" not in address
