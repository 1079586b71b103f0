"""The bots that this site offers: those of the house, and those of the setting EXTRA_BOTS (benchmarks, trials)."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from games.roster.entries import BOTS, Bot


@cache
def offered_bots() -> Mapping[str, Bot]:
    """Return every bot that can be seated by its stored name, in the order in which they are offered.

    Raises:
        ImproperlyConfigured: EXTRA_BOTS has a line that names no engine.

    """
    extra = map(_extra, getattr(settings, "EXTRA_BOTS", ()))
    return {**BOTS, **{bot.name: bot for bot in extra}}


def most_simulations(bot: Bot) -> int:
    """Return how many games a seat may have a bot simulate at a move on this site; 0 for one that simulates none."""
    return min(bot.most_simulations, settings.SEAT_SIMULATIONS)


def most_seconds(bot: Bot) -> int:
    """Return for how many seconds a seat may have a bot think before a move on this site; 0 as for its games."""
    return min(bot.most_seconds, settings.SEAT_SECONDS)


def _extra(line: str) -> Bot:
    """Return the bot of a `name=module:Class`. The class may say by `simulations` how much it thinks."""
    name, _equals, address = line.partition("=")
    module, _colon, engine = address.partition(":")
    try:
        found = getattr(import_module(module), engine)
    except (AttributeError, ImportError, ValueError) as error:
        raise ImproperlyConfigured(f"EXTRA_BOTS has {line!r}, which is no name=module:Class of an engine.") from error
    summary = (found.__doc__ or "").partition("\n")[0]
    return Bot(name, address, simulations=getattr(found, "simulations", 0), summary=summary)
