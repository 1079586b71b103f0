"""The bots as people choose between them: rungs of a ladder, and on each of them the characters that play there."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.bots.registry import Bot, engines
from games.queries.characters import CHARACTERS, known

#: The level that is offered first: one that lets beginners win.
FRIENDLY = "3"

#: What a level is like, in a word.
WORDS: dict[int, str | Promise] = {
    2: _("gentle"),
    3: _("friendly"),
    4: _("attentive"),
    5: _("keen"),
    6: _("sharp"),
    7: _("strong"),
    8: _("fierce"),
    9: _("relentless"),
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
        return known(self.bots[0].name) is not None

    @property
    def title(self) -> str:
        """Return the strength in a few words."""
        if self.level is None:
            return str(self.bots[0].title)
        if not self.has_characters:
            return gettext("%(level)d: %(name)s") % {"level": self.level, "name": self.bots[0].title}
        if self.level not in WORDS:
            return str(self.level)
        return gettext("%(level)d: %(name)s") % {"level": self.level, "name": WORDS[self.level]}

    @property
    def line(self) -> str:
        """Return what the strength comes from."""
        bot = self.bots[0]
        if not self.has_characters:
            return str(bot.description)
        return thinking(bot)

    def bot_of(self, character: str) -> str:
        """Return the stored name of the bot of this strength and character, empty if there is none."""
        if not self.has_characters:
            return self.bots[0].name
        return next((bot.name for bot in self.bots if known(bot.name) == (character, self.level)), "")

    def company(self, count: int) -> tuple[str, ...]:
        """Return the stored names of so many bots, of different characters as far as there are."""
        return tuple(islice(cycle(bot.name for bot in self.bots), count))


def thinking(bot: Bot) -> str:
    """Return how far a bot thinks ahead."""
    if not bot.simulations:
        told = gettext("Looks at each placement once and does not think ahead.")
        return f"{told} {gettext('Does not always take the best.')}" if bot.errs else told
    told = ngettext(
        "Plays up to %(n)s game to its end in thought before each move.",
        "Plays up to %(n)s games to their end in thought before each move.",
        bot.simulations,
    ) % {"n": number_format(bot.simulations, force_grouping=True)}
    return f"{told} {gettext('That may take some seconds.')}" if bot.is_slow else told


def rungs() -> dict[str, Rung]:
    """Return the strengths that there are, by key, the weakest first, and then those beside the ladder."""
    found: dict[str, list[Bot]] = {}
    for bot in engines().values():
        found.setdefault(_key(bot), []).append(bot)
    made = (Rung(key, level_of(bots[0]), tuple(bots)) for key, bots in found.items())
    return {rung.key: rung for rung in sorted(made, key=lambda rung: (rung.level is None, rung.level or 0))}


def level_of(bot: Bot) -> int | None:
    """Return the level of a bot, None beside the ladder."""
    character = known(bot.name)
    return character[1] if character else bot.level


def _key(bot: Bot) -> str:
    return str(level_of(bot)) if known(bot.name) else bot.name


def rung_with(bot: Bot) -> Rung:
    """Return the strength that a bot has."""
    return rungs()[_key(bot)]


def rung_of(key: str) -> Rung:
    """Return the strength that somebody asks for; the friendly one, or else the second, where there is none such."""
    found = rungs()
    return found.get(key) or found.get(FRIENDLY) or [*found.values()][:2][-1]


def bot_named(name: str) -> str:
    """Return the stored name of the bot that somebody asks for, empty if there is none."""
    return name if name in engines() else ""


def characters() -> Iterator[tuple[str, str]]:
    """Yield the characters that some bot has, by name, with what they are called and how they play."""
    present = {told[0] for name in engines() if (told := known(name))}
    for name, character in CHARACTERS.items():
        if name in present:
            yield name, gettext("%(name)s, %(style)s") % {"name": character.title, "style": character.style}
