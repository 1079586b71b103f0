"""Finished games that are played once a process: every test that asks for one gets the same rows, as a new game.

A recording is made inside a transaction that is undone. So the first test to ask finds what all others find: rows,
and neither jobs nor events. Whatever is about playing plays by `tests.games.tables` instead.
"""

import copy
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from games.actions.analysis.ask_for_review import ask_for_review
from games.bots.reviewer import continue_review
from games.models import Game, Move, Player, Review
from games.models.game import new_slug, new_token
from tests.games.tables import large_first, play_out, running

Recording = tuple[Game, Sequence[Player], Sequence[Move]]

_games: dict[str, Recording] = {}
_reviews: dict[tuple[str, ...], Review] = {}


def finished(*people: User, chance: int = 5, **settings: Any) -> Game:
    """Return a game of these people, seated in that order, that was played to its end by chance, large pieces first."""
    called = repr((len(people), chance, sorted(settings.items())))
    if called not in _games:
        with transaction.atomic():
            game = play_out(running(*people, **settings), chance, large_first)
            _games[called] = (game, list(game.players.order_by("seat")), list(game.moves.order_by("number")))
            transaction.set_rollback(True)
    game, players, moves = _games[called]
    new = _again(game, creator=people[0], slug=new_slug(), invite_token=new_token())
    new.save(force_insert=True)
    Player.objects.bulk_create(_again(one, game=new, user=people[one.seat]) for one in players)
    Move.objects.bulk_create(_again(one, game=new) for one in moves)
    return Game.objects.get(pk=new.pk)


def reviewed(user: User, game: Game) -> Game:
    """Return the finished game with its review done, asked for by this person.

    The judge is the engine that the tests of reviews put in the strong one's place; what it found of a game is kept.
    """
    told = tuple(game.moves.order_by("number").values_list("placement", flat=True))
    if told not in _reviews:
        with transaction.atomic():
            _reviews[told] = _judge(user, game)
            transaction.set_rollback(True)
    _again(_reviews[told], game=game, asked_by=user).save(force_insert=True)
    return game


def _judge(user: User, game: Game) -> Review:
    ask_for_review(user, game.slug)
    review = Review.objects.get(game=game)
    done: int | None = 0
    while done is not None:
        done = continue_review(review.pk, done)
    review.refresh_from_db()
    return review


def _again(row: Any, **changes: Any) -> Any:
    """Return an unsaved copy of a row with these fields changed."""
    new = copy.copy(row)
    new._state = copy.copy(row._state)
    new._state.adding, new._state.fields_cache, new.pk = True, {}, None
    for field, value in changes.items():
        setattr(new, field, value)
    return new
