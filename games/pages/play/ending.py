"""The end of a game at a glance, as one viewer sees it: who won, which place they took, how, and where it turned."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from games.pages.board.link_card import LinkCard, link_card
from games.pages.board.moves import MoveView
from games.pages.board.table import PlayerView, players_at
from games.pages.review.page import chances_of, turning_points
from games.queries.play.players import Seated
from games.queries.play.state import GameState
from games.values import Reason
from games.words import endings, sentences


@dataclass(frozen=True)
class TurningView:
    """The move that lowered its player's chance of winning most, and its number."""

    number: int
    sentence: str


@dataclass(frozen=True)
class EndView:
    """What is said first of a finished game.

    `lead` is the place of a viewer who played and did not win, else who won; `won` is who won where the lead does not
    say so. `how` are sentences: what the winners placed, which seats left early, why the game ended. `turning` is there
    once the game has been reviewed. `card` is the result as it is passed on.
    """

    lead: str
    won: str
    how: tuple[str, ...]
    is_won: bool
    turning: TurningView | None
    card: LinkCard


def end_view(state: GameState, players: Sequence[PlayerView], lines: Sequence[MoveView]) -> EndView | None:
    """Return the end once the game is over; `lines` are those of the history."""
    if not state.is_over:
        return None
    lead, won = endings.outcome(players, state.position.places())
    return EndView(
        lead=lead,
        won=won,
        how=tuple(_how(state, players)),
        is_won=any(player.is_you and player.is_winner for player in players),
        turning=_turning(state, players, lines),
        card=_card(state),
    )


def _how(state: GameState, players: Sequence[PlayerView]) -> list[str]:
    variant = state.position.variant
    winners = [player for player in players if player.is_winner]
    placed = [sentence for player in winners for sentence in endings.pieces_placed(player, variant)]
    # Of two players, a viewer who left has read it above.
    told = [player for player in players if player.is_retired and not (player.is_you and len(players) == endings.TWO)]
    left = [_left_early(state, player) for player in told]
    # Where all others left, these sentences say why the game ended.
    has_ended_so = state.game.reason in (Reason.RESIGNED, Reason.OUT_OF_TIME)
    return [*placed, *left, *([] if has_ended_so else [sentences.end_reason(state.game.reason)])]


def _left_early(state: GameState, player: PlayerView) -> str:
    if state.seats[player.seat].retired == Reason.OUT_OF_TIME:
        text = gettext("You ran out of time") if player.is_you else pgettext("sentence", "%(name)s ran out of time")
    else:
        text = gettext("You resigned") if player.is_you else gettext("%(name)s resigned")
    return gettext("%(what)s.") % {"what": text % {"name": player.name}}


def _turning(state: GameState, players: Sequence[PlayerView], lines: Sequence[MoveView]) -> TurningView | None:
    """Return the worst of the review's turning points; None without a review, or where no move cost much."""
    if not state.findings:
        return None
    chances = chances_of(state.moves, state.findings, [float(player.is_winner) for player in players])
    points = turning_points(state.moves, state.findings, chances)
    if not points:
        return None

    def chance(number: int) -> int:
        return round(100 * chances[number][point.seat])

    point = max(points, key=lambda one: chances[one.number - 1][one.seat] - chances[one.number][one.seat])
    line = lines[point.number - 1]
    before, after = (sentences.percent(chance(number)) for number in (point.number - 1, point.number))
    player = players[point.seat]
    sentence = gettext("Turning point: move %(number)d, %(who)s %(what)s. %(cost)s") % {
        "number": point.number,
        "who": line.who,
        "what": line.what,
        "cost": endings.chance_drop_text(player.name, before, after, is_you=player.is_you),
    }
    return TurningView(point.number, sentence)


def _card(state: GameState) -> LinkCard:
    people = tuple(Seated(seat.occupant, seat.retired) for seat in state.seats)
    return link_card(state.game.variant, state.game.finished_at, state.position, players_at(state.position, people))
