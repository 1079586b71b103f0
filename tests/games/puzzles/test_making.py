"""`manage.py make_puzzles`: what comes with the release, and what is found in finished games."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.puzzles.store_puzzles import store_puzzles
from games.bots.puzzles import finding, playing
from games.bots.puzzles.finding import puzzles_in
from games.bots.puzzles.shipped import FIRST_DAY, shipped_puzzles
from games.models import DailyPuzzle
from games.puzzles.puzzle import KINDS, Puzzle
from games.queries.puzzles.days import today_of
from games.queries.puzzles.found import public_games
from tests.games.puzzles.samples import ALL, SAMPLES
from tests.games.tables import running

pytestmark = pytest.mark.django_db


def test_a_fresh_site_has_the_puzzles_of_the_release_each_on_its_day_and_once() -> None:
    call_command("make_puzzles")
    rows = list(DailyPuzzle.objects.order_by("day"))
    assert [row.key for row in rows] == [each.key for each in ALL]
    assert [row.day for row in rows] == [FIRST_DAY + timedelta(days=index) for index in range(len(ALL))]
    call_command("make_puzzles")
    assert DailyPuzzle.objects.count() == len(ALL)


def test_what_was_ended_goes_on_where_it_was() -> None:
    call_command("make_puzzles")
    DailyPuzzle.objects.filter(day__gte=FIRST_DAY + timedelta(days=5)).delete()
    call_command("make_puzzles")
    assert [row.key for row in DailyPuzzle.objects.order_by("day")] == [each.key for each in ALL]


def test_finished_public_games_are_looked_at_once_and_no_other_ones(alice: User, bob: User) -> None:
    games = {is_public: running(alice, bob, is_public=is_public) for is_public in (True, False)}
    running(alice, bob, is_public=True)
    for game in games.values():
        resign(bob, game.slug)
    assert [number for number, _variant, _moves in public_games(0)] == [games[True].pk]
    assert list(public_games(games[True].pk)) == []
    call_command("make_puzzles", games=True)
    assert not DailyPuzzle.objects.filter(source="game").exists()


def test_more_are_found_in_games_of_bots_after_the_last_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    call_command("make_puzzles")
    last, looked, known = max(each.seed for each in shipped_puzzles()), list[int](), ALL[0]
    # The same but for its last moves: another position.
    new = replace(known, moves=known.moves[:-4])

    def play(seed: int) -> playing.PlayedGame:
        looked.append(seed)
        return playing.PlayedGame(seed, known.variant, known.moves)

    def find(_variant: str, _moves: Sequence[str], _kinds: Sequence[str]) -> Iterator[Puzzle]:
        return iter([known] if len(looked) == 1 else [known, new])

    monkeypatch.setattr(playing, "played_game", play)
    monkeypatch.setattr(finding, "puzzles_in", find)
    call_command("make_puzzles", find=1)
    assert looked == [last + 1, last + 2]
    row = DailyPuzzle.objects.get(key=new.key)
    assert row.number == last + 2
    assert row.day >= FIRST_DAY + timedelta(days=len(ALL))


def test_what_is_found_later_takes_the_place_of_no_puzzle_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    today = today_of(timezone.now())
    assert store_puzzles([(1, ALL[0])], source="bots", first=today - timedelta(days=3))
    monkeypatch.setattr("games.management.commands.make_puzzles.shipped_puzzles", lambda: iter(()))
    monkeypatch.setattr("games.management.commands.make_puzzles.public_games", lambda _after: iter([(7, "", ())]))
    monkeypatch.setattr(finding, "puzzles_in", lambda *_game: iter([ALL[1]]))
    call_command("make_puzzles", games=True)
    assert DailyPuzzle.objects.get(source="game").day == today + timedelta(days=1)


def test_a_finished_game_has_one_of_a_kind_at_most() -> None:
    for kind in KINDS:
        puzzle = SAMPLES[kind]
        game = [*puzzle.moves, puzzle.solutions[0][0]]
        again = list(puzzles_in(puzzle.variant, game, [kind]))
        assert len(again) <= 1
