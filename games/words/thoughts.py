"""What bots thought at their moves, in words."""

from collections.abc import Mapping

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.roster.offered import offered_bots
from games.rules.records import Thinking
from games.words import sentences
from games.words.characters import title_of

#: How a placement was chosen, by the family of the engine.
FAMILIES: dict[str, str | Promise] = {
    "random": _("at random"),
    "greedy": _("greedy"),
    "prior": _("without search"),
    "search": _("tree search"),
    "opening": _("by its opening"),
    "fallback": _("instead of the bot, which failed"),
}


def family_name(family: str) -> str:
    """Return how an engine of this family chooses, in a few words; the title of its bot where there are none."""
    if family in FAMILIES:
        return str(FAMILIES[family])
    return next((title_of(bot) for bot in offered_bots().values() if family == (bot.family or bot.name)), family)


def thought_lines(thoughts: Mapping[int, Thinking]) -> Mapping[int, str]:
    """Return thoughts by move in words."""
    return {number: _line(thought) for number, thought in thoughts.items()}


def _line(thought: Thinking) -> str:
    counted = ngettext("%(n)s simulation", "%(n)s simulations", thought.simulations) % {
        "n": number_format(thought.simulations, force_grouping=True)
    }
    value = thought.value
    parts = [
        family_name(thought.engine),
        gettext("level %(level)d") % {"level": thought.level} if thought.level or thought.engine in FAMILIES else "",
        counted if thought.simulations else "",
        _time(thought.milliseconds),
        "" if value is None else gettext("win chance %(chance)s") % {"chance": sentences.percent(round(100 * value))},
    ]
    return " · ".join(filter(None, parts))


def _time(milliseconds: int) -> str:
    if milliseconds < 1000:
        time = gettext("%(n)d ms") % {"n": milliseconds}
    else:
        time = gettext("%(n)s s") % {"n": number_format(milliseconds / 1000, 1)}
    # On a narrow screen a line is not to end between a number and its unit.
    return time.replace(" ", "\N{NO-BREAK SPACE}")
