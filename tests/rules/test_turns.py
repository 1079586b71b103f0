"""Turns, passes, retirements and the end, asked of positions one by one."""

from collections import deque
from functools import reduce
from itertools import islice
from operator import and_
from random import Random
from typing import Any

import pytest

from games.rules import IllegalPlacement, Position
from games.rules.board import id_at, ids_of, nth_id
from games.rules.errors import UnknownColour, UnknownSeat, UnknownVariant, UnsuitableColours
from games.rules.record import Record
from tests.rules.games import random_game, random_positions
from tests.rules.situations import situation


def first(position: Position) -> Position:
    """Return the position after the first legal placement."""
    return position.play(position.legal_placements()[0])


def test_a_new_game_begins_with_the_first_colour_of_the_order() -> None:
    position = Position.start("blockyou-4")
    assert (position.colour, position.seat, position.move_count, position.history) == ("blue", 0, 0, ())
    assert (position.is_over, position.winners(), position.retired) == (False, (), frozenset())


def test_playing_leaves_the_position_it_came_from_alone() -> None:
    before = Position.start("blockyou-4")
    after = first(before)
    assert (before.board, before.move_count, before.colour) == ("." * 400, 0, "blue")
    assert (after.move_count, after.colour) == (1, "yellow")
    assert after.last_piece("blue") == before.legal_placements()[0].piece
    assert after.last_piece("yellow") is None


def test_a_position_never_passes_by_itself() -> None:
    position = situation("Red is to play, only Yellow can place, and Yellow will be the last").replay()
    assert position.colour == "red"
    assert position.is_blocked("red")
    assert not position.is_over


def test_a_pass_is_refused_while_a_placement_exists_and_after_the_end() -> None:
    with pytest.raises(IllegalPlacement) as caught:
        Position.start("blockyou-4").pass_turn()
    assert caught.value.reasons == ("must-place",)
    assert caught.value.cells == {"must-place": (0,)}
    with pytest.raises(IllegalPlacement) as caught:
        random_game(2).pass_turn()
    assert caught.value.reasons == ("game-over",)


def test_the_end_comes_with_the_last_pass_and_not_before() -> None:
    *others, last = random_positions(4)
    assert last.is_over
    assert (last.colour, last.seat, last.legal_placements(), last.legal_ids()) == (None, None, (), ())
    assert not any(position.is_over for position in others)
    assert [turn.placement for turn in last.history[-4:]] == [None] * 4


def test_three_players_have_the_colours_they_chose_and_the_usual_order() -> None:
    position = Position.start("blockyou-3", colours=("green", "blue", "red"))
    assert position.colours_in_play == ("blue", "red", "green")
    assert [position.seat_of(colour) for colour in ("green", "blue", "red")] == [0, 1, 2]
    assert (position.colour, position.seat) == ("blue", 1)
    assert position.seats == (("green",), ("blue",), ("red",))
    with pytest.raises(UnknownColour):
        position.seat_of("yellow")


def test_three_players_who_choose_nothing_get_the_first_three_colours() -> None:
    assert Position.start("blockyou-3").colours_in_play == ("blue", "yellow", "red")


@pytest.mark.parametrize(
    ("variant", "colours"),
    [
        ("blockyou-3", ("blue", "red")),
        ("blockyou-3", ("blue", "red", "red")),
        ("blockyou-3", ("blue", "red", "purple")),
        ("blockyou-3", ("blue", "red", "green", "yellow")),
        ("blockyou-3", ("blue", "red", ["green"])),
        ("blockyou-3", "blue"),
        ("blockyou-4", ("blue", "red", "green")),
        ("blockyou-2", ()),
    ],
)
def test_colours_that_cannot_be_chosen_are_refused(variant: str, colours: Any) -> None:
    with pytest.raises(UnsuitableColours):
        Position.start(variant, colours)


def test_all_colours_in_their_order_may_be_named_where_none_are_chosen() -> None:
    named = Position.start("blockyou-4", ("blue", "yellow", "red", "green"))
    assert named.seats == Position.start("blockyou-4").seats


@pytest.mark.parametrize("variant", ["blokus", "", None, 4, ["blockyou-4"]])
def test_an_unknown_variant_is_refused(variant: str) -> None:
    with pytest.raises(UnknownVariant):
        Position.start(variant)


@pytest.mark.parametrize("question", ["legal_placements", "is_blocked", "stock", "attach_points", "last_piece"])
def test_an_unknown_colour_is_refused(question: str) -> None:
    with pytest.raises(UnknownColour):
        getattr(Position.start("blockyou-4"), question)("purple")


def test_a_seat_that_retires_in_its_turn_is_followed_by_the_next_colour() -> None:
    position = first(Position.start("blockyou-4"))
    after = position.retire(1)
    assert (after.colour, after.retired, after.board) == ("red", frozenset({1}), position.board)
    assert (after.history[-1].colour, after.history[-1].placement, after.history[-1].seat) == (None, None, 1)
    assert after.legal_placements("yellow") == ()
    assert after.is_blocked("yellow")


def test_a_seat_may_retire_out_of_turn_and_play_goes_on() -> None:
    after = Position.start("blockyou-4").retire(2)
    assert after.colour == "blue"
    assert [first(after).colour, first(first(after)).colour] == ["yellow", "green"]


