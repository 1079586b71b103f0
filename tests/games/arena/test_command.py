"""The command line of the arena."""

import json
import re
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from games.arena import command
from games.arena.command import main
from games.arena.players import own_engine
from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.search import FollowingEngine, SearchEngine
from tests.games.arena.engines import Raises


def test_a_match_prints_what_was_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "duo", "greedy", "random", "--games", "6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "duo: 6 games, 6 of them different, seed 1"
    assert lines[2].split()[:9] == ["greedy", "6", "0", "0", "100.0", "%", "61.0", "to", "100.0"]
    assert lines[3].split()[:4] == ["random", "0", "0", "6"]
    assert "Wilson" in "".join(lines)


def test_failed_moves_are_shown_with_their_reason(capsys: pytest.CaptureFixture[str]) -> None:
    main(["match", "duo", "tests.games.arena.engines:Raises", "random", "--games", "4", "--opening", "2"])
    text = capsys.readouterr().out
    assert "2 random placements first" in text
    assert "lost 4 by a failed move: it raised RuntimeError: no ideas" in text


def test_a_ladder_rates_its_rungs_and_writes_them_down(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, log = tmp_path / "ratings.json", tmp_path / "games.jsonl"
    arguments = ["duo", "random", "greedy", "--games", "6", "--log", str(log), "--write", str(file)]
    assert main(["ladder", *arguments]) == 0
    printed = capsys.readouterr().out
    assert "duo: ratings" in printed
    written = json.loads(file.read_text())["duo"]
    assert written["greedy"]["rating"] == 1000 > written["random"]["rating"]
    assert written["random"]["games"] == 6
    assert main(["ladder", *arguments]) == 0
    assert len(log.read_text().splitlines()) == 6


def test_a_ladder_is_that_of_the_levels_where_no_players_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(command, "check_match", lambda match: asked.append(match.players))
    monkeypatch.setattr(command, "_play", lambda _match, _options: [])
    assert command.main(["ladder", "duo", "--character", "mason"]) == 0
    assert asked[0] == ("greedy", "random")
    assert asked[-1] == ("mason-9", "mason-8")
    assert all(below[0] == above[1] for below, above in pairwise(asked))


def test_ratings_come_from_a_log_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "games.jsonl"
    main(["match", "duo", "greedy", "random", "--games", "4", "--log", str(log)])
    capsys.readouterr()
    assert main(["ratings", "duo", "--log", str(log)]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[3:]] == ["greedy", "random"]
    assert main(["ratings", "junior", "--log", str(log)]) == 1


@pytest.mark.parametrize(
    "arguments",
    [["match", "chess", "greedy", "random"], ["match", "duo", "nobody", "random"], ["ladder", "duo", "greedy"]],
)
def test_what_cannot_be_played_is_said_in_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_no_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["match", "duo", "greedy", "random", "--games", "0"])
    assert "0 is less than 1" in capsys.readouterr().err


def test_ending_it_leaves_the_games_so_far_and_no_process(tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    command = ["match", "duo", "random", "random", "--games", "2000", "--jobs", "2", "--log", str(log)]
    with subprocess.Popen([sys.executable, "-m", "games.arena", *command], stderr=subprocess.PIPE, text=True) as arena:
        while not log.exists() or not log.stat().st_size:
            assert arena.poll() is None
        arena.terminate()
        # Its standard error ends when the last process that has it does.
        assert "goes on" in (arena.stderr.read() if arena.stderr else "")
    assert arena.returncode == 130
    assert all(json.loads(line)["variant"] == "duo" for line in log.read_text().splitlines())


def test_a_match_tells_who_won_moving_first_and_moving_second(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "duo", "greedy", "random", "--games", "6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[4] == "greedy: first 100.0 % (43.9 to 100.0), second 100.0 % (43.9 to 100.0)"
    assert lines[5].startswith("random: first 0.0 % (0.0 to 56.1), second 0.0 %")


def test_a_game_of_four_tells_of_no_first_and_second_mover(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "codingame-4:7:1", "greedy", "random", "--games", "6"]) == 0
    assert " first " not in capsys.readouterr().out


def test_a_game_of_four_tells_the_mean_place_of_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "codingame-4:7:1", "greedy", "random", "random", "random", "--games", "8"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "mean place" in line]
    assert [line.partition(":")[0] for line in told] == ["greedy", "random", "random", "random"]
    assert all(re.fullmatch(r"\w+: mean place \d\.\d\d \(-?\d\.\d\d to \d\.\d\d\) of 4", line) for line in told)
    places = [float(line.split()[3]) for line in told]
    # Four seats share the places one to four.
    assert sum(places) == pytest.approx(10, abs=0.03)
    assert places[0] < 2.2
    assert main(["match", "duo", "greedy", "random", "--games", "2"]) == 0
    assert "mean place" not in capsys.readouterr().out


