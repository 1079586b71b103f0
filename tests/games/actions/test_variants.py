"""Every variant is played through the same actions, and is what its data say."""

import random
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.tables.open_rematch import open_rematch
from games.audit import checks
from games.base import positions
from games.clock import TimeControl
from games.errors import BadRequest, NotYourTurn, Refused
from games.models import Game, Move, Reason, Status
from games.pages.board.refusal import sentences_of
from games.rules import VARIANTS, Position
from games.rules.variants import get_variant
from tests.games.tables import (
    ME,
    NOON,
    advance,
    any_placement,
    bot,
    declare_pass,
    due,
    fresh,
    large_first,
    open_table,
    place,
    play_out,
    running,
)
from tests.proof import mostly_proof

pytestmark = pytest.mark.django_db

SIZED = ("codingame-2:7:3", "codingame-4:26:4294967295")


def at_table(people: tuple[User, ...], variant: str, **settings: Any) -> Game:
    """Return a running game of as many people as the variant has seats."""
    return running(*people[: get_variant(variant).seats], variant=variant, **settings)


@pytest.fixture
def people(alice: User, bob: User, carol: User, dave: User) -> tuple[User, ...]:
    return alice, bob, carol, dave


@pytest.mark.parametrize(
    "variant", mostly_proof((*VARIANTS, *SIZED), "blockyou-3", "duo", "trigon-2", "codingame-2:7:3")
)
def test_a_whole_game_is_played_and_stored_as_its_moves_say(people: tuple[User, ...], variant: str) -> None:
    game = play_out(at_table(people, variant), chance=7)
    assert (game.status, game.variant) == (Status.FINISHED, variant)
    assert list(checks.faults(game)) == []
    position = positions.position_of(game)
    assert tuple(player.score for player in game.players.order_by("seat")) == position.seat_scores()
    assert {player.seat for player in game.players.all() if player.is_winner} == set(position.winners())


@pytest.mark.parametrize("scoring", ["penalty", "basic", "coverage"])
def test_a_game_is_scored_as_was_chosen(people: tuple[User, ...], scoring: str) -> None:
    game = play_out(at_table(people, "duo", scoring=scoring), chance=3)
    assert game.scoring == scoring
    counts = {0: 0, 1: 0}
    for move in game.moves.filter(kind="place"):
        counts[move.seat] += move.placement.count(",") + 1
    scores = {player.seat: player.score for player in game.players.all()}
    assert scores == {seat: placed if scoring == "coverage" else placed - 89 for seat, placed in counts.items()}
    assert list(checks.faults(game)) == []


def test_without_a_choice_the_variants_own_scoring_is_stored(people: tuple[User, ...]) -> None:
    assert at_table(people, "trigon-3").scoring == "penalty"
    assert at_table(people, "codingame-2").scoring == "coverage"


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"variant": "duo", "scoring": "golf"}, "scoring"),
        ({"variant": "codingame-2", "scoring": "penalty"}, "scoring"),
        ({"variant": "codingame-2:6:1"}, "variant"),
        ({"variant": "codingame-2:13:4294967296"}, "variant"),
        ({"variant": "duo:14:1"}, "variant"),
        ({"variant": "codingame-2:" + "9" * 5000}, "variant"),
        ({"variant": "duo", "colours": ("orange", "purple")}, "colours"),
    ],
)
def test_what_a_variant_has_not_is_refused(alice: User, settings: dict[str, Any], field: str) -> None:
    with pytest.raises(BadRequest) as refused:
        open_table(alice, ME, bot(), **settings)
    assert refused.value.field == field
    assert not Game.objects.exists()


# A colour that is shared


def until_green(game: Game, placed: int) -> Game:
    """Play on until that many pieces of green lie and green is to play."""
    rng = random.Random(5)
    while game.turn_colour != "green" or game.moves.filter(colour="green", kind="place").count() < placed:
        game = advance(game, rng, large_first)
    return game


@pytest.mark.parametrize("placed", range(5))
def test_the_players_place_the_shared_colour_in_turn(people: tuple[User, ...], placed: int) -> None:
    game = until_green(at_table(people, "classic-3"), placed)
    assert game.turn_seat == placed % 3
    text = any_placement(positions.position_of(game), random.Random(1))
    for other in {0, 1, 2} - {placed % 3}:
        with pytest.raises(NotYourTurn):
            place(game, text, people[other])
    place(game, text, people[placed % 3])
    assert (fresh(game).turn_colour, Move.objects.latest("pk").seat) == ("blue", placed % 3)


def test_the_shared_colour_goes_to_the_next_player_when_the_one_who_was_to_place_it_resigns(
    people: tuple[User, ...],
) -> None:
    game = until_green(at_table(people, "classic-3", time=TimeControl.days_a_move(1)), 1)
    assert game.turn_seat == 1
    later = NOON + timedelta(hours=5)
    resign(people[1], game.slug, now=later)
    game = fresh(game)
    assert (game.turn_colour, game.turn_seat, game.turn_since) == ("green", 2, later)
    assert game.deadline == later + timedelta(days=1)
    assert list(checks.faults(game)) == []


def test_when_another_resigns_the_turn_and_its_clock_go_on(people: tuple[User, ...]) -> None:
    game = until_green(at_table(people, "classic-3", time=TimeControl.days_a_move(1)), 1)
    resign(people[0], game.slug, now=NOON + timedelta(hours=5))
    after = fresh(game)
    assert (after.turn_colour, after.turn_seat, after.turn_since, after.deadline) == (
        "green",
        1,
        game.turn_since,
        game.deadline,
    )
    assert list(checks.faults(after)) == []


