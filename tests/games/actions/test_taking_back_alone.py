"""For ten seconds a move can be taken back without asking anyone, as long as no other person has been shown it."""

import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.actions.moves.come_back import come_back
from games.actions.moves.play_placement import play_placement
from games.actions.tables.join_game import join_game
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.takebacks.mark_shown import mark_shown, show_to
from games.api.topics import GameTopic, MyTopic
from games.audit import checks as audit
from games.base import positions
from games.bots.turns import play_turn
from games.clock import TimeControl
from games.errors import WrongStatus
from games.models import Delivery, Game, Notification, Occasion, Takeback
from games.notifications.deliver import deliver
from games.queries.play.state import GameState
from games.queries.play.takebacks import taken_back
from games.table import changes
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.queries.states import state
from tests.games.tables import (
    ME,
    NOON,
    OPEN,
    any_placement,
    bot,
    due,
    fresh,
    key,
    open_table,
    play_out,
    running,
    take_turn,
)
from tests.proof import proof

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

A_DAY, SECOND = TimeControl.days_a_move(1), timedelta(seconds=1)
SOON, LATE = NOON + 9 * SECOND, NOON + 11 * SECOND


def take_back(user: User, game: Game, **more: Any) -> Game:
    """Ask as the game's present page does."""
    return ask_for_takeback(user, game.slug, number=due(fresh(game)), **{"now": SOON, **more})


def look(user: User | None, game: Game, now: Any = SOON) -> bool:
    """Show the game as it is stored to a person, None for a visitor."""
    return mark_shown(user.pk if user else None, [fresh(game)], now=now)


def is_open(game: Game) -> bool:
    """Return whether the last move can still be taken back alone, by the clock of the row."""
    return fresh(game).alone_until is not None


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """Return a game in which bob has just made the second move, at noon."""
    return play_out(running(alice, bob, time=A_DAY, allows_takebacks=True), turns=2)


def test_it_goes_at_once_with_nobody_asked_and_nobody_told(duel: Game, bob: User) -> None:
    before = fresh(duel)
    assert state(duel, bob, SOON).takeback.is_alone
    take_back(bob, duel, alone=True)
    game = fresh(duel)
    assert (game.move_count, game.turn_seat, game.version) == (1, 1, before.version + 1)
    assert (due(game), is_open(game)) == (4, False)
    row = Takeback.objects.get()
    assert (row.seat, row.agreed, row.request, row.back_to) == (1, [], 0, 2)
    assert not Notification.objects.filter(occasion__in=(Occasion.TAKEN_BACK, Occasion.TAKEBACK)).exists()
    assert [time.is_alone for time in taken_back(game)] == [True]
    assert list(audit.faults(fresh(game))) == []


def test_the_clock_stands_as_it_stood(alice: User, bob: User) -> None:
    game = running(alice, bob, time=TimeControl(3600, 60, 7200), allows_takebacks=True)
    play_out(game, turns=1)
    play_out(game, turns=1, now=NOON + timedelta(minutes=5))
    take_back(bob, game, now=NOON + timedelta(minutes=5, seconds=4))
    again = fresh(game)
    assert again.deadline == NOON + timedelta(minutes=65, seconds=4)


def test_after_ten_seconds_the_others_are_asked(duel: Game, bob: User) -> None:
    with pytest.raises(WrongStatus, match="ten seconds have passed") as refused:
        take_back(bob, duel, now=LATE, alone=True)
    assert (refused.value.code, fresh(duel).version) == ("move-shown", duel.version)
    take_back(bob, duel, now=LATE)
    assert (fresh(duel).move_count, fresh(duel).takeback_request[3:]) == (2, [1])


@pytest.mark.parametrize("who", ["alice", "eve", None])
def test_whoever_else_is_shown_the_move_ends_it(duel: Game, bob: User, who: str | None) -> None:
    assert look(User.objects.get(username=who) if who == "alice" else person(who) if who else None, duel)
    assert not state(duel, bob, SOON).takeback.is_alone
    with pytest.raises(WrongStatus):
        take_back(bob, duel, alone=True)
    take_back(bob, duel)
    assert fresh(duel).move_count == 2


def test_its_own_player_may_look_at_it(duel: Game, bob: User) -> None:
    assert look(bob, duel)
    assert is_open(duel)


def test_of_an_old_move_nothing_is_written(duel: Game, alice: User, django_assert_num_queries: Any) -> None:
    game = fresh(duel)
    with django_assert_num_queries(0):
        assert mark_shown(alice.pk, [game], now=NOON + timedelta(seconds=15))
    with django_assert_num_queries(1):
        assert mark_shown(alice.pk, [game, game], now=SOON)
    # Whoever reads it next finds nothing to note.
    game = fresh(duel)
    with django_assert_num_queries(0):
        assert mark_shown(alice.pk, [game], now=SOON)


