"""Hints and reviews as programs read them: what engines have found."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ninja import Schema

from games.api.schemas import Sent
from games.base import access
from games.findings import Finding, RatedPlacement
from games.queries.analysis.progress import AdviceState, review_told
from games.queries.analysis.turning import chances_of, decided_from, turning_points
from games.queries.play.moves import MoveRow, move_rows
from games.queries.tables.turns import next_number
from games.rules.placement import table_for
from games.rules.variants import get_variant

if TYPE_CHECKING:
    from games.models import Game


class MeritOut(Schema):
    """One thing that a placement does.

    `effect` is size, opens, takes, hampers, frees, keeps or spares; `colour` is another one if it is about one, and
    `count` how many cells, corners or placements it is about.
    """

    effect: str
    colour: str
    count: int


class RatedOut(Schema):
    """A placement with its `id`, and what its player may expect of it, from 0 to 1; null where that is not known.

    `legal` are the placements that each colour has after it, where they were counted.
    """

    placement: str
    id: int
    value: float | None
    reasons: list[MeritOut]
    legal: dict[str, int]


class AdviceOut(Schema):
    """How far the hints for your turn have come, and then what was found, the best first.

    `state` is idle (not asked for), thinking, late (ask again if you like), ready or failed; and waiting while it is
    not your turn. They are for the move of this `number`; `seconds` have gone since they were asked for.
    """

    state: str
    number: int
    colour: str
    seconds: int
    choices: list[RatedOut]

    @classmethod
    def of(cls, game: "Game", told: AdviceState) -> "AdviceOut":
        """Return what is to be said of the advice for a turn of a game."""
        return cls(
            state=told.state,
            number=next_number(game),
            colour=told.colour,
            seconds=told.seconds,
            choices=[rated_out(choice, game.variant) for choice in told.choices],
        )


class FindingOut(Schema):
    """What was found about the position before a placement.

    `values` are the seats' chances of winning before it, from 0 to 1, `legal` the placements that each colour had. A
    `turning` point is one of the few moves that cost their players most.
    """

    number: int
    seat: int
    values: list[float]
    legal: dict[str, int]
    best: list[RatedOut]
    played: RatedOut
    turning: bool


class DecidedOut(Schema):
    """From the move of this number on the seat could no longer lose: all that could follow was looked through."""

    number: int
    seat: int


class ReviewOut(Schema):
    """The review of a finished game: `state` is none, waiting, running, done, cancelled or failed.

    `done` of `total` positions are judged, by so many `simulations` each. Findings are there once it is done; `decided`
    is null where it was not proved that a player could no longer lose.
    """

    state: str
    done: int
    total: int
    simulations: int
    can_cancel: bool
    findings: list[FindingOut]
    decided: DecidedOut | None


class ByLink(Sent):
    """The secret of an invitation link, for a private game that you do not play in."""

    token: str = ""


def review_out(user: access.Viewer, slug: str, token: str) -> ReviewOut:
    """Return the review of a finished game for a person who may see it. Three queries, one more once it is done.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it is not over.

    """
    game = access.game_to_view(user, slug, token)
    access.check_reviewable(game)
    told = review_told(game, user)
    moves = move_rows(game) if told.findings else []
    decided = decided_from(moves, told.findings)
    return ReviewOut(
        state=told.state,
        done=told.done,
        total=told.total,
        simulations=told.simulations,
        can_cancel=told.can_cancel,
        findings=list(_findings(game, moves, told.findings)) if told.findings else [],
        decided=None if decided is None else DecidedOut(number=decided[0], seat=decided[1]),
    )


def _findings(game: "Game", moves: Sequence[MoveRow], findings: tuple[Finding, ...]) -> Iterator[FindingOut]:
    chances = chances_of(moves, findings, [float(player.is_winner) for player in game.players.all()])
    turning = {finding.number for finding in turning_points(moves, findings, chances)}
    for finding in findings:
        yield FindingOut(
            number=finding.number,
            seat=finding.seat,
            values=list(finding.values),
            legal=dict(finding.legal),
            best=[rated_out(choice, game.variant) for choice in finding.best],
            played=rated_out(finding.played, game.variant),
            turning=finding.number in turning,
        )


def rated_out(choice: RatedPlacement, variant: str) -> RatedOut:
    """Return a placement with what is known of it."""
    reasons = [MeritOut(effect=each.effect, colour=each.colour, count=each.count) for each in choice.reasons]
    number = table_for(get_variant(variant)).id_of_text(choice.placement)
    return RatedOut(
        placement=choice.placement, id=number, value=choice.value, reasons=reasons, legal=dict(choice.legal)
    )
