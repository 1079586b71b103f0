"""`python -m games.referee` and `python -m games.referee.bot`: options, results, records, leagues."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from games.referee.bot import main as bot
from games.referee.command import main
from games.rules import Position
from games.rules.codes import parse_code, placement_of
from games.rules.records import read
from tests.games.referee.test_judging import faulty

#: Python's start is no fault of a program on a busy machine.
PATIENT = ["--scale", "60", "--size", "7"]


def test_a_game_is_told_as_text_with_what_was_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PATIENT, faulty("nonsense"), faulty()]) == 0
    said = capsys.readouterr().out
    assert said.startswith("codingame-2:7:0: player 1 has won\n")
    assert "lost (malformed): its answer is no move" in said
    assert "It wrote: 'pass'" in said


def test_a_game_is_told_as_json_and_its_record_can_be_opened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*PATIENT, "--json", "--record", str(tmp_path / "game.json"), faulty(), faulty()]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [side["fault"] for side in told["players"]] == ["", ""]
    game = read((tmp_path / "game.json").read_text())
    assert read(json.dumps(told["record"])) == game
    assert list(game.positions())[-1].is_over


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.proof)])
def test_a_league_gives_everyone_every_seat_and_intervals(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, jobs: str
) -> None:
    words = [*PATIENT, "--games", "3", "--jobs", jobs, "--json", "--record", str(tmp_path / "games")]
    assert main([*words, faulty("nonsense"), faulty()]) == 0
    told = json.loads(capsys.readouterr().out)
    lost, won = told["league"]
    assert (lost["wins"], lost["faults"], won["wins"], won["games"]) == (0, {"malformed": 4}, 4, 4)
    assert won["score"]["low"] > 0.4
    assert len({game["variant"] for game in told["games"]}) == 2
    assert len(list((tmp_path / "games").iterdir())) == 4


def test_a_league_is_told_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PATIENT, "--games", "2", faulty("nonsense"), faulty()]) == 0
    said = capsys.readouterr().out
    assert "100.0 %" in said
    assert "lost 2 times: malformed" in said


@pytest.mark.parametrize("words", [["one"], ["a"] * 5, ["a", "b", "--size", "6"], ["a", "b", "--scale", "0"]])
def test_what_cannot_be_played_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_bot_of_ours_plays_to_the_end(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[3])
    command = shlex.join([sys.executable, "-m", "games.referee.bot", "greedy"])
    assert main([*PATIENT, "--json", faulty(), command, faulty("dies")]) == 0
    sides = json.loads(capsys.readouterr().out)["players"]
    assert [side["fault"] for side in sides] == ["", "", "died"]
    assert sides[1]["answers"] > 0


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["nobody-7"], ""), (["greedy"], ""), (["greedy"], "2\nA 1 1 #\nx\n")]
)
def test_a_bot_says_what_is_wrong(
    words: list[str], text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "input").write_text(text)
    with (tmp_path / "input").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert bot(words) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_bot_answers_in_codes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = ["4", "A 1 1 #", "B 2 1 ##", "C 1 3 ###", "D 2 2 #.##", "2", "0", "7", "ABCD"]
    turn = ["x......", *["......."] * 6, "0", "1", "0 0 A001"]
    (tmp_path / "input").write_text("\n".join([*start, *turn]) + "\n")
    with (tmp_path / "input").open() as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert bot(["greedy"]) == 0
    answer = parse_code(capsys.readouterr().out.strip())
    Position.start("codingame-2:7:0").check(placement_of(answer, Position.start("codingame-2:7:0").variant))
