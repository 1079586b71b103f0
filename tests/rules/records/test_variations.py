"""Variations are read and written whole, in both formats, and whatever is wrong with one is said with its place."""

import json
from random import Random

import pytest

from games.rules import Position
from games.rules.errors import IllegalRecord, RulesError, UnreadableRecord
from games.rules.record import Record, format_turn, play_text
from games.rules.records import GameRecord, VariedTurn, change_texts, read, write_blksgf, write_json
from games.rules.records.comments import LONGEST_COMMENT
from games.rules.records.variations import MOST_VARIED, VariationPlace, VariationTree, ends_of
from games.rules.variants import get_variant

#: Boards of all kinds, where colours pass and where several are one player's.
BOARDS = ("duo", "junior", "classic-2", "classic-3", "classic-4", "trigon-3")

SGF = "(;GM[Blokus Duo]\n;B[e10]\n(;W[j5]\n;B[f9,g9])\n(;W[j5,k5]C[Longer])\n(;W[j5,j6]))\n"


def next_turn(dice: Random, position: Position) -> str:
    if dice.random() < 0.02:
        return f"retire:{dice.choice([seat for seat in range(len(position.seats)) if seat not in position.retired])}"
    if not position.has_legal():
        return "pass"
    large = position.legal_placements()
    return str(large[dice.randrange(len(large) // 8 + 1)])


def any_tree(dice: Random, variant: str) -> GameRecord:
    """Return a game played by chance, to its end or not, with variations that branch off from it and each other."""
    stages = [Position.start(variant)]
    for _ in range(dice.choice([0, 2, 30, 1000])):
        if stages[-1].is_over:
            break
        stages.append(play_text(stages[-1], next_turn(dice, stages[-1])))
    moves = tuple(map(format_turn, stages[-1].history))
    places: list[tuple[int, int, Position]] = [(0, after, stage) for after, stage in enumerate(stages)]
    varied: list[VariedTurn] = []
    for _ in range(dice.choice([1, 4, 40])):
        parent, after, position = dice.choice(places)
        for _ in range(dice.choice([1, 2, 9])):
            if position.is_over:
                break
            turn = next_turn(dice, position)
            known = [one.turn for one in varied if (one.parent, one.after) == (parent, after)]
            if turn in known or (not parent and after < len(moves) and moves[after] == turn):
                break
            comment = dice.choice(["", "", "a]\\b", "two\nlines"])
            varied.append(VariedTurn(parent, after, turn, comment, dice.choice(["", "", "a]\\b: way"])))
            parent, position = len(varied), play_text(position, turn)
            places.append((parent, after, position))
    # A game that is written in .blksgf has passed wherever it had to.
    while not stages[-1].is_over and not stages[-1].has_legal():
        stages.append(stages[-1].pass_turn())
    ended = tuple(map(format_turn, stages[-1].history))
    return GameRecord(Record(variant, ended, scoring=stages[0].scoring), varied=tuple(_apart(varied, ended)))


def _apart(varied: list[VariedTurn], moves: tuple[str, ...]) -> list[VariedTurn]:
    """Return the varied turns without those that the game has made too, as it passed at its end."""
    gone: set[int] = set()
    kept: list[VariedTurn] = []
    numbers: dict[int, int] = {0: 0}
    for number, one in enumerate(varied, 1):
        is_made = not one.parent and one.after < len(moves) and moves[one.after] == one.turn
        if is_made or one.parent in gone:
            gone.add(number)
            continue
        kept.append(one._replace(parent=numbers[one.parent]))
        numbers[number] = len(kept)
    return kept


@pytest.mark.parametrize("variant", BOARDS)
@pytest.mark.parametrize("seed", range(12))
def test_every_tree_comes_back_as_it_was_written(variant: str, seed: int) -> None:
    game = any_tree(Random(f"{variant}{seed}"), variant)
    assert read(write_json(game)) == game
    assert read(write_blksgf(game)) == game
    assert write_blksgf(read(write_blksgf(game))) == write_blksgf(game)


def test_the_generated_trees_have_what_is_to_be_proved() -> None:
    games = [any_tree(Random(f"{variant}{seed}"), variant) for variant in BOARDS for seed in range(12)]
    varied = [one for game in games for one in game.varied]
    assert any(one.turn == "pass" for one in varied)
    assert any(one.turn.startswith("retire") for one in varied)
    assert any(one.after == len(game.record.moves) for game in games for one in game.varied)
    assert max(len([*ends_of(game.varied)]) for game in games) > 10
    assert any(one.comment for one in varied)


def test_a_file_with_two_variations_keeps_both_and_is_written_again_as_it_was() -> None:
    game = read(SGF.replace("(;GM[Blokus Duo]", "(;GM[Blokus Duo]CA[UTF-8]AP[Block-You]"))
    assert game.record.moves == ("1:e10", "1:j5", "2:f9,g9")
    assert game.varied == (VariedTurn(0, 1, "2:j5,k5", "Longer"), VariedTurn(0, 1, "2:j5,j6"))
    assert [game.line(number) for number in (0, 1, 2)] == [
        ("1:e10", "1:j5", "2:f9,g9"),
        ("1:e10", "2:j5,k5"),
        ("1:e10", "2:j5,j6"),
    ]
    assert read(write_blksgf(game)) == game
    assert json.loads(write_json(game))["variations"] == [
        {"after": 1, "move": "2:j5,k5", "comment": "Longer"},
        {"after": 1, "move": "2:j5,j6"},
    ]
    assert "variations" not in json.loads(write_json(read("(;GM[Blokus Duo];B[e10])")))


def test_what_is_said_twice_is_kept_once() -> None:
    twice = "(;GM[Blokus Duo];B[e10](;W[j5])(;W[j5](;B[f9,g9])(;B[f11,g11]))(;W[j5];B[f9,g9]))"
    game = read(twice)
    assert (game.record.moves, [one.turn for one in game.varied]) == (("1:e10", "1:j5"), ["2:f9,g9", "2:f11,g11"])
    assert {one.after for one in game.varied} == {2}


def test_a_variation_that_breaks_the_rules_is_refused_with_its_place() -> None:
    with pytest.raises(IllegalRecord, match="Line 1, column 36: turn 2 breaks the rules"):
        read("(;GM[Blokus Duo];B[e10](;W[j5])(;W[a1]))")
    data = json.loads(write_json(read("(;GM[Blokus Duo];B[e10];W[j5])")))
    for entry, said in [
        ({"after": 1, "move": "a1"}, r"variations\[0\]"),
        ({"after": 1, "move": "nothing"}, r"variations\[0\]"),
        ({"follows": 1, "move": "a1"}, "whole number from 0 to 0"),
        ({"after": 9, "move": "a1"}, "whole number from 0 to 2"),
        ("a1", r"variations\[0\]"),
    ]:
        with pytest.raises(RulesError, match=said):
            read(json.dumps({**data, "variations": [entry]}))


def test_what_is_hostile_is_refused_with_a_sentence() -> None:
    deep = "(;GM[Blokus Duo];B[e10]" + "(;W[j5])(;W[j5,k5]" * 4_000 + ")" * 4_000 + ")"
    with pytest.raises(RulesError):
        read(deep)
    nested = "(;GM[Blokus Duo];B[e10]" + "(;" * 9_000 + ")" * 9_000 + ")"
    assert read(nested).varied == ()
    again = "(;GM[Blokus Duo];B[e10];W[j5]" + "(;B[f9,g9])" * (MOST_VARIED + 2) + ")"
    with pytest.raises(UnreadableRecord, match="more than 2000 moves in total"):
        read(again)
    data = json.loads(write_json(read("(;GM[Blokus Duo];B[e10];W[j5])")))
    many = [{"after": 2, "move": "f9,g9"}] * (MOST_VARIED + 1)
    with pytest.raises(UnreadableRecord, match="more than 2000 moves in total"):
        read(json.dumps({**data, "variations": many}))
    with pytest.raises(UnreadableRecord):
        GameRecord(Record("duo", ()), varied=(VariedTurn(1, 0, "1:e10"),))


def test_a_variation_that_sets_something_up_is_left_out() -> None:
    game = read("(;GM[Blokus Duo];B[e10](;W[j5])(;AB[a1];B[f9,g9])(;W[j5,k5]))")
    assert [one.turn for one in game.varied] == ["2:j5,k5"]


def test_names_are_taken_out_of_variations_too() -> None:
    game = GameRecord(Record("duo", ("1:e10",)), varied=(VariedTurn(0, 1, "1:j5", "Ann was here", "Ann's way"),))
    changed = read(change_texts(write_json(game), lambda text: text.replace("Ann", "A player")))
    assert (changed.varied[0].comment, changed.varied[0].name) == ("A player was here", "A player's way")
    assert read(change_texts(write_json(game), lambda text: "")).varied[0] == VariedTurn(0, 1, "1:j5")


def test_a_name_is_one_line_and_one_of_another_program_is_cut_where_it_is_longer() -> None:
    with pytest.raises(UnreadableRecord, match="The name of a variation is longer than 100 characters"):
        GameRecord(Record("duo", ()), varied=(VariedTurn(0, 0, "1:e10", name="n" * 101),))
    game = read(f"(;GM[Blokus Duo];B[e10](;W[j5])(;W[j5,k5]N[two\nlines {'n' * 200}]))")
    assert game.varied[0].name == f"two lines {'n' * 90}"


def test_every_board_of_the_dialect_is_generated_from_a_name_it_has() -> None:
    assert all(get_variant(variant).id == variant for variant in BOARDS)


def test_what_is_written_to_one_turn_is_joined_once_and_refused_before_it_is_all_gathered() -> None:
    tree = VariationTree(())
    there = tree.follow(VariationPlace(0, 0), "e10")
    for text in ("One", "", "  two\n", "three"):
        tree.write(there.number, text)
    assert tree.turns() == (VariedTurn(0, 0, "e10", "One\n\n  two\n\n\nthree"),)
    with pytest.raises(UnreadableRecord, match="move 1 of the variations is longer"):
        tree.write(there.number, "x" * LONGEST_COMMENT)
