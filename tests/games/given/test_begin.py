"""Games that begin at a position of a finished game, of what was tried in it, or of a study."""

import json
import random
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.studies.add_variation import add_variation
from games.actions.studies.create_study import create_study
from games.actions.studies.share_study import share_study
from games.actions.tables.create_game import create_game
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.talk.give_reaction import give_reaction
from games.audit import counts
from games.audit.checks import faults, faults_beside
from games.base import positions
from games.base.given import GivenStart
from games.base.setup import SeatSetup
from games.base.terms import TableTerms
from games.clock import TimeControl
from games.errors import BadRequest, GameError, NotFound, WrongStatus
from games.models import FEATURED_FROM, BotRecord, Companion, Game, HeadToHead, Kind, OpeningRecord, SeatResult, Status
from games.notifications.news import news_of
from games.pages.analysis.studies import study_page
from games.pages.replay.page import replay_page
from games.queries.analysis.advising import to_judge
from games.queries.people.tallies import finished_counts, results_sum
from games.queries.play.moves import move_rows
from games.queries.play.since import moves_since
from games.queries.play.state import GameState, game_state
from games.queries.tables.open_tables import fullest_featured
from games.queries.tables.reliability import reliability_of
from games.rules import Position, reaching, symmetries
from games.rules.record import Record
from games.rules.records import GameRecord, read, write_json
from games.rules.variants import get_variant
from games.table import lifecycle
from games.table.given.starts import start_in_game, start_in_study
from games.table.records import game_record
from tests.games.tables import (
    LINK,
    ME,
    NOON,
    advance,
    any_placement,
    bot,
    due,
    fresh,
    invited,
    place,
    play_out,
    running,
    setup,
)
from tests.rules.test_reaching import played

pytestmark = pytest.mark.django_db

DAY = TimeControl(86400, 86400, 86400)


@pytest.fixture
def ended(alice: User, bob: User) -> Game:
    return play_out(running(alice, bob, variant="duo"), 1)


def begin(user: User, given: GivenStart, *seats: SeatSetup, **settings: object) -> Game:
    wanted = setup(*(seats or (ME, LINK)), variant=given.position.variant.id, **settings)
    return create_game(user, wanted, given=given, now=NOON)


def started(alice: User, bob: User, given: GivenStart, now: datetime = NOON, **settings: object) -> Game:
    game = begin(alice, given, **settings)
    return fresh(join_game(bob, game.slug, token=game.invite_token, now=now))


def test_a_game_begins_with_the_moves_of_another_and_the_clock_after_them(alice: User, bob: User, ended: Game) -> None:
    given = start_in_game(alice, ended.slug, 7)
    table = begin(alice, given, time=DAY)
    assert (table.status, table.given_moves, table.begun_from, table.move_count) == ("open", 7, ended.slug, 7)
    assert table.board == given.position.board
    at = NOON + timedelta(hours=1)
    game = started(alice, bob, given, at, time=DAY)
    assert positions.position_of(game) == given.position
    assert (game.turn_seat, game.turn_since, game.deadline) == (given.position.seat, at, at + timedelta(days=1))
    assert due(game) == 8
    assert [player.clock for player in game.players.all()] == [86400, 86400]
    assert list(faults(game)) == []
    assert not game.is_rated


def test_it_is_played_on_and_proved_and_built_again_like_any_other(alice: User, bob: User, ended: Game) -> None:
    game = play_out(started(alice, bob, start_in_game(bob, ended.slug, 9)), 3)
    before = [list(Game.objects.filter(pk=game.pk).values_list()), list(game.players.values_list())]
    assert game.status == Status.FINISHED
    assert list(faults(fresh(game))) == []
    lifecycle.rebuild(fresh(game))
    assert [list(Game.objects.filter(pk=game.pk).values_list()), list(game.players.values_list())] == before
    assert [list(counts.drifts()), list(faults_beside(repairs=False))] == [[], []]


def test_audit_finds_a_given_move_that_breaks_the_rules(alice: User, bob: User, ended: Game) -> None:
    game = started(alice, bob, start_in_game(alice, ended.slug, 5))
    game.moves.filter(number=3).update(placement=game.moves.get(number=1).placement)
    assert [fault.what for fault in faults(fresh(game))] == ["moves"]


