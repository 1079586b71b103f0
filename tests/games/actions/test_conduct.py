"""A game of bots is paused, stepped through and resumed by whoever opened it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from accounts.erasure import close_account
from accounts.models import User
from games import events
from games.actions.pauses.pause_game import pause_game
from games.actions.pauses.resume_game import resume_game
from games.actions.pauses.step_game import step_game
from games.bots.turns import play_turn
from games.errors import GameError, NotFound, NotSeated, StaleGame, WrongStatus
from games.models import Game
from games.queries.turns import bot_turn
from games.table.lifecycle import Outcome
from tests.games.tables import ME, NOON, bot, change, due, fresh, open_table, rows, running
from tests.games.tasks.workers import forget_jobs, jobs

pytestmark = pytest.mark.django_db(transaction=True)


def pause(user: User, slug: str, **more: Any) -> Game:
    """Pause as the game's present page does, unless it is to be another one."""
    return pause_game(user, slug, **{"pause_version": pause_of(slug), **more})


def resume(user: User, slug: str, **more: Any) -> Game:
    return resume_game(user, slug, **{"pause_version": pause_of(slug), **more})


def step(user: User, slug: str, number: int = 1, **more: Any) -> Outcome:
    return step_game(user, slug, number=number, **{"pause_version": pause_of(slug), **more})


def pause_of(slug: str) -> int:
    return Game.objects.get(slug=slug).pause_version


ACTIONS = {"pause": pause, "resume": resume, "step": step}
each_action = pytest.mark.parametrize("act", ACTIONS.values(), ids=ACTIONS)
Act = Callable[..., object]


@pytest.fixture
def game(alice: User) -> Game:
    """Return a game of bots that alice has opened; of what it has asked for nothing is left to do."""
    game = open_table(alice, bot("random", 1), bot("greedy", 2))
    forget_jobs()
    return game


def test_no_bot_moves_while_the_game_is_paused(game: Game, alice: User) -> None:
    pause(alice, game.slug, now=NOON)
    assert not play_turn(game.pk, 1)
    assert fresh(game).move_count == 0


def test_a_pause_is_a_new_version_and_is_told(game: Game, alice: User, heard: list[events.GameEvent]) -> None:
    pause(alice, game.slug, now=NOON)
    assert [(type(event), event.version) for event in heard] == [(events.GamePaused, game.version + 1)]
    assert (fresh(game).is_paused, fresh(game).version, fresh(game).changed_at) == (True, game.version + 1, NOON)


@pytest.mark.parametrize("act", [pause, resume])
def test_asking_twice_changes_nothing_more(act: Act, game: Game, alice: User, heard: list[events.GameEvent]) -> None:
    paused = pause(alice, game.slug).pause_version
    act(alice, game.slug, pause_version=paused)
    before, told = rows(), len(heard)
    act(alice, game.slug, pause_version=paused)
    assert (rows(), len(heard)) == (before, told)


def test_the_bots_go_on_when_the_game_is_resumed(game: Game, alice: User, heard: list[events.GameEvent]) -> None:
    pause(alice, game.slug)
    resume(alice, game.slug)
    assert type(heard[-1]) is events.GameResumed
    assert jobs() == [("play_bot_turn", [game.pk, 1])]
    assert play_turn(game.pk, 1)


def test_a_step_asks_for_one_move_and_the_game_stays_paused(game: Game, alice: User) -> None:
    pause(alice, game.slug)
    outcome = step(alice, game.slug, number=1)
    assert (outcome.number, outcome.version, outcome.is_repeat) == (1, game.version + 1, False)
    assert jobs() == [("step_bot_turn", [game.pk, 1])]
    assert play_turn(game.pk, 1, is_step=True)
    assert (fresh(game).move_count, fresh(game).is_paused) == (1, True)
    assert len(jobs()) == 1


def test_a_step_asked_for_twice_is_one_move(game: Game, alice: User) -> None:
    pause(alice, game.slug)
    for _ in range(2):
        step(alice, game.slug)
    assert [play_turn(*arguments, is_step=True) for _name, arguments in jobs()] == [True, False]
    again = step(alice, game.slug)
    assert (again.number, again.version, again.is_repeat) == (1, fresh(game).version, True)
    assert len(jobs()) == 2


