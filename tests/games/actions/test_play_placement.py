"""Placing a piece."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.base.access import BotSeat
from games.clock import DAY, TimeControl
from games.errors import BadRequest, NotFound, NotSeated, NotYourTurn, Refused, StaleGame, WrongStatus
from games.models import Game, Kind, Move
from games.pages.refusal import sentences_of
from tests.games.tables import ME, NOON, OPEN, bot, change, due, fresh, key, open_table, place, play_out, rows, running

CORNER = "V3:a1,b1,a2"


def test_a_placement_is_recorded_and_the_turn_goes_on(alice: User, bob: User) -> None:
    game = running(alice, bob)
    outcome = play_placement(alice, game.slug, placement=CORNER, number=due(game), key="the-first-key", now=NOON)
    move = Move.objects.get(game=game)
    assert (outcome.number, outcome.version, outcome.is_repeat) == (1, game.version + 1, False)
    assert (move.number, move.kind, move.seat, move.colour, move.placement) == (1, Kind.PLACE, 0, "blue", CORNER)
    assert (move.client_key, move.version, move.played_at, move.bot) == ("the-first-key", 3, NOON, "")
    game = fresh(game)
    assert (game.turn_colour, game.turn_seat, game.move_count, game.version) == ("yellow", 1, 1, 3)
    assert [game.board[:4], game.board[20:24]] == ["00..", "0..."]


@pytest.mark.parametrize("text", ["V3 a1,b1,a2", "a2,b1,a1", " v3: A2, B1, A1 "])
def test_a_placement_is_stored_in_one_form_however_it_is_typed(alice: User, bob: User, text: str) -> None:
    place(running(alice, bob), text)
    assert Move.objects.get().placement == CORNER


def test_a_bot_moves_by_its_seat_and_its_move_is_marked(alice: User) -> None:
    game = open_table(alice, bot("greedy"), ME)
    play_placement(BotSeat(game.pk, 0), game.slug, placement=CORNER, number=1, key="bot-turn-1", now=NOON)
    assert Move.objects.get().bot == "greedy"


@pytest.mark.parametrize("seat", [1, 2, -1])
def test_a_bot_has_no_other_seat_than_its_own(alice: User, seat: int) -> None:
    game = open_table(alice, bot(), ME)
    with pytest.raises(NotFound):
        play_placement(BotSeat(game.pk, seat), game.slug, placement=CORNER, number=1, key=key())


def test_a_bot_of_another_game_does_not_exist(alice: User) -> None:
    game, other = open_table(alice, bot(), ME), open_table(alice, bot(), ME)
    with pytest.raises(NotFound):
        play_placement(BotSeat(other.pk, 0), game.slug, placement=CORNER, number=1, key=key())


def test_the_same_request_again_has_the_same_answer(alice: User, bob: User) -> None:
    game = running(alice, bob)
    first = place(game, CORNER, key="double-tap", number=1)
    place(game, "V3:s1,t1,t2")
    before = rows()
    again = place(game, CORNER, alice, key="double-tap", number=1)
    assert (again.number, again.version) == (first.number, first.version)
    assert again.is_repeat
    assert rows() == before


def test_the_same_request_after_the_end_has_the_same_answer(alice: User, bob: User) -> None:
    game = running(alice, bob)
    first = place(game, CORNER, key="the-first-key")
    play_out(game)
    assert place(game, CORNER, alice, key="the-first-key").version == first.version


def test_a_key_that_served_for_something_else_is_refused(alice: User, bob: User) -> None:
    game = running(alice, bob)
    place(game, CORNER, key="used-before")
    before = rows()
    for actor, text in ((alice, "1:a1"), (bob, CORNER), (bob, "1:t1")):
        with pytest.raises(BadRequest) as refused:
            place(game, text, actor, key="used-before")
        assert (refused.value.code, refused.value.field) == ("key-used", "key")
    assert rows() == before


def test_the_same_key_serves_in_another_game(alice: User, bob: User) -> None:
    for game in (running(alice, bob), running(alice, bob)):
        assert not place(game, CORNER, key="same-key").is_repeat


@pytest.mark.parametrize(
    "bad", ["", "short", "x" * 65, "with space", "slash/slash", "newline-\n", "ünïcödé-key", "a" * 7]
)
def test_a_key_that_is_none_is_refused(alice: User, bob: User, bad: str) -> None:
    game = running(alice, bob)
    with pytest.raises(BadRequest) as refused:
        place(game, CORNER, key=bad)
    assert refused.value.field == "key"


@pytest.mark.parametrize("number", [0, 1, 3, -1, 10**30])
def test_a_move_that_is_not_due_is_refused_with_the_number_of_the_one_that_is(
    alice: User, bob: User, number: int
) -> None:
    game = running(alice, bob)
    place(game, CORNER)
    before = rows()
    with pytest.raises(StaleGame) as refused:
        place(game, "1:t1", number=number)
    assert (refused.value.number, refused.value.version) == (2, game.version + 1)
    assert rows() == before


def test_what_has_changed_and_is_no_move_does_not_matter(alice: User, bob: User) -> None:
    game = running(alice, bob)
    change(game)
    assert place(game, CORNER, number=due(game)).version == game.version + 2


def test_an_opponent_who_has_resigned_meanwhile_is_to_be_seen_first(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol)
    resign(bob, game.slug)
    with pytest.raises(StaleGame) as refused:
        place(game, CORNER, number=due(game))
    assert refused.value.number == 2
    assert place(game, CORNER).number == 2


def test_who_is_not_to_move_has_to_wait(alice: User, bob: User) -> None:
    game = running(alice, bob)
    with pytest.raises(NotYourTurn):
        place(game, "1:t1", bob)


def test_an_old_page_is_told_so_before_it_is_told_whose_turn_it_is(alice: User, bob: User) -> None:
    game = running(alice, bob)
    place(game, CORNER)
    with pytest.raises(StaleGame):
        place(game, "1:a1", alice, number=due(game))


def test_who_only_watches_does_not_move(alice: User, bob: User, eve: User) -> None:
    game = running(alice, bob)
    for user in (eve, AnonymousUser()):
        with pytest.raises(NotSeated):
            place(game, CORNER, user)


def test_a_private_game_does_not_exist_for_strangers(alice: User, bob: User, mallory: User) -> None:
    game = running(alice, bob, is_public=False)
    for user in (mallory, AnonymousUser()):
        with pytest.raises(NotFound):
            place(game, CORNER, user)


def test_a_game_that_has_not_started_takes_no_move(alice: User) -> None:
    with pytest.raises(WrongStatus) as refused:
        place(open_table(alice, ME, OPEN), CORNER, alice)
    assert refused.value.code == "not-started"


def test_a_game_that_is_over_takes_no_move(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob))
    with pytest.raises(WrongStatus) as refused:
        place(game, CORNER, alice)
    assert refused.value.code == "game-over"


@pytest.mark.parametrize(
    "text", ["", "V", "Q9:a1", "V3:", "V3:a1,a1", "a0", "a1;b1", "\0", "\ud800", "a1," * 999, "é1"]
)
def test_a_text_that_is_no_placement_is_refused(alice: User, bob: User, text: str) -> None:
    game = running(alice, bob)
    before = rows()
    with pytest.raises(BadRequest) as refused:
        place(game, text)
    assert refused.value.field == "placement"
    assert rows() == before


ILLEGAL = {
    "V3:b1,c1,b2": ("start-cell",),
    "a1,c1": ("unknown-piece",),
    "I3:a1,b1,a2": ("wrong-shape",),
    "1:a99": ("off-board", "start-cell"),
    "2:t1,u1": ("off-board", "start-cell"),
}


@pytest.mark.parametrize("text", ILLEGAL)
def test_what_the_rules_refuse_has_their_reasons_and_changes_nothing(alice: User, bob: User, text: str) -> None:
    game = running(alice, bob)
    before = rows()
    with pytest.raises(Refused) as refused:
        place(game, text)
    assert refused.value.reasons == ILLEGAL[text]
    assert set(refused.value.cells) == set(ILLEGAL[text])
    assert all(sentence.endswith(".") for sentence in sentences_of(refused.value))
    assert rows() == before


def test_a_refusal_names_the_cells_at_fault(alice: User, bob: User) -> None:
    game = running(alice, bob)
    place(game, "2:a1,b1")
    place(game, "1:t1")
    place(game, "1:a20")
    place(game, "1:t20")
    with pytest.raises(Refused) as refused:
        place(game, "2:b1,c1")
    assert refused.value.reasons == ("already-placed", "overlap", "no-corner-contact", "edge-contact")
    assert refused.value.cells["overlap"] == (1,)
    assert "b1" in sentences_of(refused.value)[1]


def test_a_corrected_placement_may_keep_its_key(alice: User, bob: User) -> None:
    game = running(alice, bob)
    with pytest.raises(Refused):
        place(game, "1:b2", key="one-key-for-both")
    assert not place(game, "1:a1", key="one-key-for-both").is_repeat


def test_a_move_takes_its_time_off_the_clock_and_gives_the_increment(alice: User, bob: User) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(3))
    Game.objects.update(time_increment=3600, time_cap=4 * DAY)
    place(game, CORNER, now=NOON + timedelta(hours=30))
    game = fresh(game)
    assert game.players.get(seat=0).clock == 3 * DAY - 30 * 3600 + 3600
    assert (game.turn_since, game.deadline) == (NOON + timedelta(hours=30), NOON + timedelta(days=3, hours=30))


def test_a_late_move_counts_until_the_sweep_finds_it(alice: User, bob: User) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(1))
    place(game, CORNER, now=NOON + timedelta(days=9))
    assert fresh(game).players.get(seat=0).clock == DAY


@pytest.mark.parametrize("names", [("alice", "bob"), ("alice", "bob", "carol"), ("alice", "bob", "carol", "dave")])
def test_a_move_costs_few_queries(request, django_assert_max_num_queries, names) -> None:  # type: ignore[no-untyped-def]
    game = running(*[request.getfixturevalue(name) for name in names], time=TimeControl.days_a_move(1))
    with django_assert_max_num_queries(9):  # seven, and the two ends of the savepoint
        play_placement(request.getfixturevalue("alice"), game.slug, placement=CORNER, number=due(game), key=key())
