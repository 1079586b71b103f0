"""The end of a game at a glance, as one viewer sees it: who won, which place they took, how, and where it turned."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from games.base.access import Viewer
from games.drawing.part import PartView, part_at
from games.findings import Finding
from games.pages.board.link_card import LinkCard, link_card
from games.pages.board.moves import MoveView
from games.pages.board.table import PlayerView, players_at
from games.pages.review.because import better_because
from games.queries.analysis.advising import UNDER_WAY
from games.queries.analysis.turning import LEAST_LOSS, chances_of, turning_points
from games.queries.people.feats import feats_of
from games.queries.play.players import Seated, near_side
from games.queries.play.state import GameState
from games.rules import Placement
from games.values import Reason, ReviewStatus
from games.words import endings, sentences
from games.words.ratings import rated_later_text, rated_text
from games.words.sentences import piece_called, placement_label


@dataclass(frozen=True)
class TurningView:
    """The move that lowered its player's chance of winning most, and its number.

    The `sentence` says what it did, for a viewer who lost to their own chance; `better` names the better piece, whose
    place the picture shows, and `better_told` the whole placement to those who do not see it. `why` says what speaks
    for it, empty where the board shows nothing. The `part` shows both, as the viewer's board lies.
    """

    number: int
    sentence: str
    better: str
    better_told: str
    why: str
    part: PartView


@dataclass(frozen=True)
class ReviewAsking:
    """The review of the game as far as its page tells: `state`, and `done` of `total` positions judged.

    `can_ask` says that one can be asked for, or asked to go on.
    """

    state: str
    done: int
    total: int
    is_under_way: bool
    can_ask: bool


@dataclass(frozen=True)
class EndView:
    """What is said first of a finished game.

    `lead` is the place of a viewer who played and did not win, else who won; `won` is who won where the lead does not
    say so, `placed` what a viewer who lost has placed. `feats` is what it was to a viewer who played, beside their
    earlier games. `how` are sentences: what the winners placed, which seats left early, why the game ended. `rated` is
    what it did to the viewer's rating. `turning` is there once the game has been reviewed, unless no move cost much.
    `card` is the result as it is passed on.
    """

    lead: str
    won: str
    placed: str
    feats: str
    how: tuple[str, ...]
    rated: str
    is_won: bool
    turning: TurningView | None
    review: ReviewAsking
    card: LinkCard


def end_view(
    state: GameState, players: Sequence[PlayerView], lines: Sequence[MoveView], user: Viewer
) -> EndView | None:
    """Return the end once the game is over; `lines` are those of the history. One query for a player."""
    if not state.is_over:
        return None
    lead, won = endings.outcome(players, state.position.places())
    return EndView(
        lead=lead,
        won=won,
        placed=endings.own_cells(players),
        feats=_feats(state, user),
        how=tuple(_how(state, players)),
        rated=_rated(state),
        is_won=any(player.is_you and player.is_winner for player in players),
        turning=_turning(state, players, lines),
        review=_review(state),
        card=_card(state),
    )


def _how(state: GameState, players: Sequence[PlayerView]) -> list[str]:
    variant = state.position.variant
    # A viewer who lost has read above how much they placed: only a colour without pieces is worth a sentence more.
    heard = [player for player in players if player.is_winner or (player.is_you and _has_emptied(player))]
    placed = [sentence for player in heard for sentence in endings.pieces_placed(player, variant)]
    # Of two players, a viewer who left has read it above.
    told = [player for player in players if player.is_retired and not (player.is_you and len(players) == endings.TWO)]
    left = [_left_early(state, player) for player in told]
    # Where all others left, these sentences say why the game ended.
    has_ended_so = state.game.reason in (Reason.RESIGNED, Reason.OUT_OF_TIME)
    return [*placed, *left, *([] if has_ended_so else [sentences.end_reason(state.game.reason)])]


def _has_emptied(player: PlayerView) -> bool:
    return not player.is_retired and any(not colour.pieces_left for colour in player.colours)


def _feats(state: GameState, user: Viewer) -> str:
    """Return what the game was to a viewer who played in it, beside those they had finished before; empty for none."""
    ended, is_seated = state.game.finished_at, any(seat.is_viewer for seat in state.seats)
    if user.pk is None or ended is None or not is_seated:
        return ""
    found = feats_of(user.pk, state.game.slug, state.game.variant.partition(":")[0], ended)
    return endings.feats_text(found.wins, found.best_of, found.may_be_longer) if found else ""


def _rated(state: GameState) -> str:
    """Return what the game did to the rating of a viewer who played in it, empty where it did nothing."""
    rated = state.rated
    text = rated_text(rated.place, rated.seats, rated.expected, rated.before.points, *rated.after) if rated else ""
    later = rated_later_text(has_counted=rated is not None) if state.is_rated_later else ""
    return " ".join(filter(None, (text, later)))


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

    point = max(points, key=lambda one: chances[one.number - 1][one.seat] - chances[one.number][one.seat])
    position, best = state.position, Placement.parse(point.best[0].placement, state.position.variant)
    near = near_side(position.variant, next((seat.colours for seat in state.seats if seat.is_viewer), ()))
    return TurningView(
        number=point.number,
        sentence=_turned(point, lines[point.number - 1], players, chances),
        better=endings.better_piece_text(piece_called(best.piece)),
        better_told=gettext("Better: %(placement)s.") % {"placement": placement_label(best)},
        why=better_because(point, lines[point.number - 1].colour, players),
        part=part_at(position, point.number, best, near),
    )


def _turned(point: Finding, line: MoveView, players: Sequence[PlayerView], chances: Sequence[Sequence[float]]) -> str:
    """Return which move it was and what it did, to a viewer who lost as their own chance, if it was one."""
    mover, whose = players[point.seat], _whose(point, players, chances)
    before, after = _shown(point, chances, whose.seat)
    sentence = (
        gettext("You had your chance at move %(number)d, when %(who)s %(what)s.")
        if _has_lost(whose) and (mover.is_you or after > before)
        else gettext("The game turned at move %(number)d, when %(who)s %(what)s.")
    )
    # Within a sentence "You" is no beginning.
    is_mine = mover.is_you and line.who == mover.name
    who = pgettext("within a sentence", "you") if is_mine else line.who
    told = sentence % {"number": point.number, "who": who, "what": line.what}
    return f"{told} {_cost(whose, before, after)}"


def _has_lost(player: PlayerView) -> bool:
    return player.is_you and not player.is_winner


def _whose(point: Finding, players: Sequence[PlayerView], chances: Sequence[Sequence[float]]) -> PlayerView:
    """Return whose chance is told: that of a viewer who lost, if the move changed it enough, else its own player's."""
    viewer = next(filter(_has_lost, players), players[point.seat])
    before, after = _shown(point, chances, viewer.seat)
    return viewer if abs(after - before) >= LEAST_LOSS else players[point.seat]


def _shown(point: Finding, chances: Sequence[Sequence[float]], seat: int) -> tuple[int, int]:
    """Return a seat's chance before and after a move, in percent as it is shown."""
    return round(100 * chances[point.number - 1][seat]), round(100 * chances[point.number][seat])


def _cost(player: PlayerView, before: int, after: int) -> str:
    """Return what the move did to the chance of this player, in percent."""
    if after > before:
        values = {"before": sentences.percent(before), "after": sentences.percent(after)}
        return gettext("Your chance of winning rose from %(before)s to %(after)s.") % values
    return endings.chance_drop_text(
        player.name, sentences.percent(before), sentences.percent(after), is_you=player.is_you
    )


def _review(state: GameState) -> ReviewAsking:
    review = state.reviewing
    has_moves = any(move.placement for move in state.moves)
    is_under_way = review.state in UNDER_WAY
    can_ask = has_moves and not is_under_way and review.state != ReviewStatus.DONE
    return ReviewAsking(review.state, review.done, review.total, is_under_way, can_ask)


def _card(state: GameState) -> LinkCard:
    people = tuple(Seated(seat.occupant, seat.retired) for seat in state.seats)
    return link_card(state.game.variant, state.game.finished_at, state.position, players_at(state.position, people))