def test_its_result_counts_for_nothing_but_it_is_listed(alice: User, bob: User, ended: Game) -> None:
    before = (
        finished_counts(alice.pk),
        list(HeadToHead.objects.order_by("pk").values_list()),
        list(OpeningRecord.objects.values_list()),
    )
    game = play_out(started(alice, bob, start_in_game(alice, ended.slug, 9)), 3)
    assert [seat.result for seat in game.players.all()] == ["", ""]
    assert any(seat.is_winner for seat in game.players.all())
    after = finished_counts(alice.pk)
    assert [after[key] for key in SeatResult] == [before[0][key] for key in SeatResult]
    assert results_sum(after) == results_sum(before[0]) + 1
    assert list(HeadToHead.objects.order_by("pk").values_list()) == before[1]
    assert list(OpeningRecord.objects.values_list()) == before[2]
    # They have sat together once more.
    assert Companion.objects.get(user=alice, other=bob).games == 2


def test_a_bots_record_does_not_count_it(alice: User, bob: User, ended: Game) -> None:
    game = begin(alice, start_in_game(alice, ended.slug, 9), ME, bot())
    play_out(game, 2)
    assert not BotRecord.objects.exists()
    assert list(counts.drifts()) == []


def test_given_moves_are_nobodys(alice: User, bob: User, ended: Game) -> None:
    game = started(alice, bob, start_in_game(alice, ended.slug, 8), time=DAY)
    rows = move_rows(game)
    assert [row.is_given for row in rows] == [True] * 8
    assert to_judge([game.pk]) == {}
    state = game_state(alice, game.slug)
    assert isinstance(state, GameState)
    assert moves_since(state).moves == ()
    assert not state.takeback.can_ask
    assert reliability_of(alice.pk).turns == reliability_of(bob.pk).turns == 0
    late = fresh(game)
    assert late.deadline
    # Neither has moved, so it does not count.
    time_out(game.slug, number=due(late), now=late.deadline + timedelta(days=2))
    assert fresh(game).status == Status.CANCELLED


def test_moves_are_taken_back_down_to_where_it_began(alice: User, bob: User, ended: Game) -> None:
    game = begin(alice, start_in_game(alice, ended.slug, 8), *([ME, bot()] if ended else []))
    position = positions.position_of(fresh(game))
    with pytest.raises(WrongStatus, match="not placed a piece"):
        ask_for_takeback(alice, game.slug, number=due(fresh(game)), now=NOON)
    assert position.seat == 0
    place(game, any_placement(position, random.Random(1)))
    ask_for_takeback(alice, game.slug, number=due(fresh(game)), now=NOON)
    again = fresh(game)
    assert (again.move_count, positions.position_of(again)) == (8, position)
    assert list(faults(again)) == []


def test_a_second_tap_finds_the_table_of_the_first(alice: User, ended: Game) -> None:
    given = start_in_game(alice, ended.slug, 8)
    first = begin(alice, given)
    assert begin(alice, given) == first
    assert begin(alice, given, ME, bot()) != first
    assert begin(alice, start_in_game(alice, ended.slug, 9)) != first


def test_a_table_for_others_or_on_other_terms_is_no_second_tap(alice: User, bob: User, ended: Game) -> None:
    given = start_in_game(alice, ended.slug, 8)
    first = begin(alice, given)
    timed, named, private = (
        begin(alice, given, time=DAY),
        begin(alice, given, ME, invited("bob")),
        begin(alice, given, is_public=False),
    )
    assert len({each.pk for each in (first, timed, named, private)}) == 4
    assert begin(alice, given, ME, invited("BOB")) == named
    assert begin(alice, given, time=DAY) == timed


def test_a_rematch_begins_anew(alice: User, bob: User, ended: Game) -> None:
    game = play_out(started(alice, bob, start_in_game(alice, ended.slug, 9)), 3)
    rematch = open_rematch(alice, game.slug, now=NOON)
    assert (rematch.given_moves, rematch.begun_from, rematch.move_count, rematch.board) == (0, "", 0, "")


