"""Games between programs: who wins, who loses and why, and what is left of them."""

import os
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from games.referee.game import play_judged
from games.referee.program import Contestant
from games.rules.records import read, write_json

HERE = Path(__file__).parent
SAMPLES = Path(__file__).parents[3] / "games" / "referee" / "samples"
#: Python's start is no fault of a program on a busy machine.
PATIENT = 60.0


def faulty(*words: str) -> str:
    return shlex.join([sys.executable, "-S", "-E", str(HERE / "faulty.py"), *words])


def sample(name: str) -> str:
    return shlex.join([sys.executable, str(SAMPLES / name)])


def test_two_samples_play_to_the_end_and_the_record_tells_the_game() -> None:
    judged = play_judged("codingame-2:13:7", [sample("largest.py"), sample("reaching.py")], scale=PATIENT)
    assert [side.fault for side in judged.sides] == ["", ""]
    assert judged.winners
    last = list(read(write_json(judged.record)).positions())[-1]
    assert last.is_over
    assert last.seat_scores() == tuple(side.score for side in judged.sides)


@pytest.mark.proof
@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler (.ci/run installs g++)")
def test_the_sample_in_cpp_plays_to_the_end(tmp_path: Path) -> None:
    built = tmp_path / "chance"
    subprocess.run(["g++", "-O2", "-Wall", "-Werror", "-o", built, SAMPLES / "chance.cpp"], check=True)
    judged = play_judged("codingame-3:9:7", [str(built), sample("largest.py"), str(built)], scale=PATIENT)
    assert [side.fault for side in judged.sides] == ["", "", ""]
    # Two of them play by chance, so that one may be shut in by its first piece.
    assert all(side.answers for side in judged.sides)
    assert list(read(write_json(judged.record)).positions())[-1].is_over


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_are_told_each_others_moves(players: int) -> None:
    judged = play_judged(f"codingame-{players}:13:1", [faulty()] * players, scale=PATIENT)
    assert [side.fault for side in judged.sides] == [""] * players
    assert all(side.answers > 1 for side in judged.sides)


@pytest.mark.parametrize("turn", ["1", "2"])
@pytest.mark.parametrize(
    ("kind", "fault", "wrote"),
    [
        ("dies", "died", ""),
        ("half", "died", "0 0"),
        ("closes", "died", ""),
        ("floods", "malformed", "x" * 200),
        ("bytes", "malformed", "\\xff\\xfe"),
        ("nonsense", "malformed", "pass"),
        ("empty", "malformed", ""),
        ("nul", "malformed", "\0"),
        ("far", "illegal", "99 99 A001"),
    ],
)
def test_a_program_without_a_legal_answer_has_lost(kind: str, fault: str, wrote: str, turn: str) -> None:
    judged = play_judged("codingame-2:9:1", [faulty(kind, turn), faulty()], scale=PATIENT)
    assert judged.winners == (1,)
    assert judged.sides[0].fault == fault
    if turn == "1":
        assert judged.sides[0].wrote == wrote
    assert judged.sides[0].why in judged.record.comments[judged.record.record.moves.index("retire:0") + 1]


def test_a_program_that_sleeps_is_late() -> None:
    began = time.monotonic()
    judged = play_judged("codingame-2:9:1", [faulty("sleeps"), faulty()], scale=0.1)
    assert judged.sides[0].fault == "late"
    assert judged.sides[0].why == "gave no answer within 100 ms"
    assert time.monotonic() - began < 30


def test_the_game_goes_on_between_the_others() -> None:
    judged = play_judged("codingame-3:9:1", [faulty("nonsense", "2"), faulty(), faulty()], scale=PATIENT)
    assert judged.sides[0].place == 3
    assert [side.fault for side in judged.sides] == ["malformed", "", ""]
    assert judged.sides[1].answers > 2


def test_what_it_writes_to_its_standard_error_is_kept_up_to_a_bound() -> None:
    judged = play_judged("codingame-2:9:1", [faulty("complains"), faulty("dies")], scale=PATIENT)
    assert judged.winners == (0,)
    assert judged.sides[0].stderr.endswith("y the end")
    assert len(judged.sides[0].stderr) == 16_384
    assert judged.sides[1].stderr == "out of ideas\n"


@pytest.mark.parametrize("kind", ["forks", "escapes", "mutinies"])
def test_nothing_that_a_program_has_started_outlives_it(kind: str) -> None:
    judged = play_judged("codingame-2:9:1", [faulty(kind), faulty()], scale=PATIENT)
    assert judged.sides[0].fault == "died"
    child = int(judged.sides[0].stderr.removeprefix("child "))
    deadline = time.monotonic() + 30
    while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().rpartition(")")[2]:
        assert time.monotonic() < deadline
        os.sched_yield()


@pytest.mark.parametrize("command", ["/nowhere/bot", "", "'"])
def test_a_program_that_cannot_be_started_has_lost(command: str) -> None:
    judged = play_judged("codingame-2:9:1", [command, faulty()], scale=PATIENT)
    assert (judged.sides[0].fault, judged.winners) == ("unstarted", (1,))


def test_a_program_that_is_ended_twice_takes_nothing_of_others_along(tmp_path: Path) -> None:
    contestant = Contestant(shlex.split(faulty()))
    contestant.close()
    # They get the numbers that its pipes had.
    with ExitStack() as stack:
        others = [stack.enter_context((tmp_path / str(number)).open("w+b", 0)) for number in range(16)]
        contestant.close()
        for other in others:
            other.write(b"a row")
            other.seek(0)
            assert other.read() == b"a row"


def test_a_move_that_is_refused_is_explained_in_the_protocols_cells() -> None:
    judged = play_judged("codingame-2:9:1", [shlex.join(["echo", "3 4 A001"]), faulty()], scale=PATIENT)
    assert judged.sides[0].why == "its move breaks the rules: start-cell (0,0)"
    assert judged.sides[0].wrote == "3 4 A001"


def test_the_cell_that_is_named_has_to_be_an_attach_point() -> None:
    judged = play_judged("codingame-2:9:1", [shlex.join(["echo", "1 0 B002"]), faulty()], scale=PATIENT)
    assert judged.sides[0].why == "its move breaks the rules: 1 0 is neither its start cell nor an attach point"
