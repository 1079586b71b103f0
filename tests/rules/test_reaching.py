"""An order is found in which a game places what was set up, where a game can; every turn of it is lawful."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from games.lines.entries import LINES, Line
from games.rules import VARIANTS, Position, Variant, get_variant, reaching
from games.rules.reaching import CutShortError, turns_to
from games.rules.record import replay

BOARDS = ("blockyou-2", "blockyou-3", "blockyou-4", "classic-2", "classic-3", "classic-4", "duo", "junior", "trigon-3")


def played(variant: str | Variant, seed: int, turns: int = 200) -> Position:
    """Return a position of a game by chance, after so many turns at most; who must pass has passed."""
    rng, position = random.Random(f"{get_variant(variant).id}{seed}"), Position.start(variant)
    while not position.is_over and position.move_count < turns:
        legal = position.legal_placements()
        position = position.play(rng.choice(legal)) if legal else position.pass_turn()
    return position


def stopped(over: Position, turns: int) -> Position:
    """Return where a game stood after so many turns, or before the last turn that placed something."""
    last = max(number for number, turn in enumerate(over.history) if turn.placement)
    position = Position.start(over.variant)
    for turn in over.history[: min(turns, last)]:
        position = position.play(turn.placement) if turn.placement else position.pass_turn()
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


@pytest.mark.parametrize("variant", VARIANTS)
def test_fifty_positions_of_games_by_chance_are_all_reached_again(variant: str) -> None:
    rng = random.Random(variant)
    for seed in range(50):
        over = played(variant, seed)
        # Every other one is the last in which something is placed.
        position = stopped(over, 200 if seed % 2 else rng.randrange(1, over.move_count))
        found = turns_to(set_up(position))
        assert found is not None, seed
        check_comes_to(position, found)


def changed(position: Position, rng: random.Random) -> Position:
    """Return a position with one piece fewer, or with another colour to play, or with neither changed."""
    placed = [(turn.colour, turn.placement) for turn in position.history if turn.colour and turn.placement]
    if rng.random() < 0.5:
        placed.pop(rng.randrange(len(placed)))
    to_play = rng.choice(position.colours_in_play)
    return Position.setup(position.variant, placed, to_play, None, position.scoring)


def is_reached(target: Position) -> bool:
    """Return whether a game comes there, by every turn of every game that places nothing else."""
    wanted = {(turn.colour, str(turn.placement)) for turn in target.history}
    ends, seen = [Position.start(target.variant, None, target.scoring)], set[int]()
    while ends:
        position = ends.pop()
        if position.key in seen:
            continue
        seen.add(position.key)
        if position.board == target.board and position.colour == target.colour:
            return True
        ends.extend(onward(position, wanted))
    return False


def onward(position: Position, wanted: set[tuple[str | None, str]]) -> Iterator[Position]:
    """Yield the positions after each turn that places what is wanted, or after the pass that has to be."""
    legal = position.legal_placements()
    if not legal and position.colour:
        yield position.pass_turn()
    yield from (position.play(each) for each in legal if (position.colour, str(each)) in wanted)


@pytest.mark.parametrize("ends_by_trailing_pass", [True, False])
@pytest.mark.parametrize("small", ["codingame-2:7:1", "codingame-2:8:2", "codingame-3:9:3", "codingame-4:8:5"])
def test_an_order_is_found_exactly_where_one_of_all_orders_leads_there(small: str, ends_by_trailing_pass: bool) -> None:
    variant, rng = replace(get_variant(small), ends_by_trailing_pass=ends_by_trailing_pass), random.Random(small)
    told = set[tuple[bool, bool]]()
    for seed in range(100):
        over = played(variant, seed)
        target = changed(stopped(over, rng.randrange(2, over.move_count)), rng)
        found = turns_to(target)
        assert (found is not None) is is_reached(target), seed
        if found is not None:
            check_comes_to(target, found)
        told.add((found is not None, "pass" in (found or ())))
    assert told >= {(True, False), (False, False)}
    assert ends_by_trailing_pass or (True, True) in told


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


def test_where_too_many_orders_would_have_to_be_tried_it_is_not_said_that_there_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = set_up(played("duo", 2, 28))
    assert turns_to(position)
    monkeypatch.setattr(reaching, "MOST_STEPS", 3)
    with pytest.raises(CutShortError):
        turns_to(position)
    # Where none has passed, nothing has to be tried.
    assert turns_to(set_up(played("duo", 1, 8)))
