"""Games as JSON, and what a game record keeps in any format."""

import json
import math
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from games.rules import Position
from games.rules.errors import (
    IllegalPlacement,
    IllegalRecord,
    RulesError,
    UnknownColour,
    UnknownVariant,
    UnreadableFile,
    UnreadableRecord,
)
from games.rules.record import Record, replay
from games.rules.records import (
    GameRecord,
    SeatedBot,
    Thinking,
    change_texts,
    read,
    result_text,
    write_blksgf,
    write_json,
)
from games.rules.records.comments import LONGEST_COMMENT, LONGEST_COMMENTS
from games.rules.records.game import LONGEST_NAME, MOST_SPANS
from games.rules.variants import VARIANTS
from tests.rules.games import random_game, random_positions

GAME: dict[str, Any] = {"format": "block-you", "version": 1, "variant": "duo", "moves": ["1:e10", "1:j5"]}


def read_data(**changes: object) -> GameRecord:
    return read(json.dumps(GAME | changes))


def test_texts_are_changed_without_the_moves() -> None:
    game = read_data(players=["Ann", "Bo"], title="Ann's", event="E", comments={"1": "So Ann."}, variant="duo")
    changed = read(change_texts(write_json(game), lambda text: text.replace("Ann", "Nobody")))
    assert changed == replace(game, players=("Nobody", "Bo"), title="Nobody's", comments={1: "So Nobody."})


def test_texts_that_become_too_long_are_cut() -> None:
    texts = {"players": ["a" * LONGEST_NAME, ""], "title": "a" * LONGEST_NAME, "comments": {"0": "a" * LONGEST_COMMENT}}
    game = read_data(**texts)
    assert read(change_texts(write_json(game), lambda text: text.replace("a", "aa"))) == game


