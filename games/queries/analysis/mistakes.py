"""A person's own mistakes in reviewed games: which there are, when each is due, and what is better there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import prefetch_related_objects

from accounts.models import User
from games.findings import Finding
from games.models import Game, Mistake, Player, Review, ReviewStatus
from games.queries.analysis.turning import TURNING_POINTS, chances_of, losses_of
from games.queries.play.moves import move_rows

#: A mistake costs at least so many percent; a game has as many for each person as it has turning points.
LEAST_COST = 10
#: A placement is as good as the best if it is worth so much less at most: that is within the error.
AS_GOOD = 0.02
#: A placement is better than what was played if it makes up at least this part of what that cost.
MADE_UP = 0.5
#: For how long a mistake rests each time a better placement was found: the last time for good.
INTERVALS = (timedelta(days=1), timedelta(days=3), timedelta(days=7), timedelta(days=21))
#: How many a page of them shows.
SHOWN_MISTAKES = 100


def best_placements(finding: Finding) -> frozenset[str]:
    """Return the placement that is found to be best and those as good, as they are recorded."""
    best = finding.best[0]
    return frozenset({best.placement, *_worth(finding, AS_GOOD)}) - {finding.played.placement}


def better_placements(finding: Finding, cost: int) -> frozenset[str]:
    """Return the placements that are clearly better than what was played, which cost so many percent.

    Besides the best these are those that make up enough of it, as long as no more was found to be in what was played.
    """
    made_up, played = _worth(finding, (1 - MADE_UP) * cost / 100), finding.played.value
    better = (placement for placement, value in made_up.items() if played is None or value > played)
    return best_placements(finding) | frozenset(better) - {finding.played.placement}


def _worth(finding: Finding, less: float) -> dict[str, float]:
    """Return the placements that are worth so much less than the best at most, each with its value."""
    best = finding.best[0].value
    least = None if best is None else round(best - less, 4)
    values = {one.placement: one.value or 0 for one in finding.best}
    return {placement: value for placement, value in values.items() if least is not None and value >= least}


def costs_in(game: Game, findings: Sequence[Finding]) -> dict[int, dict[int, int]]:
    """Return what the worst placements of each person cost them, by seat and number. Two queries."""
    players = list(Player.objects.filter(game=game).order_by("seat").select_related("user"))
    moves = move_rows(game)
    losses = losses_of(moves, findings, chances_of(moves, findings, [float(each.is_winner) for each in players]))
    seat_of = {finding.number: finding.seat for finding in findings}
    # A stand-in plays for somebody who is away.
    own = {move.number for move in moves if not move.bot}
    costs: dict[int, dict[int, int]] = {}
    for player in players:
        mine = [number for number in losses if seat_of[number] == player.seat and number in own]
        worst = sorted(mine, key=lambda number: (-losses[number], number))[:TURNING_POINTS]
        if player.user_id is not None:
            costs[player.user_id] = {number: losses[number] for number in worst if losses[number] >= LEAST_COST}
    return costs


@dataclass(frozen=True)
class Exercise:
    """A mistake with what its game's review has found there."""

    mistake: Mistake
    finding: Finding


def exercise_at(user: User, game: Game, after: int) -> Exercise | None:
    """Return what this person may try again after so many moves of a finished game. One query, two where there is."""
    mistake = Mistake.objects.filter(user=user, game=game, number=after + 1).first()
    found = None if mistake is None else finding_of(mistake)
    return None if mistake is None or found is None else Exercise(mistake, found)


def finding_of(mistake: Mistake) -> Finding | None:
    """Return what the review has found where a mistake was made. One query."""
    review = Review.objects.filter(game=mistake.game_id, status=ReviewStatus.DONE).values_list("findings", flat=True)
    found = (Finding.of_json(each) for each in review.first() or () if each["number"] == mistake.number)
    return next(found, None)


def mistakes_of(user: User) -> list[Mistake]:
    """Return a person's mistakes with their games: first what is due, last what is learnt. Five queries at most."""
    found = Mistake.objects.filter(user=user).select_related("game")
    # Each part in the order of its index: databases differ in where it has what is never due.
    rows = list(found.filter(due_at__isnull=False).order_by("due_at", "pk")[:SHOWN_MISTAKES])
    if len(rows) < SHOWN_MISTAKES:
        rows += found.filter(due_at=None).order_by("pk")[: SHOWN_MISTAKES - len(rows)]
    prefetch_related_objects(rows, "game__players__user")
    return rows
