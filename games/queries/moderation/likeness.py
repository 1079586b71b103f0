"""How often a person has played what an engine would have, in rated games that were reviewed: for moderators alone.

Nothing is stored of it and nothing follows from it by itself: whoever plays well finds many of an engine's moves.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

from games.findings import Finding
from games.models import Move, Player, ReviewStatus

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from accounts.models import User

#: So many of the latest games are looked at.
GAMES_COMPARED = 20
#: So many standard deviations to either side hold 95 of 100 cases.
_REACH = NormalDist().inv_cdf(0.975)
#: The states of a review that is asked for and not done.
_COMING = (ReviewStatus.WAITING, ReviewStatus.RUNNING)


@dataclass(frozen=True)
class Likeness:
    """In so many games `same` of a person's `moves` were an engine's first choice; `chance` would have found so many.

    What a stand-in played is left out, and so is a move without a choice. `others` and `others_same` are those of the
    other people in the same games.
    """

    games: int
    moves: int
    same: int
    chance: float
    others: int
    others_same: int

    @property
    def usual_share(self) -> tuple[float, float]:
        """Return between which shares a person's usual one lies in 95 of 100 cases: Wilson's score interval.

        It takes each move for a trial of its own. Nothing is known without any move: from 0 to 1.
        """
        n, share, square = self.moves, self.same / max(1, self.moves), _REACH**2
        middle = (n * share + square / 2) / (n + square)
        reach = _REACH * math.sqrt(n * share * (1 - share) + square / 4) / (n + square)
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True)
class ReviewedGames:
    """Of so many of a person's latest `games` that are rated and over, how many reviews are `done` and `under_way`."""

    games: int
    done: int
    under_way: int

    @property
    def lacking(self) -> int:
        """Return how many of the games have no review, and none that goes on."""
        return self.games - self.done - self.under_way


def reviewed_games(person: "User") -> ReviewedGames:
    """Return how many of the latest rated games of a person are reviewed. One query."""
    found = [status for _game, status in _latest_reviews(person)]
    under_way = sum(status in _COMING for status in found)
    return ReviewedGames(len(found), found.count(ReviewStatus.DONE), under_way)


def unreviewed_games(person: "User") -> list[int]:
    """Return those of the latest rated games of a person that have no review, and none that goes on. One query."""
    return [game for game, status in _latest_reviews(person) if status not in (ReviewStatus.DONE, *_COMING)]


def _latest_reviews(person: "User") -> list[tuple[int, str | None]]:
    return list(_latest(person).values_list("game", "game__review__status")[:GAMES_COMPARED])


def _latest(person: "User") -> "QuerySet[Player]":
    rated = Player.objects.filter(user=person, ended_at__isnull=False, game__is_rated=True)
    return rated.order_by("-ended_at", "-game")


def likeness_of(person: "User") -> Likeness | None:
    """Return the likeness over the latest rated games with a review, None without any. One query, or three."""
    reviewed = _latest(person).filter(game__review__status=ReviewStatus.DONE)
    rows = list(reviewed.values_list("game", "seat", "game__review__findings")[:GAMES_COMPARED])
    if not rows:
        return None
    games = [game for game, _seat, _findings in rows]
    people = set(Player.objects.filter(game__in=games, user__isnull=False).values_list("game", "seat"))
    colours = Move.objects.filter(game__in=games, bot="").values_list("game", "number", "colour")
    played = {(game, number): colour for game, number, colour in colours}
    found: defaultdict[bool, list[tuple[bool, float]]] = defaultdict(list)
    for game, seat, findings in rows:
        for finding in map(Finding.of_json, findings):
            if (game, finding.seat) in people and (game, finding.number) in played:
                found[finding.seat == seat].extend(_compared(finding, played[game, finding.number]))
    mine, theirs = found[True], found[False]
    return Likeness(
        games=len(games),
        moves=len(mine),
        same=sum(is_same for is_same, _chance in mine),
        chance=sum(chance for _is_same, chance in mine),
        others=len(theirs),
        others_same=sum(is_same for is_same, _chance in theirs),
    )


def _compared(finding: Finding, colour: str) -> Iterator[tuple[bool, float]]:
    """Yield whether a move was the first choice, and how likely chance finds that one; nothing where none was."""
    choices = finding.legal.get(colour, 0)
    if choices > 1 and finding.best:
        yield finding.best[0].placement == finding.played.placement, 1 / choices
