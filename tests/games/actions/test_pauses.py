"""A game of people is paused when all of them agree, and goes on when one of them wants it."""

from datetime import datetime, timedelta
from functools import partial

import pytest

from accounts.erasure import close_account
from accounts.models import User
from games import events
from games.actions.moves.come_back import come_back
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.pauses.agree_to_pause import agree_to_pause
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.pauses.drop_pause_request import drop_pause_request
from games.actions.pauses.end_pause import end_pause
from games.actions.pauses.expire_pause import expire_pause
from games.audit import checks as audit
from games.background.upkeep import Upkeep
from games.base.access import BotSeat
from games.bots.turns import play_turn
from games.clock import TimeControl
from games.errors import NotFound, NotSeated, StaleGame, WrongStatus
from games.models import Game, Notification, Status
from games.queries.present import database_now
from games.queries.state import GameState
from games.queries.turns import late_turns
from games.table import lifecycle
from tests.games.queries.states import state
from tests.games.tables import ME, NOON, bot, due, fresh, open_table, place, play_out, rows, running, take_turn

pytestmark = pytest.mark.django_db(transaction=True)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
A_DAY = TimeControl.days_a_move(1)


def ask(user: User, game: Game, at: datetime = NOON) -> Game:
    """Ask for a pause as the game's present page does, or agree to the one that is asked for."""
    game = fresh(game)
    if game.asked_pause:
        return agree_to_pause(user, game.slug, request=game.asked_pause.version, now=at)
    return ask_for_pause(user, game.slug, pause_version=game.pause_version, now=at)


def drop(user: User, game: Game) -> Game:
    request = fresh(game).asked_pause
    assert request
    return drop_pause_request(user, game.slug, request=request.version, now=NOON)


def end(user: User, game: Game, at: datetime = NOON) -> Game:
    return end_pause(user, game.slug, pause_version=fresh(game).pause_version, now=at)


def check_audited(game: Game) -> None:
    """Check that all that is stored follows from the moves and the pauses."""
    assert list(audit.faults(fresh(game))) == []


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """Return a game in which both have moved, and alice has a day for her next move."""
    return play_out(running(alice, bob, time=A_DAY), turns=2)


def test_a_game_is_paused_once_all_agree(duel: Game, alice: User, bob: User, heard: list[events.GameEvent]) -> None:
    heard.clear()
    ask(alice, duel)
    assert (fresh(duel).is_paused, fresh(duel).deadline) == (False, NOON + DAY)
    ask(bob, duel, NOON + HOUR)
    game = fresh(duel)
    assert (game.is_paused, game.pause_version, game.version) == (True, duel.version + 2, duel.version + 2)
    assert [type(event) for event in heard] == [events.PauseAsked, events.GamePaused]
    check_audited(duel)


