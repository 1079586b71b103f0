"""One move a turn, whatever is delivered late, twice or out of turn."""

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.base.setup import SeatSetup
from games.bots.turns import BotChoice, play_turn
from games.models import Game
from games.queries import turns as queries
from games.rules.records import Thinking
from tests.games.tables import ME, bot, fresh, open_table, place, rows

pytestmark = pytest.mark.django_db
NOTHING = Thinking("greedy", 1, 0, 0, None)


@pytest.fixture
def game(alice: User) -> Game:
    return open_table(alice, bot("greedy", 3), ME)


def test_a_bot_plays_its_turn_marked_with_its_engine(game: Game) -> None:
    assert play_turn(game.pk, 1)
    move = fresh(game).moves.get()
    assert (move.number, move.kind, move.seat, move.bot) == (1, "place", 0, "greedy")


def test_the_same_turn_delivered_twice_is_played_once(game: Game) -> None:
    assert play_turn(game.pk, 1)
    before = rows()
    assert not play_turn(game.pk, 1)
    assert rows() == before


@pytest.mark.parametrize("number", [0, 2, 99])
def test_a_turn_of_another_number_is_dropped(game: Game, number: int) -> None:
    before = rows()
    assert not play_turn(game.pk, number)
    assert rows() == before


def test_a_persons_turn_is_never_played(game: Game) -> None:
    play_turn(game.pk, 1)
    before = rows()
    assert not play_turn(game.pk, 2)
    assert rows() == before


def test_a_game_that_does_not_exist_is_dropped() -> None:
    assert not play_turn(10**9, 1)


def test_an_answer_that_comes_too_late_is_dropped(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = queries.bot_turn(game.pk, 1)
    play_turn(game.pk, 1)
    monkeypatch.setattr("games.bots.turns.bot_turn", lambda *_: slow)
    before = rows()
    assert play_turn(game.pk, 1)  # the same move again is the same answer, and nothing new
    assert rows() == before


def test_an_answer_that_differs_from_the_first_is_dropped(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = queries.bot_turn(game.pk, 1)
    play_turn(game.pk, 1)
    assert slow is not None
    other = slow.position.legal_placements()[-1]
    monkeypatch.setattr("games.bots.turns.bot_turn", lambda *_: slow)
    monkeypatch.setattr("games.bots.turns.choose", lambda *_, **_more: BotChoice(str(other), NOTHING))
    before = rows()
    assert not play_turn(game.pk, 1)
    assert rows() == before


def test_an_answer_from_an_older_version_is_dropped(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = open_table(
        alice,
        ME,
        bot("random", 3),
        SeatSetup(kind="bot", bot="random", seed=4),
        SeatSetup(kind="bot", bot="random", seed=5),
    )
    place(game, "V3:a1,b1,a2")
    slow = queries.bot_turn(game.pk, 2)
    resign(alice, game.slug)
    monkeypatch.setattr("games.bots.turns.bot_turn", lambda *_: slow)
    before = rows()
    assert not play_turn(game.pk, 2)
    assert rows() == before
