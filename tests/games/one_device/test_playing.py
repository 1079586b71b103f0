"""A game on one device: who plays next, what counts, what is refused, and what becomes of its names."""

from dataclasses import replace
from pathlib import Path

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.plans.set_plan import set_plan
from games.actions.tables.create_game import create_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.talk.send_message import send_message
from games.audit import counts
from games.audit.checks import faults, faults_beside
from games.base import access
from games.base.setup import SeatSetup
from games.clock import TimeControl
from games.errors import BadRequest, NotFound, NotSeated, StaleGame, WrongStatus
from games.models import BotRecord, Companion, Game, Notification, OpeningRecord, Player, Reason, SeatResult, Status
from games.queries.notices.digests import games_waiting_for
from games.queries.people.going import count_turns
from games.queries.people.tallies import finished_counts
from games.table.records import game_record
from tests.games.one_device.tables import (
    ADA,
    BEA,
    CLEO,
    any_text,
    next_player,
    play_next,
    play_to_end,
    shared_game,
    shared_setup,
)
from tests.games.tables import ME, NOON, OPEN, bot, due, fresh, invited, key

pytestmark = pytest.mark.django_db


def test_a_game_on_one_device_begins_at_once_and_its_people_play_in_turn(alice: User) -> None:
    game = shared_game(alice)
    assert game.status == Status.RUNNING
    assert game.is_on_one_device
    assert not game.is_public
    assert not game.is_rated
    played = []
    for _turn in range(4):
        played.append(next_player(game))
        game = play_next(game)
    assert played == ["Ada", "Bea", "Ada", "Bea"]
    assert list(game.moves.values_list("seat", flat=True)) == [0, 1, 0, 1]
    assert list(faults(fresh(game))) == []


def test_the_turn_is_that_of_whoever_opened_the_table_but_no_notice_tells_of_it(alice: User) -> None:
    game = play_next(shared_game(alice))
    assert game.turn_user_id == alice.pk
    assert not game.is_notice_due
    assert game.remind_at is None
    assert count_turns(alice) == 1
    assert not games_waiting_for(alice, NOON)
    play_to_end(game)
    assert not Notification.objects.exists()


def test_the_same_request_twice_is_one_move_though_another_plays_by_then(alice: User) -> None:
    game, same = shared_game(alice), key()
    text = any_text(game)
    first = play_placement(alice, game.slug, placement=text, number=1, key=same, now=NOON)
    second = play_placement(alice, game.slug, placement=text, number=1, key=same, now=NOON)
    assert (first.number, second.number, second.is_repeat) == (1, 1, True)
    with pytest.raises(StaleGame):
        play_placement(alice, game.slug, placement=text, number=1, key=key(), now=NOON)
    assert fresh(game).move_count == 1


def test_bots_play_between_and_the_next_person_can_take_the_device_meanwhile(alice: User) -> None:
    game = shared_game(alice, ADA, bot(), BEA, bot())
    assert next_player(game) == "Ada"
    game = play_next(game)
    assert fresh(game).is_bot_due
    assert next_player(game) == "Bea"