def test_retired_colours_are_scored_but_cannot_win() -> None:
    position = first(Position.start("blockyou-4")).retire(0)
    while not position.is_over:
        position = first(position) if position.has_legal() else position.pass_turn()
    assert position.scores()["blue"] == position.seat_scores()[0] <= -84
    assert 0 not in position.winners()
    assert set(position.scores()) == {"blue", "yellow", "red", "green"}


def test_with_two_seats_the_other_wins_whatever_the_score() -> None:
    position = first(Position.start("blockyou-2"))
    after = position.retire(0)
    assert (after.is_over, after.winners(), after.colour) == (True, (1,), None)
    assert after.seat_scores()[0] > after.seat_scores()[1]


def test_the_last_of_several_seats_to_stay_has_won() -> None:
    position = Position.start("blockyou-4").retire(3).retire(0)
    assert not position.is_over
    after = position.retire(1)
    assert (after.is_over, after.winners(), after.retired) == (True, (2,), frozenset({0, 1, 3}))


def test_a_retirement_closes_a_chain_in_which_everyone_else_has_passed() -> None:
    position = situation("three colours have just passed and the fourth can place").replay()
    seat = position.seat or 0
    after = position.retire(seat)
    assert after.is_over
    assert seat not in after.winners()


def test_retiring_twice_or_after_the_end_or_from_no_seat_is_refused() -> None:
    position = Position.start("blockyou-4").retire(3)
    for seat, game, reason in ((3, position, "not-your-turn"), (0, random_game(6), "game-over")):
        with pytest.raises(IllegalPlacement) as caught:
            game.retire(seat)
        assert caught.value.reasons == (reason,)
    for nowhere in (-1, 4, 10**5000, None, "0"):
        with pytest.raises(UnknownSeat):
            position.retire(nowhere)  # type: ignore[arg-type]  # what arrives may be anything


def test_a_retirement_is_recorded_as_one_and_never_as_a_pass() -> None:
    position = first(Position.start("blockyou-3", colours=("red", "green", "blue"))).retire(0)
    record = Record.of(position)
    assert record.moves[-1] == "retire:0"
    assert record.colours == ("red", "green", "blue")
    assert record.replay().history == position.history


@pytest.mark.parametrize("variant", ["blockyou-4", "blockyou-3", "blockyou-2"])
def test_turns_passes_and_retirements_follow_a_queue(variant: str) -> None:
    """Compare with a queue of colours: whoever has played goes to its end, whoever retires leaves it."""
    dice = Random(variant)
    for seed in range(12):
        *_, position = islice(random_positions(seed, variant), 30 + seed)
        queue = deque(position.colours_in_play)
        queue.rotate(-queue.index(position.colour or ""))
        silent: set[str] = set()
        while not position.is_over:
            assert position.colour == queue[0]
            assert len({position.seat_of(colour) for colour in queue}) > 1
            assert not set(queue) <= silent
            position = step(position, dice, queue, silent)
        assert set(queue) <= silent or len({position.seat_of(colour) for colour in queue}) == 1
        assert set(position.winners()) <= {position.seat_of(colour) for colour in queue}


def step(position: Position, dice: Random, queue: deque[str], silent: set[str]) -> Position:
    """Return the position after somebody retires, or else the colour to play places or has to pass."""
    if dice.random() < 0.02:
        seat = dice.choice([seat for seat in range(len(position.seats)) if seat not in position.retired])
        for colour in position.seats[seat]:
            queue.remove(colour)
        return position.retire(seat)
    picked = position.pick_legal_id(dice.random())
    if picked is None:
        silent.add(queue[0])
    else:
        silent.clear()
    queue.rotate(-1)
    return position.pass_turn() if picked is None else position.play_id(picked)


def test_a_legal_placement_can_be_had_by_its_rank() -> None:
    for position in list(random_positions(8))[::5]:
        ids = position.legal_ids()
        assert position.legal_count() == len(ids)
        assert tuple(position.nth_legal_id(rank) for rank in range(len(ids))) == ids
        for rank in (-1, len(ids)):
            with pytest.raises(IndexError):
                position.nth_legal_id(rank)


def test_dice_pick_every_legal_placement_alike() -> None:
    for position in list(random_positions(9))[::10]:
        ids = position.legal_ids()
        shares = [(rank + 0.5) / len(ids) for rank in range(len(ids))] or [0.5]
        assert tuple(position.pick_legal_id(share) for share in shares) == (ids or (None,))
    assert random_game(9).pick_legal_id(0.0) is None


@pytest.mark.parametrize("bits", [1, 5, 64, 65, 4_000, 32_131, 2**20])
def test_sets_of_any_size_and_density_are_listed_and_picked_from(bits: int) -> None:
    for dice, thinned in ((Random(seed), seed % 4) for seed in range(8)):
        mask = reduce(and_, (dice.getrandbits(bits) for _ in range(3 * thinned + 1))) | 1 << bits - 1
        ids = ids_of(mask)
        assert sum(1 << number for number in ids[:2_000]) == mask & ((2 << ids[:2_000][-1]) - 1)
        assert len(ids) == mask.bit_count()
        for rank in {0, len(ids) // 3, len(ids) - 1}:
            assert id_at(mask, (rank + 0.5) / len(ids)) == nth_id(mask, rank) == ids[rank]


def test_one_side_of_the_board_has_as_many_answers_as_the_other() -> None:
    position = Position.start("blockyou-4")
    assert position.legal_mask() == position.legal_mask("blue")
    assert [position.legal_count(colour) for colour in position.colours_in_play] == [58] * 4
    assert [placement.id for placement in position.legal_placements()] == list(position.legal_ids())
