"""A move is taken back at once against bots, else when all people at the table agree; and nothing is mixed up by it."""

import random
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games import events
from games.actions.moves.come_back import come_back
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.pauses.agree_to_pause import agree_to_pause
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.tables.join_game import join_game
from games.actions.takebacks.agree_to_takeback import agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.takebacks.drop_takeback_request import drop_takeback_request
from games.audit import checks as audit
from games.base import access, positions
from games.base.access import BotSeat
from games.base.setup import SeatSetup
from games.bots.turns import play_turn
from games.clock import TimeControl
from games.errors import NotFound, NotSeated, StaleGame, WrongStatus
from games.models import MOST_SPENT_NUMBERS, Game, Kind, Move, Notification, Occasion, Status, Takeback
from games.pages.waiting.create import last_choice
from games.queries.play.state import GameState, state_for
from games.queries.play.takebacks import taken_back
from games.queries.tables.turns import bot_turn, bot_turns_due
from games.table import lifecycle
from tests.conftest import person
from tests.games.queries.states import state
from tests.games.tables import (
    LINK,
    ME,
    NOON,
    OPEN,
    any_placement,
    bot,
    due,
    fresh,
    invited,
    key,
    open_table,
    place,
    play_out,
    player_to_move,
    running,
    take_turn,
)

pytestmark = pytest.mark.django_db(transaction=True)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
A_DAY = TimeControl.days_a_move(1)


def ask(user: User, game: Game) -> Game:
    """Ask as the game's present page does."""
    return ask_for_takeback(user, game.slug, number=due(fresh(game)), now=NOON + HOUR)


def request_of(game: Game) -> int:
    request = fresh(game).asked_takeback
    assert request
    return request.version


def agree(user: User, game: Game) -> Game:
    return agree_to_takeback(user, game.slug, request=request_of(game), now=NOON + 2 * HOUR)


def drop(user: User, game: Game) -> Game:
    return drop_takeback_request(user, game.slug, request=request_of(game), now=NOON)


def check_audited(game: Game) -> None:
    """Check that all that is stored follows from the moves that stand and from those that were taken back."""
    assert list(audit.faults(fresh(game))) == []


def texts(game: Game) -> list[str]:
    return list(game.moves.values_list("placement", flat=True))


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """Return a game in which both have moved twice, and alice is to play."""
    return play_out(running(alice, bob, time=A_DAY, allows_takebacks=True), turns=4)


@pytest.fixture
def against_bots(alice: User) -> Game:
    """Return a game of alice's against three bots, all of whom have moved once."""
    return play_out(open_table(alice, ME, bot(), bot("random", 2), bot("random", 3)), turns=4)


def test_against_bots_a_move_goes_at_once_with_what_the_bots_answered(
    against_bots: Game, alice: User, heard: list[events.GameEvent]
) -> None:
    heard.clear()
    ask(alice, against_bots)
    game = fresh(against_bots)
    assert (game.move_count, game.turn_seat, game.version) == (0, 0, against_bots.version + 1)
    [event] = heard
    assert isinstance(event, events.MovesTakenBack)
    assert (event.back_to, event.version, event.due and event.due.number) == (1, game.version, 6)
    check_audited(game)


def test_what_was_taken_back_is_kept(against_bots: Game, alice: User) -> None:
    before = texts(against_bots)
    ask(alice, against_bots)
    [row] = Takeback.objects.all()
    assert (row.number, row.back_to, row.seat, row.agreed, row.request) == (5, 1, 0, [], 0)
    [time] = taken_back(fresh(against_bots))
    assert [move.placement for move in time.moves] == before
    assert [move.number for move in time.moves] == [1, 2, 3, 4]
    assert (time.taken_at, time.version) == (NOON + HOUR, fresh(against_bots).version)


def test_among_people_all_have_to_agree(alice: User, bob: User) -> None:
    carol = person("carol")
    game = play_out(running(alice, bob, carol, time=A_DAY, allows_takebacks=True), turns=5)
    ask(bob, game)
    agree(alice, game)
    assert fresh(game).move_count == 5
    agree(carol, game)
    assert (fresh(game).move_count, fresh(game).turn_seat, fresh(game).asked_takeback) == (4, 1, None)
    assert [Takeback.objects.get().agreed, Takeback.objects.get().seat] == [[0, 2], 1]
    check_audited(game)


