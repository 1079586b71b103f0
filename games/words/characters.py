"""What people read of the bots: titles, descriptions, and the characters in words.

The bots themselves are in `games.roster`. A bot with a character is stored as "<character>-<level>", such as "mason-5".
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.roster.entries import Bot


@dataclass(frozen=True)
class BotText:
    """What a bot is called, how it plays in a sentence, and, if it has a character, in a word or two."""

    title: str | Promise
    description: str | Promise
    style: str | Promise = ""


#: By character, or by the stored name of a bot that has none.
TEXTS: Mapping[str, BotText] = {
    "random": BotText(_("Random"), _("Places any piece anywhere it fits. Good for a first game.")),
    "greedy": BotText(_("Greedy"), _("Places its largest piece where it opens the most corners.")),
    "sage": BotText(_("Sage"), _("An all-rounder: plays the move it thinks is best."), _("all-rounder")),
    "mason": BotText(_("Mason"), _("A builder: opens new corners for itself and leaves yours alone."), _("builder")),
    "warden": BotText(_("Warden"), _("A blocker: takes your corners, even at a cost."), _("blocker")),
    "hermit": BotText(_("Hermit"), _("Keeps its distance and looks for room of its own."), _("loner")),
}


def title_of(bot: Bot) -> str:
    """Return what a bot is called, without its level."""
    text = TEXTS.get(bot.character or bot.name)
    return str(text.title) if text else bot.name.capitalize()


def description_of(bot: Bot) -> str:
    """Return how a bot plays, in a sentence."""
    text = TEXTS.get(bot.character or bot.name)
    return str(text.description) if text else bot.summary


def called(character: str, level: int) -> str:
    """Return what the bot of a character and a level is called."""
    return gettext("%(name)s, level %(level)d") % {"name": TEXTS[character].title, "level": level}
