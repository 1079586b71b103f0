"""What a finished game was to one of its players beside those they had finished before: wins in a row, a best score."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BigIntegerField, CharField, DateTimeField

from accounts.database.prepared import Prepared
from games.models import Player, SeatResult
from games.models.player import LATEST

#: So many of a person's latest games in a variant are looked at, with the one that has ended.
GAMES_OF_FEATS = 10
#: Fewer wins in a row are no streak, and a score is no best beside fewer others.
LEAST_WINS, LEAST_OTHERS = 3, 3


@dataclass(frozen=True)
class Feats:
    """How many games the player has won in a row with this one, and of how many its score is their best; 0 for neither.

    Both are of their latest games in the variant, `GAMES_OF_FEATS` at most, and scores of those scored in the same way.
    Where the streak `may_be_longer`, all that were looked at were won.
    """

    wins: int
    best_of: int
    may_be_longer: bool


_LATEST_GAMES = Prepared(
    lambda user, variant, ended: (
        Player.objects.filter(user=user, variant=variant, ended_at__lte=ended, ended_at__isnull=False)
        .order_by(*LATEST)
        .values_list("game__slug", "retired", "result", "score", "game__scoring", "game__variant")[:GAMES_OF_FEATS]
    ),
    user=BigIntegerField(),
    variant=CharField(),
    ended=DateTimeField(),
)


def feats_of(user_id: int, slug: str, variant: str, ended: datetime) -> Feats | None:
    """Return what the game with that slug, which ended then, was to one who played in it; None for nothing of that.

    `variant` has no size and no seed. Games that began at a position, or were played on one device, count for no one;
    nor does one that the player left early. One query.
    """
    games = _LATEST_GAMES.ask(user=user_id, variant=variant, ended=ended)
    # Others may have ended at the same moment.
    here = next((index for index, game in enumerate(games) if game[0] == slug), None)
    if here is None or games[here][1] or not games[here][2]:
        return None
    counted = [game for game in games[here:] if game[2]]
    wins = _wins_in_a_row([result for _slug, _retired, result, *_more in counted])
    is_cut = wins == len(counted) and len(games) == GAMES_OF_FEATS
    best_of = _best_of([score or 0 for _slug, _retired, _result, score, *kind in counted if kind == [*games[here][4:]]])
    return Feats(wins, best_of, may_be_longer=is_cut) if wins or best_of else None


def _wins_in_a_row(results: Sequence[str]) -> int:
    """Return how many of the latest games in a row were won, the latest first; 0 for too few."""
    wins = next((number for number, result in enumerate(results) if result != SeatResult.WON), len(results))
    return wins if wins >= LEAST_WINS else 0


def _best_of(scores: Sequence[int]) -> int:
    """Return of how many scores the first is the best; 0 where it is not, or beside too few."""
    return len(scores) if len(scores) > LEAST_OTHERS and scores[0] > max(scores[1:]) else 0
