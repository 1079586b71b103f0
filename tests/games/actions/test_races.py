"""Many at once: A1, A2 and A3, a few rounds and as many as docs/reliability.md asks for, and other races.

`RACES` in the environment multiplies the rounds of the other races: for seats, pauses, ends and tables.
"""

import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.db.models import Q

from accounts.models import User
from games import events
from games.actions.kindness.choose_holidays import choose_holidays
from games.actions.kindness.give_day import give_day
from games.actions.kindness.spend_holiday import spend_holiday
from games.actions.moves.come_back import come_back
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.pauses.agree_to_pause import agree_to_pause
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.pauses.drop_pause_request import drop_pause_request
from games.actions.pauses.end_pause import end_pause
from games.actions.people.close_account import retire_everywhere
from games.actions.tables.choose_seat import choose_seat
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import TableAgain, repeat_table
from games.actions.takebacks.agree_to_takeback import agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.takebacks.drop_takeback_request import drop_takeback_request
from games.audit import checks as audit
from games.audit import counts as recount
from games.background.sweep import Swept, sweep
from games.base import positions
from games.base.access import BotSeat
from games.clock import DAY, TimeControl
from games.errors import GameError, NotSeated, NotYourTurn, StaleGame, WrongStatus
from games.models import (
    MOST_PAUSES,
    BotRecord,
    Companion,
    Game,
    Holiday,
    HolidayBook,
    Kind,
    Move,
    Player,
    Reason,
    Status,
    Takeback,
)
from games.queries.site.versions import lists_version
from games.queries.tables.table import table_state
from games.table.lifecycle import Outcome
from tests.conftest import person
from tests.games.tables import (
    ME,
    NOON,
    OPEN,
    any_placement,
    bot,
    change,
    due,
    fresh,
    key,
    open_table,
    place,
    play_out,
    player_to_move,
    running,
)
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))
THREADS = (2, 3, 4, 8, 16, 32)

Call = Callable[[], object]


def at_once(calls: Sequence[Call]) -> list[object]:
    """Return what each call answers or raises; all begin at the same moment, each on a connection of its own."""
    gate = threading.Barrier(len(calls))

    def run(call: Call) -> object:
        try:
            gate.wait(60)
            return call()
        except GameError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def duel() -> Game:
    return running(person("alice"), person("bob"))


def legal(game: Game) -> list[str]:
    return [str(placement) for placement in positions.position_of(game).legal_placements()]


def next_game(game: Game) -> Game:
    """Return the game as it stands, or another one between the same two once it is over."""
    game = fresh(game)
    if game.status == Status.RUNNING:
        return game
    users = [player.user for player in game.players.all()]
    return running(*[user for user in users if user])


@pytest.mark.parametrize("rounds", [12, *proof(500)])
def test_a1_the_same_move_at_once_is_one_move_with_one_answer(heard: list[events.GameEvent], rounds: int) -> None:
    game, rng = duel(), random.Random(1)
    for round_number in range(rounds):
        game = next_game(game)
        text, name = any_placement(positions.position_of(game), rng), key()
        heard.clear()
        call = partial(play_placement, player_to_move(game), game.slug, placement=text, number=due(game), key=name)
        answers = at_once([call] * THREADS[round_number % len(THREADS)])
        told = [answer for answer in answers if isinstance(answer, Outcome)]
        assert len(told) == len(answers), answers
        assert {(answer.number, answer.version) for answer in told} == {(game.move_count + 1, game.version + 1)}
        assert [answer.is_repeat for answer in told].count(False) == 1
        assert Move.objects.filter(game=game, client_key=name).count() == 1
        assert [type(event) for event in heard].count(events.MovePlayed) == 1


