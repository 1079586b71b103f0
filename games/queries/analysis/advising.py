"""What a worker has to know to advise a player, or to go on with a review: positions, read without any lock."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db.models import Count, F

from games.base import positions
from games.models import Advice, Kind, Move, Review, ReviewStatus, Status
from games.queries.play.moves import MoveRow, move_rows
from games.queries.tables.turns import next_number
from games.rules import Placement, Position

#: The states of a review that is not over.
UNDER_WAY = (ReviewStatus.WAITING, ReviewStatus.RUNNING)

#: More positions than a job has the time to judge: those after them are neither read nor sent to who thinks.
AT_A_TIME = 10

#: Seconds after which an answer is late, which the page says. What was lost is asked for again by the sweep.
ADVICE_SECONDS = 30


def position_to_advise(player_id: int, number: int) -> Position | None:
    """Return the position that advice was asked for, None if it is there already or the game has moved on.

    Two queries.
    """
    asked = Advice.objects.filter(player=player_id, number=number, choices__isnull=True)
    advice = asked.select_related("player__game").first()
    if advice is None or advice.player.game.status != Status.RUNNING or next_number(advice.player.game) != number:
        return None
    position = positions.position_of(advice.player.game)
    return position if position.seat == advice.player.seat and position.has_legal() else None


@dataclass(frozen=True)
class JudgedPlacement:
    """A placement of a finished game, with its number and the position before it."""

    number: int
    position: Position
    played: Placement


@dataclass(frozen=True)
class ReviewWork:
    """What a job may judge of a review, in order. `round` says which time it was asked for."""

    slug: str
    round: int
    simulations: int
    placements: tuple[JudgedPlacement, ...]


def review_work(review_id: int, done: int) -> ReviewWork | None:
    """Return the next positions of a review of which exactly `done` are done, at most AT_A_TIME; two queries.

    None if it is not under way, or if another number of them is done.
    """
    under_way = Review.objects.filter(pk=review_id, status__in=UNDER_WAY, done=done)
    review = under_way.defer("findings").select_related("game").first()
    if review is None:
        return None
    moves = move_rows(review.game)
    stages = zip(positions.positions_of(review.game, moves), moves, strict=False)
    judged = ((before, move) for before, move in stages if _is_judged(move))
    placements = tuple(
        JudgedPlacement(move.number, before, Placement.parse(move.placement, before.variant))
        for before, move in islice(judged, done, done + AT_A_TIME)
    )
    return ReviewWork(review.game.slug, review.round, review.simulations, placements)


def to_judge(games: Collection[int]) -> dict[int, int]:
    """Return how many positions of each of these games a review judges, if any: those before a placement that was not
    given. One query.
    """
    placed = Move.objects.filter(game__in=games, kind=Kind.PLACE, number__gt=F("game__given_moves"))
    found = placed.order_by().values("game").annotate(positions=Count("pk"))
    return dict(found.values_list("game", "positions"))


def _is_judged(move: MoveRow) -> bool:
    return move.kind == Kind.PLACE and not move.is_given


def hints_due(after: datetime, before: datetime) -> set[tuple[int, int]]:
    """Return the players, with the number of the move, who asked for hints in a span of time and wait for them still.

    One query, and one more where any hint is waited for: a database without statistics on the few rows of advice may
    begin with all games.
    """
    asked = Advice.objects.filter(asked_at__gt=after, asked_at__lt=before, choices__isnull=True)
    waiting = list(asked.values_list("pk", flat=True))
    due = Advice.objects.filter(
        pk__in=waiting,
        player__game__status=Status.RUNNING,
        player__game__turn_seat=F("player__seat"),
        player__game__move_count=F("number") - 1 - F("player__game__spent_numbers"),
    )
    return {*due.values_list("player_id", "number")} if waiting else set()


def reviews_due(before: datetime) -> set[tuple[int, int]]:
    """Return every review that should go on and has not since a moment, and how much of it is done. One query."""
    waiting = Review.objects.filter(status__in=UNDER_WAY, changed_at__lt=before)
    return {*waiting.values_list("pk", "done")}
