"""A finished game as the record of a new study: with what its review has found written to the moves."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from games.base import access, positions
from games.errors import WrongStatus
from games.findings import Finding, RatedPlacement
from games.queries.analysis.progress import complete_findings
from games.queries.analysis.turning import chances_of, turning_points
from games.queries.play.moves import move_rows
from games.rules import Placement
from games.rules.records import GameRecord
from games.table.records import game_record
from games.values import Status
from games.words import endings, names, reasons, sentences

if TYPE_CHECKING:
    from games.models import Game


def reviewed_record(user: access.Viewer, slug: str, token: str = "") -> GameRecord:
    """Return the record of a finished game; the comments of its moves tell what a complete review has found.

    Eight queries at most.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it is not over.

    """
    game = access.game_to_view(user, slug, token)
    if game.status != Status.FINISHED:
        raise WrongStatus(gettext("You can open a game as a study once it is over."), code="not-over")
    record = game_record(user, slug, token)
    return replace(record, comments=_joined(record.comments, _comments(game)))


def _joined(first: Mapping[int, str], more: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """Return the comments by number of the move, those of the review below the others."""
    numbers = sorted({*first, *more})
    return {number: "\n".join(filter(None, (first.get(number, ""), *more.get(number, ())))) for number in numbers}


def _comments(game: "Game") -> Mapping[int, Sequence[str]]:
    """Return what the review says, by number of the move; nothing where there is none, or it is not complete."""
    findings = complete_findings(game)
    if findings is None:
        return {}
    moves = move_rows(game)
    winners = positions.position_of(game, moves).winners()
    players = list(game.players.all())
    chances = chances_of(moves, findings, [float(player.seat in winners) for player in players])
    turning = {finding.number for finding in turning_points(moves, findings, chances)}
    found: dict[int, list[str]] = defaultdict(list)
    for finding in findings:
        before, after = (chances[number][finding.seat] for number in (finding.number - 1, finding.number))
        is_turning = finding.number in turning
        name = names.player_name(next(player for player in players if player.seat == finding.seat))
        cost = endings.chance_drop_text(name, _percent(before), _percent(after)) if is_turning else ""
        colour = moves[finding.number - 1].colour
        found[finding.number] += _said(finding, cost, colour, game)
    return found


def _said(finding: Finding, cost: str, colour: str, game: "Game") -> Iterator[str]:
    """Yield the sentences about one move: what it cost, where the game turned here, and the better move."""
    if cost:
        yield gettext("Turning point: %(cost)s") % {"cost": cost}
    best = finding.best[0] if finding.best else None
    if best is None or best.placement == finding.played.placement:
        return
    yield _better(best, game)
    if cost and (why := reasons.better_text(best.reasons, colour, False)):
        yield why


def _better(best: RatedPlacement, game: "Game") -> str:
    values = {"placement": sentences.placement_label(Placement.parse(best.placement, positions.start_of(game).variant))}
    if best.value is None:
        return gettext("Better: %(placement)s.") % values
    return gettext("Better: %(placement)s (%(chance)s).") % {**values, "chance": _percent(best.value)}


def _percent(chance: float) -> str:
    return sentences.percent(round(100 * chance))
