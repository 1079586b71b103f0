"""Games as plain data, and boards as drawings."""

import json
from typing import Any

import pytest

from games.rules import IllegalPlacement, Placement, Position, UnreadablePlacement
from games.rules.errors import UnknownSeat, UnreadableRecord
from games.rules.record import Record, play_text, positions, replay
from games.rules.text import ascii_board, read_board
from tests.rules.games import random_game

MOVES = ["V3:a1,b1,a2", "1:t1", "2:a19,a20", "O:s19,t19,s20,t20"]


def test_a_record_is_plain_data_for_json() -> None:
    record = Record.of(replay("blockyou-4", MOVES))
    assert record.to_json() == {"variant": "blockyou-4", "colours": None, "scoring": "penalty", "moves": MOVES}
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_the_colours_chosen_by_three_are_recorded_by_seat() -> None:
    record = Record.of(Position.start("blockyou-3", colours=("red", "blue", "green")))
    assert record.to_json()["colours"] == ["red", "blue", "green"]
    assert Record.from_json(record.to_json()).replay().seats == (("red",), ("blue",), ("green",))


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"variant": 4, "moves": []},
        {"variant": "blockyou-4"},
        {"variant": "blockyou-4", "moves": "1:a1"},
        {"variant": "blockyou-4", "moves": [1]},
        {"variant": "blockyou-4", "moves": [], "colours": "blue"},
        {"variant": "blockyou-4", "moves": [], "colours": [None]},
        {"variant": "blockyou-4", "moves": [], "scoring": 3},
    ],
)
def test_what_has_not_the_form_of_a_record_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(UnreadableRecord):
        Record.from_json(data)


def test_a_replay_passes_through_every_position() -> None:
    seen = list(positions("blockyou-4", MOVES))
    assert [position.move_count for position in seen] == [0, 1, 2, 3, 4]
    assert [position.board for position in seen] == [at.board for at in Record("blockyou-4", tuple(MOVES)).positions()]
    assert [position.colour for position in seen] == ["blue", "yellow", "red", "green", "blue"]


def test_moves_may_be_written_as_people_write_them() -> None:
    free = replay("blockyou-4", ["a2,a1,b1", "1 T1", "2 a19,a20", "O s19,t19,s20,t20"])
    assert Record.of(free).moves == tuple(MOVES)


@pytest.mark.parametrize(
    ("move", "error"),
    [
        ("1:j10", IllegalPlacement),
        ("pass", IllegalPlacement),
        ("hello", UnreadablePlacement),
        ("retire:4", UnknownSeat),
        ("retire:", UnreadableRecord),
        ("retire:10", UnreadableRecord),
        ("retire:²", UnreadableRecord),
    ],
)
def test_a_checked_replay_stops_at_the_first_move_that_is_none(move: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        replay("blockyou-4", [*MOVES, move])


def test_a_trusted_replay_comes_to_the_same_position() -> None:
    for seed in range(6):
        game = random_game(seed)
        record = Record.of(game.retire(0)) if not game.is_over else Record.of(game)
        assert record.replay(validate=False).history == record.replay().history
    retired = Record("blockyou-4", (*MOVES, "retire:1"))
    assert retired.replay(validate=False).retired == {1}


def test_a_trusted_replay_refuses_what_it_cannot_read_at_all() -> None:
    for move in ("V3:a1,b1", "V3:u1,v1,u2", "F:a1,b1,a2", "retire:x", "W:"):
        with pytest.raises(UnreadableRecord):
            replay("blockyou-4", [move], validate=False)


def test_a_move_as_text_plays_on() -> None:
    position = play_text(Position.start("blockyou-4"), "1:a1")
    assert (position.colour, position.owner(0)) == ("yellow", "blue")


def test_a_board_is_drawn_with_the_top_row_first() -> None:
    drawing = ascii_board(replay("blockyou-4", MOVES)).split("\n")
    assert drawing[0] == "20 R . . . . . . . . . . . . . . . . . G G"
    assert drawing[-3] == " 2 B . . . . . . . . . . . . . . . . . . ."
    assert drawing[-2] == " 1 B B . . . . . . . . . . . . . . . . . Y"
    assert drawing[-1] == "   a b c d e f g h i j k l m n o p q r s t"


def test_a_drawing_is_read_with_or_without_its_margins() -> None:
    whole = replay("blockyou-4", MOVES)
    assert read_board(ascii_board(whole)).board == whole.board
    corner = read_board("""
        ..Y
        B..
        BB.
    """)
    assert [corner.owner(cell) for cell in (0, 1, 2, 20, 42)] == ["blue", "blue", None, "blue", "yellow"]
    assert corner.stock("blue").count("V3") == 0
    assert corner.colour == "blue"


def test_a_position_is_not_set_up_with_what_no_colour_has() -> None:
    for drawing, reason in (("B.B", "already-placed"), ("BB...BB", "already-placed")):
        with pytest.raises(IllegalPlacement) as caught:
            read_board(drawing)
        assert reason in caught.value.reasons
    for text, reason in (("a1,c1", "unknown-piece"), ("V3:t1,u1,t2", "off-board"), ("I3:a1,b1,a2", "wrong-shape")):
        with pytest.raises(IllegalPlacement) as caught:
            Position.setup("blockyou-4", [("blue", Placement.parse(text))])
        assert reason in caught.value.reasons


def test_a_position_tells_in_short_what_it_is() -> None:
    assert repr(replay("blockyou-4", MOVES)) == "<Position blockyou-4 after 4 turns, blue to play>"
    assert repr(random_game(1)).endswith("turns, nobody to play>")


def test_a_drawing_says_who_is_to_play_among_whom() -> None:
    position = read_board("R.\n.G", "blockyou-3", "green", ("green", "blue", "red"))
    assert (position.colour, position.seat, position.move_count) == ("green", 0, 2)


@pytest.mark.parametrize(
    "drawing",
    ["B?", "P", "BBBBBB", "B" * 21, "BB\nBB\nBB", "\n".join(["B"] + ["."] * 20)],
)
def test_a_drawing_of_nothing_that_could_be_is_refused(drawing: str) -> None:
    with pytest.raises(UnreadableRecord):
        read_board(drawing)
