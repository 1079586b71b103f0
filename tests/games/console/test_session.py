"""`python -m games.play`: what each command says, and what is refused."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from games.arena.errors import ArenaError
from games.play.session import PlaySession, WrongCommandError, converse
from games.rules.errors import RulesError

ROOT = Path(__file__).parents[3]


def said(session: PlaySession, *lines: str) -> str:
    """Return what the last of some commands says."""
    return [session.answer(line) for line in lines][-1]


def test_a_piece_is_placed_and_taken_back() -> None:
    session = PlaySession("blockyou-4")
    empty = said(session, "board")
    assert said(session, "play V3:a1,b1,a2").startswith("yellow to play")
    assert " 1 B B ." in said(session, "board")
    assert said(session, "undo", "board") == empty


def test_placements_are_counted_and_listed_by_piece() -> None:
    session = PlaySession("blockyou-4")
    assert said(session, "list").endswith("all 58")
    assert sorted(said(session, "list v3").splitlines()) == ["V3:a1,a2,b2", "V3:a1,b1,a2", "V3:a1,b1,b2"]


def test_a_refusal_is_explained_with_its_cells() -> None:
    session = PlaySession("blockyou-4")
    assert said(session, "why V3:c3,d3,c4") == "start-cell a1"
    assert said(session, "why V3:a1,b1,a2") == "It is legal."
    assert said(session, "play 1:a1", "why 1:a1") == "overlap a1\nstart-cell t1"


def test_codingames_codes_are_listed_and_understood() -> None:
    session = PlaySession("codingame-2:7:3")
    assert "V3:a6,b6,a7   0 0 D001" in said(session, "list V3")
    assert said(session, "why 1 1 D001") == "start-cell a7"
    assert said(session, "play 0 0 D001").startswith("yellow to play")


def test_bots_play_to_the_end_and_the_log_tells_who_played() -> None:
    session = PlaySession("codingame-2:7:3")
    assert "The game is over." in said(session, "play 0 0 D001", "bot greedy 2", "bot random all")
    log = said(session, "log").splitlines()
    assert [line.split()[3] for line in log[:4]] == ["hand", "greedy", "greedy", "random"]
    assert all(line.endswith(" s") for line in log)


def test_lines_of_play_are_counted_by_depth() -> None:
    lines = said(PlaySession("blockyou-4"), "perft 2").splitlines()
    assert [line.split()[:2] for line in lines] == [["1", "58"], ["2", "3364"]]


@pytest.mark.parametrize("ending", ["json", "blksgf"])
def test_a_game_is_saved_and_loaded(ending: str, tmp_path: Path) -> None:
    session, file = PlaySession("duo"), tmp_path / f"game.{ending}"
    board = said(session, "bot greedy 4", "board")
    said(session, f"save {file}", "new", "stock")
    assert said(session, f"load {file}") == board
    assert said(session, "undo 4", "log") == ""


@pytest.mark.parametrize(
    "line",
    [
        "fly",
        "play",
        "play b2",
        "play nonsense",
        "pass",
        "undo",
        "undo x",
        "bot nobody-7",
        "perft 7",
        "load /nowhere",
        "save",
        "save /nowhere/game.json",
        "new chess",
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(line: str) -> None:
    session = PlaySession("blockyou-4")
    board = said(session, "board")
    with pytest.raises((WrongCommandError, RulesError, ArenaError, OSError)):
        session.answer(line)
    assert said(session, "board") == board


def test_a_conversation_goes_on_after_a_refusal_until_it_ends() -> None:
    out = io.StringIO()
    assert converse(PlaySession("duo"), ["fly\n", "# nothing\n", "play e10\n", "quit\n", "fly\n"], out, "> ") == 1
    assert out.getvalue().startswith("> Refused: There is no command 'fly'. Type help.\n> > orange to play")


def test_every_command_of_its_help_is_in_its_document() -> None:
    document = (ROOT / "docs" / "engine.md").read_text()
    names = [line.split()[0] for line in said(PlaySession("duo"), "help").splitlines()]
    assert len(names) > 12
    assert [name for name in names if f"`{name}`" not in document] == []


def test_a_script_that_was_refused_something_ends_with_status_1() -> None:
    command = [sys.executable, "-m", "games.play", "duo"]
    done = subprocess.run(command, input="fly\n", capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "Refused: There is no command 'fly'. Type help.\n")