@pytest.mark.parametrize("rounds", [62, *proof(500)])
def test_a2_of_two_moves_for_one_turn_one_counts_and_the_other_is_told_which_is_due(rounds: int) -> None:
    game, rng = duel(), random.Random(2)
    for _ in range(rounds):
        game = next_game(game)
        actor, texts = player_to_move(game), legal(game)
        two = rng.sample(texts, 2) if len(texts) > 1 else texts * 2
        call = partial(play_placement, actor, game.slug, number=due(game))
        answers = at_once([partial(call, placement=text, key=key()) for text in two])
        assert Counter(map(type, answers)) == {Outcome: 1, StaleGame: 1}, answers
        stale = next(answer for answer in answers if isinstance(answer, StaleGame))
        assert (stale.status, stale.version, stale.number) == (409, game.version + 1, due(fresh(game)))
        assert Move.objects.filter(game=game, kind=Kind.PLACE, version=game.version + 1).count() == 1


@pytest.mark.parametrize("rounds", [36, *proof(500)])
def test_a_move_and_a_change_that_is_none_at_one_instant_both_count(rounds: int) -> None:
    game, rng = duel(), random.Random(3)
    for _ in range(rounds):
        game = next_game(game)
        text = any_placement(positions.position_of(game), rng)
        move = partial(play_placement, player_to_move(game), game.slug, placement=text, number=due(game), key=key())
        calls: list[Call] = [move, *[partial(change, game)] * 3]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert Counter(map(type, answers)) == {Outcome: 1, type(None): 3}, answers
        assert fresh(game).version == game.version + 4
        assert Move.objects.filter(game=game, kind=Kind.PLACE, number=due(game)).count() == 1


@pytest.mark.parametrize("rounds", [12 * SCALE, *proof(500)])
def test_a_day_a_late_move_and_a_claim_at_one_instant_have_one_order(rounds: int) -> None:
    """A day refuses nobody's move, ends no game, is given once however often it is sent, and a claim heeds it."""
    alice, bob, rng, seen = person("alice"), person("bob"), random.Random(8), Counter[str]()
    for round_number in range(rounds):
        game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=2)
        late, number = NOON + timedelta(days=1), due(game)
        give = partial(give_day, bob, game.slug, number=number, now=late)
        others: list[Call] = [
            partial(place, game, any_placement(positions.position_of(game), rng), alice, number=number, now=late),
            partial(time_out, game.slug, number=number, now=late),
        ]
        calls: list[Call] = [give, give, *others[round_number % 2 :], *others[: round_number % 3]]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert {type(answer) for answer in answers} <= {Game, Outcome, type(None), StaleGame, WrongStatus}, answers
        now = fresh(game)
        assert list(audit.faults(now)) == []
        assert len(now.given_days) <= 1
        moved = Move.objects.filter(game=game, number=number).first()
        assert (now.status == Status.RUNNING) == (moved is None or moved.kind == Kind.PLACE)
        if now.given_days:
            assert moved is None or moved.kind == Kind.PLACE, "whoever was given a day is not late"
        seen[f"{'given' if now.given_days else 'too late'}, {now.status}"] += 1
        Game.objects.filter(pk=game.pk).delete()
    assert {"given, running"} <= set(seen), seen


@pytest.mark.parametrize("rounds", [12 * SCALE, *proof(500)])
def test_a_day_of_holidays_a_late_move_and_a_claim_at_one_instant_have_one_order(rounds: int) -> None:
    """A day is spent once however many sweeps see the deadline, and who was given it is not late."""
    alice, bob, rng, seen = person("alice"), person("bob"), random.Random(9), Counter[str]()
    User.objects.filter(pk=alice.pk).update(date_joined=NOON - timedelta(days=400))
    alice.refresh_from_db()
    choose_holidays(alice, spends_itself=True, now=NOON)
    for round_number in range(rounds):
        Holiday.objects.all().delete()
        HolidayBook.objects.update(seconds=21 * DAY, counted_at=NOON)
        game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=2)
        late, number = NOON + timedelta(days=1), due(game)
        spend = partial(spend_holiday, game.slug, number=number, now=late)
        others: list[Call] = [
            partial(place, game, any_placement(positions.position_of(game), rng), alice, number=number, now=late),
            partial(time_out, game.slug, number=number, now=late),
            partial(give_day, bob, game.slug, number=number, now=late),
        ]
        calls: list[Call] = [spend, spend, *rng.sample(others, round_number % 4)]
        rng.shuffle(calls)
        answers = at_once(calls)
        refused = {StaleGame, NotYourTurn, WrongStatus}
        assert {type(answer) for answer in answers} <= {Game, Outcome, bool, type(None), *refused}, answers
        now = fresh(game)
        assert list(audit.faults(now)) == []
        spent, kept = len(now.players.get(seat=0).holidays), HolidayBook.objects.get().seconds
        assert (spent, 21 * DAY - kept) in ((0, 0), (1, DAY)), "a day that is spent is paid for, and only one"
        assert answers.count(True) == spent
        moved = Move.objects.filter(game=game, number=number).first()
        if spent:
            assert moved is None or moved.kind == Kind.PLACE, "who is on holiday is not late"
        seen[f"{'spent' if spent else 'not spent'}, {now.status}"] += 1
        Game.objects.filter(pk=game.pk).delete()
    assert "spent, running" in seen, seen


