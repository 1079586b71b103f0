"""Keys of positions: equal where play can only go on alike, and the same in every process."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games.rules import VARIANTS, Position
from tests.rules.games import random_game, random_positions

ROOT = Path(__file__).parents[3]

#: Keys that programs may have stored.
KNOWN = {
    ("blockyou-4", ()): 0x77E47ADF0BAD0A1B,
    ("duo", ("1:e10", "1:j5")): 0xB28C0A9471E54553,
    ("trigon-3", ("1:p14",)): 0xC037C32EB5275F09,
}


def played(variant: str, moves: tuple[str, ...]) -> Position:
    position = Position.start(variant)
    for move in moves:
        position = position.play(move)
    return position


@pytest.mark.parametrize(("variant", "moves"), KNOWN)
def test_keys_are_the_same_for_ever(variant: str, moves: tuple[str, ...]) -> None:
    assert played(variant, moves).key == KNOWN[variant, moves]


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_keys_are_the_same_in_every_process(seed: str) -> None:
    code = "from games.rules import Position; print(Position.start('duo').play('1:e10').play('1:j5').key)"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(ran.stdout) == KNOWN["duo", ("1:e10", "1:j5")]


def test_a_key_kept_up_move_by_move_is_that_of_the_position_asked_at_once() -> None:
    for variant in ("blockyou-4", "junior", "classic-3", "codingame-3"):
        kept = Position.start(variant)
        assert kept.key < 2**64
        for turn, fresh in zip(random_game(6, variant).history, list(random_positions(6, variant))[1:], strict=True):
            kept = kept.play(turn.placement) if turn.placement else kept.pass_turn()
            assert kept.key == fresh.key


def test_another_order_of_the_same_placements_has_the_same_key() -> None:
    moves = ("1:a1", "1:t1", "1:a20", "1:t20"), ("2:b2,c2", "2:s2,r2", "2:b19,c19", "2:s19,r19")
    one = played("blockyou-4", (*moves[0], *moves[1]))
    laid = [(turn.colour or "", turn.placement) for turn in one.history if turn.placement]
    keys = {Position.setup("blockyou-4", Random(seed).sample(laid, 8)).key for seed in range(20)}
    assert keys == {one.key}


def test_positions_that_go_on_differently_have_different_keys() -> None:
    positions = [
        *(position for seed in range(4) for position in random_positions(seed)),
        *(Position.start(variant) for variant in VARIANTS if variant != "blockyou-4"),
        *(Position.start("blockyou-4", scoring=way) for way in ("basic", "coverage")),
        *(Position.setup("blockyou-4", (), colour) for colour in ("yellow", "red", "green")),
        *(Position.start("blockyou-4").retire(seat) for seat in (0, 1, 3)),
        Position.start("blockyou-4").retire(0).retire(1),
        Position.start("blockyou-3", colours=("red", "blue", "green")),
        Position.start("blockyou-3", colours=("blue", "red", "green")),
    ]
    assert len({position.key for position in positions}) == len(set(positions)) > 280


def test_the_same_piece_set_up_twice_counts_twice() -> None:
    once, twice = ([("green", "1:a1")] * times for times in (1, 2))
    keys = {Position.setup("junior", laid, "green").key for laid in ([], once, twice)}
    assert len(keys) == 3


def test_a_monomino_placed_last_of_all_has_a_key_of_its_own() -> None:
    """Where the order of the same placements does count, for it makes a bonus."""
    game = next(
        game
        for game in (random_game(seed, "codingame-4") for seed in range(400))
        if not all(game.stock(c) for c in game.colours_in_play)
    )
    colour = next(colour for colour in game.colours_in_play if not game.stock(colour))
    laid = [(turn.colour or "", turn.placement) for turn in game.history if turn.placement]
    own = sorted((entry for entry in laid if entry[0] == colour), key=lambda entry: len(entry[1].cells))
    first, last = (Position.setup("codingame-4", order) for order in (own, own[::-1]))
    assert (first.board, last.last_piece(colour)) == (last.board, "1")
    assert first.key != last.key
    assert last.key == Position.setup("codingame-4", [*own[1:], own[0]]).key
