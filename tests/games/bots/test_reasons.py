"""What is said for a placement, checked against the rules by hand and on random positions."""

import random

import pytest
from django.utils import translation

from games.bots.reasons import ReasonFinder, decisive, effects_of, features_of
from games.findings import FREES, HAMPERS, KEEPS, NEARS, OPENS, SIZE, SPARES, TAKES, Merit
from games.rules import Placement, Position
from games.words.reasons import reasons_text

VARIANTS = ("blockyou-2", "blockyou-4", "classic-3", "duo", "trigon-3", "junior")


def some_position(variant: str, rng: random.Random, turns: int) -> Position:
    position = Position.start(variant)
    for _ in range(turns):
        chosen = position.pick_legal_id(rng.random())
        position = position.pass_turn() if chosen is None else position.play_id(chosen)
        if position.is_over:
            break
    return position


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_effects_are_what_the_rules_say_before_and_after(variant: str, rng: random.Random) -> None:
    for turns in range(2, 26, 3):
        position = some_position(variant, rng, turns)
        if not position.has_legal():
            continue
        placement = position.placement(position.pick_legal_id(rng.random()) or 0)
        effects, after, colour = effects_of(position, placement), position.play(placement), position.colour or ""
        mine, then = set(position.attach_points(colour)), set(after.attach_points(colour))
        assert effects.opened == len(then - mine)
        assert effects.lost == len([cell for cell in mine - then if cell not in placement.cells])
        for other, count in effects.taken.items():
            assert count == len(set(position.attach_points(other)) - set(after.attach_points(other)))
        assert effects.after == {each: after.legal_count(each) for each in position.colours_in_play}


def test_the_first_piece_takes_nothing_and_opens_its_corners() -> None:
    position = Position.start("duo")
    # It covers the start cell e10.
    effects = effects_of(position, Placement.parse("I5:e6,e7,e8,e9,e10", "duo"))
    assert (effects.size, effects.opened, effects.lost, effects.taken) == (5, 4, 0, {"orange": 0})


def test_corners_towards_the_middle_are_told_from_those_behind() -> None:
    position = Position.setup("duo", [("purple", Placement.parse("1:e5", "duo"))], "purple")
    # Of 14 x 14 cells f6 was the nearest to the middle that purple could go on from; of e7, h5 and h7 one is nearer.
    forwards, backwards = (Placement.parse(text, "duo") for text in ("2:f6,g6", "2:d4,c4"))
    effects = [effects_of(position, placement) for placement in (forwards, backwards)]
    assert [(one.opened, one.nearer) for one in effects] == [(3, 1), (3, 0)]
    told = [feature.reason for feature in features_of(effects[0]) if feature.is_told]
    assert Merit(NEARS, "", 1) in told


def test_a_corner_of_another_colour_that_is_covered_is_taken() -> None:
    purple, orange = Placement.parse("1:e5", "duo"), Placement.parse("1:f7", "duo")
    position = Position.setup("duo", [("purple", purple), ("orange", orange)], "purple")
    # Orange goes on from e6, g6, e8 and g8; e6 lies beside purple's own e5.
    over = Placement.parse("2:f6,g6", "duo")
    assert effects_of(position, over).taken == {"orange": 1}


def test_ones_second_colour_is_nobody_to_take_from() -> None:
    position = some_position("blockyou-2", random.Random(2), 8)
    effects = effects_of(position, position.legal_placements()[0])
    mine = position.seats[position.seat or 0]
    assert set(effects.own) | {effects.colour} == set(mine)
    assert not set(effects.others) & set(mine)


def test_what_stands_out_among_the_others_is_told() -> None:
    position = some_position("blockyou-4", random.Random(4), 12)
    finder = ReasonFinder(position)
    some = finder.some_others()
    for placement in some:
        reasons = finder.reasons_for(placement, some)
        kinds = {
            (feature.reason.effect, feature.reason.colour) for feature in features_of(finder.effects_of(placement))
        }
        assert 1 <= len(reasons) <= 2
        assert {(reason.effect, reason.colour) for reason in reasons} <= kinds


def test_without_rivals_the_weightiest_is_told_first() -> None:
    position = some_position("duo", random.Random(1), 6)
    features = features_of(effects_of(position, position.legal_placements()[0]))
    first = decisive(features, [])[0]
    assert first in [feature.reason for feature in features if feature.is_told]


@pytest.mark.parametrize(
    ("reasons", "sentence"),
    [
        (
            [Merit(TAKES, "red", 2), Merit(OPENS, "", 3)],
            "Takes 2 of Red's corners and opens 3 new corners for you.",
        ),
        (
            [Merit(TAKES, "blue", 1), Merit(SIZE, "", 1)],
            "Takes 1 of Blue's corners and places 1 cell.",
        ),
        (
            [Merit(HAMPERS, "green", 1), Merit(KEEPS, "", 0)],
            "Blocks 1 of Green's moves and closes none of your corners.",
        ),
        (
            [Merit(TAKES, "blue", 1), Merit(HAMPERS, "blue", 148)],
            "Blocks 148 of Blue's moves and one of its corners.",
        ),
        (
            [Merit(HAMPERS, "blue", 148), Merit(TAKES, "red", 2)],
            "Blocks 148 of Blue's moves and takes 2 of Red's corners.",
        ),
        ([Merit(NEARS, "", 1)], "Opens 1 corner closer to the middle than any you had."),
        ([Merit(FREES, "", 12)], "Gives you 12 more moves."),
        ([Merit(SPARES, "yellow", 5)], "Leaves your Yellow 5 moves."),
        ([], ""),
    ],
)
def test_reasons_are_told_in_one_sentence(reasons: list[Merit], sentence: str) -> None:
    with translation.override("en"):
        assert reasons_text(reasons, is_yours=True) == sentence


@pytest.mark.parametrize(
    ("reasons", "sentence"),
    [
        (
            [Merit(TAKES, "red", 2), Merit(OPENS, "", 3)],
            "Prend 2 coins à Rouge et vous ouvre 3 coins.",
        ),
        ([Merit(TAKES, "blue", 1), Merit(SIZE, "", 1)], "Prend 1 coin à Bleu et pose 1 case."),
        (
            [Merit(HAMPERS, "green", 0), Merit(FREES, "", 1)],
            "Enlève 0 coup à Vert et vous donne 1 coup de plus.",
        ),
    ],
)
def test_and_in_french_with_its_own_plurals(reasons: list[Merit], sentence: str) -> None:
    with translation.override("fr"):
        assert reasons_text(reasons, is_yours=True) == sentence


def test_of_somebody_else_nothing_is_said_to_you() -> None:
    kinds = (SIZE, OPENS, NEARS, TAKES, HAMPERS, FREES, KEEPS, SPARES)
    with translation.override("en"):
        for kind in kinds:
            assert "you" not in reasons_text([Merit(kind, "red", 3)], is_yours=False).lower()


def test_a_placement_is_called_better_only_for_what_it_does_better() -> None:
    position = some_position("blockyou-4", random.Random(8), 16)
    finder, some = ReasonFinder(position), ReasonFinder(position).some_others()
    for placement, other in zip(some, reversed(some), strict=True):
        mine, theirs = ({f.key: f for f in features_of(finder.effects_of(one))} for one in (placement, other))
        told = finder.advantages_of(placement, other)
        assert all(
            mine[reason.effect, reason.colour].weight > theirs[reason.effect, reason.colour].weight for reason in told
        )
        assert set(told) == set() or placement != other
    assert finder.advantages_of(some[0], some[0]) == ()