def race_move(slug: str, rng: random.Random) -> str:
    """Play a move as whoever is to play, from what this client last saw; return what came of it."""
    game = Game.objects.get(slug=slug)
    if game.status != Status.RUNNING:
        return "over"
    position = positions.position_of(game)
    if not position.has_legal():
        return "behind"
    text = any_placement(position, rng)
    try:
        play_placement(player_to_move(game), slug, placement=text, number=due(game), key=key())
    except GameError as error:
        return error.code
    return "played"


def race_on(slug: str, number: int, counts: Counter[str], wanted: int) -> None:
    """Be one of the clients: play until so many moves are played by all of them, or the game is over."""
    rng = random.Random(number)
    while counts["played"] < wanted:
        came = race_move(slug, rng)
        connection.close()  # as after every request: there are fewer connections than clients
        counts[came] += 1
        if came == "over":
            break


@pytest.mark.proof
def test_a3_sixteen_clients_race_and_no_move_is_lost_doubled_or_out_of_order() -> None:
    people = [person(name) for name in ("alice", "bob", "carol", "dave")]
    missing = 200
    while missing > 0:
        game, counts = running(*people), Counter[str]()
        at_once([partial(race_on, game.slug, number, counts, missing) for number in range(16)])
        rows = Move.objects.filter(game=game)
        assert rows.filter(kind=Kind.PLACE).count() == counts["played"]
        assert list(rows.values_list("number", flat=True)) == list(range(1, fresh(game).move_count + 1))
        assert set(counts) <= {"played", "over", "behind", "stale-game", "game-over", "not-your-turn"}, counts
        position = positions.position_of(game)
        assert (position.board, position.colour or "") == (fresh(game).board, fresh(game).turn_colour)
        missing -= counts["played"]


def test_one_seat_is_taken_by_one_of_many() -> None:
    alice = person("alice")
    people = [person(name) for name in ("bob", "carol", "dave", "eve", "mallory")]
    for _ in range(10 * SCALE):
        table = open_table(alice, ME, OPEN)
        answers = at_once([partial(join_game, user, table.slug) for user in people])
        assert Counter(isinstance(answer, Game) for answer in answers) == {True: 1, False: 4}, answers
        assert fresh(table).status == Status.RUNNING
        Game.objects.filter(pk=table.pk).delete()