def test_it_begins_after_a_move_that_was_tried(alice: User, ended: Game) -> None:
    stage = positions.position_of(ended, move_rows(ended)[:6])
    text = next(str(each) for each in stage.legal_placements() if str(each) != move_rows(ended)[6].placement)
    place_there = extend_branch(alice, ended.slug, move=text, after=6)
    given = start_in_game(alice, ended.slug, None, place_there.node)
    assert [move.placement for move in given.moves] == [*[row.placement for row in move_rows(ended)[:6]], text]
    game = begin(alice, given)
    assert list(game.moves.values_list("number", flat=True)) == list(range(1, 8))


def test_it_begins_at_a_position_of_a_study(alice: User, bob: User, carol: User, ended: Game) -> None:
    study = create_study(alice, game_record(alice, ended.slug))
    given = start_in_study(alice, study.slug, 5)
    game = started(alice, bob, given)
    assert (game.given_moves, game.begun_from, game.is_public) == (5, "", False)
    with pytest.raises(NotFound):
        start_in_study(carol, study.slug, 5)
    share_study(alice, study.slug, is_shared=True)
    assert start_in_study(carol, study.slug, 5).moves == given.moves


def test_where_no_game_can_begin_it_says_so(alice: User, bob: User, ended: Game) -> None:
    def code(*where: object) -> str:
        with pytest.raises(GameError) as refused:
            start_in_game(alice, *where)  # type: ignore[arg-type]
        return refused.value.code

    assert code(ended.slug, 0) == "nothing-given"
    assert code(ended.slug, None) == "nothing-to-play"
    assert code(ended.slug, None, 99) == "no-such-branch"
    assert code(running(alice, bob).slug, 1) == "not-over"
    assert code("nothing", 1) == "not-found"
    duo = Position.setup("duo", [("purple", "1:e10")])
    study = create_study(alice, GameRecord(GameRecord.of(Position.start("duo")).record, (("purple", "1:e10"),)))
    assert duo.is_set_up
    with pytest.raises(WrongStatus) as refused:
        start_in_study(alice, study.slug, None)
    assert refused.value.code == "set-up"


def test_where_a_player_had_left_nothing_begins_but_a_move_earlier_it_does(alice: User, bob: User, carol: User) -> None:
    game = play_out(running(alice, bob, carol, variant="blockyou-3"), 1, turns=4)
    resign(bob, game.slug)
    ended_ = play_out(fresh(game), 1)
    left = next(move.number for move in move_rows(ended_) if move.kind == Kind.RETIRE)
    study = create_study(alice, game_record(alice, ended_.slug))
    for after in (left, left + 2):
        for begin_there in (start_in_game, start_in_study):
            slug = ended_.slug if begin_there is start_in_game else study.slug
            with pytest.raises(WrongStatus) as refused:
                begin_there(alice, slug, after)
            assert (refused.value.code, str(refused.value)) == (
                "player-left",
                "A player had already left here. Choose an earlier move.",
            )
    assert begin(alice, start_in_game(alice, ended_.slug, left - 1), ME, bot(), bot()).given_moves == 4


def set_up(position: Position) -> GameRecord:
    """Return the record of a study that begins with the pieces of a position, as if they had been set up by hand."""
    placed = tuple((turn.colour, str(turn.placement)) for turn in position.history if turn.colour and turn.placement)
    return GameRecord(Record(position.variant.id, (), _colours(position)), placed, position.colour)


def _colours(position: Position) -> tuple[str, ...] | None:
    return tuple(own[0] for own in position.seats) if position.variant.choosable_colours else None


@pytest.mark.parametrize(
    "variant", ["blockyou-2", "blockyou-3", "blockyou-4", "classic-3", "junior", "trigon-2", "duo"]
)
def test_it_begins_where_pieces_were_set_up_as_a_game_may_have_placed_them(alice: User, variant: str) -> None:
    seats = get_variant(variant).seats
    game = on(create_game(alice, setup(ME, *[LINK] * (seats - 1), variant=variant), now=NOON), 0)
    position = positions.start_of(game)
    for number in range(9):
        position = position.play(any_placement(position, random.Random(number)))
    study = create_study(alice, set_up(position))
    more = position.play(any_placement(position, random.Random(9)))
    add_variation(alice, study.slug, move=0, placement=str(more.history[-1].placement), edition=study.edition)
    for after, branch, there in ((0, 0, position), (None, 1, more)):
        given = start_in_study(alice, study.slug, after, branch)
        assert (given.position.board, given.position.colour) == (there.board, there.colour)
        begun = play_out(begin(alice, given, ME, *[bot()] * (seats - 1)), 3)
        assert (begun.status, begun.given_moves, begun.is_rated) == (Status.FINISHED, there.move_count, False)
        assert list(faults(fresh(begun))) == []


