"""`.blksgf`: games as the program Pentobi writes them, in and out."""

import pytest

from games.rules import Position
from games.rules.errors import IllegalRecord, RulesError, UnreadableFile, UnreadableRecord, UnwritableRecord
from games.rules.record import Record
from games.rules.records import GameRecord, VariedTurn, has_blksgf, read, result_text, write_blksgf
from games.rules.records.dialect import GAMES
from games.rules.variants import VARIANTS, get_variant
from tests.rules.games import random_game, random_positions

BACKSLASHES = "back\\slash ]bracket[ (;B[a1])\n\nü 棋 \\] \\\\"


def full(position: Position) -> GameRecord:
    """Return a record of a game in which everything that is kept has something to say."""
    middle = position.move_count // 2
    comments = {0: "Before.", 1: BACKSLASHES, middle: "Half\nway", position.move_count: "At the end."}
    names = [f"player [{seat}]" for seat in range(len(position.seats))]
    details = {
        "title": "A: game",
        "event": "Cup \\",
        "round": "2",
        "date": "2026-11-21",
        "result": result_text(position),
    }
    return GameRecord.of(position, comments=comments, players=names, **details)


@pytest.mark.parametrize("variant", GAMES.values())
@pytest.mark.parametrize("seed", range(5))
def test_writing_and_reading_again_changes_nothing(variant: str, seed: int) -> None:
    game = full(random_game(seed, variant))
    text = write_blksgf(game)
    assert read(text) == read(text.encode()) == game
    assert write_blksgf(read(text)) == text


@pytest.mark.parametrize("variant", ["classic-4", "classic-3", "duo", "trigon-2"])
def test_a_game_that_runs_is_written_and_read_again(variant: str) -> None:
    for position in random_positions(11, variant):
        if position.is_over or position.has_legal():
            game = GameRecord.of(position)
            assert read(write_blksgf(game)) == game


def test_the_scoring_that_was_chosen_is_kept() -> None:
    game = GameRecord.of(Position.start("duo", scoring="basic"))
    assert read(write_blksgf(game)).record.scoring == "basic"
    assert "XS" not in write_blksgf(GameRecord.of(Position.start("duo")))


def test_every_comment_on_a_pass_is_kept() -> None:
    position = random_game(3, "classic-4")
    game = GameRecord.of(position, comments={n: f"Turn {n}" for n in range(position.move_count + 1)})
    assert sum(move == "pass" for move in game.record.moves) > 4
    assert read(write_blksgf(game)) == game


@pytest.mark.parametrize("variant", ["classic-4", "classic-2", "classic-3", "trigon-3", "duo"])
def test_retirements_are_kept_where_they_were(variant: str) -> None:
    for seed, when in ((1, 5), (2, 30), (3, 45), (4, 55)):
        positions = [at for at in random_positions(seed, variant) if not at.is_over and at.seat is not None]
        position = positions[min(when, len(positions) - 1)].retire(seed % 2)
        while not position.is_over:
            legal = position.legal_ids()
            position = position.play_id(legal[0]) if legal else position.pass_turn()
        game = full(position)
        assert read(write_blksgf(game)) == game


def test_passes_are_left_out_and_put_in_again() -> None:
    game = GameRecord.of(random_game(3, "classic-4"))
    assert "XP" not in write_blksgf(game)
    assert read(write_blksgf(game)).record.moves.count("pass") == game.record.moves.count("pass") > 4


def test_a_small_file_looks_like_this() -> None:
    moves = ("L5:e9,e10,f10,g10,h10", "2:j5,k5")
    game = GameRecord(
        Record("duo", moves), comments={0: "Hello", 2: "small"}, players=("Alice", "Bob"), date="2026-11-21"
    )
    assert write_blksgf(game) == (
        "(;GM[Blokus Duo]CA[UTF-8]AP[Block-You]PB[Alice]PW[Bob]DT[2026-11-21]C[Hello]\n"
        ";B[e9,e10,f10,g10,h10]\n"
        ";W[j5,k5]C[small])\n"
    )


THEIRS = """(
;GM[Blokus Duo]CA[UTF-8]AP[Pentobi:26.1]PB[Ann]PW[Ben]DT[2023-05-06]EV[Open]RO[3]TM[20 min]KO[?]
C[Opening \\[1\\]
second line]
(
 ;B[f9,e10,f10,g10,f11]TE[1]
 (
  ;W[i4,h5,i5,j5,i6]C[The main line]
  ;B[g7,g8,h8,i8,h9]
 )
 (
  ;W[j5,k5]C[elsewhere]
 )
)
(
 ;B[e10]
)
)
"""