@pytest.mark.parametrize("rounds", [20, *proof(500)])
def test_of_two_who_choose_one_colour_at_once_one_gets_it_and_the_other_is_asked_again(rounds: int) -> None:
    alice, bob, carol, dave = (person(name) for name in ("alice", "bob", "carol", "dave"))
    for round_number in range(rounds):
        variant, wanted = (("blockyou-3", "green"), ("blockyou-4", "red"))[round_number % 2]
        seats = [OPEN] * (int(variant[-1]) - 1)
        table = join_game(bob, open_table(alice, ME, *seats, variant=variant, lets_choose=True).slug)
        calls: list[Call] = [partial(choose_seat, user, table.slug, colour=wanted) for user in (alice, bob)]
        if round_number % 3 == 0:
            calls[0] = partial(join_game, carol, table.slug, colour=wanted)
        if round_number % 4 == 3:
            # One more at the same moment, who wants another colour.
            calls.append(partial(join_game, dave, table.slug, colour="green"))
        answers = at_once(calls)
        refused = [answer for answer in answers if isinstance(answer, GameError)]
        assert [answer.code for answer in refused] in (["seat-taken"], ["started"]), answers
        state = table_state(fresh(table), alice)
        has = [seat for seat in state.seats if seat.colours == (wanted,) and seat.occupant.username]
        assert len(has) == 1, state.seats
        taken = [seat.occupant.username for seat in state.seats if seat.occupant.username]
        assert len(set(taken)) == len(taken)
        assert {"alice", "bob"} <= set(taken)
        assert sorted(seat.seat for seat in state.seats) == list(range(len(state.seats)))
        assert len({seat.colours for seat in state.seats}) == len(state.seats)
        if fresh(table).status == Status.RUNNING:
            assert not list(audit.faults(fresh(table)))
        Game.objects.filter(pk=table.pk).delete()


@pytest.mark.parametrize("rounds", [10, *proof(200)])
def test_of_many_who_choose_a_side_at_once_one_sits_opposite_the_host(rounds: int) -> None:
    alice, bob, carol = (person(name) for name in ("alice", "bob", "carol"))
    for _ in range(rounds):
        table = open_table(alice, ME, OPEN, variant="duo:N:W")
        calls: list[Call] = [partial(join_game, user, table.slug, colour="purple") for user in (bob, carol)]
        calls.append(partial(choose_seat, alice, table.slug, colour="orange"))
        answers = at_once(calls)
        game = fresh(table)
        assert game.status == Status.RUNNING
        assert sum(isinstance(answer, Game) for answer in answers[:2]) == 1
        first, second = game.players.order_by("seat")
        assert first.user in (bob, carol)
        assert second.user == alice
        assert list(audit.faults(game)) == []
        Game.objects.filter(pk=table.pk).delete()


def test_one_who_joins_many_times_at_once_sits_once() -> None:
    alice, bob = person("alice"), person("bob")
    table = open_table(alice, ME, OPEN, OPEN)
    answers = at_once([partial(join_game, bob, table.slug)] * 8)
    assert all(isinstance(answer, Game) for answer in answers)
    assert Player.objects.filter(user=bob).count() == 1


def test_many_who_ask_at_once_get_one_rematch() -> None:
    people = [person(name) for name in ("alice", "bob", "carol", "dave")]
    game = running(*people)
    for user in people[1:]:
        resign(user, game.slug)
    answers = at_once([partial(open_rematch, user, game.slug) for user in people * 3])
    assert len({answer.pk for answer in answers if isinstance(answer, Game)}) == 1, answers
    assert fresh(Game.objects.get(rematch_of=game)).status == Status.RUNNING


def test_many_who_want_the_same_group_again_at_once_get_one_table() -> None:
    people = [person(name) for name in ("alice", "bob", "carol", "dave")]
    game = running(*people)
    for user in people[1:]:
        resign(user, game.slug)
    answers = at_once([partial(repeat_table, user, game.slug) for user in people * 3])
    assert len({answer.game.pk for answer in answers if isinstance(answer, TableAgain)}) == 1, answers
    assert fresh(Game.objects.get(rematch_of=game)).status == Status.RUNNING


@pytest.mark.parametrize("round_number", range(6 * SCALE))
def test_a5_move_timeout_and_resignation_at_one_instant_have_one_outcome(round_number: int) -> None:
    alice, bob = person("alice"), person("bob")
    game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=2)
    late, number = NOON + timedelta(days=1), due(game)
    calls: list[Call] = [
        partial(place, game, legal(game)[0], alice, number=number, now=late),
        partial(resign, bob, game.slug, number=number, now=late),
        *[partial(time_out, game.slug, number=number, now=late)] * 4,
    ]
    random.Random(round_number).shuffle(calls)
    answers = at_once(calls)
    assert sum(isinstance(answer, Outcome) for answer in answers) == 1, answers
    assert {type(answer) for answer in answers} <= {Outcome, StaleGame, NotYourTurn, WrongStatus, type(None)}
    assert Move.objects.filter(game=game).count() == 3