def test_bots_that_move_meanwhile_keep_nobody_from_pausing_them(game: Game, alice: User) -> None:
    assert play_turn(game.pk, 1)
    assert play_turn(game.pk, 2)
    paused = pause(alice, game.slug, pause_version=game.pause_version)
    assert paused.is_paused
    assert play_turn(game.pk, 3, is_step=True)
    assert not resume(alice, game.slug, pause_version=paused.pause_version).is_paused


@pytest.mark.parametrize("moves_between", [0, 1])
def test_a_request_that_comes_again_later_undoes_nothing(moves_between: int, game: Game, alice: User) -> None:
    paused = pause(alice, game.slug, pause_version=game.pause_version).pause_version
    resume(alice, game.slug, pause_version=paused)
    for number in range(1, moves_between + 1):
        assert play_turn(game.pk, number)
    check_refused(pause, alice, game, game.pause_version)
    pause(alice, game.slug)
    check_refused(resume, alice, game, paused)
    check_refused(step, alice, game, paused)


def check_refused(act: Act, user: User, game: Game, pause_version: int) -> None:
    """Check that a request of a page with that pause changes nothing and is told where the game stands."""
    before = rows(), jobs()
    with pytest.raises(StaleGame) as caught:
        act(user, game.slug, pause_version=pause_version)
    assert (rows(), jobs()) == before
    assert (caught.value.version, caught.value.number) == (fresh(game).version, due(fresh(game)))


@pytest.mark.parametrize("act", [pause, resume, step])
def test_a_pause_that_is_yet_to_come_is_no_pause(act: Act, game: Game, alice: User) -> None:
    if act is not pause:
        pause(alice, game.slug)
    check_refused(act, alice, game, pause_of(game.slug) + 1)


@each_action
def test_a_change_that_is_no_move_does_not_matter(act: Act, game: Game, alice: User) -> None:
    if act is not pause:
        pause(alice, game.slug)
    shown = pause_of(game.slug)
    change(game)
    act(alice, game.slug, pause_version=shown)
    assert fresh(game).is_paused == (act is not resume)


def test_a_move_that_was_played_before_the_pause_is_no_step(game: Game, alice: User) -> None:
    assert play_turn(game.pk, 1)
    paused = pause(alice, game.slug).pause_version
    check_refused(partial(step, number=1), alice, game, paused)


@pytest.mark.parametrize("number", [0, 2, 99])
def test_only_the_move_that_is_due_can_be_asked_for(number: int, game: Game, alice: User) -> None:
    paused = pause(alice, game.slug).pause_version
    check_refused(partial(step, number=number), alice, game, paused)


def thinking(game: Game, monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
    """Let the bot begin to think about move 1 now; its answer comes when it plays its turn."""
    slow = bot_turn(game.pk, 1, **more)
    assert slow is not None
    monkeypatch.setattr("games.bots.turns.bot_turn", lambda *_: slow)


def test_what_a_bot_thought_of_before_the_pause_is_not_played(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking(game, monkeypatch)
    pause(alice, game.slug)
    before = rows()
    assert not play_turn(game.pk, 1)
    assert rows() == before
    resume(alice, game.slug)
    assert play_turn(game.pk, 1), "the move is still due, and nothing keeps the bot from it"


def test_a_step_of_an_earlier_pause_is_not_played_in_a_later_one(
    game: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause(alice, game.slug)
    thinking(game, monkeypatch, is_step=True)
    resume(alice, game.slug)
    pause(alice, game.slug)
    before = rows()
    assert not play_turn(game.pk, 1, is_step=True)
    assert rows() == before


def test_a_game_that_is_not_paused_is_not_stepped_through(game: Game, alice: User) -> None:
    with pytest.raises(WrongStatus) as caught:
        step(alice, game.slug, number=1)
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


@pytest.mark.parametrize("act", [pause, resume])
def test_a_game_that_is_over_is_neither_paused_nor_resumed(act: Act, game: Game, alice: User) -> None:
    while play_turn(game.pk, fresh(game).move_count + 1):
        pass
    with pytest.raises(WrongStatus) as caught:
        act(alice, game.slug)
    assert caught.value.code == "game-over"


def test_the_bots_of_a_closed_account_go_on(game: Game, alice: User) -> None:
    pause(alice, game.slug)
    close_account(alice)
    assert not fresh(game).is_paused
    assert jobs() == [("play_bot_turn", [game.pk, 1])]