def test_the_point_is_fixed_when_it_is_asked_for_and_is_the_askers_last_placement(
    duel: Game, alice: User, bob: User
) -> None:
    ask(alice, duel)
    asked = fresh(duel).asked_takeback
    assert asked
    assert (asked.back_to, asked.seats) == (3, (0,))
    agree(bob, duel)
    assert (fresh(duel).move_count, fresh(duel).turn_seat) == (2, 0)
    check_audited(duel)


def test_clocks_stand_as_they_stood_and_the_turn_begins_anew(alice: User, bob: User) -> None:
    control = TimeControl(initial=7200, increment=600, cap=14400)
    game = running(alice, bob, time=control, allows_takebacks=True)
    for hours in (0, 0.5, 1):
        game = take_turn(game, now=NOON + hours * HOUR)
    before = [player.clock for player in Game.objects.get(pk=game.pk).players.all()]
    game = take_turn(game, now=NOON + 1.5 * HOUR)
    # Alice has seen it.
    Game.objects.update(alone_until=None, alone_person=None)
    ask(bob, game)
    agree(alice, game)
    game = fresh(game)
    assert [player.clock for player in game.players.all()] == before
    assert game.turn_since == NOON + 2 * HOUR
    assert game.deadline == NOON + 2 * HOUR + timedelta(seconds=before[1] or 0)
    check_audited(game)
    # What is played on later is worked out from the facts in the same way.
    take_turn(game, now=NOON + 2.25 * HOUR)
    check_audited(game)


def test_a_decline_ends_it(duel: Game, alice: User, bob: User, heard: list[events.GameEvent]) -> None:
    ask(alice, duel)
    heard.clear()
    drop(bob, duel)
    assert (fresh(duel).asked_takeback, fresh(duel).move_count) == (None, 4)
    assert [type(event) for event in heard] == [events.TakebackAsked]


def test_who_asked_can_withdraw_it(duel: Game, alice: User) -> None:
    ask(alice, duel)
    drop(alice, duel)
    assert fresh(duel).asked_takeback is None


def test_a_move_ends_it_and_nobody_agrees_to_it_any_more(duel: Game, alice: User, bob: User) -> None:
    ask(bob, duel)
    request = request_of(duel)
    take_turn(duel)
    assert fresh(duel).asked_takeback is None
    with pytest.raises(WrongStatus) as refusal:
        agree_to_takeback(alice, duel.slug, request=request, now=NOON)
    assert (refusal.value.code, fresh(duel).move_count) == ("takeback-dropped", 5)


