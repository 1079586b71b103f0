"""The ladder of levels and the characters that climb it: data over the same engines.

Nothing here imports an engine before one is made: web processes know the ladder and never think.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from games.bots.engines.protocol import Engine

RANDOM, GREEDY, PRIOR, SEARCH = "random", "greedy", "prior", "search"


@dataclass(frozen=True)
class Level:
    """A rung: which family of engines, how many simulations a move, and how warm a prior draws its placement.

    The budget is one of simulations, so strength does not depend on the machine.
    """

    number: int
    family: str
    simulations: int = 0
    warmth: float = 0.0


#: From the weakest; level 0 is for a first game.
LADDER = (
    Level(0, RANDOM),
    Level(1, GREEDY),
    Level(2, PRIOR, warmth=1.0),
    Level(3, PRIOR),
    Level(4, SEARCH, 45),
    Level(5, SEARCH, 100),
    Level(6, SEARCH, 300),
    Level(7, SEARCH, 1000),
    Level(8, SEARCH, 4000),
    Level(9, SEARCH, 16000),
)

#: The lowest level at which characters differ.
FIRST_WITH_CHARACTER = 2


@dataclass(frozen=True)
class Character:
    """A way to play: what is added to the policy's weights, by what the bot cares for.

    `opens` is for each new attach point of its own, `takes` for each of an opponent's that it covers, `nears` for each
    that lies beside the placement, `meets` for each cell of an opponent's that does, `strays` for each ring that a cell
    lies away from the middle.
    """

    name: str
    opens: float = 0.0
    takes: float = 0.0
    nears: float = 0.0
    meets: float = 0.0
    strays: float = 0.0


CHARACTERS = (
    Character("sage"),
    Character("mason", opens=0.25, takes=-0.2),
    Character("warden", opens=-0.1, takes=0.5, nears=0.2),
    Character("hermit", nears=-0.1, meets=-0.25),
)


def level_of(number: int) -> Level:
    """Return the rung of that number; KeyError if there is none."""
    return {level.number: level for level in LADDER}[number]


def character_of(name: str) -> Character:
    """Return the character of that name; KeyError if there is none."""
    return {character.name: character for character in CHARACTERS}[name]


def bot_name(character: Character, level: Level) -> str:
    """Return the name under which a bot is stored: `mason-5`, or the family's below the characters."""
    return level.family if level.number < FIRST_WITH_CHARACTER else f"{character.name}-{level.number}"


def engine_named(name: str) -> Engine:
    """Return a new engine of the bot of that name.

    Raises:
        KeyError: there is no such bot.

    """
    for level in LADDER:
        for character in CHARACTERS:
            if bot_name(character, level) == name:
                return make(level, character)
    raise KeyError(name)


def make(level: Level, character: Character = CHARACTERS[0]) -> Engine:
    """Return a new engine for a rung, of a character."""
    module, cls = {
        RANDOM: ("randomly", "RandomEngine"),
        GREEDY: ("greedy", "GreedyEngine"),
        PRIOR: ("search", "PriorEngine"),
        SEARCH: ("search", "SearchEngine"),
    }[level.family]
    engine = getattr(import_module(f"games.bots.engines.{module}"), cls)
    if level.family in (RANDOM, GREEDY):
        made: Engine = engine()
    elif level.family == PRIOR:
        made = engine(warmth=level.warmth, bias=_bias(character))
    else:
        made = engine(simulations=level.simulations, bias=_bias(character))
    return made


def _bias(character: Character) -> Sequence[Sequence[float]]:
    """Return a character's additions to the weights, empty for one without any."""
    if character == Character(character.name):
        return ()
    sight = import_module("games.bots.engines.sight")
    bias: Sequence[Sequence[float]] = sight.bias(
        character.opens, character.takes, character.nears, character.meets, character.strays
    )
    return bias