def test_what_has_gone_meanwhile_is_not_marked_and_shown_anew(duel: Game, alice: User, bob: User) -> None:
    seen: list[int] = []
    now = timezone.now()
    Game.objects.filter(pk=duel.pk).update(alone_until=now + 9 * SECOND)

    def read() -> int:
        moves = len(state(duel, alice).moves)
        if not seen:
            take_back(bob, duel, now=now)
        seen.append(moves)
        return moves

    assert show_to(read, lambda: alice.pk) == 1
    assert seen == [2, 1]


def test_another_persons_move_ends_it(duel: Game, alice: User, bob: User) -> None:
    play_out(duel, turns=1)
    take_back(bob, duel)
    assert fresh(duel).move_count == 3
    assert fresh(duel).asked_takeback


def test_bots_that_answer_end_nothing(alice: User, bob: User) -> None:
    game = open_table(alice, ME, bot("greedy"), OPEN, allows_takebacks=True)
    game = join_game(bob, game.slug, token=game.invite_token, now=NOON)
    play_out(game, turns=1)
    assert play_turn(game.pk, 2)
    assert fresh(game).move_count == 2
    take_back(alice, game, alone=True)
    assert (fresh(game).move_count, fresh(game).turn_seat) == (0, 0)
    assert list(audit.faults(fresh(game))) == []


@pytest.mark.parametrize("settings", [{"allows_takebacks": False}, {"is_rated": True, "allows_takebacks": False}])
def test_a_table_where_moves_stay_lets_nobody(alice: User, bob: User, settings: dict[str, Any]) -> None:
    game = play_out(running(alice, bob, time=A_DAY, **settings), turns=2)
    assert not is_open(game)
    with pytest.raises(WrongStatus) as refused:
        take_back(bob, game, alone=True)
    assert refused.value.code == "no-takebacks"


def test_where_only_bots_play_nothing_is_noted(alice: User) -> None:
    assert not is_open(play_out(open_table(alice, ME, bot(), variant="duo"), turns=1))


def test_who_comes_back_ends_it(alice: User, bob: User) -> None:
    carol = person("carol")
    game = running(alice, bob, carol, time=A_DAY, allows_takebacks=True)
    for _ in range(2):
        take_turn(game)
        take_turn(game)
        take_turn(game, by_bot=True)
    take_turn(game)
    assert is_open(game)
    come_back(carol, game.slug, now=fresh(game).turn_since)
    assert not is_open(game)


@pytest.mark.parametrize("topic", [GameTopic, MyTopic])
def test_streams_show_it(duel: Game, alice: User, bob: User, topic: Any) -> None:
    Game.objects.filter(pk=duel.pk).update(alone_until=timezone.now() + 9 * SECOND)

    def tell(user: User) -> None:
        (topic(user, None, duel.slug) if topic is GameTopic else topic(user, None)).news()

    tell(bob)
    assert is_open(duel)
    tell(alice)
    assert not is_open(duel)


def test_nothing_is_sent_about_it_until_it_stays(duel: Game, alice: User) -> None:
    """A turn waits longer anyway; what else may be sent of the game has its board too."""
    changes.record(fresh(duel), Occasion.DEADLINE, [alice.pk], NOON, event=3)
    Notification.objects.update(is_due=False)
    row = Notification.objects.get(occasion=Occasion.DEADLINE)
    delivery, _ = Delivery.objects.update_or_create(notification=row, channel="email", defaults={"due_at": NOON})
    assert not deliver(delivery.pk, 0, now=SOON)
    delivery.refresh_from_db()
    assert (delivery.due_at, delivery.tries) == (NOON + 15 * SECOND, 0)
    assert tasks.GRACE >= 15 * SECOND


@pytest.mark.parametrize("rounds", [20, *proof(500)])
def test_shown_and_taken_back_at_one_instant_has_one_outcome(rounds: int) -> None:
    alice, bob = person("alice"), person("bob")
    game, rng = play_out(running(alice, bob, allows_takebacks=True), turns=1), random.Random(7)
    for _ in range(rounds):
        number, text = due(fresh(game)), any_placement(positions.position_of(fresh(game)), rng)
        play_placement(bob, game.slug, placement=text, number=number, key=key())
        calls: list[Callable[[], object]] = [
            partial(show_to, partial(state, game, alice), lambda: alice.pk),
            partial(ask_for_takeback, bob, game.slug, number=due(fresh(game)), alone=True),
        ]
        rng.shuffle(calls)
        answers = at_once(calls)
        [shown] = [answer for answer in answers if isinstance(answer, GameState)]
        is_gone = fresh(game).move_count == 1
        assert len(shown.moves) == (1 if is_gone else 2), answers
        assert [type(one) for one in answers if one is not shown] == [Game if is_gone else WrongStatus]
        assert next(audit.faults(fresh(game)), None) is None
        if not is_gone or fresh(game).spent_numbers > 900:
            Game.objects.filter(pk=game.pk).delete()
            game = play_out(running(alice, bob, allows_takebacks=True), turns=1)


def test_the_audit_finds_what_went_alone_and_should_not_have(duel: Game, bob: User) -> None:
    take_back(bob, duel)
    Takeback.objects.update(taken_at=LATE)
    assert ("taken back", "alone") in [(fault.what, fault.stored) for fault in audit.faults(fresh(duel))]
