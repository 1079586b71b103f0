"""A game as plain data: true for each viewer, ready for JSON, and the same as what pages and actions make of it."""

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.pauses.pause_game import pause_game
from games.actions.tables.open_rematch import open_rematch
from games.clock import DAY, TimeControl
from games.models import Game, Move, Player
from tests.games.queries.states import LATER, pass_due, rights, state, table, two_late
from tests.games.tables import (
    LINK,
    ME,
    NOON,
    OPEN,
    bot,
    fresh,
    invited,
    large_first,
    open_table,
    place,
    play_out,
    running,
)  # fmt: skip

pytestmark = pytest.mark.django_db


def plain(value: Any) -> Any:
    """Return a value as JSON can write it; fails for anything but plain data."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value) if each.name != "position"}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value.isoformat() if isinstance(value, datetime) else value


def test_the_player_to_move_may_place_ask_and_resign(alice: User, bob: User) -> None:
    found = state(running(alice, bob, allows_advice=True), alice)
    assert rights(found) == {"is_seated", "is_playing", "is_my_turn", "can_place", "can_advise", "can_resign"}
    assert (found.hand, found.position.colour) == (("blue", "red"), "blue")


def test_engine_advice_between_people_is_asked_for_only_where_the_table_allows_it(alice: User, bob: User) -> None:
    assert "can_advise" not in rights(state(running(alice, bob), alice))
    assert "can_advise" in rights(state(open_table(alice, ME, bot()), alice))


def test_the_opponent_may_resign_and_a_spectator_only_look(alice: User, bob: User, eve: User) -> None:
    game = running(alice, bob)
    assert rights(state(game, bob)) == {"is_seated", "is_playing", "can_resign"}
    for looker in (eve, None):
        assert (rights(state(game, looker)), state(game, looker).hand) == (set(), ())


def test_the_turn_has_its_number_colour_deadline_and_clocks(alice: User, bob: User) -> None:
    game = two_late(alice, bob)
    place(game, "1:a1")
    found = state(game)
    turn = found.turn
    assert turn is not None
    assert (turn.seat, turn.colour, turn.since, turn.deadline) == (1, "yellow", NOON, NOON + timedelta(days=1))
    assert (found.game.number, [move.placement for move in found.moves]) == (2, ["1:a1"])
    assert [seat.clock for seat in found.seats] == [DAY, DAY]


def test_a_turn_is_late_from_its_deadline_on(alice: User, bob: User) -> None:
    game = two_late(alice, bob)
    late, before = state(game, bob, LATER).turn, state(game, bob, NOON).turn
    assert (late and late.is_late, before and before.is_late) == (True, False)


def test_a_player_who_is_away_can_come_back_and_the_bot_is_due(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol)
    Player.objects.filter(game=game, user=alice).update(missed=2)
    found = state(game, alice)
    assert (found.rights.can_return, found.turn and found.turn.bot) == (True, "sage-4")
    assert [seat.is_away for seat in found.seats] == [True, False, False]
    assert not any(state(game, viewer).rights.can_return for viewer in (bob, None))


def test_a_bot_that_plays_for_an_absent_player_has_a_usual_time_as_in_a_seat_of_its_own(
    alice: User, bob: User, carol: User
) -> None:
    game = play_out(running(alice, bob, carol), turns=6)
    for move in game.moves.all():
        Move.objects.filter(pk=move.pk).update(played_at=game.created_at + timedelta(seconds=30 * move.number))
    Player.objects.filter(game=game, user=alice).update(missed=2)
    Game.objects.filter(pk=game.pk).update(stand_in="sage-9")
    turn = state(game, bob).turn
    assert turn
    # Not the half minute that the player took, nor that of the others.
    assert (turn.bot, 0 < turn.usual < 10) == ("sage-9", True)


def test_a_retired_player_keeps_the_seat_and_has_nothing_to_place(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol)
    resign(bob, game.slug, now=NOON)
    found = state(game, bob)
    assert (rights(found), found.hand) == ({"is_seated"}, ())
    assert [seat.retired for seat in found.seats] == ["", "resigned", ""]


def test_a_finished_game_has_winners_a_reason_and_a_rematch(alice: User, bob: User) -> None:
    game = running(alice, bob)
    resign(alice, game.slug, now=NOON)
    found = state(game, bob)
    assert (found.turn, found.is_over, found.game.status, found.game.reason) == (None, True, "finished", "resigned")
    assert ([seat.is_winner for seat in found.seats], rights(found)) == ([False, True], {"is_seated", "can_rematch"})
    assert found.rematch == ""
    following = open_rematch(alice, game.slug, now=NOON)
    assert state(game, bob).rematch == following.slug


def test_the_person_who_opened_a_game_of_bots_controls_it(alice: User, bob: User) -> None:
    game = open_table(alice, bot(), bot())
    pause_game(alice, game.slug, pause_version=game.pause_version)
    found = state(game, alice)
    assert (found.game.is_paused, rights(found), rights(state(game, bob))) == (True, {"can_control"}, set())
    assert [seat.occupant.bot for seat in found.seats] == ["random", "random"]


def test_a_shared_colour_is_in_the_hand_of_the_seat_that_plays_it_next(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, variant="classic-3")
    assert [state(game, user).hand for user in (alice, bob, carol)] == [("blue", "green"), ("yellow",), ("red",)]
    game = play_out(game, 1, turns=4)
    assert [state(game, user).hand for user in (alice, bob, carol)] == [("blue",), ("yellow", "green"), ("red",)]
    (shared,) = [colour for colour in state(game).colours if colour.is_shared]
    assert (shared.code, shared.seat, len(shared.pieces)) == ("green", 1, 20)


def test_a_seat_of_two_colours_has_the_sum_of_their_scores(alice: User, bob: User) -> None:
    found = state(play_out(running(alice, bob, variant="classic-2"), 3, turns=20), bob)
    by_code = {colour.code: colour for colour in found.colours}
    assert [seat.colours for seat in found.seats] == [("blue", "red"), ("yellow", "green")]
    assert [seat.score for seat in found.seats] == [
        sum(by_code[code].points + by_code[code].bonus for code in seat.colours) for seat in found.seats
    ]
    assert tuple(seat.score for seat in found.seats) == found.position.seat_scores()


def test_a_blocked_colour_has_to_pass_where_passes_are_declared(alice: User, bob: User) -> None:
    game = pass_due(alice, bob)
    seat = fresh(game).turn_seat
    found = state(game, (alice, bob)[seat or 0])
    assert found.turn
    assert next(colour for colour in found.colours if colour.code == found.turn.colour).is_blocked
    assert rights(found) == {"is_seated", "is_playing", "is_my_turn", "can_pass", "can_resign"}


def test_colours_that_passed_by_themselves_are_named_in_the_turn(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), 5, large_first, turns=1)
    while not (turn := state(game).turn) or not turn.passed:
        game = play_out(game, game.move_count, large_first, turns=1)
    last = [move.kind for move in state(game).moves[-len(turn.passed) :]]
    assert (set(last), state(game).moves[-len(turn.passed) - 1].kind) == ({"pass"}, "place")


def test_my_next_turn_elsewhere_is_the_one_with_the_nearest_deadline(alice: User, bob: User) -> None:
    here, slow, quick = (running(alice, bob, time=TimeControl.days_a_move(days)) for days in (1, 7, 2))
    found = state(here, alice).next_turn
    assert found
    assert (found.count, found.slug) == (2, quick.slug)
    assert state(slow, bob).next_turn is None


def test_a_table_says_who_sits_who_is_invited_and_what_each_may_do(alice: User, bob: User, eve: User) -> None:
    game = open_table(alice, ME, invited("bob"), OPEN, bot())
    assert rights(table(game, alice)) == {"is_host", "is_seated", "can_cancel", "can_share_link"}
    assert rights(table(game, bob)) == {"is_invited", "can_join"}
    assert rights(table(game, eve)) == {"can_join"}
    occupants = [seat.occupant for seat in table(game).seats]
    assert [(one.username, one.invitee, one.bot) for one in occupants] == [
        ("alice", "", ""), ("", "bob", ""), ("", "", ""), ("", "", "random")
    ]  # fmt: skip


def test_the_secret_of_a_link_is_given_only_to_viewers_who_know_it(alice: User, bob: User, eve: User) -> None:
    game = open_table(alice, ME, LINK)
    assert (table(game, alice).token, table(game, eve).token) == (game.invite_token, "")
    assert (table(game, eve, game.invite_token).token, rights(table(game, eve, game.invite_token))) == (
        game.invite_token,
        {"can_join"},
    )
    started = running(alice, bob)
    assert [state(started, user).token for user in (alice, eve)] == ["", ""]


@pytest.mark.parametrize("variant", ["blockyou-3", "classic-3", "classic-2", "duo", "trigon-3", "codingame-2:10:42"])
def test_a_state_is_plain_data(variant: str, alice: User, bob: User, carol: User) -> None:
    people = (alice, bob, carol)[: int(variant.partition(":")[0][-1]) if "-" in variant else 2]
    game = running(*people, variant=variant, time=TimeControl.days_a_move(3))
    for turns in (0, 15, 1000):
        game = play_out(game, 2, large_first, turns=turns) if turns else game
        for viewer in (alice, bob, None):
            written = json.loads(json.dumps(plain(state(game, viewer))))
            assert (written["game"]["slug"], len(written["moves"])) == (game.slug, game.move_count)


def test_a_table_is_plain_data(alice: User) -> None:
    game = open_table(alice, ME, OPEN, LINK, bot())
    assert json.loads(json.dumps(plain(table(game, alice))))["seats"][1]["access"] == "open"


def test_a_state_costs_four_queries_and_one_more_at_the_end(
    alice: User, bob: User, django_assert_num_queries: Callable[[int], Any]
) -> None:
    game = play_out(running(alice, bob), 1, turns=30)
    with django_assert_num_queries(4):
        state(game, alice)
    resign(alice, game.slug, now=NOON)
    with django_assert_num_queries(5):
        state(game, alice)
    waiting = open_table(alice, ME, OPEN)
    with django_assert_num_queries(4):
        table(waiting, alice)
