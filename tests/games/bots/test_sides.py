"""Where the opening pieces of both sides are named, a bot that can search chooses its side by a short search."""

import json
import random
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from accounts.models import User
from benchmarks import sides as benchmark
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.choose_side import choose_side
from games.actions.tables.edit_table import edit_table
from games.actions.tables.fill_seats import fill_seats, fill_when_due
from games.actions.tables.remove_player import remove_player
from games.audit.checks import faults
from games.base.terms import TableTerms
from games.bots import sides
from games.bots.sides import chances_of_sides, find_side, searched_side, take_side
from games.models import Game, Notification, Status
from games.queries.tables.turns import SideChoice
from games.roster import sides as roster
from games.roster.offered import offered_bots
from games.roster.sides import better_seat, measured_sides
from games.rules import get_variant
from games.table.seats import CHOOSES_FOR
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, NOON, OPEN, bot, fresh, open_table, rows
from tests.games.tasks.workers import jobs, run_jobs

LOPSIDED = 0.15
BOT = "sage-5"


def lopsided_pairs() -> list[tuple[str, str]]:
    """Return ten pairs of Duo, drawn of those with which one side wins 65 games of 100 at least, as was measured."""
    worth = measured_sides()["duo"]
    pairs = [(one, two) for one in worth.first for two in worth.second]
    of_first = [pair for pair in pairs if worth.chance(*pair) > 1 / 2 + LOPSIDED]
    of_second = [pair for pair in pairs if worth.chance(*pair) < 1 / 2 - LOPSIDED]
    luck = random.Random(10)
    return luck.sample(of_first, 5) + luck.sample(of_second, 5)


@pytest.mark.parametrize("name", [BOT, "warden-4"])
def test_a_lopsided_pair_is_punished(name: str) -> None:
    chosen, better = [], []
    for pair in lopsided_pairs():
        variant = ":".join(("duo", *pair))
        chosen.append(searched_side(offered_bots()[name], variant, seed=7))
        better.append(better_seat(get_variant(variant)))
    assert sum(one == two for one, two in zip(chosen, better, strict=True)) >= 9


def test_the_same_seed_gives_the_same_choice() -> None:
    found = [chances_of_sides(offered_bots()[BOT], "duo:N:W", seed) for seed in (3, 3, 4)]
    assert found[0] == found[1] != found[2]


def test_a_search_that_fails_or_lasts_leaves_the_measured_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> int:
        raise RuntimeError

    choice = SideChoice("slug", "duo:1:X", BOT, 1)
    monkeypatch.setattr(sides, "searched_side", fails)
    assert find_side(choice) == better_seat(get_variant("duo:1:X"))


def table(host: User, *others: object, variant: str = "duo:1:X") -> Game:
    return open_table(host, ME, *(others or (bot(BOT),)), variant=variant)  # type: ignore[arg-type]


def seat_of_bot(game: Game) -> int:
    return int(fresh(game).players.exclude(bot="").get().seat)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_game_begins_once_the_bot_has_chosen(seat: int, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "searched_side", lambda *_: seat)
    game = table(alice)
    assert fresh(game).status == Status.OPEN
    assert ("choose_bot_side", [game.pk, 0]) in jobs()
    assert take_side(game.pk)
    game = fresh(game)
    assert (game.status, seat_of_bot(game), game.fill_at) == (Status.RUNNING, seat, None)
    assert list(faults(game)) == []
    before = rows()
    assert not take_side(game.pk)
    assert not choose_side(game.slug, bot=BOT, seat=1 - seat)
    assert rows() == before


@pytest.mark.django_db(transaction=True)
def test_so_it_is_where_the_host_lets_a_bot_take_the_free_seat(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sides, "searched_side", lambda *_: 0)
    game = table(alice, OPEN)
    fill_seats(alice, game.slug, bot=BOT)
    assert fresh(game).status == Status.OPEN
    run_jobs()
    assert (fresh(game).status, seat_of_bot(game)) == (Status.RUNNING, 0)


@pytest.mark.django_db(transaction=True)
def test_who_opened_the_table_is_not_notified_of_a_start_that_they_see(alice: User) -> None:
    game = open_table(alice, ME, bot(BOT), variant="duo:1:X")
    choose_side(game.slug, bot=BOT, seat=1, now=NOON + timedelta(seconds=2))
    assert fresh(game).status == Status.RUNNING
    assert not Notification.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_lost_job_lets_the_game_begin_with_the_better_measured_side(alice: User) -> None:
    game = table(alice)
    edit_table(alice, game.slug, TableTerms.of(fresh(game), fill_after=0))
    assert not fill_when_due(game.slug, now=NOON + CHOOSES_FOR / 2)
    assert fill_when_due(game.slug, now=NOON + CHOOSES_FOR)
    assert (fresh(game).status, seat_of_bot(game)) == (Status.RUNNING, better_seat(get_variant(game.variant)))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["removed", "cancelled"])
def test_a_bot_that_is_gone_chooses_nothing(change: str, alice: User) -> None:
    game = table(alice)
    if change == "removed":
        remove_player(alice, game.slug, seat=seat_of_bot(game))
        assert fresh(game).fill_at is None
    else:
        cancel_game(alice, game.slug)
    before = rows()
    run_jobs()
    assert rows() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["random", "greedy", "sage-3"])
def test_a_bot_that_cannot_search_takes_the_better_measured_side_at_once(name: str, alice: User) -> None:
    game = table(alice, bot(name))
    assert (fresh(game).status, seat_of_bot(game)) == (Status.RUNNING, better_seat(get_variant(game.variant)))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("language", "line"), [("en", "is choosing a side"), ("fr", "choisit son camp")])
def test_the_page_says_that_the_bot_is_choosing(language: str, line: str, alice: User, log_in: LogIn) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    game = table(alice)
    page = read(log_in(alice).get(f"/games/{game.slug}/"))
    assert line in page.text
    assert not page.find_all("input", id="invite")


def test_a_search_of_all_pairs_writes_those_that_games_find_nearest_to_even(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = tmp_path / "sides.json"
    stored.write_text(roster.SIDES.read_text("utf-8"), "utf-8")
    for module in (roster, benchmark):
        monkeypatch.setattr(module, "SIDES", stored)
    before = json.loads(stored.read_text("utf-8"))
    # Three games by chance may say that no pair is near to even.
    monkeypatch.setattr(benchmark, "play", lambda *_: 0.5)
    try:
        benchmark.search("junior", searched=10, games=3, simulations=10, seed=1)
        pairs = roster.searched_pairs()["junior"]
    finally:
        roster.searched_pairs.cache_clear()
    assert 0 < len(pairs) <= benchmark.MOST_SEARCHED
    assert {piece for pair in pairs for piece in pair} <= {piece.name for piece in get_variant("junior").pieces}
    after = json.loads(stored.read_text("utf-8"))
    assert (after["worth"], after["games"]) == (before["worth"], before["games"])


def test_games_set_right_what_a_search_tells() -> None:
    luck = np.random.default_rng(3)
    told = luck.normal(0, 1, 4000)
    points = (luck.random(4000) < 1 / (1 + np.exp(-(0.4 + 0.5 * told)))).astype(float)
    rows = np.column_stack([np.ones(4000), told])
    found = benchmark.likeliest(rows, points, np.diag([1e-6, 0.5]), np.array([0.0, 1.0]))
    assert found == pytest.approx([0.4, 0.5], abs=0.1)
