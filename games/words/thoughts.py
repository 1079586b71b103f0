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
from games.words.reasons import reason_sentences

#: How a placement was chosen, by the family of the engine.
FAMILIES: dict[str, str | Promise] = {
    "random": _("at random"),
    "greedy": _("greedy"),
    "prior": _("without search"),
    "search": _("tree search"),
    "opening": _("by its opening"),
    "fallback": _("instead of the bot, which failed"),
}


#: The same as a sentence.
_WAYS: dict[str, str | Promise] = {
    "random": _("The bot drew this move at random."),
    "greedy": _("The bot placed its largest piece where it opens the most corners."),
    "prior": _("The bot judged the board by eye, without simulating games."),
    "fallback": _("The bot failed here, and a greedy bot chose this move instead."),
}


def family_name(family: str) -> str:
    """Return how an engine of this family chooses, in a few words; the title of its bot where there are none."""
    if family in FAMILIES:
        return str(FAMILIES[family])
    return next((title_of(bot) for bot in offered_bots().values() if family == (bot.family or bot.name)), family)


def thought_lines(thoughts: Mapping[int, Thinking]) -> Mapping[int, str]:
    """Return thoughts by move in words: what speaks for the placement, then how it was chosen."""
    return {
        number: " ".join((*reason_sentences(thought.reasons), figures_line(thought)))
        for number, thought in thoughts.items()
    }


def how_chosen(thought: Thinking) -> str:
    """Return how a bot came to a placement and what it expects of it, as a sentence or two."""
    chance = "" if thought.value is None else sentences.percent(round(100 * thought.value))
    expects = gettext("It gives itself a %(chance)s chance of winning.") % {"chance": chance} if chance else ""
    return " ".join(filter(None, (_way(thought), expects)))


def _way(thought: Thinking) -> str:
    if thought.engine == "search" and thought.simulations:
        found = ngettext(
            "The bot simulated %(n)s game before it chose this move.",
            "The bot simulated %(n)s games before it chose this move.",
            thought.simulations,
        )
        return found % {"n": number_format(thought.simulations, force_grouping=True)}
    if thought.engine == "search":
        return gettext("The bot looked through all that can still follow.")
    return str(_WAYS.get(thought.engine, ""))


def figures_line(thought: Thinking) -> str:
    """Return how a placement was chosen in figures: the way, level, simulations, time and chance of winning."""
    counted = ngettext("%(n)s simulated game", "%(n)s simulated games", thought.simulations) % {
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
        time = gettext("%(n)s s") % {"n": sentences.decimal(milliseconds / 1000)}
    # On a narrow screen a line is not to end between a number and its unit.
    return time.replace(" ", "\N{NO-BREAK SPACE}")
