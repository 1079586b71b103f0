"""Each player may once give the one whose turn it is a day, and every clock follows from it."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import events
from games.actions.kindness.give_day import give_day
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.people.block_person import block_person
from games.actions.takebacks.agree_to_takeback import agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.background.sweep import sweep
from games.base.access import BotSeat
from games.clock import PACES, TimeControl
from games.errors import NotFound, NotSeated, NotYourTurn, StaleGame, WrongStatus
from games.models import Game, Notification, Occasion
from games.notifications.reminders import remind
from games.queries.tables.turns import late_turns
from games.rules.records import read, write_json
from games.table import records
from tests.games.queries.states import state
from tests.games.tables import (
    ME,
    NOON,
    bot,
    check_audited,
    due,
    fresh,
    open_table,
    place,
    play_out,
    rows,
    running,
    take_turn,
)

pytestmark = pytest.mark.django_db(transaction=True)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
A_DAY = TimeControl.days_a_move(1)


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """Return a game in which both have moved, and alice has a day for her next move."""
    return play_out(running(alice, bob, time=A_DAY), turns=2)


def give(user: User, game: Game, at: timedelta = HOUR) -> Game:
    return give_day(user, game.slug, number=due(fresh(game)), now=NOON + at)


def refusal(user: User, game: Game, at: timedelta = HOUR) -> str:
    before = rows()
    with pytest.raises((WrongStatus, NotSeated)) as caught:
        give(user, game, at)
    assert rows() == before
    return caught.value.code


def test_a_given_day_puts_the_deadline_off_by_one(duel: Game, bob: User, heard: list[events.GameEvent]) -> None:
    heard.clear()
    give(bob, duel)
    game = fresh(duel)
    assert (game.deadline, game.version, game.move_count) == (NOON + 2 * DAY, duel.version + 1, duel.move_count)
    assert [type(event) for event in heard] == [events.DayGiven]
    check_audited(duel)


def test_a_day_is_for_one_turn_and_what_is_left_of_it_is_nobodys(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, time=TimeControl(86400, 3600, 10 * 86400)), turns=2)
    held = game.players.get(seat=0).clock
    give(bob, game)
    take_turn(game, now=NOON + 2 * HOUR)
    assert fresh(game).players.get(seat=0).clock == (held or 0) - 2 * 3600 + 3600
    take_turn(game)
    now = fresh(game)
    assert now.deadline == NOON + 2 * HOUR + timedelta(seconds=now.players.get(seat=now.turn_seat or 0).clock or 0)
    check_audited(game)


def test_a_move_within_the_given_day_leaves_an_empty_clock_with_the_increment(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, time=TimeControl(86400, 3600, 10 * 86400)), turns=2)
    give(bob, game)
    take_turn(game, now=NOON + 40 * HOUR)
    assert fresh(game).players.get(seat=0).clock == 3600
    check_audited(game)


def test_each_player_gives_one_day_in_a_game(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY, variant="blockyou-3")
    give(bob, game)
    give(bob, game)
    give(carol, game)
    assert (fresh(game).deadline, len(fresh(game).given_days)) == (NOON + 3 * DAY, 2), "sent twice is given once"
    check_audited(game)
    take_turn(game)
    assert refusal(carol, game) == "day-given"
    give(alice, game)
    check_audited(game)


def test_nobody_gives_a_day_who_may_not(duel: Game, alice: User, bob: User, carol: User) -> None:
    assert refusal(alice, duel) == "own-turn"
    with pytest.raises(NotSeated):
        give(carol, duel)
    private = running(alice, bob, time=A_DAY, is_public=False)
    with pytest.raises(NotFound):
        give(carol, private)
    assert refusal(bob, running(alice, bob)) == "no-clock"
    assert refusal(alice, play_out(open_table(alice, ME, bot(), time=A_DAY, now=NOON), turns=1)) == "no-clock"
    assert refusal(bob, running(alice, bob, time=PACES["evening"]), timedelta()) == "quick-game"
    assert refusal(bob, duel, 2 * DAY) == "time-is-up"
    with pytest.raises(StaleGame):
        give_day(bob, duel.slug, number=due(duel) + 1, now=NOON)
    for user in (alice, bob):
        ask_for_pause(user, duel.slug, pause_version=0, now=NOON)
    assert refusal(bob, duel) == "paused"
    trio = running(alice, bob, carol, time=A_DAY, variant="blockyou-3")
    resign(bob, trio.slug, now=NOON)
    assert refusal(bob, trio) == "retired"


def test_a_bot_account_gives_no_day(duel: Game, bob: User, alice: User) -> None:
    User.objects.filter(pk=bob.pk).update(operator=alice)
    assert refusal(User.objects.get(pk=bob.pk), duel) == "program"


def test_a_day_refuses_nobodys_move(duel: Game, alice: User, bob: User) -> None:
    number = due(duel)
    give(bob, duel)
    take_turn(duel)
    assert fresh(duel).move_count == number


def test_who_runs_out_of_time_gets_a_day_as_long_as_the_turn_has_not_ended(duel: Game, bob: User) -> None:
    give(bob, duel, 25 * HOUR)
    number = due(fresh(duel))
    assert late_turns(NOON + 47 * HOUR) == []
    assert time_out(duel.slug, number=number, now=NOON + 47 * HOUR) is None
    sweep(NOON + 47 * HOUR)
    assert fresh(duel).status == "running"
    time_out(duel.slug, number=number, now=NOON + 2 * DAY)
    assert fresh(duel).status == "finished"
    check_audited(duel)


def test_no_bot_plays_in_a_given_day(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY, variant="blockyou-3")
    give(carol, game, 25 * HOUR)
    with pytest.raises(NotYourTurn):
        place(game, "1:a1", BotSeat(game.pk, 0), now=NOON + 26 * HOUR, key="bot-turn-1")
    take_turn(game, by_bot=True)
    check_audited(game)


def test_a_day_stays_with_the_turn_when_another_player_resigns_meanwhile(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY, variant="blockyou-3")
    give(bob, game)
    resign(carol, game.slug, now=NOON + 2 * HOUR)
    assert fresh(game).deadline == NOON + 2 * DAY
    check_audited(game)


def test_a_player_is_notified_once_of_a_day_and_not_of_the_turn_again(duel: Game, alice: User, bob: User) -> None:
    Game.objects.filter(pk=duel.pk).update(is_notice_due=False)
    give(bob, duel)
    give(bob, duel)
    notice = Notification.objects.get(user=alice, occasion=Occasion.DAY_GIVEN)
    assert (notice.other, fresh(duel).is_notice_due) == (bob, False)


def test_reminders_follow_a_day(duel: Game, alice: User, bob: User) -> None:
    assert (fresh(duel).remind_at, remind(NOON + 18 * HOUR)) == (NOON + 18 * HOUR, {duel.pk})
    give(bob, duel, 19 * HOUR)
    assert fresh(duel).remind_at == NOON + 36 * HOUR, "a quarter of two days before their end"
    remind(NOON + 36 * HOUR)
    remind(NOON + 46 * HOUR)
    assert Notification.objects.filter(user=alice, occasion=Occasion.DEADLINE).count() == 3


def test_a_day_from_somebody_kept_apart_counts_and_tells_nobody_of_the_block(
    duel: Game, alice: User, bob: User
) -> None:
    block_person(alice, bob.username, now=NOON)
    give(User.objects.get(pk=bob.pk), duel)
    assert fresh(duel).deadline == NOON + 2 * DAY
    assert not Notification.objects.filter(occasion=Occasion.DAY_GIVEN).exists()


def test_a_pause_keeps_the_given_day(duel: Game, alice: User, bob: User) -> None:
    give(bob, duel)
    for user in (alice, bob):
        ask_for_pause(user, duel.slug, pause_version=0, now=NOON + 6 * HOUR)
    turn = state(duel, alice, NOON + DAY).turn
    assert turn is not None
    assert turn.seconds == 42 * 3600
    check_audited(duel)


def test_a_turn_that_is_due_again_as_its_move_was_taken_back_begins_without_the_day(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, time=A_DAY, allows_takebacks=True), turns=2)
    give(bob, game)
    take_turn(game, now=NOON + 30 * HOUR)
    ask_for_takeback(alice, game.slug, number=due(fresh(game)), now=NOON + 31 * HOUR)
    request = fresh(game).asked_takeback
    assert request is not None
    agree_to_takeback(bob, game.slug, request=request.version, now=NOON + 32 * HOUR)
    assert (fresh(game).move_count, fresh(game).deadline) == (2, NOON + 32 * HOUR + DAY)
    check_audited(game)
    assert refusal(bob, game, 33 * HOUR) == "day-given"


def test_the_record_says_who_gave_a_day(duel: Game, alice: User, bob: User) -> None:
    give(bob, duel)
    record = records.game_record(alice, duel.slug)
    assert record.days == (("2026-03-01T13:00:00.000Z", due(duel), 1, 0),)
    assert read(write_json(record)) == record
