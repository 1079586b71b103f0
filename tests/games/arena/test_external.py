"""Matches against other programs, played by a small one that is here for that."""

import os
import re
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from games.arena.errors import ArenaError, BrokenEngine
from games.arena.external import command_of
from games.arena.log import Log
from games.arena.plan import Match
from games.arena.program import Program, tells_cpu_time
from games.arena.run import run
from games.arena.standings import standing

Other = Callable[..., str]
told_only = pytest.mark.skipif(
    not tells_cpu_time(), reason="this system does not tell of the CPU time of other processes"
)


@pytest.mark.parametrize("variant", ["duo", "junior", "classic-2", "classic-3", "trigon-2"])
def test_another_program_plays_whole_games_in_both_seats(other: Other, variant: str) -> None:
    games = run(Match(variant, (other(), "random"), games=2))
    assert [game.failure for game in games] == ["", ""]
    assert all(turns > 5 for game in games for turns in game.turns)
    assert games[0].seating != games[1].seating


def test_a_drawn_opening_is_told_to_the_program(other: Other) -> None:
    games = run(Match("duo", (other(), "random"), games=2, opening=3))
    assert [game.failed for game in games] == [None, None]
    assert games[0].moves[:3] == games[1].moves[:3]


@told_only
def test_its_cpu_time_is_told(other: Other) -> None:
    games = run(Match("trigon-2", (other(), "random"), games=2))
    cost = standing(games, 0).milliseconds
    assert cost is not None
    assert 0 < cost < 1000


@told_only
def test_the_shortest_answer_costs_something(other: Other) -> None:
    told: list[float] = []
    with closing(Program(command_of(other()), limit=30)) as program:
        for _ in range(20):
            program.tell("name")
            assert program.cpu_seconds
            told.append(program.cpu_seconds)
    assert told == sorted({*told})


@told_only
def test_a_program_that_takes_more_cpu_time_than_it_has_loses_the_game_and_the_reason_is_told(other: Other) -> None:
    games = run(Match("junior", (other("--ponders"), "random"), games=2, program_ms=100))
    lost = standing(games, 0)
    assert (lost.losses, len(lost.failures)) == (2, 2)
    assert re.fullmatch(r"took [2-9]\d\d ms of CPU for a move, and has 100 ms", lost.failures[0])
    assert standing(run(Match("junior", (other(), "random"), games=2, program_ms=5000)), 0).failures == ()


def test_a_bound_of_cpu_time_is_refused_where_the_system_tells_none(
    other: Other, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.arena.run.tells_cpu_time", lambda: False)
    with pytest.raises(ArenaError, match="leave out --program-ms"):
        run(Match("junior", (other(), "random"), games=2, program_ms=100))
    assert len(run(Match("junior", (other(), "random"), games=2))) == 2


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("--refuses", "found no move: no idea"),
        ("--resigns", "answered resign although it could place"),
        ("--illegal", "broke the rules: .*start cell"),
    ],
)
def test_a_move_that_is_none_loses_the_game_and_the_match_goes_on(other: Other, fault: str, sentence: str) -> None:
    games = run(Match("duo", (other(fault), "random"), games=2))
    lost = standing(games, 0)
    assert (lost.losses, len(lost.failures)) == (2, 2)
    assert re.search(sentence, lost.failures[0])


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("--dies", r"ended by itself \(exit status 1\) at 'genmove [BW]', saying: out of ideas\.$"),
        ("--hangs", r"gave no answer to '.+' within 0\.5 s\.$"),
        ("--nonsense", r"answered 'hello' to 'genmove [BW]', which means nothing here\.$"),
        ("--chatters", r"answered 'Hello there\.' to 'genmove [BW]', which is not of the protocol\.$"),
        ("--endless", r"answered to 'genmove [BW]' without an end\.$"),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_broken_program_ends_the_match_in_a_sentence(other: Other, fault: str, sentence: str, jobs: int) -> None:
    with pytest.raises(BrokenEngine, match=sentence):
        run(Match("duo", (other(fault), "random"), games=2), limit=0.5 if fault == "--hangs" else 30, jobs=jobs)


@pytest.mark.proof
@pytest.mark.parametrize("jobs", [1, 2])
def test_no_program_outlives_its_match(other: Other, tmp_path: Path, jobs: int) -> None:
    with pytest.raises(BrokenEngine):
        run(Match("duo", (other("--hangs", f"--pids={tmp_path}"), other()), games=4), limit=3, jobs=jobs)
    left = [int(file.name) for file in tmp_path.iterdir()]
    assert left
    for process in left:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_games_played_before_it_broke_are_kept(other: Other, tmp_path: Path) -> None:
    match = Match("duo", (other(), "random"), games=2)
    log = Log(tmp_path / "games.jsonl")

    def stop(_number: int, _game: object, _count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(match, log=log, listener=stop)
    assert list(log.played(match)) == [0]


def test_a_program_that_is_not_there_is_told() -> None:
    with pytest.raises(BrokenEngine, match=r"^/nowhere/engine cannot be started: No such file or directory\.$"):
        run(Match("duo", ("gtp:/nowhere/engine:3", "random"), games=2))


@pytest.mark.parametrize("variant", ["blockyou-2", "codingame-2"])
def test_a_variant_that_the_protocol_cannot_name_is_refused(other: Other, variant: str) -> None:
    with pytest.raises(ArenaError, match=f"do not play {variant}"):
        run(Match(variant, (other(), "random"), games=2))


def test_no_program_is_named() -> None:
    with pytest.raises(ArenaError, match="names no program"):
        run(Match("duo", ("gtp:", "random"), games=2))


def test_a_level_stands_for_the_options_of_pentobi() -> None:
    plain = ["--quiet", "--nobook", "--noresign", "--threads", "1"]
    assert command_of("gtp:/opt/my engine:7") == ["/opt/my engine", *plain, "--level", "7"]
    assert command_of("gtp:'/opt/my engine' --fast") == ["/opt/my engine", "--fast"]


def test_the_program_is_gone_once_it_is_closed(other: Other) -> None:
    program = Program(command_of(other("--hangs")), limit=0.2)
    with pytest.raises(BrokenEngine):
        program.ask("genmove B")
    began = time.monotonic()
    program.close()
    assert time.monotonic() - began < 5
    assert program.cpu_seconds is None