@pytest.mark.parametrize("rounds", [12 * SCALE, *proof(500)])
def test_a_pause_a_move_a_resignation_and_a_claim_at_one_instant_have_one_order(rounds: int) -> None:
    """The last one agrees while a late move is made or claimed: either counts before the pause, or neither does."""
    alice, bob, rng, seen = person("alice"), person("bob"), random.Random(6), Counter[str]()
    for round_number in range(rounds):
        game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=2)
        asked = ask_for_pause(bob, game.slug, pause_version=0, now=NOON)
        late, number = NOON + timedelta(days=1), due(game)
        agree = partial(agree_to_pause, alice, game.slug, request=asked.version, now=late)
        others: list[Call] = [
            partial(place, game, legal(game)[0], alice, number=number, now=late),
            partial(resign, (alice, bob)[round_number % 2], game.slug, number=number, now=late),
            partial(time_out, game.slug, number=number, now=late),
        ]
        # Each of them meets the pause alone and with others.
        calls: list[Call] = [agree, agree, *rng.sample(others, 1 + round_number % 3)]
        rng.shuffle(calls)
        answers = at_once(calls)
        refused = {StaleGame, NotYourTurn, NotSeated, WrongStatus}
        assert {type(answer) for answer in answers} <= {Game, Outcome, type(None), *refused}, answers
        check_one_order(fresh(game), answers, seen)
        Game.objects.filter(pk=game.pk).delete()
    assert {"paused", "over"} <= set(seen), seen


def check_one_order(game: Game, answers: Sequence[object], seen: Counter[str]) -> None:
    """Check that what is stored is what some order of the calls leads to, and count which it was."""
    after = list(Move.objects.filter(game=game).order_by("number"))[2:]
    assert list(audit.faults(game)) == []
    assert len(after) == sum(isinstance(answer, Outcome) for answer in answers)
    assert len(game.pauses) <= 1
    assert game.is_paused == (bool(game.pauses) and game.status == Status.RUNNING)
    if game.is_paused:
        # A move may have been made before the pause, none in it.
        assert all(move.kind == Kind.PLACE and move.version < game.pause_version for move in after)
        assert (game.deadline, game.turn_user_id, game.pause_request) == (None, None, [])
        assert {answer.code for answer in answers if isinstance(answer, WrongStatus)} <= {"paused"}, answers
    elif game.pauses:
        assert (after[-1].retired, game.reason) == (Reason.RESIGNED, Reason.RESIGNED)
    seen["paused" if game.pauses else "never paused"] += 1
    seen["over" if game.status != Status.RUNNING else "going on"] += 1


@pytest.mark.parametrize("rounds", [12 * SCALE, *proof(500)])
def test_a_pause_is_asked_for_dropped_and_ended_by_many_at_once_and_stays_whole(rounds: int) -> None:
    people = [person(name) for name in ("alice", "bob", "carol")]
    game, rng = running(*people, time=TimeControl.days_a_move(1)), random.Random(7)
    for _ in range(rounds):
        game = fresh(game)
        if len(game.pauses) == MOST_PAUSES:
            game = running(*people, time=TimeControl.days_a_move(1))
        version, request = game.pause_version, game.asked_pause.version if game.asked_pause else game.version
        calls: list[Call] = [
            partial(ask_for_pause, user, game.slug, pause_version=version, now=NOON) for user in people
        ]
        calls += [partial(end_pause, user, game.slug, pause_version=version, now=NOON) for user in people]
        calls += [partial(drop_pause_request, people[0], game.slug, request=request, now=NOON)]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert {type(answer) for answer in answers} <= {Game, StaleGame}, answers
        now = fresh(game)
        assert len(now.pauses) - len(game.pauses) <= 1
        assert list(audit.faults(now)) == []
        assert not (now.is_paused and now.pause_request)


