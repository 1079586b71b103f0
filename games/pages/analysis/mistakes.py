"""A person's mistakes to try again: the list of them, and what the analysis board says where one was made."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.queries.analysis.mistakes import SHOWN_MISTAKES, Exercise, best_placements, better_placements, mistakes_of
from games.rules import Placement, get_variant
from games.words import names, sentences

if TYPE_CHECKING:
    from games.base.branches import Tried
    from games.models import Game, Mistake


@dataclass(frozen=True)
class MistakeRow:
    """A mistake in the list: a link to its place, in which game, what it cost, and when it is due."""

    address: str
    name: str
    about: str
    when: str
    is_due: bool


@dataclass(frozen=True)
class MistakesPage:
    """A person's mistakes, those that are due first. `lead` says how many are."""

    rows: Sequence[MistakeRow]
    lead: str
    due: int
    is_full: bool


@dataclass(frozen=True)
class ExerciseView:
    """What the analysis board says where the reader made a mistake: the question, then how good a try is.

    `hidden` says that what they have tried there before is left out, empty where nothing is.
    """

    question: str
    hidden: str
    verdict: str
    is_found: bool
    review: str


def mistakes_page(user: User) -> MistakesPage:
    """Return the page of a person's mistakes. Five queries at most."""
    now, found = timezone.now(), mistakes_of(user)
    rows = [_row(each, user, now) for each in found]
    due = sum(row.is_due for row in rows)
    return MistakesPage(
        rows=rows,
        lead=_lead(due, len(rows)),
        due=due,
        is_full=len(found) == SHOWN_MISTAKES,
    )


def _lead(due: int, number: int) -> str:
    if due:
        return ngettext("%(n)d position to try now", "%(n)d positions to try now", due) % {"n": due}
    return gettext("Nothing to try today") if number else ""


def _row(mistake: "Mistake", user: User, now: datetime) -> MistakeRow:
    game, due = mistake.game, mistake.due_at
    cost = gettext("move %(number)d cost you %(cost)s") % {
        "number": mistake.number,
        "cost": sentences.percent(mistake.cost),
    }
    if due is None:
        when = gettext("Found for good")
    elif mistake.is_due(now):
        when = gettext("Try it now")
    else:
        when = gettext("Again on %(date)s") % {"date": date_format(timezone.localtime(due), "MONTH_DAY_FORMAT")}
    return MistakeRow(
        address=f"{reverse('game-analysis', args=[game.slug])}?move={mistake.number - 1}",
        name=names.game_title(game, user.pk),
        about=" · ".join((names.variant_name(game.variant), cost)),
        when=when,
        is_due=mistake.is_due(now),
    )


def exercise_view(found: Exercise, tried: "Tried | None", game: "Game", *, hides: bool) -> ExerciseView:
    """Return what the board says: `tried` is the first move of the branch that is shown, None in the game itself."""
    played, cost = found.finding.played.placement, sentences.percent(found.mistake.cost)
    question = gettext(
        "Here you played %(placement)s, and your chance of winning fell by %(cost)s. Find a better move: one that "
        "makes up at least half of that."
    )
    return ExerciseView(
        question=question
        % {"placement": sentences.placement_label(Placement.parse(played, get_variant(game.variant))), "cost": cost},
        hidden=gettext("What you have tried here before is hidden until you try a move.") if hides else "",
        verdict="" if tried is None else _verdict(found, tried.move),
        is_found=tried is not None and tried.move in better_placements(found.finding, found.mistake.cost),
        review=f"{reverse('review', args=[game.slug])}#point-{found.mistake.number}",
    )


def _verdict(found: Exercise, move: str) -> str:
    if move in best_placements(found.finding):
        return gettext("Found: the review prefers this too.")
    if move in better_placements(found.finding, found.mistake.cost):
        return gettext("Found: this is much better than what you played. The review has a move that is better still.")
    if move == found.finding.played.placement:
        return gettext("That is what you played. Go back and look for another.")
    # Only the best are kept: how good another one is may be unknown.
    return gettext("This is not among the better moves that the review has found. Go back and try again.")