def test_whoever_lets_the_shared_colours_time_run_out_is_the_one_to_retire(people: tuple[User, ...]) -> None:
    game = until_green(at_table(people, "classic-3", time=TimeControl.days_a_move(1), stand_in=""), 2)
    time_out(game.slug, number=due(game), now=NOON + timedelta(days=2))
    game = fresh(game)
    assert [player.retired for player in game.players.order_by("seat")] == ["", "", Reason.OUT_OF_TIME]
    assert (game.turn_colour, game.turn_seat) == ("green", 0)


def test_a_game_with_a_shared_colour_ends_when_one_player_is_left(people: tuple[User, ...]) -> None:
    game = until_green(at_table(people, "classic-3"), 1)
    resign(people[0], game.slug, now=NOON)
    resign(people[1], game.slug, now=NOON)
    game = fresh(game)
    assert (game.status, game.reason) == (Status.FINISHED, Reason.RESIGNED)
    assert [player.is_winner for player in game.players.order_by("seat")] == [False, False, True]


def test_a_pass_of_the_shared_colour_does_not_change_who_places_it_next(people: tuple[User, ...]) -> None:
    game = play_out(at_table(people, "classic-3", declares_passes=True), chance=7)
    placed = 0
    for move in game.moves.filter(colour="green"):
        assert move.seat == placed % 3
        placed += move.kind == "place"
    assert placed > 3
    assert game.moves.filter(colour="green", kind="pass").exists()


def test_the_shared_colours_points_are_nobodys(people: tuple[User, ...]) -> None:
    game = play_out(at_table(people, "classic-3", scoring="coverage"), chance=2)
    for player in game.players.order_by("seat"):
        own = game.moves.filter(kind="place", colour=("blue", "yellow", "red")[player.seat])
        assert player.score == sum(move.placement.count(",") + 1 for move in own)


# Pieces to open with, and a pass that ends the game


def test_the_first_two_of_three_open_with_a_small_piece(people: tuple[User, ...]) -> None:
    game = at_table(people, "codingame-3")
    with pytest.raises(Refused) as refused:
        place(game, "O:a12,b12,a13,b13")
    assert refused.value.reasons == ("opening-piece",)
    assert "You cannot open with this piece" in sentences_of(refused.value)[0]
    assert not game.moves.exists()
    place(game, "2:a13,b13")
    assert fresh(game).turn_colour == "yellow"


def trailing(seed: int, people: tuple[User, ...], *, declares: bool) -> Game | None:
    """Return a game of two that a pass has ended while the other could still place, if chance wants one."""
    game = play_out(at_table(people, "codingame-2:9:11", declares_passes=declares), chance=seed)
    moves = list(game.moves.all())
    before = positions.position_of(game, moves[:-1])
    can_go_on = not before.is_blocked(before.colours_in_play[1 - moves[-1].seat])
    return game if game.reason == Reason.TRAILING and can_go_on else None


@pytest.mark.parametrize("declares", [False, True])
def test_whoever_passes_with_the_lowest_score_ends_the_game(people: tuple[User, ...], declares: bool) -> None:
    game = next(found for seed in range(50) if (found := trailing(seed, people, declares=declares)))
    last = game.moves.last()
    assert last is not None
    assert (last.kind, last.is_automatic) == ("pass", not declares)
    scores = {player.seat: player.score or 0 for player in game.players.all()}
    assert scores[last.seat] < scores[1 - last.seat]
    assert list(checks.faults(game)) == []


def test_whoever_passes_ahead_waits_for_the_others(people: tuple[User, ...]) -> None:
    for seed in range(50):
        game = play_out(at_table(people, "codingame-2:9:11", declares_passes=True), chance=seed)
        for position, move in zip(positions.positions_of(game, moves := list(game.moves.all())), moves, strict=False):
            if move.kind == "pass" and ahead(position, move.seat) and move is not moves[-1]:
                return
    raise AssertionError("nobody has passed while ahead")


def ahead(position: Position, seat: int) -> bool:
    scores = position.seat_scores()
    return scores[seat] > scores[1 - seat]


def test_a_pass_is_refused_while_a_piece_fits(people: tuple[User, ...]) -> None:
    game = at_table(people, "codingame-2", declares_passes=True)
    with pytest.raises(Refused) as refused:
        declare_pass(game)
    assert refused.value.reasons == ("must-place",)


# Again


def test_a_rematch_keeps_board_and_scoring(people: tuple[User, ...]) -> None:
    game = at_table(people, "duo", scoring="basic")
    resign(people[0], game.slug, now=NOON)
    again = open_rematch(people[1], game.slug, now=NOON)
    assert (again.variant, again.scoring) == ("duo", "basic")


def test_a_rematch_draws_the_pieces_anew_for_a_board_of_the_same_size(people: tuple[User, ...]) -> None:
    game = at_table(people, "codingame-2:10:42")
    resign(people[0], game.slug, now=NOON)
    again = open_rematch(people[1], game.slug, now=NOON)
    kind = get_variant(again.variant)
    assert (kind.family, kind.width) == ("codingame-2", 10)
    assert again.variant != game.variant