@pytest.mark.parametrize("text", [THEIRS, THEIRS.replace("\n", "\r\n"), "\ufeff" + THEIRS])
def test_of_a_file_with_variations_all_are_read(text: str) -> None:
    game = read(text.encode())
    assert game.record.moves == ("X:f9,e10,f10,g10,f11", "X:i4,h5,i5,j5,i6", "F:g7,g8,h8,i8,h9")
    assert game.comments == {0: "Opening [1]\nsecond line", 2: "The main line"}
    assert game.varied == (VariedTurn(0, 0, "1:e10"), VariedTurn(0, 1, "2:j5,k5", "elsewhere"))
    assert (game.players, game.date, game.event, game.round) == (("Ann", "Ben"), "2023-05-06", "Open", "3")


def test_capitals_and_any_order_of_cells_are_read() -> None:
    assert read("(;GM[Blokus Duo];B[F11,g10,E10,f10,F9])").record.moves == ("X:f9,e10,f10,g10,f11",)


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("Blokus", ";BLUE[a20];YELLOW[t20];RED[t1];GREEN[a1]"),
        ("Blokus", ";BLUE[a20]C[x];2[t20];3[t1];4[a1]"),
        ("Blokus Three-Player", ";1[a20];2[t20];3[t1];4[a1]"),
        ("Blokus Two-Player", ";1[a20];2[t20];3[t1];GREEN[a1]"),
    ],
)
def test_both_names_of_colours_are_read(game: str, moves: str) -> None:
    found = read(f"(;GM[{game}]{moves})")
    assert found.record.moves == ("1:a20", "1:t20", "1:t1", "1:a1")


def test_two_colours_may_be_called_as_in_older_files() -> None:
    for first, second in (("B", "W"), ("1", "2"), ("BLUE", "GREEN")):
        assert read(f"(;GM[Blokus Duo];{first}[e10];{second}[j5])").record.moves == ("1:e10", "1:j5")


def test_the_cells_of_a_move_may_be_values_of_their_own() -> None:
    assert read("(;GM[Blokus Duo];B[e10][f10,g10])").record.moves == ("I3:e10,f10,g10",)


SETUP = "(;GM[Blokus Duo]AB[e8,e9,f9,d10,e10][g6,f7,g7,h7,g8]AW[i4,h5,i5,j5,i6][j7,j8,j9,k9,j10]PL[W]{})"


def test_a_position_may_be_set_up() -> None:
    game = read(SETUP.format(";W[k11,l11]"))
    assert [colour for colour, _ in game.placed] == ["purple", "purple", "orange", "orange"]
    assert (game.to_play, game.record.moves) == ("orange", ("2:k11,l11",))
    start, after = game.positions()
    assert (start.colour, start.owner(game.variant.cell_index("g7")), after.colour) == ("orange", "purple", "purple")
    assert read(write_blksgf(game)) == game


def test_what_is_set_up_may_be_cleared_and_told_in_several_nodes() -> None:
    game = read(SETUP.format("C[one];AE[g6,f7,g7,h7,g8]C[two];A1[a1]PL[1];B[b2,c2,d2]C[go]"))
    assert game.placed[1] == ("purple", "1:a1")
    assert (len(game.placed), game.to_play) == (4, None)
    assert game.comments == {0: "one\n\ntwo", 1: "go"}


def test_only_who_plays_may_be_told_before_the_first_move() -> None:
    game = read("(;GM[Blokus]PL[3];3[t1])")
    assert (game.placed, game.to_play, game.record.moves) == ((), "red", ("1:t1",))
    assert read(write_blksgf(game)) == game
    assert read("(;GM[Blokus]PL[1];1[a20])").to_play is None


def test_a_position_set_up_in_the_middle_of_a_game_plays_on_to_the_same_end() -> None:
    at = list(random_positions(5, "trigon-3"))[20]
    placed = tuple((turn.colour or "", str(turn.placement)) for turn in at.history)
    game = GameRecord(Record("trigon-3", ()), placed, at.colour)
    assert game.start().board == at.board
    assert read(write_blksgf(game)) == game


