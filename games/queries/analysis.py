"""How far advice and reviews have come, and what was found: plain values."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, When

from games.base import access
from games.findings import Finding, RatedPlacement
from games.models import Advice, Game, Player, Review, ReviewStatus
from games.queries.advising import ADVICE_SECONDS, UNDER_WAY
from games.queries.turns import next_number


@dataclass(frozen=True)
class AdviceState:
    """How far the advice for a turn has come: `state` is "idle", "thinking", "late", "ready" or "failed".

    It is "waiting" for a player who is not on turn; `colour` is then empty. `seconds` have gone since it was asked for.
    """

    state: str
    colour: str = ""
    seconds: int = 0
    choices: tuple[RatedPlacement, ...] = ()


@dataclass(frozen=True)
class ReviewState:
    """How far a review has come: `state` is "none" or one of `ReviewStatus`; `done` of `total` positions are judged.

    `findings` are there once it is complete. For each position the engine has simulated so many games.
    """

    state: str
    done: int
    total: int
    simulations: int
    can_cancel: bool
    findings: tuple[Finding, ...]


def advice_told(game: Game, player: Player, now: datetime) -> AdviceState:
    """Return how far the advice for a player's turn has come. One query, none for one who is not on turn."""
    if game.turn_seat != player.seat:
        return AdviceState("waiting")
    advice = Advice.objects.filter(player=player, number=next_number(game)).first()
    if advice is None:
        return AdviceState("idle", game.turn_colour)
    if advice.choices:
        return AdviceState("ready", game.turn_colour, choices=tuple(map(RatedPlacement.of_json, advice.choices)))
    seconds = max(0, int((now - advice.asked_at).total_seconds()))
    state = "failed" if advice.choices is not None else "late" if seconds >= ADVICE_SECONDS else "thinking"
    return AdviceState(state, game.turn_colour, seconds)


def review_told(game: Game, user: access.Viewer) -> ReviewState:
    """Return how far the review of a game has come, for a person who may see it. One query."""
    found = Case(When(status=ReviewStatus.DONE, then="findings"))
    review = Review.objects.filter(game=game).defer("findings").annotate(found=found).first()
    if review is None:
        return ReviewState("none", 0, 0, 0, False, ())
    findings = review.found or ()
    return ReviewState(
        state=review.status,
        # What the release before has added is counted in the end.
        done=len(findings) or review.done,
        total=review.total,
        simulations=review.simulations,
        can_cancel=_can_cancel(review, game, user),
        findings=tuple(map(Finding.of_json, findings)),
    )


def _can_cancel(review: Review, game: Game, user: access.Viewer) -> bool:
    if review.status not in UNDER_WAY or user.pk is None:
        return False
    return review.asked_by_id == user.pk or access.seat_of(game, user) is not None