@pytest.mark.parametrize("round_number", range(6 * SCALE))
def test_move_stand_in_and_return_at_one_instant_take_the_turn_once(round_number: int) -> None:
    people = [person(name) for name in ("alice", "bob", "carol")]
    game = running(*people, time=TimeControl.days_a_move(1))
    late, bot_seat = NOON + timedelta(days=1), BotSeat(game.pk, 0)
    calls: list[Call] = [
        partial(place, game, "1:a1", people[0], number=1, now=late),
        partial(come_back, people[0], game.slug, now=late),
        *[partial(place, game, "2:a1,a2", bot_seat, number=1, key="bot-turn-1", now=late)] * 4,
    ]
    random.Random(round_number).shuffle(calls)
    at_once(calls)
    assert Move.objects.filter(game=game).count() == 1
    assert list(audit.faults(fresh(game))) == []


def test_four_sweeps_at_once_time_each_game_out_once(heard: list[events.GameEvent]) -> None:
    alice, bob = person("alice"), person("bob")
    for _ in range(3):
        play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=2)
    heard.clear()
    swept = at_once([partial(sweep, NOON + timedelta(days=2))] * 4)
    assert sum(one.timeouts for one in swept if isinstance(one, Swept)) == 3, swept
    assert Move.objects.filter(kind=Kind.RETIRE).count() == 3
    assert [type(event) for event in heard].count(events.GameFinished) == 3


def test_closing_an_account_while_others_play_leaves_no_seat_behind() -> None:
    alice, bob, carol, dave = (person(name) for name in ("alice", "bob", "carol", "dave"))
    games = [running(alice, bob, carol) for _ in range(4)]
    tables = [open_table(host, ME, OPEN, OPEN) for host in (carol, carol, dave, dave)]
    calls: list[Call] = [partial(retire_everywhere, alice)]
    calls += [partial(place, game, "1:a1", alice) for game in games]
    calls += [partial(join_game, bob, table.slug) for table in tables]
    at_once(calls)
    assert not Player.objects.filter(user=alice, retired="", game__status=Status.RUNNING).exists()


def test_games_of_the_same_people_that_move_at_once_lose_no_change_of_their_lists() -> None:
    people = [person(name) for name in ("alice", "bob", "carol")]
    games = [running(*people[::step]) for step in (1, -1)] + [running(*people[:2]), running(*people[1::-1])]
    before = {user.pk: int(lists_version(user.pk)) for user in people}
    for _ in range(8):
        answers = at_once([partial(race_move, game.slug, random.Random(4)) for game in games])
        assert set(answers) == {"played"}
    assert [int(lists_version(user.pk)) - before[user.pk] for user in people] == [32, 32, 16]


@pytest.mark.proof
def test_games_that_end_at_once_are_all_counted() -> None:
    alice, bob = person("alice"), person("bob")
    for _ in range(5 * SCALE):
        calls: list[Call] = []
        for user, other in ((alice, bob), (bob, alice)) * 3:
            calls.append(partial(resign, user, open_table(user, ME, bot("greedy")).slug))
            calls.append(partial(resign, user, running(user, other).slug))
        answers = at_once(calls)
        assert {type(answer) for answer in answers} == {Outcome}
    assert BotRecord.objects.get(pk="greedy").wins == 30 * SCALE
    assert {pair.games for pair in Companion.objects.all()} == {30 * SCALE}
    assert list(recount.drifts()) == []


def test_an_account_that_is_closed_while_its_games_end_leaves_no_pair_behind() -> None:
    alice, bob, carol = (person(name) for name in ("alice", "bob", "carol"))
    for _ in range(5 * SCALE):
        games = [running(alice, bob, carol) for _ in range(4)]
        for game in games:
            resign(carol, game.slug)
        at_once([partial(retire_everywhere, alice), *[partial(resign, bob, game.slug) for game in games]])
        assert not Companion.objects.filter(Q(user=alice) | Q(other=alice)).exists()
    assert {row.games for row in Companion.objects.filter(user=bob, other=carol)} == {20 * SCALE}


def friends(*people: User) -> Game:
    return running(*people, allows_takebacks=True)


