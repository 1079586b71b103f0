"""A game of bots is paused, stepped through and resumed by whoever opened it."""

from collections.abc import Callable

import pytest
from django_tasks_db.models import DBTaskResult

from accounts.erasure import close_account
from accounts.models import User
from games import events
from games.actions.pause_game import pause_game
from games.actions.resume_game import resume_game
from games.actions.step_game import step_game
from games.bots.turns import play_turn
from games.errors import BadRequest, GameError, NotFound, NotSeated, WrongStatus
from games.models import Game
from tests.games.tables import ME, NOON, bot, fresh, open_table, rows, running
from tests.games.tasks.workers import jobs

pytestmark = pytest.mark.django_db(transaction=True)

ACTIONS = {
    "pause": pause_game,
    "resume": resume_game,
    "step": lambda user, slug: step_game(user, slug, number=1),
}
each_action = pytest.mark.parametrize("act", ACTIONS.values(), ids=ACTIONS)
Act = Callable[[User, str], object]


@pytest.fixture
def game(alice: User) -> Game:
    """Return a game of bots that alice has opened; of what it has asked for nothing is left to do."""
    game = open_table(alice, bot("random", 1), bot("greedy", 2))
    DBTaskResult.objects.all().delete()
    return game


def test_no_bot_moves_while_the_game_is_paused(game: Game, alice: User) -> None:
    pause_game(alice, game.slug, now=NOON)
    assert not play_turn(game.pk, 1)
    assert fresh(game).move_count == 0


def test_a_pause_is_a_new_version_and_is_told(game: Game, alice: User, heard: list[events.GameEvent]) -> None:
    pause_game(alice, game.slug, now=NOON)
    assert [(type(event), event.version) for event in heard] == [(events.GamePaused, game.version + 1)]
    assert (fresh(game).is_paused, fresh(game).version, fresh(game).changed_at) == (True, game.version + 1, NOON)


@pytest.mark.parametrize("act", [pause_game, resume_game])
def test_asking_twice_changes_nothing_more(act: Act, game: Game, alice: User, heard: list[events.GameEvent]) -> None:
    pause_game(alice, game.slug)
    act(alice, game.slug)
    before, told = rows(), len(heard)
    act(alice, game.slug)
    assert (rows(), len(heard)) == (before, told)


def test_the_bots_go_on_when_the_game_is_resumed(game: Game, alice: User, heard: list[events.GameEvent]) -> None:
    pause_game(alice, game.slug)
    resume_game(alice, game.slug)
    assert type(heard[-1]) is events.GameResumed
    assert jobs() == [("play_bot_turn", [game.pk, 1])]
    assert play_turn(game.pk, 1)


def test_a_step_asks_for_one_move_and_the_game_stays_paused(game: Game, alice: User) -> None:
    pause_game(alice, game.slug)
    outcome = step_game(alice, game.slug, number=1)
    assert (outcome.number, outcome.version, outcome.is_repeat) == (1, game.version + 1, False)
    assert jobs() == [("step_bot_turn", [game.pk, 1])]
    assert play_turn(game.pk, 1, is_step=True)
    assert (fresh(game).move_count, fresh(game).is_paused) == (1, True)
    assert len(jobs()) == 1


def test_a_step_asked_for_twice_is_one_move(game: Game, alice: User) -> None:
    pause_game(alice, game.slug)
    for _ in range(2):
        step_game(alice, game.slug, number=1)
    assert [play_turn(*arguments, is_step=True) for _name, arguments in jobs()] == [True, False]
    again = step_game(alice, game.slug, number=1)
    assert (again.number, again.version, again.is_repeat) == (1, fresh(game).version, True)
    assert len(jobs()) == 2


@pytest.mark.parametrize("number", [0, 2, 99])
def test_only_the_move_that_is_due_can_be_asked_for(number: int, game: Game, alice: User) -> None:
    pause_game(alice, game.slug)
    with pytest.raises(BadRequest) as caught:
        step_game(alice, game.slug, number=number)
    assert caught.value.field == "number"


def test_a_game_that_is_not_paused_is_not_stepped_through(game: Game, alice: User) -> None:
    with pytest.raises(WrongStatus) as caught:
        step_game(alice, game.slug, number=1)
    assert caught.value.code == "not-paused"


@each_action
@pytest.mark.parametrize(("is_public", "error"), [(True, NotSeated), (False, NotFound)])
def test_nobody_else_conducts_the_bots(
    act: Act, is_public: bool, error: type[GameError], alice: User, mallory: User
) -> None:
    game = open_table(alice, bot(), bot(), is_public=is_public)
    before = rows()
    with pytest.raises(error):
        act(mallory, game.slug)
    assert rows() == before


@each_action
def test_a_game_in_which_people_play_is_never_paused(act: Act, alice: User, bob: User) -> None:
    for game in (running(alice, bob), open_table(alice, ME, bot())):
        with pytest.raises(WrongStatus) as caught:
            act(alice, game.slug)
        assert caught.value.code == "people-play"


@pytest.mark.parametrize("act", [pause_game, resume_game])
def test_a_game_that_is_over_is_neither_paused_nor_resumed(act: Act, game: Game, alice: User) -> None:
    while play_turn(game.pk, fresh(game).move_count + 1):
        pass
    with pytest.raises(WrongStatus) as caught:
        act(alice, game.slug)
    assert caught.value.code == "game-over"


def test_the_bots_of_a_closed_account_go_on(game: Game, alice: User) -> None:
    pause_game(alice, game.slug)
    close_account(alice)
    assert not fresh(game).is_paused
    assert jobs() == [("play_bot_turn", [game.pk, 1])]
