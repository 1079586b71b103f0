"""What a bot keeps of its thinking: a row beside its move, and a line in the log."""

import logging
from typing import Any

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.bots import costs, turns
from games.bots.engines.protocol import Answer
from games.bots.engines.randomly import RandomEngine
from games.bots.limit import OutOfThinkingTime
from games.bots.reasons import WEIGHTS
from games.bots.turns import play_turn
from games.models import Game, Thought
from games.queries.tables import turns as queries
from games.roster.entries import Bot
from games.rules import Position
from games.rules.records import Thinking
from tests.games.tables import ME, bot, fresh, open_table, place, running

pytestmark = pytest.mark.django_db
THINKING = Thinking("greedy", 1, 0, 0, None)


class Sure(RandomEngine):
    """Says what it has thought of, whatever that may be."""

    values: tuple[float, ...] = (0.75, 0.25)

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        drawn = super().think(position, seed=seed, number=number)
        return Answer(drawn.placement, simulations=667, values=self.values)


class Raising:
    def think(self, position: Position, *, seed: int, number: int) -> Any:
        raise ZeroDivisionError


def seat(monkeypatch: pytest.MonkeyPatch, engine: Any) -> None:
    """Let this engine think for the bot called greedy."""
    strange = Bot("greedy", "", level=5, family="search")
    monkeypatch.setattr(turns, "make_engine", lambda _bot: engine())
    monkeypatch.setattr(turns, "offered_bots", lambda: {"greedy": strange})


@pytest.fixture
def game(alice: User) -> Game:
    return open_table(alice, bot("greedy", 3), ME)


def test_a_move_keeps_how_its_bot_came_to_it(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    seat(monkeypatch, Sure)
    play_turn(game.pk, 1)
    thought = Thought.objects.get(move__game=game, move__number=1)
    assert (thought.engine, thought.level, thought.simulations, thought.value) == ("search", 5, 667, 0.75)
    assert 0 <= thought.milliseconds < 10_000


def test_a_move_in_place_of_a_failed_bots_says_so(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    seat(monkeypatch, Raising)
    play_turn(game.pk, 1)
    thought = Thought.objects.get(move__game=game)
    assert (thought.engine, thought.level, thought.simulations, thought.value) == ("fallback", 5, 0, None)


def test_an_engine_that_has_taken_workers_with_it_is_asked_no_more(game: Game) -> None:
    assert play_turn(game.pk, 1, tries=2)
    assert Thought.objects.get(move__game=game).engine == "fallback"


@pytest.mark.parametrize(
    ("told", "kept"), [((), None), ((1.5, -0.5), 1.0), ((float("nan"), 1.0), None), ((-1e-9, 1.0), 0.0)]
)
def test_a_chance_that_is_none_is_not_kept(
    game: Game, monkeypatch: pytest.MonkeyPatch, told: tuple[float, ...], kept: float | None
) -> None:
    seat(monkeypatch, type("Odd", (Sure,), {"values": told}))
    play_turn(game.pk, 1)
    assert Thought.objects.get(move__game=game).value == kept


def test_a_person_brings_no_thought(alice: User, game: Game) -> None:
    play_turn(game.pk, 1)
    with pytest.raises(ValueError, match="only a bot"):
        place(game, "V3:t20,t19,s20", actor=alice, thought=THINKING)
    assert fresh(game).moves.count() == Thought.objects.count() == 1


def test_an_answer_that_is_dropped_leaves_no_thought(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = queries.bot_turn(game.pk, 1)
    play_turn(game.pk, 1)
    monkeypatch.setattr(turns, "bot_turn", lambda *_: slow)
    play_turn(game.pk, 1)
    assert Thought.objects.count() == 1


def test_every_move_is_a_line_in_the_log(game: Game, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "games")
    play_turn(game.pk, 1)
    (line,) = [record.getMessage() for record in caplog.records if record.name == turns.__name__]
    assert line.startswith("Bot move: bot=greedy engine=greedy level=1 simulations=0 ms=")
    assert line.endswith(f" value=- game={game.slug} move=1")


@pytest.mark.django_db(transaction=True)
def test_what_the_bots_of_a_game_cost_is_a_line_in_the_log_when_it_is_over(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "games")
    seat(monkeypatch, Sure)
    game = open_table(alice, bot("greedy"), bot("greedy"), variant="duo")
    while play_turn(game.pk, fresh(game).move_count + 1):
        pass
    took = Thought.objects.values_list("milliseconds", flat=True)
    (line,) = [record.getMessage() for record in caplog.records if record.name == costs.__name__]
    placed = game.moves.filter(kind="place").count()
    assert line == f"Bots of a game: moves={placed} simulations={667 * placed} ms={sum(took)} game={game.slug}"


@pytest.mark.django_db(transaction=True)
def test_a_game_of_people_alone_costs_no_line(alice: User, bob: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "games")
    resign(alice, running(alice, bob).slug)
    assert not [record for record in caplog.records if record.name == costs.__name__]


def test_a_paused_game_plays_on_by_single_steps_alone(alice: User) -> None:
    game = open_table(alice, bot("random", 1), bot("random", 2))
    Game.objects.filter(pk=game.pk).update(is_paused=True)
    assert not play_turn(game.pk, 1)
    assert play_turn(game.pk, 1, is_step=True)
    assert not play_turn(game.pk, 2)
    assert fresh(game).move_count == 1
    Game.objects.filter(pk=game.pk).update(is_paused=False)
    assert play_turn(game.pk, 2)


def test_a_move_keeps_what_speaks_for_it(alice: User) -> None:
    game = open_table(alice, bot("greedy", 3), ME)
    play_turn(game.pk, 1)
    reasons = Thought.objects.get(move__game=game).reasons or ()
    assert 1 <= len(reasons) <= 3
    assert all(effect in WEIGHTS and count >= 0 for effect, _colour, count in reasons)


def test_a_move_drawn_at_random_has_no_reasons(alice: User) -> None:
    game = open_table(alice, bot("random", 3), ME)
    play_turn(game.pk, 1)
    assert Thought.objects.get(move__game=game).reasons == []


@pytest.mark.parametrize("fault", [ZeroDivisionError, OutOfThinkingTime])
def test_a_move_for_which_no_reasons_can_be_found_is_played_without(
    game: Game, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    def fail(_position: Position) -> Any:
        raise fault

    monkeypatch.setattr(turns, "ReasonFinder", fail)
    play_turn(game.pk, 1)
    assert Thought.objects.get(move__game=game).reasons == []