def test_a_socket_that_asks_reads_the_seats_once(
    alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = shared_game(alice, ADA, BEA, CLEO)
    with django_assert_num_queries(2):
        (found,) = access.games_to_view([(alice, game.slug, "")])
        assert found is not None
        assert access.seat_of(found, alice) is not None


def test_nobody_else_plays_there(alice: User, bob: User) -> None:
    game = shared_game(alice)
    assert access.seat_of(fresh(game), bob) is None
    with pytest.raises(NotFound):
        resign(bob, game.slug, number=1)


def test_at_the_end_all_are_named_and_it_counts_for_nobody(alice: User) -> None:
    game = play_to_end(shared_game(alice))
    assert game.status == Status.FINISHED
    assert {player.result for player in game.players.all()} == {""}
    assert [player.is_winner for player in game.players.all()].count(True) >= 1
    assert not {SeatResult.WON, SeatResult.TIED, SeatResult.LOST} & finished_counts(alice.pk).keys()
    assert not Companion.objects.exists()
    assert not BotRecord.objects.exists()
    assert not OpeningRecord.objects.exists()
    assert game_record(alice, game.slug).players == ("Ada", "Bea")
    assert [list(faults(game)), list(faults_beside(repairs=False)), list(counts.drifts())] == [[], [], []]


def test_who_gives_up_is_who_was_to_play(alice: User) -> None:
    game = shared_game(alice, ADA, BEA, CLEO)
    with pytest.raises(BadRequest):
        resign(alice, game.slug)
    resign(alice, game.slug, number=1)
    with pytest.raises(StaleGame):
        resign(alice, game.slug, number=1)
    retired = {player.local_name: player.retired for player in fresh(game).players.all()}
    assert retired == {"Ada": Reason.RESIGNED, "Bea": "", "Cleo": ""}
    assert next_player(game) == "Bea"


def test_the_last_move_is_taken_back_by_whoever_made_it(alice: User) -> None:
    game = play_next(play_next(shared_game(alice)))
    ask_for_takeback(alice, game.slug, number=due(fresh(game)), now=NOON)
    assert fresh(game).move_count == 1
    assert next_player(game) == "Bea"
    assert list(faults(fresh(game))) == []
    assert not Notification.objects.exists()


def test_a_second_tap_takes_no_second_move_back(alice: User) -> None:
    game = play_next(play_next(shared_game(alice)))
    number = due(fresh(game))
    ask_for_takeback(alice, game.slug, number=number, now=NOON)
    ask_for_takeback(alice, game.slug, number=number, now=NOON)
    assert fresh(game).move_count == 1


def test_a_rematch_is_for_the_same_people_and_seats_can_rotate(alice: User) -> None:
    game = play_to_end(shared_game(alice))
    again = open_rematch(alice, game.slug, rotates=True, now=NOON)
    assert again.status == Status.RUNNING
    assert again.is_on_one_device
    seats = list(Player.objects.filter(game=again).order_by("seat"))
    assert [(seat.local_name, seat.user_id) for seat in seats] == [("Bea", None), ("Ada", alice.pk)]
    assert open_rematch(alice, game.slug, now=NOON).pk == again.pk


def test_a_second_tap_finds_the_game_of_the_first(alice: User) -> None:
    first = create_game(alice, shared_setup(ADA, BEA), is_tapped=True, now=NOON)
    assert create_game(alice, shared_setup(ADA, BEA), is_tapped=True, now=NOON).pk == first.pk
    assert create_game(alice, shared_setup(ADA, CLEO), is_tapped=True, now=NOON).pk != first.pk


@pytest.mark.parametrize(
    ("seats", "terms"),
    [
        ((ADA, BEA, OPEN), {}),
        ((ADA, BEA, invited("bob")), {}),
        ((bot(), BEA), {}),
        ((ADA, BEA), {"is_public": True}),
        ((ADA, BEA), {"is_rated": True}),
        ((ADA, BEA), {"time": TimeControl.days_a_move(3)}),
        ((ADA, replace(BEA, local_name="ada")), {}),
        ((ADA, replace(BEA, local_name="x" * 21)), {}),
        ((ADA, replace(BEA, local_name="<b>")), {}),
        ((ADA, replace(BEA, local_name="admin")), {}),
        ((ADA, replace(BEA, username="bob")), {}),
        ((ADA, replace(OPEN, local_name="Bea")), {}),
        ((ADA, replace(BEA, bot="random")), {}),
    ],
)
def test_what_cannot_be_on_one_device_is_refused(
    alice: User, bob: User, seats: tuple[SeatSetup, ...], terms: dict[str, object]
) -> None:
    with pytest.raises(BadRequest):
        shared_game(alice, *seats, **terms)
    assert not Game.objects.exists()


def test_a_name_is_no_insult(alice: User, tmp_path: Path, settings: Settings) -> None:
    settings.INSULTS_FILE = str(tmp_path / "insults")
    Path(settings.INSULTS_FILE).write_text("grumpus", encoding="utf-8")
    with pytest.raises(BadRequest):
        shared_game(alice, ADA, replace(BEA, local_name="Grumpus"))


def test_a_child_opens_none(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(guardian=User.objects.create(username="guardian"))
    with pytest.raises(BadRequest) as refused:
        shared_game(User.objects.get(pk=alice.pk))
    assert refused.value.code == "child-device"


def test_what_the_next_player_would_see_is_not_kept(alice: User) -> None:
    game = shared_game(alice)
    with pytest.raises(WrongStatus) as no_plan:
        set_plan(alice, game.slug, [], number=1, edition=0)
    with pytest.raises(NotSeated) as no_analysis:
        access.game_to_analyse(alice, game.slug)
    assert no_plan.value.code == no_analysis.value.code == "one-device"
    access.game_to_analyse(alice, play_to_end(game).slug)


def test_nobody_talks_to_themselves(alice: User) -> None:
    with pytest.raises(WrongStatus) as refused:
        send_message(alice, shared_game(alice).slug, text="hello")
    assert refused.value.code == "only-bots"


def test_names_go_with_the_account_that_wrote_them_and_the_game_ends(alice: User) -> None:
    ended, going = play_to_end(shared_game(alice)), play_next(shared_game(alice, ADA, BEA, CLEO, bot()))
    close_account(alice)
    assert not Player.objects.exclude(local_name="").exists()
    going = fresh(going)
    assert {player.retired for player in going.players.all() if not player.bot} == {Reason.RESIGNED}
    assert game_record(going.creator, ended.slug).players == ("Player 1", "Player 2")


def test_other_tables_know_no_names(alice: User) -> None:
    game = create_game(alice, shared_setup(replace(ME, local_name="Ada"), bot()), now=NOON)
    assert not game.is_on_one_device
    assert not Player.objects.exclude(local_name="").exists()


def test_a_page_asks_whether_it_is_current_without_a_query_for_each_seat(
    alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = shared_game(alice, ADA, BEA, CLEO)
    with django_assert_num_queries(2):
        (found,) = access.games_to_view([(alice, game.slug, "")])
        assert found is not None
        player = access.seat_of(found, alice)
    assert player is not None
    assert player.seat == 0
