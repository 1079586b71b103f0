"""The bots as people choose between them: rungs of a ladder, and on each of them the characters that play there."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.roster.entries import CHARACTERS, LEAST_SIMULATIONS, Bot, character_and_level
from games.roster.offered import most_seconds, most_simulations, offered_bots
from games.words.characters import TEXTS, description_of, title_of

#: The level that is offered first: one that lets beginners win.
FRIENDLY = "3"

#: What a level is like, in a word.
WORDS: dict[int, str | Promise] = {
    2: _("Gentle"),
    3: _("Friendly"),
    4: _("Attentive"),
    5: _("Keen"),
    6: _("Sharp"),
    7: _("Strong"),
    8: _("Fierce"),
    9: _("Relentless"),
}


#: What it is like to play against a level.
LIKE: dict[int, str | Promise] = {
    0: _("It follows no plan at all: you can try out the rules against it, and win."),
    1: _(
        "It hurries into the middle with its largest pieces and does not mind what you do. Close its ways and you win."
    ),
    2: _("Easy to play against: it often misses its best move and leaves you time to find yours."),
    3: _("A relaxed opponent: it sees what is good now and has no plan for later."),
    4: _("It begins to look ahead: a corner that you leave open may be gone at its next move."),
    5: _("It looks for your weak spots. You need a plan to beat it."),
    6: _("It wastes few moves. Each of yours has to do two things at once."),
    7: _("A hard opponent: it closes ways that you have not seen yet."),
    8: _("It takes its time, and little escapes it. A win against it is something to tell."),
    9: _("The best that we have. Expect to lose, and look afterwards at how."),
}


@dataclass(frozen=True)
class Rung:
    """A strength to choose: one bot, or one for each character. `key` is what forms and cookies call it.

    What is offered beside the ladder has no level.
    """

    key: str
    level: int | None
    bots: tuple[Bot, ...]

    @property
    def has_characters(self) -> bool:
        """Whether there is a character to choose."""
        return character_and_level(self.bots[0].name) is not None

    @property
    def title(self) -> str:
        """Return the strength in a few words."""
        if self.level is None:
            return title_of(self.bots[0])
        if not self.has_characters:
            return gettext("%(level)d: %(name)s") % {"level": self.level, "name": title_of(self.bots[0])}
        if self.level not in WORDS:
            return str(self.level)
        return gettext("%(level)d: %(name)s") % {"level": self.level, "name": WORDS[self.level]}

    @property
    def like(self) -> str:
        """Return what it is like to play against it; of what has no level how it plays."""
        return str(LIKE[self.level]) if self.level in LIKE else description_of(self.bots[0])

    @property
    def line(self) -> str:
        """Return what the strength comes from."""
        bot = self.bots[0]
        if not self.has_characters:
            return description_of(bot)
        return thinking(bot)

    def bot_of(self, character: str) -> str:
        """Return the stored name of the bot of this strength and character, empty if there is none."""
        if not self.has_characters:
            return self.bots[0].name
        return next((bot.name for bot in self.bots if character_and_level(bot.name) == (character, self.level)), "")

    def bots_for(self, count: int) -> tuple[str, ...]:
        """Return the stored names of `count` bots, of different characters as far as there are."""
        return tuple(islice(cycle(bot.name for bot in self.bots), count))


def thinking(bot: Bot) -> str:
    """Return how far a bot thinks ahead; of one that is on no level what it does."""
    if not bot.simulations and character_and_level(bot.name) is None:
        return description_of(bot)
    if not bot.simulations:
        text = gettext("Looks at each possible move once and does not think ahead.")
        return f"{text} {gettext('Does not always play the best one.')}" if bot.errs else text
    if bot.seconds:
        return ngettext(
            "Simulates games to their end for up to %(n)d second before each move.",
            "Simulates games to their end for up to %(n)d seconds before each move.",
            bot.seconds,
        ) % {"n": bot.seconds}
    text = ngettext(
        "Simulates up to %(n)s game to its end before each move.",
        "Simulates up to %(n)s games to their end before each move.",
        bot.simulations,
    ) % {"n": number_format(bot.simulations, force_grouping=True)}
    return f"{text} {gettext('This can take a few seconds.')}" if bot.is_slow else text


def simulations_line() -> str:
    """Return how many games bots may be told to simulate, by their level."""
    counted = [bot for bot in offered_bots().values() if most_simulations(bot)]
    quick = next((bot for bot in counted if not bot.is_slow), None)
    slow = next((bot for bot in counted if bot.is_slow), None)
    if quick is None or slow is None:
        return gettext("The bots of this site simulate no games.")
    values = {"quick": level_of(quick), "slow": level_of(slow), "least": LEAST_SIMULATIONS}
    figures = {"some": most_simulations(quick), "many": most_simulations(slow)}
    return gettext(
        "The more games, the better a bot plays. From level %(quick)d a bot can simulate %(least)d to %(some)s games, "
        "from level %(slow)d up to %(many)s. Leave a field empty for as many as its level usually does."
    ) % {**values, **{name: number_format(figure, force_grouping=True) for name, figure in figures.items()}}


def seconds_line() -> str:
    """Return for how many seconds bots may be told to think, by their level; empty where none simulates games."""
    counted = [bot for bot in offered_bots().values() if most_seconds(bot)]
    quick = next((bot for bot in counted if not bot.is_slow), None)
    slow = next((bot for bot in counted if bot.is_slow), None)
    if quick is None or slow is None:
        return ""
    return gettext(
        "Or say for how many seconds of computing time a bot simulates games: up to %(some)d from level %(quick)d, "
        "up to %(many)d from level %(slow)d. How well it plays then depends on this computer, and its games cannot be "
        "repeated."
    ) % {"some": most_seconds(quick), "quick": level_of(quick), "many": most_seconds(slow), "slow": level_of(slow)}


def rungs() -> dict[str, Rung]:
    """Return the strengths that there are, by key, the weakest first, and then those beside the ladder."""
    found: dict[str, list[Bot]] = {}
    for bot in offered_bots().values():
        found.setdefault(_key(bot), []).append(bot)
    made = (Rung(key, level_of(bots[0]), tuple(bots)) for key, bots in found.items())
    return {rung.key: rung for rung in sorted(made, key=lambda rung: (rung.level is None, rung.level or 0))}


def level_of(bot: Bot) -> int | None:
    """Return the level of a bot, None beside the ladder."""
    character = character_and_level(bot.name)
    return character[1] if character else bot.level


def _key(bot: Bot) -> str:
    return str(level_of(bot)) if character_and_level(bot.name) else bot.name


def rung_with(bot: Bot) -> Rung:
    """Return the strength that a bot has."""
    return rungs()[_key(bot)]


def rung_of(key: str) -> Rung:
    """Return the strength of that key; the friendly one, or else the second, if there is none such."""
    found = rungs()
    return found.get(key) or found.get(FRIENDLY) or [*found.values()][:2][-1]


def bot_named(name: str) -> str:
    """Return the name if a bot of that stored name can be seated, else an empty text."""
    return name if name in offered_bots() else ""


def characters() -> Iterator[tuple[str, str]]:
    """Yield the characters that some bot has, by name, with what they are called and how they play."""
    present = {found[0] for name in offered_bots() if (found := character_and_level(name))}
    for name in CHARACTERS:
        if name in present:
            yield name, gettext("%(name)s, %(style)s") % {"name": TEXTS[name].title, "style": TEXTS[name].style}
