"""The bots that can be seated, and what people read of them.

A bot's name is stored with its games, so none is ever renamed.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.bots import levels
from games.bots.engines.protocol import Engine

#: A bot that thinks of more than this at a move shares no worker with the quick ones (`games.tasks`).
QUICK_SIMULATIONS = 500


@dataclass(frozen=True)
class Bot:
    """A kind of bot: its stored name, what people read, and how its engine is made.

    `family` is what its moves are kept under as their engine, its own name where it has no family. `simulations` is
    what it may think of at one move. One that `errs` draws among the placements instead of taking the best. `level` is
    its place on the ladder; one beside the ladder has none.
    """

    name: str
    title: str | Promise
    description: str | Promise
    make: Callable[[], Engine]
    level: int | None = None
    character: str = ""
    simulations: int = 0
    family: str = ""
    errs: bool = False

    @property
    def is_slow(self) -> bool:
        """Whether a move takes it long enough for others to wait for."""
        return self.simulations > QUICK_SIMULATIONS


_DESCRIPTIONS = {
    "random": _("Places any piece anywhere it fits. Good for a first game."),
    "greedy": _("Places its largest piece where it opens the most corners."),
    "sage": _("An all-rounder: plays what it thinks best."),
    "mason": _("A builder: opens corners to go on from, and leaves yours alone."),
    "warden": _("A blocker: takes your corners, even at a price."),
    "hermit": _("Keeps its distance and looks for room of its own."),
}

_TITLES = {
    "random": _("Random"),
    "greedy": _("Greedy"),
    "sage": _("Sage"),
    "mason": _("Mason"),
    "warden": _("Warden"),
    "hermit": _("Hermit"),
}


def _ladder() -> Iterator[Bot]:
    """Yield the bots of the ladder: the lowest rungs have no character."""
    for level in levels.LADDER:
        alike = level.number < levels.FIRST_WITH_CHARACTER
        for character in levels.CHARACTERS[: 1 if alike else None]:
            called = level.family if alike else character.name
            yield Bot(
                levels.bot_name(character, level),
                _TITLES[called],
                _DESCRIPTIONS[called],
                partial(levels.make, level, character),
                level=level.number,
                character="" if alike else character.name,
                simulations=level.simulations,
                family=level.family,
                errs=level.warmth > 0,
            )


#: Bots beside the ladder, a line each (docs/bots.md).
_BESIDE: tuple[Bot, ...] = ()


@cache
def engines() -> Mapping[str, Bot]:
    """Return every bot by its stored name, in the order in which they are offered."""
    return {bot.name: bot for bot in (*_ladder(), *_BESIDE, *map(_extra, getattr(settings, "EXTRA_BOTS", ())))}


def engine_names() -> tuple[str, ...]:
    """Return the stored names of the bots that can be seated."""
    return tuple(engines())


def _extra(line: str) -> Bot:
    """Return the bot of a `name=module:Class` in the setting EXTRA_BOTS, which benchmarks and trials use.

    The class may say by `simulations` how much it thinks.

    Raises:
        ImproperlyConfigured: the line does not look so, or there is no such class.

    """
    name, _equals, address = line.partition("=")
    module, _colon, engine = address.partition(":")
    try:
        make = getattr(import_module(module), engine)
    except (AttributeError, ImportError, ValueError) as error:
        raise ImproperlyConfigured(f"EXTRA_BOTS has {line!r}, which is no name=module:Class of an engine.") from error
    words = (make.__doc__ or "").partition("\n")[0]
    return Bot(name, name.capitalize(), words, make, simulations=getattr(make, "simulations", 0))
