"""Our engines by the Go Text Protocol: what each command answers, and what is refused."""

import io
from pathlib import Path

import pytest

from games.arena.players import own_engine
from games.gtp.session import GtpSession, serve_gtp
from games.rules.variants import get_variant


def new_session(variant: str = "duo", bot: str = "greedy") -> GtpSession:
    return GtpSession(own_engine(bot), bot, get_variant(variant))


def said(session: GtpSession, *lines: str) -> list[str]:
    return [session.answer(line) for line in lines]


@pytest.mark.parametrize("variant", ["duo", "classic-2", "classic-3", "junior", "trigon-2", "trigon-3"])
def test_two_of_them_play_a_game_without_a_refusal(variant: str) -> None:
    one, other = new_session(variant, "random"), new_session(variant, "random")
    signs = (
        ["B", "W"]
        if len(get_variant(variant).colours) == 2
        else ["1", "2", "3", "4"][: len(get_variant(variant).colours)]
    )
    passes = turn = 0
    while passes < len(signs):
        sign = signs[turn % len(signs)]
        answer = (one, other)[turn % 2].answer(f"genmove {sign}")
        assert answer.startswith("= ")
        passes, turn = (passes + 1 if "pass" in answer else 0), turn + 1
        if not passes:
            assert (other, one)[(turn - 1) % 2].answer(f"play {sign} {answer[2:].strip()}") == "= \n\n"
    assert one.answer("final_score") == other.answer("final_score")
    assert one.answer("showboard") == other.answer("showboard")


def test_answers_have_the_form_of_the_protocol() -> None:
    assert said(new_session(), "7 name", "# nothing", "", "known_command undo", "9 nonsense") == [
        "=7 Block-You greedy\n\n",
        "",
        "",
        "= true\n\n",
        "?9 unknown command\n\n",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "play w j5",
        "play b a1",
        "play b",
        "play x e10",
        "play b pass",
        "genmove",
        "genmove q",
        "undo",
        "set_game Chess",
        "loadsgf /nowhere",
        "savesgf /nowhere/at/all",
        "set_random_seed x",
        "get_value",
        "\x00\xff",
        "12",
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line_and_changes_nothing(line: str) -> None:
    session = new_session()
    board = session.answer("showboard")
    answer = session.answer(line)
    assert answer.startswith("?")
    assert answer.endswith("\n\n")
    assert answer.count("\n") == 2
    assert session.answer("showboard") == board


def test_a_move_is_taken_back() -> None:
    session = new_session()
    empty = session.answer("showboard")
    assert said(session, "play b e10", "undo")[-1] == "= \n\n"
    assert session.answer("showboard") == empty


def test_a_game_is_saved_and_loaded_up_to_a_move(tmp_path: Path) -> None:
    session, file = new_session(), tmp_path / "game.blksgf"
    one = said(session, "play b e10", "showboard")[-1]
    two = said(session, "play w j5", "showboard", f"savesgf {file}")[1]
    other = new_session("classic-2")
    assert said(other, f"loadsgf {file}", "showboard")[-1] == two
    assert said(other, f"loadsgf {file} 2", "showboard")[-1] == one
    assert said(other, "undo", "all_legal b")[-1].count("\n") > 50


def test_a_move_is_proposed_without_being_played_and_its_values_are_told() -> None:
    session = new_session("duo", "sage-4")
    assert session.answer("move_values") == "= \n\n"
    proposed = session.answer("reg_genmove b")[2:].strip()
    assert proposed in session.answer("move_values")
    assert 0 <= float(session.answer("get_value")[2:]) <= 1
    assert session.answer(f"p {proposed}") == "= \n\n"


def test_a_bot_thinks_on_from_turn_to_turn_and_anew_on_a_cleared_board() -> None:
    def following() -> GtpSession:
        return GtpSession(own_engine("sage-4", follows=True), "sage-4", get_variant("duo"))

    def values_after(*lines: str) -> str:
        return said(following(), *lines, f"p {proposed}", "reg_genmove w", "move_values")[-1]

    proposed = following().answer("reg_genmove b")[2:].strip()
    anew = values_after()
    assert values_after("reg_genmove b") != anew
    assert values_after("reg_genmove b", "clear_board") == anew


def test_a_game_with_named_opening_pieces_is_set_by_its_id() -> None:
    answers = said(new_session("duo", "greedy"), "set_game duo:I3:F", "genmove b", "genmove w", "set_game duo:I3:Q")
    assert [answer.count(",") + 1 for answer in answers[1:3]] == [3, 5]
    assert answers[3].startswith("? ")


def test_it_ends_when_asked_to() -> None:
    out = io.StringIO()
    serve_gtp(new_session(), ["set_game Blokus Two-Player\n", "clear_board\n", "g\n", "quit\n", "g\n"], out)
    assert out.getvalue().count("=") == 4
