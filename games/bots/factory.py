"""Making the engines of the bots on the roster.

No engine is imported before one is made: web processes know the roster and never think.
"""

import ast
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from games.bots.engines.protocol import Engine
from games.roster.entries import CHARACTERS, Bot, Character


def make_engine(bot: Bot) -> Engine:
    """Return a new engine for a bot."""
    bias = _bias(CHARACTERS[bot.character]) if bot.character else ()
    return engine_at(bot.engine, **({"bias": bias} if bias else {}))


def engine_at(address: str, **further: Any) -> Engine:
    """Return a new engine of the class at an address, made with the arguments after it and with further ones.

    An address is `module:Class`; arguments follow by commas: `games.bots.engines.search:SearchEngine,simulations=90`.
    With `seconds` there it is also given the `clock` that they are measured by, the process's CPU time.

    Raises:
        AttributeError: the module has no such class.
        ImportError: there is no such module.
        SyntaxError: an argument's value cannot be read.
        TypeError: the class takes no such arguments.
        ValueError: that is no address, or what follows a comma is no `argument=value`.

    """
    target, *words = address.split(",")
    module, _colon, cls = target.partition(":")
    arguments = dict(map(_argument, words)) | further
    if "seconds" in arguments:
        arguments["clock"] = time.process_time
    made: Engine = getattr(import_module(module), cls)(**arguments)
    return made


def _argument(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text} is no argument=value")
    return name, ast.literal_eval(value)


def _bias(character: Character) -> Sequence[Sequence[float]]:
    """Return a character's additions to the weights, empty for one without any."""
    if character == Character(character.name):
        return ()
    sight = import_module("games.bots.engines.sight")
    bias: Sequence[Sequence[float]] = sight.bias(
        character.opens, character.takes, character.nears, character.meets, character.strays
    )
    return bias
