"""A bot that simulates games simulates as many, or for as long, before each move as its seat was told."""

import itertools
from typing import Any, cast

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.open_rematch import open_rematch
from games.base.setup import SeatSetup
from games.bots import turns
from games.bots.engines.search import SearchEngine
from games.bots.factory import make_engine
from games.bots.turns import play_turn
from games.errors import BadRequest
from games.models import Thought
from games.roster.entries import BOTS, Bot
from games.rules import Position
from games.rules.records import SeatedBot, read, write_json
from tests.conftest import LogIn
from tests.games.bots.fakes import FirstFew
from tests.games.play.pages import read as read_page
from tests.games.tables import ME, bot, fresh, open_table, setup
from tests.games.views.records import fetched

pytestmark = pytest.mark.django_db


def told(simulations: int | None, name: str = "mason-5", kind: Any = "bot", seconds: int | None = None) -> SeatSetup:
    return SeatSetup(kind=kind, bot=name, seed=1, simulations=simulations, seconds=seconds)


def thinking(seconds: int, name: str = "mason-5") -> SeatSetup:
    return told(None, name, seconds=seconds)


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
        (thinking(0), "A bot of this level can think for 1 to 2 seconds before each move."),
        (thinking(3), "A bot of this level can think for 1 to 2 seconds before each move."),
        (thinking(-1, "sage-7"), "A bot of this level can think for 1 to 10 seconds before each move."),
        (thinking(11, "sage-7"), "A bot of this level can think for 1 to 10 seconds before each move."),
        (thinking(1, "greedy"), "This bot simulates no games."),
        (thinking(1, "sage-3"), "This bot simulates no games."),
        (told(60, seconds=1), "Enter a number of games or of seconds, not both."),
        (told(None, "", "open", seconds=1), "A bot, an opening or a seed needs a bot's seat."),
    ],
)
def test_games_or_seconds_that_make_no_sense_are_refused(seat: SeatSetup, sentence: str, alice: User) -> None:
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
    assert open_rematch(alice, game.slug).players.get(bot="mason-5").bot_simulations == 60


def test_a_search_ends_once_its_seconds_of_cpu_time_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    # A clock that goes on by a quarter of a second whenever it is read: once at first, then after each eight games.
    clock = itertools.count()
    monkeypatch.setattr("games.bots.factory.time.process_time", lambda: next(clock) / 4)
    engine = cast(SearchEngine, make_engine(BOTS["mason-5"].thinking_for(2)))
    answer = engine.think(Position.start("codingame-2:7:1"), seed=1, number=1)
    assert (answer.simulations, engine.simulations) == (8 * 8, 8000)


def test_a_search_whose_seconds_were_over_before_it_began_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(step=100)
    monkeypatch.setattr("games.bots.factory.time.process_time", lambda: next(clock))
    answer = make_engine(BOTS["sage-7"].thinking_for(20)).think(Position.start("codingame-2:7:1"), seed=1, number=1)
    assert answer.simulations == 8


def test_a_bot_is_made_for_the_seconds_that_its_seat_was_told(monkeypatch: pytest.MonkeyPatch, alice: User) -> None:
    made: list[tuple[str, int]] = []

    def make(bot: Bot) -> FirstFew:
        made.append((bot.engine, bot.seconds))
        return FirstFew(bot.simulations)

    monkeypatch.setattr(turns, "make_engine", make)
    monkeypatch.setattr(turns, "get_ready", lambda _position: None)
    game = open_table(alice, thinking(2), ME)
    assert play_turn(game.pk, 1)
    assert made == [("games.bots.engines.search:SearchEngine,simulations=8000,seconds=2", 2)]


def test_the_host_may_allow_fewer_seconds(alice: User, settings: Settings) -> None:
    settings.SEAT_SECONDS = 1
    with pytest.raises(BadRequest, match="can think for 1 second before each move"):
        create_game(alice, setup(ME, thinking(2)))
    assert create_game(alice, setup(ME, thinking(1))).players.get(seat=1).bot_seconds == 1


def test_seconds_stand_beside_the_pieces_in_words_and_in_the_record_and_are_the_same_at_a_rematch(
    alice: User, log_in: LogIn
) -> None:
    game = open_table(alice, ME, thinking(2))
    sentence = "Seed 1. Simulates games to their end for up to 2 seconds before each move."
    notes = read_page(log_in(alice).get(f"/games/{game.slug}/")).find_all(class_="stock__note")
    assert sentence in [note.text for note in notes]
    client = log_in(alice)
    client.post(f"/games/{game.slug}/mode/", {"spoken": "yes"})
    assert sentence in read_page(client.get(f"/games/{game.slug}/")).text
    record = read(fetched(Client(), game, "json"))
    assert record.bots[1] == SeatedBot("mason-5", 1, None, 2)
    assert read(write_json(record)) == record
    resign(alice, game.slug)
    assert open_rematch(alice, game.slug).players.get(bot="mason-5").bot_seconds == 2


@pytest.mark.parametrize(
    ("seat", "asked", "unasked"),
    [(told(60), "seat-0-simulations=60", "seconds"), (thinking(1), "seat-0-seconds=1", "simulations")],
)
def test_a_game_of_bots_is_asked_for_again_with_the_same_simulations_or_seconds(
    seat: SeatSetup, asked: str, unasked: str, no_thinking: None, alice: User
) -> None:
    game = open_table(alice, seat, bot("greedy"), variant="codingame-2:7:1")
    while play_turn(game.pk, fresh(game).move_count + 1):
        pass
    links = read_page(Client().get(f"/games/{game.slug}/replay/")).find_all("a")
    [address] = [link["href"] for link in links if "seat-0-seed" in link["href"]]
    assert asked in address
    assert unasked not in address
    assert "seat-1-simulations" not in address
    assert "seat-1-seconds" not in address