@pytest.mark.parametrize("rounds", [20, *proof(500)])
def test_a_move_and_the_last_word_for_a_takeback_at_one_instant_have_one_outcome(rounds: int) -> None:
    alice, bob = person("alice"), person("bob")
    game, rng = play_out(friends(alice, bob), turns=2), random.Random(5)
    for _ in range(rounds):
        game = fresh(game) if fresh(game).status == Status.RUNNING else play_out(friends(alice, bob), turns=2)
        # Seen by the other: nothing can be taken back alone.
        Game.objects.filter(pk=game.pk).update(alone_until=None, alone_person=None)
        mover = player_to_move(game)
        asker, other = (bob, alice) if mover == alice else (alice, bob)
        number, text = due(game), any_placement(positions.position_of(game), rng)
        request = ask_for_takeback(asker, game.slug, number=number).version
        calls: list[Call] = [
            partial(play_placement, mover, game.slug, placement=text, number=number, key=key()),
            partial(agree_to_takeback, other, game.slug, request=request),
        ]
        rng.shuffle(calls)
        answers = at_once(calls)
        refused = [answer for answer in answers if isinstance(answer, GameError)]
        after = fresh(game)
        went = after.move_count < game.move_count
        assert [type(one) for one in refused] == [StaleGame if went else WrongStatus], answers
        assert (after.asked_takeback, next(audit.faults(after), None)) == (None, None)
        if went:
            play_placement(
                asker,
                game.slug,
                placement=any_placement(positions.position_of(after), rng),
                number=due(after),
                key=key(),
            )
        assert list(fresh(game).moves.values_list("number", flat=True)) == [*range(1, fresh(game).move_count + 1)]


@pytest.mark.parametrize("rounds", [10, *proof(500)])
def test_all_who_agree_at_once_take_a_move_back_once(rounds: int) -> None:
    people = [person(name) for name in ("alice", "bob", "carol")]
    game = play_out(friends(*people), turns=3)
    for round_number in range(rounds):
        request = ask_for_takeback(people[2], game.slug, number=due(fresh(game))).version
        calls: list[Call] = []
        calls += [partial(agree_to_takeback, user, game.slug, request=request) for user in people[:2] * 2]
        if round_number % 2:
            calls.append(partial(drop_takeback_request, people[0], game.slug, request=request))
        answers = at_once(calls)
        after = fresh(game)
        went = Takeback.objects.filter(game=game, request=request).count()
        assert (after.move_count, after.asked_takeback) == (3 - went, None), answers
        assert {type(one) for one in answers} <= {Game, WrongStatus}
        assert round_number % 2 or (went and WrongStatus not in map(type, answers))
        assert next(audit.faults(after), None) is None
        if went:
            play_out(game, turns=1)


@pytest.mark.parametrize("rounds", [10, *proof(500)])
def test_of_two_who_ask_at_once_one_is_answered_first(rounds: int) -> None:
    alice, bob = person("alice"), person("bob")
    game = play_out(friends(alice, bob), turns=2)
    for _ in range(rounds):
        number = due(fresh(game))
        answers = at_once([partial(ask_for_takeback, user, game.slug, number=number) for user in (alice, bob)])
        assert Counter(map(type, answers)) == {Game: 1, WrongStatus: 1}, answers
        drop_takeback_request(alice, game.slug, request=fresh(game).version)


@pytest.mark.parametrize("rounds", [10, *proof(500)])
def test_a_bot_that_moves_as_its_position_goes_plays_before_or_not_at_all(rounds: int) -> None:
    alice, rng = person("alice"), random.Random(6)
    for _ in range(rounds):
        game = play_out(open_table(alice, ME, bot(), variant="duo"), turns=3)
        number, text = due(game), any_placement(positions.position_of(game), rng)
        calls: list[Call] = [
            partial(
                play_placement, BotSeat(game.pk, 1), game.slug, placement=text, number=number, key=f"bot-turn-{number}"
            ),
            partial(ask_for_takeback, alice, game.slug, number=number),
        ]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert StaleGame in map(type, answers), answers
        assert fresh(game).move_count in (2, 4)
        assert next(audit.faults(fresh(game)), None) is None
        Game.objects.filter(pk=game.pk).delete()
