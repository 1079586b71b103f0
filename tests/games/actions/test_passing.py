"""Passing: by itself, or declared where the table says so."""

import random

import pytest

from accounts.models import User
from games.base import positions
from games.errors import NotSeated, NotYourTurn, Refused, StaleGame, WrongStatus
from games.models import Game, Kind, Move, Reason, Status
from games.rules import Position
from tests.games.tables import (
    ME,
    OPEN,
    advance,
    declare_pass,
    due,
    fresh,
    large_first,
    open_table,
    place,
    play_out,
    rows,
    running,
)


def first_block(game: Game, seed: int = 1) -> tuple[Game, Position]:
    """Play by chance until the colour to play is blocked while another can place."""
    rng = random.Random(seed)
    game = fresh(game)
    while game.status == Status.RUNNING:
        position = positions.position_of(game)
        if position.is_blocked(game.turn_colour):
            return game, position
        game = advance(game, rng, large_first)
    pytest.fail("nobody was blocked before the end")


def test_a_pass_is_refused_while_a_placement_exists(alice: User, bob: User) -> None:
    game = running(alice, bob, declares_passes=True)
    before = rows()
    with pytest.raises(Refused) as refused:
        declare_pass(game)
    assert refused.value.reasons == ("must-place",)
    assert rows() == before


def test_a_pass_is_refused_too_where_passes_are_automatic(alice: User, bob: User) -> None:
    with pytest.raises(Refused):
        declare_pass(running(alice, bob))


def test_a_blocked_player_declares_the_pass_and_play_goes_on(alice: User, bob: User) -> None:
    game, position = first_block(running(alice, bob, declares_passes=True))
    outcome = declare_pass(game, key="my-pass-key")
    move = Move.objects.get(game=game, number=outcome.number)
    assert (move.kind, move.colour, move.seat, move.is_automatic) == (Kind.PASS, position.colour, position.seat, False)
    assert fresh(game).turn_colour == position.pass_turn().colour


def test_the_same_pass_again_has_the_same_answer(alice: User, bob: User) -> None:
    game, position = first_block(running(alice, bob, declares_passes=True))
    who = [alice, bob][position.seat or 0]
    first = declare_pass(game, who, key="my-pass-key")
    before = rows()
    again = declare_pass(game, who, key="my-pass-key", number=due(game))
    assert (again.number, again.version, again.is_repeat) == (first.number, first.version, True)
    assert rows() == before


def test_only_who_is_to_move_declares_a_pass_and_from_the_present_page(alice: User, bob: User, eve: User) -> None:
    game, position = first_block(running(alice, bob, declares_passes=True))
    other = [bob, alice][position.seat or 0]
    with pytest.raises(NotYourTurn):
        declare_pass(game, other)
    with pytest.raises(NotSeated):
        declare_pass(game, eve)
    with pytest.raises(StaleGame):
        declare_pass(game, number=due(game) - 1)


def test_a_game_that_has_not_started_takes_no_pass(alice: User) -> None:
    with pytest.raises(WrongStatus):
        declare_pass(open_table(alice, ME, OPEN), alice)


def test_a_blocked_colour_waits_for_its_player_where_passes_are_declared(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, declares_passes=True), choose=large_first)
    moves = list(game.moves.all())
    for position, move in zip(positions.positions_of(game, moves), moves, strict=False):
        if move.is_automatic:
            # Rule R7: only once no colour can place are passes recorded at once.
            assert all(map(position.is_blocked, position.colours_in_play))


@pytest.mark.parametrize("seed", range(3))
def test_blocked_colours_pass_by_themselves_and_visibly(alice: User, bob: User, seed: int) -> None:
    game, rng = running(alice, bob), random.Random(seed)
    while game.status == Status.RUNNING:
        position = positions.position_of(game)
        assert position.legal_placements(), "whoever is to play can place"
        game = advance(game, rng, large_first)
    passes = Move.objects.filter(kind=Kind.PASS)
    assert passes.count() >= 4
    assert not passes.filter(is_automatic=False).exists()
    assert not passes.exclude(client_key=None).exists()


@pytest.mark.parametrize("declares_passes", [False, True])
def test_the_game_ends_as_soon_as_nobody_can_place(alice: User, bob: User, declares_passes: bool) -> None:
    game = play_out(running(alice, bob, declares_passes=declares_passes), choose=large_first)
    last = Move.objects.filter(kind=Kind.PLACE).last()
    assert last is not None
    after = positions.position_of(game, game.moves.filter(number__lte=last.number))
    assert all(map(after.is_blocked, after.colours_in_play)) or declares_passes
    assert (game.status, game.reason) == (Status.FINISHED, Reason.PLAYED_OUT)
    assert (game.turn_colour, game.turn_seat, game.deadline, game.turn_since) == ("", None, None, None)


def test_both_ways_of_passing_end_with_the_same_game(alice: User, bob: User) -> None:
    shown = []
    for declares in (False, True):
        game = play_out(running(alice, bob, declares_passes=declares), chance=5)
        kept = game.moves.values_list("number", "kind", "seat", "colour", "placement")
        shown.append((list(kept), game.board, list(game.players.values_list("score", "is_winner"))))
    assert shown[0] == shown[1]


def test_one_request_is_one_version_however_many_passes_follow(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), choose=large_first)
    versions = list(game.moves.values_list("version", flat=True))
    assert sorted(set(versions)) == list(range(3, game.version + 1))
    assert versions == sorted(versions)
    numbers = list(game.moves.values_list("number", flat=True))
    assert numbers == list(range(1, game.move_count + 1))


def test_the_scores_of_the_end_are_those_of_the_rules(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob))
    position = positions.position_of(game)
    players = list(game.players.all())
    assert tuple(player.score for player in players) == position.seat_scores()
    assert tuple(player.seat for player in players if player.is_winner) == position.winners()


def test_a_placement_may_follow_the_passes_of_all_others(alice: User, bob: User, carol: User, dave: User) -> None:
    game = play_out(running(alice, bob, carol, dave), chance=3, choose=large_first)
    kinds = "".join(kind[1] for kind in game.moves.values_list("kind", flat=True))
    assert "aaal" in kinds, "three passes, then a placement that breaks the chain"
    assert kinds.endswith("aaaa")


def test_place_and_pass_are_the_only_ways_to_take_a_turn(alice: User, bob: User) -> None:
    game = running(alice, bob)
    place(game, "1:a1")
    assert set(Kind) == {Kind.PLACE, Kind.PASS, Kind.RETIRE}