def test_it_ends_with_the_game(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    request = request_of(duel)
    resign(alice, duel.slug)
    with pytest.raises(WrongStatus) as refusal:
        agree_to_takeback(bob, duel.slug, request=request)
    assert (refusal.value.code, fresh(duel).takeback_request) == ("game-over", [])


def test_asking_and_agreeing_twice_is_doing_so_once(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    version = fresh(duel).version
    ask(alice, duel)
    assert fresh(duel).version == version
    request = request_of(duel)
    agree(bob, duel)
    after = fresh(duel).version
    agree_to_takeback(bob, duel.slug, request=request)
    assert (fresh(duel).version, Takeback.objects.count()) == (after, 1)


def test_a_double_tap_takes_one_move_back(against_bots: Game, alice: User) -> None:
    game = play_out(against_bots, turns=4)
    for _ in range(2):
        ask_for_takeback(alice, game.slug, number=due(game))
    assert (fresh(game).move_count, Takeback.objects.count()) == (4, 1)


def test_a_late_request_for_another_move_is_refused(duel: Game, alice: User) -> None:
    with pytest.raises(StaleGame):
        ask_for_takeback(alice, duel.slug, number=due(duel) - 1)
    assert fresh(duel).asked_takeback is None


def test_another_request_is_answered_first(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    with pytest.raises(WrongStatus) as refusal:
        ask(bob, duel)
    assert refusal.value.code == "takeback-asked"


def test_an_answer_to_an_earlier_request_is_none_to_this_one(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    before = request_of(duel)
    drop(alice, duel)
    ask(bob, duel)
    with pytest.raises(StaleGame):
        agree_to_takeback(alice, duel.slug, request=before)
    with pytest.raises(StaleGame):
        drop_takeback_request(alice, duel.slug, request=before)
    assert fresh(duel).asked_takeback


def test_a_number_never_means_two_positions(duel: Game, alice: User, bob: User) -> None:
    number, sent = due(duel), key()
    text = any_placement(positions.position_of(duel), random.Random(1))
    ask(bob, duel)
    agree(alice, duel)
    assert (fresh(duel).move_count, due(fresh(duel))) == (3, number + 1)
    # Alice's page from before, for whose turn it was; and bob's own from before that.
    for late, actor in ((number, alice), (number - 1, bob)):
        with pytest.raises(StaleGame) as refusal:
            play_placement(actor, duel.slug, placement=text, number=late, key=sent)
        assert refusal.value.number == number + 1
    assert (fresh(duel).move_count, Move.objects.filter(client_key=sent).count()) == (3, 0)


def test_the_key_of_a_move_that_was_taken_back_repeats_no_answer(duel: Game, alice: User, bob: User) -> None:
    number, sent = due(duel), key()
    text = any_placement(positions.position_of(duel), random.Random(1))
    play_placement(alice, duel.slug, placement=text, number=number, key=sent, now=NOON)
    ask(alice, duel)
    agree(bob, duel)
    with pytest.raises(StaleGame):
        play_placement(alice, duel.slug, placement=text, number=number, key=sent)
    outcome = play_placement(alice, duel.slug, placement=text, number=due(fresh(duel)), key=sent, now=NOON + 3 * HOUR)
    assert (outcome.is_repeat, outcome.number, fresh(duel).move_count) == (False, 5, 5)
    check_audited(duel)


def test_a_bot_that_thinks_of_a_position_that_is_gone_does_not_play(alice: User) -> None:
    game = play_out(open_table(alice, ME, bot(), variant="duo"), turns=3)
    number = due(game)
    assert bot_turn(game.pk, number)
    ask(alice, game)
    text = any_placement(positions.position_of(game), random.Random(1))
    place(game, text)
    assert play_turn(game.pk, number) is False
    with pytest.raises(StaleGame):
        play_placement(BotSeat(game.pk, 1), game.slug, placement=text, number=number, key=f"bot-turn-{number}")
    assert bot_turns_due(NOON + DAY) == {(game.pk, due(fresh(game))): "random"}
    assert play_turn(game.pk, due(fresh(game))) is True
    check_audited(game)


def test_the_bots_next_turn_is_asked_for_once_the_move_is_made_again(
    alice: User, heard: list[events.GameEvent]
) -> None:
    game = play_out(open_table(alice, bot(), ME, variant="duo"), turns=2)
    heard.clear()
    ask(alice, game)
    [event] = heard
    assert isinstance(event, events.TurnEvent)
    assert event.due
    assert (event.due.bot, event.due.number) == ("", due(fresh(game)))


def test_automatic_passes_go_with_the_move_before_them(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="blockyou-2", allows_takebacks=True)
    while not game.moves.filter(is_automatic=True).exists():
        game = play_out(game, random.Random(game.move_count), turns=1)
    assert game.status == Status.RUNNING
    last = game.moves.filter(kind=Kind.PLACE).last()
    assert last
    assert game.move_count > last.number
    user, other = (alice, bob) if last.seat == 0 else (bob, alice)
    ask(user, game)
    agree(other, game)
    assert (fresh(game).move_count, fresh(game).turn_seat) == (last.number - 1, last.seat)
    check_audited(game)


@pytest.mark.parametrize(
    ("seats", "allowed"), [((ME, OPEN), False), ((ME, LINK), True), ((ME, bot()), True), ((ME, OPEN, bot()), False)]
)
def test_it_is_usually_allowed_unless_a_seat_is_open_to_anyone(
    alice: User, seats: tuple[SeatSetup, ...], allowed: bool
) -> None:
    assert open_table(alice, *seats, is_rated=False).allows_takebacks is allowed
    assert open_table(alice, *seats, allows_takebacks=not allowed).allows_takebacks is not allowed


@pytest.mark.parametrize(
    ("seats", "settings"),
    [
        ((ME, LINK), {}),
        ((ME, LINK, bot()), {}),
        ((ME, invited("bob")), {}),
        ((ME, LINK), {"is_public": False, "is_rated": True}),
    ],
)
def test_in_a_rated_game_it_is_allowed_only_where_the_table_says_so(
    alice: User, bob: User, seats: tuple[SeatSetup, ...], settings: dict[str, Any]
) -> None:
    usual = open_table(alice, *seats, **settings)
    assert usual.is_rated
    assert not usual.allows_takebacks
    assert open_table(alice, *seats, allows_takebacks=True, **settings).allows_takebacks
    assert open_table(alice, *seats, **settings | {"is_rated": False}).allows_takebacks


def test_the_next_form_of_a_new_table_says_it_only_where_this_one_did(alice: User) -> None:
    for asked, answer in ((None, "usual"), (True, "yes"), (False, "usual")):
        open_table(alice, ME, LINK, allows_takebacks=asked)
        assert last_choice(alice)["takebacks"] == answer


def test_never_where_the_table_says_so(alice: User) -> None:
    game = play_out(open_table(alice, ME, bot(), variant="duo", allows_takebacks=False), turns=2)
    with pytest.raises(WrongStatus) as refusal:
        ask(alice, game)
    assert refusal.value.code == "no-takebacks"
    assert not state(game, alice).takeback.can_ask


def test_never_by_those_who_only_look(duel: Game) -> None:
    watcher = person("carol")
    with pytest.raises(NotSeated):
        ask_for_takeback(watcher, duel.slug, number=due(duel))
    for act in (agree_to_takeback, drop_takeback_request):
        with pytest.raises(NotSeated):
            act(watcher, duel.slug, request=1)


def test_a_private_game_does_not_exist_for_others(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, is_public=False, allows_takebacks=True), turns=2)
    with pytest.raises(NotFound):
        ask_for_takeback(person("carol"), game.slug, number=due(game))


def test_there_is_something_to_take_back_only_after_a_placement(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, allows_takebacks=True), turns=1)
    with pytest.raises(WrongStatus) as refusal:
        ask(bob, game)
    assert refusal.value.code == "no-placement"


def test_what_a_bot_placed_for_an_absent_player_is_not_theirs_to_take_back(alice: User, bob: User) -> None:
    carol = person("carol")
    game = running(alice, bob, carol, time=A_DAY, allows_takebacks=True)
    take_turn(game, by_bot=True)
    with pytest.raises(WrongStatus) as refusal:
        ask(alice, game)
    assert refusal.value.code == "no-placement"


def test_a_player_who_has_left_since_leaves_moves_as_they_are(alice: User, bob: User) -> None:
    carol = person("carol")
    game = play_out(running(alice, bob, carol, allows_takebacks=True), turns=3)
    resign(carol, game.slug)
    with pytest.raises(WrongStatus) as refusal:
        ask(alice, game)
    assert refusal.value.code == "too-late"
    assert not state(game, alice).takeback.can_ask


def test_a_player_who_has_come_back_since_leaves_moves_as_they_are(alice: User, bob: User) -> None:
    carol = person("carol")
    game = running(alice, bob, carol, time=A_DAY, allows_takebacks=True)
    for _ in range(2):
        for by_bot in (True, False, False):
            game = take_turn(game, by_bot=by_bot)
    game = take_turn(game, by_bot=True)
    game = take_turn(game)
    come_back(alice, game.slug)
    with pytest.raises(WrongStatus) as refusal:
        ask(carol, game)
    assert refusal.value.code == "too-late"
    check_audited(game)


def test_missed_turns_count_as_they_did_before(alice: User, bob: User) -> None:
    carol = person("carol")
    game = play_out(running(alice, bob, carol, time=A_DAY, allows_takebacks=True), turns=3)
    game = take_turn(game, by_bot=True)
    assert [player.missed for player in game.players.all()] == [1, 0, 0]
    ask(carol, game)
    for user in (alice, bob):
        agree(user, game)
    assert [player.missed for player in fresh(game).players.all()] == [0, 0, 0]
    check_audited(game)


def test_not_in_a_pause(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    request = request_of(duel)
    ask_for_pause(alice, duel.slug, pause_version=0)
    paused = fresh(duel).asked_pause
    assert paused
    agree_to_pause(bob, duel.slug, request=paused.version)
    with pytest.raises(WrongStatus) as refusal:
        agree_to_takeback(bob, duel.slug, request=request)
    assert refusal.value.code == "paused"


def test_never_in_a_finished_game(duel: Game, alice: User, bob: User) -> None:
    resign(bob, duel.slug)
    with pytest.raises(WrongStatus) as refusal:
        ask(alice, duel)
    assert refusal.value.code == "game-over"


def test_not_without_end(against_bots: Game, alice: User) -> None:
    Game.objects.filter(pk=against_bots.pk).update(spent_numbers=MOST_SPENT_NUMBERS)
    with pytest.raises(WrongStatus) as refusal:
        ask(alice, against_bots)
    assert refusal.value.code == "taken-back-enough"


def test_those_who_are_asked_are_notified_and_then_those_for_whom_a_move_is_gone(
    duel: Game, alice: User, bob: User
) -> None:
    ask(alice, duel)
    agree(bob, duel)
    told = Notification.objects.filter(occasion__in=(Occasion.TAKEBACK, Occasion.TAKEN_BACK)).order_by("pk")
    assert [(row.occasion, row.user, row.other) for row in told] == [
        (Occasion.TAKEBACK, bob, alice),
        (Occasion.TAKEN_BACK, bob, alice),
    ]


def test_the_audit_finds_what_could_not_have_been_taken_back(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    agree(bob, duel)
    row = Takeback.objects.get()
    row.moves = row.moves[::-1]
    row.save()
    assert [fault.what for fault in audit.faults(fresh(duel))] == ["taken back"]
    Game.objects.filter(pk=duel.pk).update(spent_numbers=0)
    assert "spent_numbers" in [fault.what for fault in audit.faults(fresh(duel))]
    lifecycle.rebuild(fresh(duel))
    assert fresh(duel).spent_numbers == 3


@pytest.mark.parametrize("variant", ["duo", "blockyou-3", "classic-3", "blockyou-2", "codingame-4:9:3", "trigon-3"])
def test_a_game_with_moves_taken_back_again_and_again_ends_as_one_without(variant: str, alice: User) -> None:
    people = [alice, *(person(name) for name in ("bob", "carol", "dave"))]
    seats = [ME, *[LINK] * (int(variant.partition(":")[0][-1]) - 1)] if variant != "duo" else [ME, LINK]
    game = open_table(alice, *seats, variant=variant, time=A_DAY, allows_takebacks=True)
    users = people[: len(seats)]
    for user in users[1:]:
        join_game(user, game.slug, token=game.invite_token, now=NOON)
    rng, stood, at = random.Random(7), list[str](), NOON
    while (game := fresh(game)).status == Status.RUNNING:
        at += timedelta(minutes=7)
        mine = [move for move in game.moves.all() if move.kind == Kind.PLACE]
        if mine and rng.random() < 0.25 and game.spent_numbers < 100:
            asker = rng.choice(users)
            point = next((move for move in reversed(mine) if users[move.seat] == asker), None)
            if point is None:
                continue
            ask_for_takeback(asker, game.slug, number=due(game), now=at)
            for other in users:
                if other != asker:
                    agree_to_takeback(other, game.slug, request=request_of(game), now=at)
            del stood[len([move for move in mine if move.number < point.number]) :]
        else:
            position = positions.position_of(game)
            text = any_placement(position, rng)
            play_placement(player_to_move(game), game.slug, placement=text, number=due(game), key=key(), now=at)
            stood.append(text)
        check_audited(game)
    assert [text for text in texts(game) if text] == stood
    assert game.spent_numbers
    assert [move.number for move in game.moves.all()] == [*range(1, game.move_count + 1)]


def test_a_page_that_reads_in_the_middle_of_it_is_drawn(duel: Game, alice: User, bob: User) -> None:
    ask(alice, duel)
    before = access.game_to_view(bob, duel.slug)
    agree(bob, duel)
    # The game as it was, and the moves as they are.
    seen = state_for(before, bob)
    assert isinstance(seen, GameState)
    assert (len(seen.moves), seen.takeback.request) == (2, 0)


def test_a_rated_game_takes_nothing_back_where_no_other_person_could_agree(alice: User) -> None:
    game = open_table(alice, ME, bot("sage-4"), variant="duo", now=NOON)
    Game.objects.filter(pk=game.pk).update(is_rated=True)
    place(fresh(game), any_placement(positions.position_of(fresh(game)), random.Random(1)))
    with pytest.raises(WrongStatus) as refusal:
        ask(alice, game)
    assert refusal.value.code == "rated-alone"
    assert Move.objects.filter(game=game).count() == 1
    assert not state(fresh(game), alice).takeback.can_ask
