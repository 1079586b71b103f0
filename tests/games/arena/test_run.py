"""Matches between engines of ours."""

from dataclasses import replace
from pathlib import Path

import pytest

from games.arena.errors import ArenaError
from games.arena.game import Played, play_fixture
from games.arena.log import Log
from games.arena.plan import Match
from games.arena.players import OwnPlayer
from games.arena.run import run
from games.arena.standings import mean_place, standing
from games.rules import Position
from games.rules.record import replay
from tests.games.arena.engines import Compiles

FIRST, RAISES, CHEATS, REMEMBERS = (
    f"tests.games.arena.engines:{name}" for name in ("First", "Raises", "Cheats", "Remembers")
)


def test_greedy_beats_random_and_every_game_is_another() -> None:
    games = run(Match("duo", ("greedy", "random"), games=6))
    assert standing(games, 0).wins == 6
    assert standing(games, 1).losses == 6
    assert len({game.moves for game in games}) == 6


@pytest.mark.parametrize(("variant", "players"), [("classic-3", 2), ("codingame-4", 2), ("codingame-3", 3)])
def test_more_than_two_seats_are_played_to_the_end(variant: str, players: int) -> None:
    games = run(Match(variant, ("greedy", "random", "random")[:players], games=6))
    assert [len(game.scores) for game in games] == [len(game.seating) for game in games]
    assert all(game.failed is None for game in games)
    assert standing(games, 0).score.value > 0.7


def test_what_is_told_of_a_game_is_what_its_moves_say() -> None:
    for game in run(Match("blockyou-2", ("greedy", "random"), games=2)):
        end: Position = replay("blockyou-2", game.moves)
        assert end.is_over
        assert (end.seat_scores(), end.winners()) == (game.scores, game.winners)
        assert sum(game.turns) == sum(move != "pass" for move in game.moves)


def played(seating: tuple[int, ...], scores: tuple[int, ...], failed: int | None = None) -> Played:
    best = max(scores)
    winners = tuple(seat for seat, score in enumerate(scores) if score == best)
    nothing = (0, 0)
    return Played(seating, scores, winners, nothing, nothing, nothing, (), failed)


@pytest.mark.parametrize(
    ("seating", "scores", "failed", "places"),
    [
        ((0, 1, 1, 1), (-10, -20, -5, -30), None, (2, 8 / 3)),
        # Seats that tie share their places: first and second, then third and fourth.
        ((0, 1, 1, 0), (-10, -10, -20, -20), None, (2.5, 2.5)),
        ((0, 1, 0), (-1, -2, -3), None, (2, 2)),
        # What those had who did not fail counts for nothing.
        ((0, 1, 0, 1), (-1, -2, -3, -4), 0, (3.5, 1.5)),
    ],
)
def test_the_place_of_a_player_is_the_mean_of_its_seats(
    seating: tuple[int, ...], scores: tuple[int, ...], failed: int | None, places: tuple[float, float]
) -> None:
    game = played(seating, scores, failed)
    assert (mean_place(game, 0), mean_place(game, 1)) == pytest.approx(places)
    assert standing([game] * 6, 0).place.value == pytest.approx(places[0])


def test_two_processes_play_the_same_games_as_one() -> None:
    match = Match("junior", ("greedy", "random"), games=4)
    together, alone = run(match, jobs=2), run(match)
    assert [game.moves for game in together] == [game.moves for game in alone]


def test_bots_that_keep_their_trees_play_other_games_than_at_a_table_and_the_same_in_two_processes() -> None:
    match = Match("junior", ("sage-4", "mason-4"), games=4, follows=True)
    together, alone = run(match, jobs=2), run(match)
    assert [game.moves for game in together] == [game.moves for game in alone]
    assert alone[0].moves != run(replace(match, follows=False))[0].moves


def test_an_engine_remembers_nothing_of_another_game() -> None:
    games = run(Match("duo", (REMEMBERS, REMEMBERS), games=4))
    assert len({game.moves for game in games}) == 1


def test_engines_without_luck_repeat_themselves_unless_the_opening_is_drawn() -> None:
    assert len({game.moves for game in run(Match("duo", (FIRST, FIRST), games=6))}) == 1
    drawn = run(Match("duo", (FIRST, FIRST), games=6, opening=2))
    assert len({game.moves for game in drawn}) == 3
    assert drawn[0].moves[:2] == drawn[1].moves[:2]


def test_an_engine_that_raises_loses_the_game_and_says_why() -> None:
    games = run(Match("duo", (f"{RAISES},at=5", "greedy"), games=2))
    lost = standing(games, 0)
    assert (lost.losses, lost.failures) == (2, ("raised RuntimeError: no ideas",) * 2)
    assert standing(games, 1).wins == 2
    assert [len(game.moves) for game in games] == [4, 5]


def test_an_engine_that_breaks_the_rules_loses_the_game() -> None:
    game = run(Match("duo", (CHEATS, "greedy"), games=1))[0]
    assert (game.failed, game.winners) == (0, (1,))
    assert "already been placed" in game.failure


def test_an_interrupted_match_goes_on_where_it_was(tmp_path: Path) -> None:
    log = Log(tmp_path / "games.jsonl")
    begun, whole = Match("duo", ("greedy", "random"), games=2), Match("duo", ("greedy", "random"), games=6)
    first = run(begun, log=log)
    played: list[int] = []
    games = run(whole, log=log, listener=lambda number, _game, _count: played.append(number))
    assert played == [2, 3, 4, 5]
    assert games[:2] == first
    assert [game.moves for game in games] == [game.moves for game in run(whole)]


def test_half_a_line_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    match = Match("duo", ("random", "random"), games=2)
    games = run(match, log=Log(path))
    path.write_bytes(path.read_bytes()[:-30])
    assert [game.moves for game in run(match, log=Log(path))] == [game.moves for game in games]
    assert len(path.read_text().splitlines()) == 2


def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\n")
    with pytest.raises(ArenaError, match=r"letter.txt, line 1 is no game"):
        run(Match("duo", ("random", "random"), games=2), log=Log(path))
    assert path.read_text() == "Dear all,\n"


@pytest.mark.parametrize("name", ["nobody", "nowhere:Engine", f"{FIRST},speed=3", f"{FIRST},3", "games.rules:Nobody"])
def test_an_unknown_engine_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ArenaError, match=r"(no bot|no engine)"):
        run(Match("duo", (name, "random"), games=2))


def test_what_an_engine_compiles_for_beginnings_and_endings_is_no_move_of_a_game() -> None:
    told = [0.0]
    engine = Compiles(told)
    players = [OwnPlayer(engine, clock=lambda: told[0]) for _ in range(2)]
    game = play_fixture(next(Match("junior", ("x", "y")).fixtures()), players)
    assert engine.compiled == {"a beginning", "an ending"}
    assert told[0] > 16
    # Each move takes a hundredth of a second.
    assert game.longest == pytest.approx((0.01, 0.01))
