"""Bots play whole games through the same action as people, from background jobs."""

import random

import pytest

from accounts.models import User
from games.models import Game, Move, Status
from tests.games.tables import ME, advance, bot, fresh, open_table
from tests.games.tasks.workers import run_jobs
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)


def finish(game: Game, rng: random.Random) -> Game:
    """Let alice place something whenever it is her turn, and the bots play between."""
    while fresh(game).status == Status.RUNNING:
        run_jobs()
        if fresh(game).status == Status.RUNNING:
            advance(game, rng)
    return fresh(game)


@pytest.mark.parametrize("kinds", [["random", "greedy"], *proof(["greedy"], ["greedy", "random", "greedy"])])
def test_one_person_plays_bots_to_the_end(alice: User, rng: random.Random, kinds: list[str]) -> None:
    game = finish(open_table(alice, ME, *(bot(kind, seed) for seed, kind in enumerate(kinds))), rng)
    assert game.reason == "played-out"
    assert any(player.is_winner for player in game.players.all())


@pytest.mark.slow
def test_bots_alone_play_to_the_end_and_their_moves_are_marked(alice: User, rng: random.Random) -> None:
    kinds = ["greedy", "random", "greedy", "random"]
    game = finish(open_table(alice, *(bot(kind, seed) for seed, kind in enumerate(kinds))), rng)
    chosen = Move.objects.filter(game=game, is_automatic=False)
    assert {(move.seat, move.bot) for move in chosen} == set(enumerate(kinds))
    assert [move.number for move in game.moves.all()] == list(range(1, game.move_count + 1))


def test_bots_pass_where_the_table_declares_passes(alice: User, rng: random.Random) -> None:
    game = finish(open_table(alice, bot("random", 1), bot("random", 2), declares_passes=True), rng)
    assert game.reason == "played-out"
    assert Move.objects.filter(game=game, kind="pass", is_automatic=False).exclude(bot="").exists()


@pytest.mark.slow
def test_the_same_seeds_play_the_same_game(alice: User, rng: random.Random) -> None:
    first, second = (finish(open_table(alice, bot("greedy", 3), bot("random", 4)), rng) for _ in range(2))
    placements = [
        list(Game.objects.get(pk=game.pk).moves.values_list("placement", flat=True)) for game in (first, second)
    ]
    assert placements[0] == placements[1]