def test_comments_that_become_too_long_in_total_are_cut_to_what_they_were() -> None:
    comments = {str(number): "ab" * (LONGEST_COMMENTS // 102) for number in range(51)}
    game = GameRecord.of(
        random_game(0, "blockyou-4"), comments={int(number): text for number, text in comments.items()}
    )
    changed = read(change_texts(write_json(game), lambda text: text.replace("b", "bc")))
    assert [len(text) for text in changed.comments.values()] == [len(text) for text in comments.values()]
    assert changed.comments[0].startswith("abcabc")


@pytest.mark.parametrize("variant", [*VARIANTS, "codingame-2:10:42"])
def test_writing_and_reading_again_changes_nothing(variant: str) -> None:
    for seed in range(2):
        position = random_game(seed, variant)
        comments = {0: 'a "quoted"\nline \\', position.move_count: "end"}
        game = GameRecord.of(position, comments=comments, players=("Ann",), title="ü", result=result_text(position))
        text = write_json(game)
        assert read(text) == read(text.encode()) == game
        assert write_json(read(text)) == text


def test_thoughts_are_kept_as_json_alone_and_written_where_there_are_any() -> None:
    reasons = (("hampers", "orange", 14), ("keeps", "", 0))
    thoughts = {2: Thinking("search", 5, 667, 9, 0.625, reasons), 1: Thinking("greedy", 0, 0, 2**31 - 1, None)}
    game = GameRecord.of(replay("duo", ["1:e10", "1:j5"]), thoughts=thoughts)
    text = write_json(game)
    assert read(text) == game
    assert write_json(read(text)) == text
    assert list(json.loads(text)["thoughts"]) == ["1", "2"]
    assert read(write_blksgf(game)) == replace(game, thoughts={})
    assert "thoughts" not in write_json(replace(game, thoughts={}))


def test_times_are_kept_as_json_alone_and_written_where_there_are_any() -> None:
    opened, started, first, last = (f"2026-11-25T{hour}:00:00.123Z" for hour in (10, 11, 12, 13))
    pauses = ((opened, started), (last, ""))
    game = GameRecord.of(
        replay("duo", ["1:e10", "1:j5"]), opened=opened, started=started, pauses=pauses, played={2: last, 1: first}
    )
    text = write_json(game)
    paused = [{"began": opened, "ended": started}, {"began": last}]
    told = {"opened": opened, "started": started, "pauses": paused, "moves": {"1": first, "2": last}}
    assert json.loads(text)["times"] == told
    assert read(text) == game
    assert write_json(read(text)) == text
    untimed = replace(game, opened="", started="", played={}, pauses=())
    assert read(write_blksgf(game)) == untimed
    assert "times" not in write_json(untimed)


@pytest.mark.parametrize(
    "moment",
    ["noon", "2026-11-25", "2026-11-25T12:00:00Z", "2026-13-25T12:00:00.000Z", "2026-11-25T12:00:00.000+01:00"],
)
def test_a_time_in_another_form_is_refused(moment: str) -> None:
    with pytest.raises(UnreadableRecord, match="has to be written as 2026-11-25T09:30:00"):
        read_data(times={"ended": moment})


def test_what_bots_were_seated_with_is_kept_as_json_alone() -> None:
    bots = {1: SeatedBot("mason-5", 2**63 - 1, 60), 0: SeatedBot("sage-5", 0, seconds=2)}
    game = GameRecord.of(replay("duo", ["1:e10"]), bots=bots)
    text = write_json(game)
    assert read(text) == game
    kept = json.loads(text)["bots"]
    first, second = {"name": "sage-5", "seed": 0}, {"name": "mason-5", "seed": 2**63 - 1}
    assert kept == {"0": first | {"seconds": 2}, "1": second | {"simulations": 60}}
    assert list(kept) == ["0", "1"]
    assert read(write_blksgf(game)) == replace(game, bots={})
    assert "bots" not in json.loads(write_json(replace(game, bots={})))


def test_a_bot_of_a_seat_that_there_is_not_is_left_alone_in_a_file_and_refused_elsewhere() -> None:
    assert read_data(bots={"0": {}, "1": None, "2": {"seed": "x"}, "north": 7}).bots == {0: SeatedBot("", 0)}
    with pytest.raises(UnreadableRecord, match="There are only 2 seats for bots"):
        GameRecord.of(replay("duo", []), bots={2: SeatedBot("greedy", 0)})


def test_a_thought_may_lack_whatever_nobody_knows() -> None:
    unknown = {1: Thinking("", 0, 0, 0, None)}
    assert read_data(thoughts={"1": {}}).thoughts == unknown
    assert read_data(thoughts={"1": None}).thoughts == unknown
    assert read_data(thoughts={"1": {"engine": " a\tb\x00", "value": 1, "mood": "good"}}).thoughts == {
        1: Thinking("a b", 0, 0, 0, 1.0)
    }


def test_retirements_colours_and_scoring_are_kept() -> None:
    position = Position.start("blockyou-3", ("red", "green", "blue"), "coverage").retire(1)
    game = GameRecord.of(position)
    assert read(write_json(game)) == game
    assert (game.record.colours, game.record.scoring) == (("red", "green", "blue"), "coverage")


def test_what_is_set_up_is_kept() -> None:
    at = list(random_positions(5, "blockyou-2"))[9]
    placed = tuple((turn.colour or "", str(turn.placement)) for turn in at.history)
    game = GameRecord(Record("blockyou-2", ()), placed, at.colour)
    assert read(write_json(game)) == game
    assert [start.board for start in game.positions()] == [at.board]


def test_the_texts_of_people_become_canonical() -> None:
    game = read_data(moves=["M12", "1 c2"], setup={"placed": [["orange", "b1,a1"], ["purple", "2 n14,n13"]]})
    assert game.placed == (("purple", "2:n13,n14"), ("orange", "2:a1,b1"))
    assert game.record.moves == ("1:m12", "1:c2")


def test_keys_that_are_not_known_are_left_alone() -> None:
    assert read_data(extra={"a": [1]}, colour="x") == read_data()


def test_what_may_be_missing_may_be_null_too() -> None:
    keys = (
        "scoring",
        "colours",
        "players",
        "title",
        "event",
        "round",
        "date",
        "result",
        "setup",
        "comments",
        "thoughts",
        "times",
    )
    assert read_data(**dict.fromkeys(keys)) == read_data()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "x"}, 'format: expected "block-you".'),
        ({"format": None}, 'format: expected "block-you".'),
        ({"version": 2}, "version: expected 1."),
        ({"version": True}, "version: expected 1."),
        ({"version": 1.0}, "version: expected 1."),
        ({"variant": None}, "variant: expected the name of a variant."),
        ({"variant": 4}, "variant: expected a text, not of type int."),
        ({"moves": "1:e10"}, "moves: expected a list, not '1:e10'."),
        ({"moves": ["1:e10", 7]}, "moves[1]: expected a text, not of type int."),
        ({"moves": ["1:e10", "hello"]}, "moves[1]: At character 1: expected a cell such as a1"),
        ({"moves": ["retire:5"]}, "moves[0]: This game has only the seats 0 to 1."),
        ({"players": [None]}, "players[0]: expected a text, not of type NoneType."),
        ({"players": ["a", "b", "c"]}, "There are 3 player names, but only 2 seats."),
        ({"title": 1}, "title: expected a text, not of type int."),
        ({"comments": []}, "comments: expected an object, not of type list."),
        ({"comments": {"1": 2}}, "comments.1: expected a text, not of type int."),
        ({"comments": {"x": "a"}}, "comments: expected move numbers as keys, not 'x'."),
        ({"comments": {"-1": "a"}}, "comments: expected move numbers as keys, not '-1'."),
        ({"comments": {"9" * 30: "a"}}, "comments: expected move numbers as keys"),
        ({"comments": {"3": "a"}}, "There is no move 3 to comment on."),
        ({"bots": []}, "bots: expected an object, not of type list."),
        ({"bots": {"0": "greedy"}}, "bots.0: expected an object, not 'greedy'."),
        ({"bots": {"0": {"seed": -1}}}, "bots.0.seed: expected a whole number from 0 to 9223372036854775807."),
        ({"bots": {"1": {"seed": 2**63}}}, "bots.1.seed: expected a whole number from 0 to 9223372036854775807."),
        ({"bots": {"1": {"name": "x" * 101}}}, "The name of a bot is longer than 100 characters."),
        ({"thoughts": []}, "thoughts: expected an object, not of type list."),
        ({"thoughts": {"1": "deep"}}, "thoughts.1: expected an object, not 'deep'."),
        ({"thoughts": {"one": {}}}, "thoughts: expected move numbers as keys, not 'one'."),
        ({"thoughts": {"0": {}}}, "There is no move 0 for these engine notes."),
        ({"thoughts": {"3": {}}}, "There is no move 3 for these engine notes."),
        ({"thoughts": {"1": {"engine": 7}}}, "thoughts.1.engine: expected a text, not of type int."),
        ({"thoughts": {"1": {"engine": "x" * 101}}}, "The name of an engine is longer than 100 characters."),
        ({"thoughts": {"1": {"level": "5"}}}, "thoughts.1.level: expected a whole number from 0 to 2147483647."),
        ({"thoughts": {"1": {"level": True}}}, "thoughts.1.level: expected a whole number from 0"),
        ({"thoughts": {"1": {"simulations": -1}}}, "thoughts.1.simulations: expected a whole number from 0"),
        ({"thoughts": {"1": {"milliseconds": 2**31}}}, "thoughts.1.milliseconds: expected a whole number from 0"),
        ({"thoughts": {"1": {"value": 1.01}}}, "thoughts.1.value: expected a number from 0 to 1."),
        ({"thoughts": {"1": {"value": math.nan}}}, "thoughts.1.value: expected a number from 0 to 1."),
        ({"thoughts": {"1": {"value": False}}}, "thoughts.1.value: expected a number from 0 to 1."),
        ({"thoughts": {"1": {"reasons": "opens"}}}, "thoughts.1.reasons: expected a list, not 'opens'."),
        ({"thoughts": {"1": {"reasons": [["opens", "", 1], ["keeps"]]}}}, "thoughts.1.reasons[1]: expected an effect,"),
        ({"thoughts": {"1": {"reasons": [["opens", "", -1]]}}}, "thoughts.1.reasons[0]: expected an effect, a colour"),
        (
            {"thoughts": {"1": {"reasons": [["opens", "", True]]}}},
            "thoughts.1.reasons[0]: expected an effect, a colour",
        ),
        ({"thoughts": {"1": {"reasons": [["opens", "", 2**31]]}}}, "thoughts.1.reasons[0]: expected an effect,"),
        (
            {"thoughts": {"1": {"reasons": [["x" * 101, "", 1]]}}},
            "An engine's reason is longer than 100 characters.",
        ),
        ({"thoughts": {"1": {"reasons": [["opens", "", 1]] * 11}}}, "Move 1 has more than 10 reasons."),
        ({"times": "noon"}, "times: expected an object, not 'noon'."),
        ({"times": {"ended": 7}}, "times.ended: expected a text, not of type int."),
        ({"times": {"pauses": {}}}, "times.pauses: expected a list, not of type dict."),
        ({"times": {"pauses": [7]}}, "times.pauses[0]: expected an object, not of type int."),
        (
            {"times": {"pauses": [{"ended": "2026-11-25T12:00:00.000Z"}]}},
            "A pause in a record has to say when it began.",
        ),
        (
            {"times": {"pauses": [{"began": "2026-11-25T12:00:00.000Z"}] * (MOST_SPANS + 1)}},
            "The game has more pauses than 1000.",
        ),
        ({"times": {"moves": []}}, "times.moves: expected an object, not of type list."),
        ({"times": {"moves": {"0": "2026-11-25T12:00:00.000Z"}}}, "There is no move 0 to give a time to."),
        ({"times": {"moves": {"3": "2026-11-25T12:00:00.000Z"}}}, "There is no move 3 to give a time to."),
        ({"setup": 3}, "setup: expected an object, not of type int."),
        ({"setup": {"placed": {}}}, "setup.placed: expected a list, not of type dict."),
        ({"setup": {"placed": [["purple"]]}}, "setup.placed[0]: expected a colour and a move."),
        ({"setup": {"placed": ["ab"]}}, "setup.placed[0]: expected a colour and a move."),
        ({"setup": {"placed": [["purple", 1]]}}, "setup.placed[0][1]: expected a text, not of type int."),
        ({"setup": {"placed": [["purple", "?"]]}}, "setup: At character 1: expected a cell"),
        ({"setup": {"placed": [["purple", "1:a1"]] * 43}}, "The starting position has more pieces than there are."),
        ({"setup": {"to_play": 1}}, "setup.to_play: expected a text, not of type int."),
        ({"title": "x" * (LONGEST_NAME + 1)}, "The title is longer than 100 characters."),
        ({"players": ["x" * (LONGEST_NAME + 1)]}, "The name of a player is longer than 100 characters."),
        ({"comments": {"1": "x" * (LONGEST_COMMENT + 1)}}, "The comment on move 1 is longer than 4000 characters."),
    ],
)
def test_a_value_that_is_wrong_is_refused_with_its_path(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(UnreadableRecord) as caught:
        read_data(**changes)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"variant": "chess"}, UnknownVariant),
        ({"setup": {"placed": [["pink", "1:a1"]]}}, UnknownColour),
        ({"setup": {"to_play": "pink"}}, UnreadableRecord),
        ({"variant": "blockyou-3", "moves": [], "setup": {"to_play": "green"}}, UnreadableRecord),
        ({"colours": ["orange", "purple"]}, RulesError),
        ({"scoring": "high"}, RulesError),
    ],
)
def test_names_that_the_rules_have_not_are_refused(changes: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        read_data(**changes)


@pytest.mark.parametrize(
    ("changes", "number", "where", "reason"),
    [
        ({"moves": ["1:e10", "1:a1"]}, 2, "moves[1]", "start-cell"),
        ({"moves": ["pass"]}, 1, "moves[0]", "must-place"),
        ({"moves": ["retire:0", "1:j5"]}, 2, "moves[1]", "game-over"),
        ({"setup": {"placed": [["purple", "1:a1"], ["purple", "1:c1"]]}}, 0, "setup.placed[1]", "already-placed"),
        ({"setup": {"placed": [["orange", "1:a1"], ["purple", "1:a1"]]}}, 0, "setup.placed[0]", "overlap"),
    ],
)
def test_what_the_rules_refuse_is_told_with_its_path(
    changes: dict[str, object], number: int, where: str, reason: str
) -> None:
    with pytest.raises(IllegalRecord) as caught:
        read_data(**changes)
    assert (caught.value.number, caught.value.where) == (number, where)
    assert reason in caught.value.reasons
    assert set(caught.value.names) == set(caught.value.reasons)


def test_text_that_is_no_json_is_told_with_its_place() -> None:
    with pytest.raises(UnreadableFile) as caught:
        read('{"format": "block-you",\n "moves": [1,,2]}')
    assert (caught.value.line, caught.value.column) == (2, 14)


@pytest.mark.parametrize("text", ['{"a":' * 200_000, '{"a":' + "[" * 200_000, '{"version": ' + "9" * 10_000 + "}"])
def test_hostile_json_is_refused(text: str) -> None:
    with pytest.raises(UnreadableRecord):
        read(text)


def test_texts_are_cleaned() -> None:
    game = read_data(
        title=" a\x00b\tc\r\nd\u202e ",
        players=["\x1b[1mAnn\ud800"],
        comments={"0": "\r\n a\tb\r\nc\x07\u2066 ", "1": " \x00"},
    )
    assert (game.title, game.players, game.comments) == ("ab c d", ("[1mAnn", ""), {0: "a b\nc"})


def test_comments_may_not_be_too_long_together() -> None:
    position = random_game(1, "classic-4")
    many = LONGEST_COMMENTS // LONGEST_COMMENT + 1
    with pytest.raises(UnreadableRecord, match="longer than 200000 characters in total"):
        GameRecord.of(position, comments=dict.fromkeys(range(many), "x" * LONGEST_COMMENT))


def test_the_longest_comments_that_are_kept_can_be_read_again() -> None:
    position = random_game(1, "classic-4")
    many = LONGEST_COMMENTS // LONGEST_COMMENT
    for letter in ("棋", "\\", "\U0001f600"):
        game = GameRecord.of(position, comments=dict.fromkeys(range(many), letter * LONGEST_COMMENT))
        assert read(write_blksgf(game).encode()) == read(write_json(game).encode()) == game


def test_a_game_is_played_from_its_record() -> None:
    game = GameRecord.of(random_game(2, "trigon-2"))
    checked, trusted = list(game.positions()), list(game.positions(validate=False))
    assert [at.board for at in checked] == [at.board for at in trusted]
    assert checked[-1].is_over


def test_a_record_of_a_set_up_that_cannot_be_is_not_played() -> None:
    with pytest.raises(IllegalPlacement):
        GameRecord(Record("duo", ()), (("purple", "1:z1"),)).start()


def test_the_result_is_told_as_sgf_tells_it() -> None:
    start = Position.start("duo")
    assert result_text(start) == ""
    assert result_text(start.retire(0)) == "W+R"
    assert result_text(Position.start("classic-4").retire(0).retire(1).retire(3)) == "3+R"
    for variant in ("duo", "classic-3", "trigon-4"):
        games = (random_game(seed, variant) for seed in count())
        position = next(game for game in games if len(game.winners()) == 1)
        scores = sorted(position.seat_scores())
        assert result_text(position)[2:] == str(scores[-1] - scores[-2])


def test_a_draw_is_told_as_nought_or_with_all_who_have_won() -> None:
    drawn = [Drawn(2, (0, 1)), Drawn(4, (0, 2))]
    assert [result_text(position) for position in drawn] == ["0", "1=3"]  # type: ignore[arg-type]  # stands in for a position


class Drawn:
    """A finished game with these winners."""

    is_over = True

    def __init__(self, seats: int, won: tuple[int, ...]) -> None:
        self.seats = ((),) * seats
        self._won = won

    def winners(self) -> tuple[int, ...]:
        return self._won


def test_a_record_continues_where_the_stored_game_is() -> None:
    position = replay("duo", ["1:e10"])
    assert list(read(write_json(GameRecord.of(position))).positions())[-1].history == position.history