def test_where_too_many_orders_would_have_to_be_tried_it_says_so(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    study = create_study(alice, set_up(played("duo", 2, 28)))
    assert len(start_in_study(alice, study.slug, None).moves) == 28
    monkeypatch.setattr(reaching, "MOST_STEPS", 3)
    with pytest.raises(WrongStatus) as refused:
        start_in_study(alice, study.slug, None)
    assert refused.value.code == "set-up-unknown"
    assert "stopped before we had tried them all" in str(refused.value)
    assert study_page(alice, study.slug, 0, 0).no_game == str(refused.value)


def test_passes_after_pieces_that_were_set_up_may_have_ended_the_game(alice: User, ended: Game) -> None:
    over = positions.position_of(ended)
    last = max(number for number, turn in enumerate(over.history, 1) if turn.placement)
    position = positions.position_of(ended, move_rows(ended)[:last])
    study = create_study(alice, replace(set_up(position), record=Record("duo", ("pass", "pass"))))
    with pytest.raises(WrongStatus) as refused:
        start_in_study(alice, study.slug, None)
    assert refused.value.code in ("nothing-to-play", "set-up")


def test_the_board_and_the_colours_stay(alice: User, bob: User, ended: Game) -> None:
    given = start_in_game(alice, ended.slug, 4)
    with pytest.raises(BadRequest) as refused:
        create_game(alice, setup(ME, LINK, variant="junior"), given=given)
    assert refused.value.field == "variant"
    table = begin(alice, given)
    edit_table(alice, table.slug, TableTerms.of(table, lets_choose=True, name="Here"), now=NOON)
    assert (fresh(table).lets_choose, fresh(table).name) == (False, "Here")


def test_a_private_game_is_not_shown_to_all_by_a_new_one(alice: User, bob: User) -> None:
    private = play_out(running(alice, bob, variant="duo", is_public=False), 1)
    assert not begin(alice, start_in_game(alice, private.slug, 4), is_public=True).is_public


def test_nor_by_a_change_of_its_terms(alice: User, bob: User, ended: Game) -> None:
    private = play_out(running(alice, bob, variant="duo", is_public=False), 1)
    study = create_study(alice, game_record(alice, ended.slug))
    for given in (start_in_game(alice, private.slug, 4), start_in_study(alice, study.slug, 4)):
        table = begin(alice, given)
        with pytest.raises(BadRequest) as refused:
            edit_table(alice, table.slug, TableTerms.of(table, is_public=True), now=NOON)
        assert (refused.value.field, refused.value.code) == ("is_public", "given-private")
        assert not fresh(table).is_public
        assert edit_table(alice, table.slug, TableTerms.of(table, name="Here"), now=NOON).name == "Here"
    table = begin(alice, start_in_game(alice, ended.slug, 4), is_public=False)
    assert edit_table(alice, table.slug, TableTerms.of(table, is_public=True), now=NOON).is_public


def on(game: Game, turns: int, seed: int = 0) -> Game:
    for number in range(seed, seed + turns):
        game = advance(game, random.Random(number))
    return game


def test_no_engine_helps_in_a_running_game_through_its_record(alice: User, bob: User, carol: User, ended: Game) -> None:
    game = on(running(alice, bob, variant="duo"), 6)
    record = GameRecord.of(positions.position_of(game))
    longer = GameRecord.of(positions.position_of(on(game, 2)))

    def begins(user: User, of: GameRecord, after: int) -> bool:
        study = create_study(user, of)
        try:
            return bool(start_in_study(user, study.slug, after))
        except WrongStatus as refused:
            return refused.code != "running-game"

    # Where the game stands, before that, and beyond; the first moves alone are those of many games.
    assert [begins(alice, record, after) for after in (2, 3, 4, 6)] == [True, True, False, False]
    assert not begins(alice, longer, 8)
    assert begins(carol, longer, 8)
    moves = longer.record.moves
    node, after = 0, 0
    for text in moves:
        there = extend_branch(alice, ended.slug, move=text, after=after, node=node)
        node, after = there.node, there.after
    if node:
        with pytest.raises(WrongStatus, match="still play"):
            start_in_game(alice, ended.slug, None, node)
    # In another order, or set up by hand, it is the same position.
    assert not begins(alice, set_up(positions.position_of(game)), 0)
    assert begins(carol, set_up(positions.position_of(game)), 0)
    advised = on(running(alice, bob, variant="duo", allows_advice=True), 5, 100)
    assert begins(alice, GameRecord.of(positions.position_of(advised)), 5)


def is_refused(user: User, record: GameRecord) -> bool:
    """Return whether no game begins at the end of a study for this person, because it is one they still play."""
    study = create_study(user, record)
    try:
        start_in_study(user, study.slug, None)
    except WrongStatus as refused:
        return refused.code == "running-game"
    return False


def written_as(variant: str, position: Position) -> GameRecord:
    """Return the record of a position as one of another variant on the same board."""
    record = Record.of(position)
    return GameRecord(Record(variant, record.moves, record.colours, record.scoring))


def first_pieces(position: Position) -> str:
    return ":".join(turn.placement.piece for turn in position.history[:2] if turn.placement)


@pytest.mark.parametrize(
    ("variant", "other"),
    [("duo:N:W", "duo"), ("duo", "duo:first"), ("blockyou-2", "blockyou-4"), ("classic-4", "classic-2")],
)
def test_no_engine_helps_in_it_as_a_position_of_another_game_on_the_same_board(
    variant: str, other: str, alice: User, bob: User, carol: User, dave: User
) -> None:
    people = (alice, bob, carol, dave)[: get_variant(variant).seats]
    game = on(running(*people, variant=variant), 6)
    position = positions.position_of(game)
    record = written_as(other.replace("first", first_pieces(position)), position)
    eve = User.objects.create_user("eve2")
    assert record.record.variant != variant
    assert [is_refused(user, record) for user in (alice, bob, eve)] == [True, True, False]
    elsewhere = positions.position_of(on(running(carol, eve, variant="duo"), 6, 50))
    assert not is_refused(alice, GameRecord.of(elsewhere))


@pytest.mark.parametrize(
    ("variant", "images"),
    [("duo", 2), ("duo:N:W", 2), ("codingame-2:9:5", 2), ("trigon-2", 12)],
)
def test_no_engine_helps_in_it_turned_or_mirrored(
    variant: str, images: int, alice: User, bob: User, carol: User
) -> None:
    position = positions.position_of(on(running(alice, bob, variant=variant), 6))
    same = tuple(range(len(position.variant.colours)))
    kept = [symmetry for symmetry in symmetries(variant) if symmetry.colours == same]
    assert len(kept) == images
    for symmetry in (kept[1], kept[-1]):
        image = Position.start(variant)
        for turn in position.history:
            image = image.play(image.placement(symmetry.placements[(turn.placement and turn.placement.id) or 0]))
        assert image.board != position.board
        record = GameRecord.of(image)
        assert [is_refused(user, record) for user in (alice, bob, carol)] == [True, True, False]
        assert is_refused(alice, set_up(image))


def test_early_in_a_running_game_its_position_is_no_start(alice: User, bob: User) -> None:
    game = on(running(alice, bob, variant="duo"), 2)
    study = create_study(alice, GameRecord.of(positions.position_of(game)))
    with pytest.raises(WrongStatus, match="still play"):
        start_in_study(alice, study.slug, None)


def test_messages_credit_no_player_with_what_was_given(alice: User, bob: User, ended: Game) -> None:
    game = started(alice, bob, start_in_game(alice, ended.slug, 9))
    assert news_of(game, list(game.moves.all()), alice.pk) == ""
    mover = game.turn_user
    assert mover
    game = on(game, 1)
    reader = bob if mover == alice else alice
    told = news_of(game, list(game.moves.all()), reader.pk)
    assert told.startswith(f"{mover.username} placed ")
    assert "," not in told
    assert told.count(".") == 1


def test_no_one_reacts_to_what_was_given(alice: User, bob: User, ended: Game) -> None:
    game = started(alice, bob, start_in_game(alice, ended.slug, 8))
    for user in (alice, bob):
        for number in (7, 8):
            with pytest.raises(WrongStatus, match="when the game began"):
                give_reaction(user, game.slug, number=number, word="nice")
        page = replay_page(user, game.slug)
        assert [line.react for line in page.leaves.moves] == [""] * 8
    mover = game.turn_user
    game = on(game, 1)
    other = bob if mover == alice else alice
    assert [bool(line.react) for line in replay_page(other, game.slug).leaves.moves] == [False] * 8 + [True]
    give_reaction(other, game.slug, number=9, word="nice")


def test_the_way_to_the_former_game_leads_to_where_the_line_leaves_it(alice: User, bob: User, carol: User) -> None:
    former = play_out(running(alice, bob, variant="duo", is_public=False), 1)
    stage = positions.position_of(former, move_rows(former)[:6])
    text = next(str(each) for each in stage.legal_placements() if str(each) != move_rows(former)[6].placement)
    node = extend_branch(alice, former.slug, move=text, after=6).node
    game = begin(alice, start_in_game(alice, former.slug, None, node), ME, bot())
    assert replay_page(alice, game.slug).begun_from == f"/games/{former.slug}/replay/?move=6"
    assert replay_page(carol, game.slug, game.invite_token).begun_from == ""


def test_given_moves_make_no_board_worth_showing(alice: User, bob: User, ended: Game) -> None:
    game = started(alice, bob, start_in_game(alice, ended.slug, 9))
    assert game.is_public
    assert not game.is_featured
    assert not on(game, FEATURED_FROM - 1).is_featured
    assert on(fresh(game), 1).is_featured
    Game.objects.filter(pk=ended.pk).update(is_featured=True, move_count=20)
    play_out(fresh(game), 3)
    Game.objects.filter(pk=game.pk).update(move_count=25)
    assert fullest_featured(["duo"], frozenset()) == ended


def test_three_players_keep_their_colours(alice: User, bob: User, carol: User) -> None:
    ended = play_out(running(alice, bob, carol, colours=("green", "red", "blue")), 1)
    given = start_in_game(alice, ended.slug, 5)
    game = begin(alice, given, bot(), ME, bot())
    assert game.colours == ["green", "red", "blue"]
    assert list(faults(play_out(game, 2))) == []


def test_its_record_says_what_was_given(alice: User, bob: User, ended: Game) -> None:
    game = play_out(started(alice, bob, start_in_game(alice, ended.slug, 9)), 3, turns=2)
    record = game_record(alice, game.slug)
    written = json.loads(write_json(record))
    assert (written["given"], list(written["times"]["moves"])) == (9, ["10", "11"])
    assert "given" in record.comments[9]
    assert read(write_json(record)) == record
    assert "given" not in json.loads(write_json(game_record(alice, ended.slug)))


@pytest.mark.parametrize(
    "variant", ["blockyou-2", "blockyou-4", "classic-3", "junior", "trigon-2", "codingame-3:9:4", "duo:N:W"]
)
@pytest.mark.parametrize("seed", range(3))
def test_on_every_board_games_begin_anywhere_and_are_proved(alice: User, variant: str, seed: int) -> None:
    rng = random.Random(f"{variant}{seed}")
    seats = get_variant(variant).seats
    ended = play_out(create_game(alice, setup(ME, *[bot()] * (seats - 1), variant=variant), now=NOON), rng)
    rows = move_rows(ended)
    after = rng.randrange(1, next(n for n, row in reversed(list(enumerate(rows))) if row.kind == Kind.PLACE) + 1)
    given = start_in_game(alice, ended.slug, after)
    game = play_out(begin(alice, given, ME, *[bot()] * (seats - 1)), rng)
    assert (game.status, game.lets_choose) == (Status.FINISHED, False)
    assert list(faults(game)) == []
    assert [move.placement for move in given.moves] == [row.placement for row in move_rows(game)[: len(given.moves)]]
