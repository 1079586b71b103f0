"""An order is found in which a game places what was set up, where a game can; every turn of it is lawful."""

import random

import pytest

from games.lines.entries import LINES, Line
from games.rules import Position, reaching
from games.rules.reaching import turns_to
from games.rules.record import replay

BOARDS = ("blockyou-2", "blockyou-3", "blockyou-4", "classic-2", "classic-3", "classic-4", "duo", "junior", "trigon-3")


def played(variant: str, seed: int, turns: int = 200) -> Position:
    """Return a position of a game by chance, after so many turns at most; who must pass has passed."""
    rng, position = random.Random(f"{variant}{seed}"), Position.start(variant)
    while not position.is_over and position.move_count < turns:
        legal = position.legal_placements()
        position = position.play(rng.choice(legal)) if legal else position.pass_turn()
    return position


def set_up(position: Position) -> Position:
    """Return a position with the same pieces, colour by colour, and the same colour to play."""
    placed = [(turn.colour, turn.placement) for turn in position.history if turn.colour and turn.placement]
    colours = tuple(own[0] for own in position.seats) if position.variant.choosable_colours else None
    return Position.setup(position.variant, sorted(placed, key=str), position.colour, colours, position.scoring)


def check_comes_to(position: Position, turns: tuple[str, ...]) -> None:
    """Check each turn by the rules, and where they lead."""
    colours = tuple(own[0] for own in position.seats) if position.variant.choosable_colours else None
    there = replay(position.variant, turns, colours, position.scoring)
    assert (there.board, there.colour) == (position.board, position.colour)


@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("turns", [1, 2, 7, 18])
def test_where_no_colour_has_passed_a_game_is_found(variant: str, turns: int) -> None:
    for seed in range(3):
        position = played(variant, seed, turns)
        if any(turn.placement is None for turn in position.history):
            continue
        found = turns_to(set_up(position))
        assert found is not None
        assert len(found) == turns
        check_comes_to(position, found)


@pytest.mark.parametrize("variant", BOARDS)
def test_late_in_a_game_what_is_found_is_lawful(variant: str) -> None:
    found = 0
    for seed in range(6):
        over = played(variant, seed)
        last = max(number for number, turn in enumerate(over.history) if turn.placement)
        position = played(variant, seed, last)
        turns = turns_to(set_up(position))
        if turns is not None:
            check_comes_to(position, turns)
            found += 1
    assert found


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_to_the_pieces_of_one_colour_alone_no_game_leads(line: Line) -> None:
    variant = line.boards[0]
    first, second, *_others = Position.start(variant).colours_in_play
    placed = [(first, text) for text in line.example]
    assert turns_to(Position.setup(variant, placed, second)) is None


def test_nor_to_pieces_that_do_not_touch_or_to_a_colour_whose_turn_it_is_not() -> None:
    apart = [("purple", "1:e10"), ("orange", "1:j5"), ("purple", "2:a1,a2")]
    assert turns_to(Position.setup("duo", apart, "orange")) is None
    assert turns_to(Position.setup("duo", apart[:2], "orange")) is None
    assert turns_to(Position.setup("duo", apart[:2], "purple")) == ("1:e10", "1:j5")
    assert turns_to(Position.setup("duo", [], "orange")) is None


def test_where_too_many_orders_would_have_to_be_tried_none_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    position = set_up(played("duo", 1, 8))
    assert turns_to(position)
    monkeypatch.setattr(reaching, "MOST_ORDERS_TRIED", 8)
    assert turns_to(position) is None
