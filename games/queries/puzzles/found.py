"""Where puzzles have been found, and the public games in which they have not been looked for."""

from collections.abc import Iterator

from django.db.models import Max

from games.base import positions
from games.models import DailyPuzzle, Game
from games.queries.play.moves import move_rows
from games.values import Status


def known_puzzles(source: str) -> set[tuple[int, str]]:
    """Return the puzzles found in the games of a source, each as the number of its game and its kind. One query."""
    return set(DailyPuzzle.objects.filter(source=source).values_list("number", "kind"))


def last_searched_game(source: str) -> int:
    """Return the number of the last game of a source in which a puzzle was found, 0 before the first. One query."""
    return int(DailyPuzzle.objects.filter(source=source).aggregate(last=Max("number"))["last"] or 0)


def public_games(after: int) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield the finished public games after that number: number, variant and moves. One query a game.

    Only those that anybody may see, with the usual colours and scoring; who played is not told.
    """
    known = Game.objects.filter(status=Status.FINISHED, is_public=True, pk__gt=after)
    for game in known.order_by("pk").iterator(chunk_size=100):
        moves = tuple(positions.text_of(move) for move in move_rows(game))
        is_usual = not game.colours and game.scoring == positions.start_of(game).variant.scorings[0]
        if moves and is_usual:
            yield game.pk, game.variant, moves
