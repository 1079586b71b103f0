"""What a game's page says of the viewer's own plan."""

from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games.queries.play.state import GameState
from games.words import plans


@dataclass(frozen=True)
class PlannedView:
    """The viewer's plan in a sentence or two; none where nothing is planned. `can_plan` says that there is a way to it.

    `is_stopped` says that it goes no further.
    """

    lines: tuple[str, ...]
    is_stopped: bool
    can_plan: bool


def planned_view(state: GameState) -> PlannedView:
    """Return what there is to say of a plan: what it will play, or why it has stopped at this turn."""
    plan, can_plan = state.plan, state.rights.is_playing
    if plan is None or not can_plan:
        return PlannedView((), is_stopped=False, can_plan=False)
    if plan.stop is not None:
        lines = plans.stop_lines(plan.stop.obstacles) if plan.stop.number == state.game.number else ()
        return PlannedView((gettext("Your plan has stopped."), *lines) if lines else (), bool(lines), can_plan)
    if not plan.turns:
        return PlannedView((), is_stopped=False, can_plan=can_plan)
    if plan.is_playing:
        return PlannedView((gettext("Your planned move is being played."),), is_stopped=False, can_plan=can_plan)
    first, *further = plan.turns
    more = ngettext("%(n)d more turn is planned.", "%(n)d more turns are planned.", len(further)) % {"n": len(further)}
    planned = gettext("Planned: %(moves)s.") % {"moves": plans.choices_text(first.choices)}
    return PlannedView((planned, more) if further else (planned,), is_stopped=False, can_plan=can_plan)