def test_the_passes_of_a_finished_game_are_told_at_its_end() -> None:
    *_, last = read(write_blksgf(GameRecord.of(random_game(8, "junior")))).positions()
    assert last.is_over


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("(;C[x])", (1, 2), "the property GM with one of Blokus, Blokus Two-Player"),
        ("(;GM[])", (1, 6), "one of Blokus, Blokus Two-Player"),
        ("(;GM[1])", (1, 6), "one of Blokus, Blokus Two-Player"),
        ("(;GM[Nexos])", (1, 6), "one of Blokus, "),
        ("(;GM[Blokus]\n;1[a20];C[a][b])", (2, 14), "only one value of C"),
        ("(;GM[Blokus];1[])", (1, 16), "cells such as a1,b1,a2, without spaces"),
        ("(;GM[Blokus];1[a20, b20])", (1, 19), "cells such as"),
        ("(;GM[Blokus];1[1:a20])", (1, 16), "cells such as"),
        ("(;GM[Blokus];1[a20,a20])", (1, 20), "each cell once, but a20 is given twice"),
        ("(;GM[Blokus];1[a20]\n2[t20])", (2, 3), "only one turn in a node"),
        ("(;GM[Blokus];1[a20]\n;A2[t20])", (2, 1), "no set-up after the first turn"),
        ("(;GM[Blokus]PL[5])", (1, 16), "one of B, W, 1, 2, 3, 4"),
        ("(;GM[Blokus Duo]PL[3])", (1, 20), "one of B, W, 1, 2"),
        ("(;GM[Blokus]PL[1][2])", (1, 19), "only one value of PL"),
        ("(;GM[Blokus Duo]AW" + 43 * "[a1]" + ")", (1, 188), "no more pieces than there are"),
        ("(;GM[Blokus]AE[a1])", (1, 16), "the cells of a piece that lies there"),
        ("(;GM[Blokus]A1[a1][b1]AE[a1][a1])", (1, 30), "the cells of a piece that lies there"),
        (
            "(;GM[Blokus]" + 501 * ";A1[a1]AE[a1]" + ")",
            (1, 6517),
            "no more than 1000 placements to be set up and cleared",
        ),
        ("(;GM[Blokus]XS[high])", (1, 16), "one of penalty, basic, coverage"),
        ("(;GM[Blokus];XR[B])", (1, 17), "one of 1, 2, 3, 4"),
        ("(;GM[Blokus Two-Player];XR[3])", (1, 28), "one of B, W"),
        ("(;GM[Blokus];XP[B])", (1, 17), "one of 1, 2, 3, 4"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, place: tuple[int, int], expected: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(text)
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.expected.startswith(expected)


@pytest.mark.parametrize(
    ("text", "number", "where", "reasons"),
    [
        ("(;GM[Blokus];1[b2])", 1, "Line 1, column 16", ("start-cell",)),
        ("(;GM[Blokus];1[a20];1[b19])", 2, "Line 1, column 23", ("must-place",)),
        ("(;GM[Blokus];1[a20]\n;2[a20])", 2, "Line 2, column 4", ("overlap", "start-cell")),
        ("(;GM[Blokus];1[a20,b19])", 1, "Line 1, column 16", ("unknown-piece",)),
        ("(;GM[Blokus];1[a21,a20])", 1, "Line 1, column 16", ("off-board",)),
        ("(;GM[Blokus];XP[1])", 1, "Line 1, column 17", ("must-place",)),
        ("(;GM[Blokus Duo];XR[B];W[j5])", 2, "Line 1, column 26", ("game-over",)),
        ("(;GM[Blokus]\nA1[a1][b1])", 0, "Line 2, column 8", ("already-placed",)),
        ("(;GM[Blokus]A1[a1]A2[a1,a2])", 0, "Line 1, column 22", ("overlap",)),
        ("(;GM[Blokus]A2[a1,a2]A1[a3]\n;A1[a1,b1])", 0, "Line 1, column 16", ("overlap",)),
        ("(;GM[Blokus]A1[a1]A4[a1]AE[a1]A1[a1,c1])", 0, "Line 1, column 34", ("unknown-piece",)),
        ("(;GM[Blokus]A1[z1])", 0, "Line 1, column 16", ("off-board",)),
    ],
)
def test_what_the_rules_refuse_is_told_with_its_place(
    text: str, number: int, where: str, reasons: tuple[str, ...]
) -> None:
    with pytest.raises(IllegalRecord) as caught:
        read(text)
    error = caught.value
    assert (error.number, error.where) == (number, where)
    assert set(reasons) <= set(error.reasons)
    assert number or set(reasons) == set(error.reasons)
    assert str(error).startswith(f"{where}: {f'turn {number}' if number else 'what is set up'} breaks the rules. ")


@pytest.mark.parametrize("variant", sorted(set(VARIANTS) - set(GAMES.values())))
def test_a_game_that_the_dialect_has_not_is_refused(variant: str) -> None:
    assert not has_blksgf(get_variant(variant))
    with pytest.raises(UnwritableRecord, match=f"No game of .blksgf is played like {variant}. Write it as JSON."):
        write_blksgf(GameRecord.of(Position.start(variant)))


def test_a_game_that_breaks_the_rules_is_not_written() -> None:
    assert has_blksgf(get_variant("duo"))
    with pytest.raises(RulesError):
        write_blksgf(GameRecord(Record("duo", ("1:a1",))))


def test_what_is_neither_format_is_refused() -> None:
    for data in (b"", "  ", "GIF89a", b"PK\x03\x04"):
        with pytest.raises(UnreadableRecord, match="not a game record"):
            read(data)


def test_the_name_of_the_file_is_the_title_of_a_game_without() -> None:
    assert read("(;GM[Blokus])", "my game.blksgf").title == "my game"
    assert read("(;GM[Blokus])", "x" * 300).title == "x" * 100
    assert read("(;GM[Blokus]GN[known])", "other.blksgf").title == "known"