def test_nothing_is_waited_for_in_a_pause(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    ask(bob, duel)
    game = fresh(duel)
    waited_for = game.deadline, game.remind_at, game.turn_user_id, game.is_notice_due, game.is_bot_due
    assert waited_for == (None, None, None, False, False)
    assert (game.turn_seat, game.turn_since) == (duel.turn_seat, duel.turn_since)
    assert late_turns(NOON + 5 * DAY) == []
    assert time_out(game.slug, number=due(game), now=NOON + 5 * DAY) is None


def test_after_a_pause_there_is_as_much_time_as_there_was_before(duel: Game, alice: User, bob: User) -> None:
    ask(bob, duel, NOON + HOUR)
    ask(alice, duel, NOON + 2 * HOUR)
    end(bob, duel, NOON + 2 * HOUR + 5 * DAY)
    game = fresh(duel)
    assert (game.is_paused, game.deadline) == (False, NOON + 6 * DAY)
    assert (game.turn_user_id, game.is_notice_due, game.remind_at) == (alice.pk, True, NOON + 5 * DAY + 18 * HOUR)
    check_audited(duel)


def test_a_pause_uses_up_no_time(alice: User, bob: User) -> None:
    game = running(alice, bob, time=TimeControl(86400, 3600, 10 * 86400))
    for user in (alice, bob):
        ask(user, game, NOON + HOUR)
    end(alice, game, NOON + 3 * DAY)
    place(game, "1:a1", alice, now=NOON + 3 * DAY + HOUR)
    assert fresh(game).players.get(seat=0).clock == 86400 - 2 * 3600 + 3600
    check_audited(game)


def test_nobody_moves_in_a_pause(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    ask(bob, duel)
    before = rows()
    with pytest.raises(WrongStatus) as caught:
        place(duel, "2:c3,c4", alice)
    assert (caught.value.code, rows()) == ("paused", before)


def test_asking_agreeing_and_ending_twice_is_once(duel: Game, alice: User, bob: User) -> None:
    asked = ask_for_pause(alice, duel.slug, pause_version=0, now=NOON)
    request = asked.version
    for call in (
        partial(ask_for_pause, alice, duel.slug, pause_version=0),
        partial(agree_to_pause, bob, duel.slug, request=request),
        partial(end_pause, bob, duel.slug, pause_version=request + 1),
    ):
        call(now=NOON)
        before = rows()
        call(now=NOON + HOUR)
        assert rows() == before
    agree_to_pause(bob, duel.slug, request=request, now=NOON)
    assert rows() == before, "the pause to which this agrees has been"


def test_what_belongs_to_a_pause_that_is_over_asks_for_no_other_one(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    ask(bob, duel)
    end(bob, duel)
    before = rows()
    with pytest.raises(StaleGame):
        ask_for_pause(alice, duel.slug, pause_version=0)
    assert rows() == before
    first = fresh(duel).pause_version
    ask(alice, duel)
    ask(bob, duel)
    with pytest.raises(StaleGame):
        end_pause(alice, duel.slug, pause_version=first)
    assert fresh(duel).is_paused


@pytest.mark.parametrize("seat", [0, 1])
def test_a_request_is_withdrawn_or_turned_down(seat: int, duel: Game, alice: User, bob: User) -> None:
    request = ask(alice, duel).version
    who = (alice, bob)[seat]
    drop(who, duel)
    assert not fresh(duel).pause_request
    before = rows()
    drop_pause_request(who, duel.slug, request=request, now=NOON)
    assert rows() == before, "once is enough"
    with pytest.raises(WrongStatus) as caught:
        agree_to_pause(bob, duel.slug, request=request)
    assert caught.value.code == "pause-dropped"
    ask(bob, duel)
    for act in (agree_to_pause, drop_pause_request):
        with pytest.raises(StaleGame):
            act(alice, duel.slug, request=request)
    assert not fresh(duel).is_paused


def test_two_who_ask_have_agreed(duel: Game, alice: User, bob: User) -> None:
    for user in (alice, bob):
        ask_for_pause(user, duel.slug, pause_version=0, now=NOON)
    assert fresh(duel).is_paused


def test_a_request_survives_moves_and_goes_with_the_game(duel: Game, alice: User, bob: User) -> None:
    ask(bob, duel)
    play_out(duel, turns=2)
    assert fresh(duel).pause_request
    check_audited(duel)
    resign(alice, duel.slug, now=NOON)
    assert not fresh(duel).pause_request
    check_audited(duel)


def test_a_pause_ends_with_the_game(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    ask(bob, duel)
    resign(alice, duel.slug, now=NOON + HOUR)
    game = fresh(duel)
    assert (game.status, game.is_paused, game.pause_ends_at) == (Status.FINISHED, False, None)
    assert game.pause_spans == ((NOON, NOON + HOUR),)
    check_audited(duel)


def test_one_who_plays_bots_alone_pauses_at_once_and_the_bots_wait(alice: User) -> None:
    game = open_table(alice, ME, bot())
    place(game, "1:a1", alice)
    ask(alice, game)
    assert (fresh(game).is_paused, fresh(game).is_bot_due) == (True, False)
    before = rows()
    assert not play_turn(game.pk, 2)
    with pytest.raises(WrongStatus):
        place(game, "1:n14", BotSeat(game.pk, 1, fresh(game).pause_version))
    assert rows() == before
    end(alice, game)
    assert fresh(game).is_bot_due
    assert play_turn(game.pk, 2)
    check_audited(game)


def test_bots_are_asked_to_go_on(alice: User, heard: list[events.GameEvent]) -> None:
    game = open_table(alice, ME, bot())
    place(game, "1:a1", alice)
    ask(alice, game)
    end(alice, game)
    told = heard[-1]
    assert isinstance(told, events.GameResumed)
    assert told.due
    assert (told.due.number, told.due.bot) == (2, "random")


def test_those_who_left_or_are_away_need_not_agree(alice: User, bob: User, carol: User, dave: User) -> None:
    game = running(alice, bob, carol, dave, time=A_DAY)
    resign(dave, game.slug, now=NOON)
    for by_bot in (True, False, False, True, False):
        game = take_turn(game, by_bot=by_bot)
    assert game.players.get(seat=0).is_away
    assert game.turn_since
    ask(bob, game, game.turn_since)
    assert not fresh(game).is_paused
    ask(carol, game, game.turn_since)
    assert fresh(game).is_paused
    later = game.turn_since + 9 * DAY
    come_back(alice, game.slug, now=later)
    assert fresh(game).is_paused
    check_audited(game)
    end(alice, game, later)
    assert not fresh(game).is_paused
    check_audited(game)
    with pytest.raises(NotSeated):
        ask(dave, game)


def test_a_request_is_carried_out_when_the_last_player_asked_is_away(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    for by_bot in (True, False, False):
        game = take_turn(game, by_bot=by_bot)
    for user in (bob, carol):
        ask(user, game, game.turn_since or NOON)
    assert not fresh(game).is_paused
    game = take_turn(game, by_bot=True)
    assert (fresh(game).is_paused, fresh(game).turn_user_id) == (True, None)
    check_audited(game)


def test_others_who_leave_wait_for_nobody(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    ask(alice, game)
    ask(bob, game)
    assert not fresh(game).is_paused
    resign(carol, game.slug, now=NOON)
    assert fresh(game).is_paused
    check_audited(game)


def test_the_request_of_a_player_who_leaves_goes_too(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol)
    ask(alice, game)
    resign(alice, game.slug, now=NOON)
    assert (fresh(game).pause_request, fresh(game).is_paused) == ([], False)


def test_a_closed_account_leaves_no_game_paused_without_people(alice: User, bob: User) -> None:
    alone = open_table(alice, ME, bot(), bot())
    ask(alice, alone)
    together = open_table(alice, ME, bot(), bot())
    close_account(alice)
    assert [fresh(game).is_paused for game in (alone, together)] == [False, False]
    assert fresh(alone).is_bot_due
    check_audited(alone)


def test_a_pause_ends_by_itself_after_thirty_days(alice: User, bob: User) -> None:
    now = database_now()
    began = now - 30 * DAY
    game = running(alice, bob, now=began - HOUR, time=A_DAY)
    for user in (alice, bob):
        ask(user, game, began + HOUR)
    assert Upkeep().tidy(now + 2 * HOUR).pauses == 0, "an hour is left by the database's clock"
    assert not expire_pause(game.slug, now=now + HOUR - timedelta.resolution)
    assert expire_pause(game.slug, now=now + HOUR)
    game = fresh(game)
    assert (game.is_paused, game.deadline) == (False, now + HOUR + 22 * HOUR)
    assert not expire_pause(game.slug, now=now + 99 * DAY)
    check_audited(game)


def test_upkeep_ends_the_pauses_that_are_due(alice: User, bob: User) -> None:
    now = database_now()
    games = [running(alice, bob, now=now - 32 * DAY, time=A_DAY) for _ in range(2)]
    for game, days in zip(games, (31, 29), strict=True):
        for user in (alice, bob):
            ask(user, game, now - days * DAY)
    assert [Upkeep().tidy(now).pauses for _ in range(2)] == [1, 0]
    assert [fresh(game).is_paused for game in games] == [False, True]


def test_those_who_are_asked_those_who_waited_and_those_whose_clocks_run_again_are_notified(
    alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol)
    Notification.objects.all().delete()
    asked = ask(alice, game)
    ask(bob, game)
    paused = ask(carol, game)
    resumed = end(bob, game)
    told = Notification.objects.order_by("pk").values_list("user__username", "occasion", "event", "other__username")
    assert list(told) == [
        ("bob", "pause", asked.version, "alice"),
        ("carol", "pause", asked.version, "alice"),
        ("alice", "paused", paused.version, None),
        ("bob", "paused", paused.version, None),
        ("alice", "resumed", resumed.version, "bob"),
        ("carol", "resumed", resumed.version, "bob"),
    ]


def test_a_game_is_not_paused_more_than_a_hundred_times(alice: User) -> None:
    game = open_table(alice, ME, bot())
    ask(alice, game)
    end(alice, game)
    Game.objects.update(pauses=fresh(game).pauses * 99)
    ask(alice, game)
    end(alice, game)
    before = rows()
    with pytest.raises(WrongStatus) as caught:
        ask(alice, game)
    assert (caught.value.code, rows()) == ("paused-enough", before)
    found = state(game, alice)
    assert isinstance(found, GameState)
    assert not found.pause.can_ask


def test_only_those_who_play_may_do_so(duel: Game, alice: User, mallory: User) -> None:
    ask(alice, duel)
    before = rows()
    for act in (ask, drop, end):
        with pytest.raises(NotSeated):
            act(mallory, duel)
    Game.objects.update(is_public=False)
    with pytest.raises(NotFound):
        ask(mallory, duel)
    Game.objects.update(is_public=True)
    assert rows() == before


def test_a_pause_that_is_stored_wrongly_is_found_and_mended(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    ask(bob, duel)
    Game.objects.filter(pk=duel.pk).update(is_paused=False, pause_ends_at=None, deadline=NOON)
    assert {fault.what for fault in audit.faults(fresh(duel))} == {"is_paused", "pause_ends_at", "deadline"}
    lifecycle.rebuild(fresh(duel))
    check_audited(duel)