def test_a_search_is_told_for_how_long_it_thinks_and_another_engine_is_not() -> None:
    bot, address = own_engine("warden-4", 30), own_engine("games.bots.engines.search:SearchEngine,simulations=9", 30)
    for engine in (bot, address):
        assert isinstance(engine, SearchEngine)
        assert engine.seconds == 0.03
        assert engine.clock is time.process_time
        assert engine.simulations == 30_000
    assert isinstance(bot, SearchEngine)
    assert bot.bias
    assert isinstance(own_engine("greedy", 30), GreedyEngine)
    assert own_engine("tests.games.arena.engines:Raises,at=3", 30) == Raises(at=3)


def test_a_bot_that_follows_a_game_keeps_its_budget_and_its_style() -> None:
    bot, timed = own_engine("warden-4", follows=True), own_engine("warden-4", 30, follows=True)
    for engine, simulations, seconds in ((bot, 45, 0), (timed, 30_000, 0.03)):
        assert isinstance(engine, FollowingEngine)
        assert engine.search.simulations == simulations
        assert engine.search.seconds == seconds
        assert engine.search.bias == own_engine("warden-4").bias  # type: ignore[attr-defined]
    assert isinstance(own_engine("greedy", follows=True), GreedyEngine)
    assert isinstance(own_engine("warden-4"), SearchEngine)
    assert isinstance(own_engine("games.bots.engines.search:SearchEngine,simulations=9", follows=True), SearchEngine)


def test_bots_in_a_match_keep_their_trees_unless_they_are_to_begin_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "games.jsonl"
    arguments = ["match", "junior", "sage-4", "mason-4", "--games", "2", "--log", str(log)]
    heads = []
    for further in ([], ["--anew"], []):
        assert main([*arguments, *further]) == 0
        heads.append(capsys.readouterr().out.splitlines()[0])
    anew = "junior: 2 games, 2 of them different, seed 1"
    assert heads == [f"{anew}, trees kept from turn to turn", anew, f"{anew}, trees kept from turn to turn"]
    games = [json.loads(line) for line in log.read_text().splitlines()]
    assert [game["follows"] for game in games] == [True, True, False, False]
    assert games[0]["moves"] != games[2]["moves"]
    assert main(["ratings", "junior", "--log", str(log)]) == 0
    assert "sage-4" in capsys.readouterr().out


def test_games_in_which_bots_kept_their_trees_are_not_rated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "games.jsonl"
    assert main(["match", "duo", "sage-4", "greedy", "--games", "2", "--log", str(log)]) == 0
    assert main(["ratings", "duo", "--log", str(log)]) == 1
    assert "play them with --anew" in capsys.readouterr().err


def test_a_match_at_a_cpu_time_is_another_match_in_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "games.jsonl"
    arguments = ["match", "duo", "greedy", "random", "--games", "2", "--log", str(log)]
    for further in ([], ["--cpu-ms", "5"], ["--cpu-ms", "5"], []):
        assert main([*arguments, *further]) == 0
    assert [json.loads(line)["cpu_ms"] for line in log.read_text().splitlines()] == [0, 0, 5, 5]
    assert capsys.readouterr().out.count(", 5 ms of CPU a move") == 2
    # A log from before there was such a time.
    old = [json.loads(line) for line in log.read_text().splitlines()[:2]]
    log.write_text("".join(json.dumps({k: v for k, v in line.items() if k != "cpu_ms"}) + "\n" for line in old))
    assert main(arguments) == 0
    assert len(log.read_text().splitlines()) == 2
