"""Which named opening a game has followed: lines made by hand, on every board, turned and mirrored."""

from random import Random

import pytest

from games.lines.entries import LINES
from games.lines.matching import followed_lines, line_of_seat
from games.rules import Placement, Position, get_variant
from tests.games.lines.made import BARASONA, WAYS, alone, from_any_start, from_start_of, moved, played

#: The same with W before X: no cell but those of the first piece is the same.
W_BEFORE_X = ["F:a1,b1,b2,c2,b3", "W:d3,e3,c4,d4,c5", "X:e5,d6,e6,f6,e7", "N:g7,f8,g8,f9,f10"]


def names(position: Position) -> dict[str, tuple[str, int]]:
    return {each.colour: (each.line.name, each.pieces) for each in followed_lines(position)}


@pytest.mark.parametrize(
    ("variant", "key"), [(variant, line.key) for line in LINES.values() for variant in line.boards]
)
def test_every_example_is_lawful_and_followed_to_its_end_from_every_start(variant: str, key: str) -> None:
    line, kind = LINES[key], get_variant(variant)
    for colour in Position.start(variant).colours_in_play:
        position = alone(variant, colour, from_start_of(colour, variant, line.example))
        assert names(position) == ({} if colour in kind.shared else {colour: (line.name, line.length)})


@pytest.mark.parametrize("way", WAYS)
def test_an_opening_has_its_name_turned_and_mirrored(way: str) -> None:
    line = [moved("blockyou-4", way, Placement.parse(text)) for text in BARASONA]
    colour = next(c for c, cells in get_variant("blockyou-4").start_cells.items() if set(cells) & set(line[0].cells))
    assert names(alone("blockyou-4", colour, line)) == {colour: ("Barasona", 4)}


def test_two_pieces_of_the_barasona_opening_come_in_either_order() -> None:
    assert set(names(played("classic-4", from_any_start("classic-4", W_BEFORE_X))).values()) == {("Barasona", 4)}


def test_an_opening_has_a_name_from_its_third_piece_on() -> None:
    assert names(played("blockyou-4", from_any_start("blockyou-4", BARASONA[:2]))) == {}
    after_three = names(played("blockyou-4", from_any_start("blockyou-4", BARASONA[:3])))
    assert set(after_three.values()) == {("Barasona", 3)}


def test_what_comes_fourth_decides_between_openings_that_begin_alike() -> None:
    y = [*BARASONA[:3], "Y:h6,g7,h7,h8,h9"]
    assert names(played("blockyou-4", from_any_start("blockyou-4", y)))["blue"] == ("FXWY", 4)


def test_another_piece_ends_the_opening() -> None:
    position = played("blockyou-4", from_any_start("blockyou-4", BARASONA[:3]))
    assert names(position.play("I5:h6,i6,j6,k6,l6"))["blue"] == ("Barasona", 3)


def test_a_piece_that_begins_elsewhere_ends_the_opening() -> None:
    # N touches X alone, though it is nearer to the middle than W.
    line = [*BARASONA[:2], "W:f3,g3,g4,h4,h5", "N:e6,e7,f7,f8,f9"]
    assert set(names(played("blockyou-4", from_any_start("blockyou-4", line))).values()) == {("Barasona", 3)}


def test_a_piece_that_turns_away_from_the_middle_ends_the_opening() -> None:
    placed = from_any_start("blockyou-4", BARASONA[:3])
    placed["blue"][2] = Placement.parse("W:g1,h1,f2,g2,f3")
    assert "blue" not in names(played("blockyou-4", placed))


def test_a_shared_colour_opens_for_no_seat() -> None:
    assert set(names(played("classic-3", from_any_start("classic-3", BARASONA)))) == {"blue", "yellow", "red"}


def test_a_seat_with_two_colours_opens_as_the_one_that_follows_furthest() -> None:
    placed = from_any_start("blockyou-2", BARASONA)
    placed["blue"][3] = Placement.parse("I5:h6,i6,j6,k6,l6")
    position = played("blockyou-2", placed)
    found = followed_lines(position)
    assert [(each.colour, each.pieces) for each in found] == [("blue", 3), ("yellow", 4), ("red", 4), ("green", 4)]
    chosen = line_of_seat(found, position.seats[0])
    assert chosen is not None
    assert (chosen.colour, chosen.pieces) == ("red", 4)


def test_no_opening_has_a_name_on_other_boards() -> None:
    position = Position.start("trigon-4")
    assert followed_lines(position.play(position.legal_placements()[0])) == ()


ORDERS = ["FXWN", "FWXN", "FXWY", "PXWF", "YWXN", "FXNW"]
SQUARE = ["turned twice", "at a diagonal", "at the other diagonal"]


@pytest.mark.parametrize("seed", range(6))
def test_random_games_have_the_same_openings_turned_and_mirrored(seed: int) -> None:
    dice, variant = Random(seed), "classic-4"
    wanted = {colour: dice.choice(ORDERS) for colour in get_variant(variant).colours}
    position = Position.start(variant)
    placed: dict[str, list[Placement]] = {colour: [] for colour in wanted}
    for colour in [*wanted] * 4:
        piece = wanted[colour][len(placed[colour])]
        legal = [each for each in position.legal_placements() if each.piece == piece]
        legal.sort(key=lambda each: min(abs(2 * x - 19) + abs(2 * y - 19) for x, y in each.points))
        choice = dice.choice(legal[: 1 + len(legal) // 4])
        placed[colour].append(choice)
        position = position.play(choice)
    for way in SQUARE:
        lines = {colour: [moved(variant, way, each) for each in own] for colour, own in placed.items()}
        starts = get_variant(variant).start_cells
        become = {
            colour: next(other for other, cells in starts.items() if set(cells) & set(line[0].cells))
            for colour, line in lines.items()
        }
        there = played(variant, {become[colour]: line for colour, line in lines.items()})
        assert names(there) == {become[colour]: found for colour, found in names(position).items()}
