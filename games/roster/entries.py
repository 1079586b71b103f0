"""The bots of the house: levels, the characters that play at them, and bots beside the ladder. Nothing of Django.

A bot's name is stored with its games, so none is ever renamed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

RANDOM, GREEDY, PRIOR, SEARCH = "random", "greedy", "prior", "search"

#: A bot that plays more simulated games at a move than this shares no worker with the quick ones
#: (`games.tasks`).
QUICK_SIMULATIONS = 500

#: Of a bot that simulates games a seat may ask for no fewer: with less it hardly looks at each of its moves.
LEAST_SIMULATIONS = 10

#: Seconds of CPU time that a seat may have its bot simulate games for before each move: a quick one, and a slow one.
#: Both leave some of the time after which a think is stopped (`games.bots.turns`) for a machine without its tables yet.
QUICK_SECONDS, SLOW_SECONDS = 2, 20

#: No search of so many seconds simulates more games than this for each of them, which bounds the size of its tree.
GAMES_A_SECOND = 4000

_SEARCH_ENGINE = "games.bots.engines.search:SearchEngine"
_FOLLOWING = "games.bots.engines.search:FollowingEngine"

_WITH_CHARACTER = re.compile(r"([a-z]+)-([0-9]{1,2})", re.ASCII)


@dataclass(frozen=True)
class Level:
    """A rung: which family of engines, how many simulations a move, and at which temperature a prior draws.

    The budget is one of simulations, so strength does not depend on the machine.
    """

    number: int
    family: str
    simulations: int = 0
    temperature: float = 0.0


#: From the weakest; level 0 is for a first game.
LADDER = (
    Level(0, RANDOM),
    Level(1, GREEDY),
    Level(2, PRIOR, temperature=1.0),
    Level(3, PRIOR),
    Level(4, SEARCH, 45),
    Level(5, SEARCH, 100),
    Level(6, SEARCH, 300),
    Level(7, SEARCH, 1000),
    Level(8, SEARCH, 4000),
    Level(9, SEARCH, 16000),
)

#: The highest level: its bots choose for themselves what to open with.
TOP = LADDER[-1].number

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


#: By name, in the order in which they are offered; the first is the policy as it was learned.
CHARACTERS: Mapping[str, Character] = {
    character.name: character
    for character in (
        Character("sage"),
        Character("mason", opens=0.25, takes=-0.2),
        Character("warden", opens=-0.1, takes=0.5, nears=0.2),
        Character("hermit", nears=-0.1, meets=-0.25),
    )
}


@dataclass(frozen=True)
class Bot:
    """A bot that can be seated, under the name that is stored with its games.

    `engine` is the address of its engine, `module:Class`, with arguments as in `module:Class,simulations=90`. `level`
    is its place on the ladder; a bot beside the ladder has none. `simulations` is its whole budget at one move, or as
    many as it can within the `seconds` of CPU time that it was told to think for.
    `family` is what its moves are kept under as their engine, its own name if empty. One that `errs` draws among the
    placements instead of taking the best. `summary` is what an engine of the setting EXTRA_BOTS says of itself.
    """

    name: str
    engine: str
    level: int | None = None
    character: str = ""
    simulations: int = 0
    seconds: int = 0
    family: str = ""
    errs: bool = False
    summary: str = ""

    @property
    def is_slow(self) -> bool:
        """Whether a move takes it long enough for others to wait for."""
        return self.simulations > QUICK_SIMULATIONS

    @property
    def most_simulations(self) -> int:
        """Return how many games a seat may have it simulate at a move: as its name says, a quick one stays quick.

        0 for a bot that simulates none.
        """
        if self.family != SEARCH:
            return 0
        return LADDER[-1].simulations if self.is_slow else QUICK_SIMULATIONS

    @property
    def most_seconds(self) -> int:
        """Return for how many seconds a seat may have it think before a move; 0 for a bot that simulates no games."""
        if self.family != SEARCH:
            return 0
        return SLOW_SECONDS if self.is_slow else QUICK_SECONDS

    def simulating(self, simulations: int | None) -> "Bot":
        """Return the bot with this budget at one move; itself without one, or where it simulates nothing."""
        if not simulations or self.family != SEARCH:
            return self
        engine = self.engine.partition(",")[0]
        return replace(self, engine=f"{engine},simulations={simulations}", simulations=simulations)

    def following(self) -> "Bot":
        """Return the bot as it plays where one process sees a whole game: it keeps what is still possible of its tree.

        Itself where it grows none. No seat has one, since what it plays could not be repeated.
        """
        if self.family != SEARCH:
            return self
        _engine, comma, arguments = self.engine.partition(",")
        return replace(self, engine=f"{_FOLLOWING}{comma}{arguments}")

    def thinking_for(self, seconds: int | None) -> "Bot":
        """Return the bot with so many seconds of CPU time before each move; itself without any, as `simulating`."""
        if not seconds or self.family != SEARCH:
            return self
        bot = self.simulating(seconds * GAMES_A_SECOND)
        return replace(bot, engine=f"{bot.engine},seconds={seconds}", seconds=seconds)


def stored_name(character: str, level: Level) -> str:
    """Return the name under which a bot of the ladder is stored: `mason-5`, or the family's below the characters."""
    return level.family if level.number < FIRST_WITH_CHARACTER else f"{character}-{level.number}"


def character_and_level(name: str) -> tuple[str, int] | None:
    """Return the character and the level in a stored name, None if it has none.

    It is read from the name alone, so that it is also found where no such bot can be seated any more.
    """
    found = _WITH_CHARACTER.fullmatch(name)
    return (found[1], int(found[2])) if found and found[1] in CHARACTERS else None


def _engine_of(level: Level) -> str:
    return {
        RANDOM: "games.bots.engines.randomly:RandomEngine",
        GREEDY: "games.bots.engines.greedy:GreedyEngine",
        PRIOR: f"games.bots.engines.search:PriorEngine,temperature={level.temperature}",
        SEARCH: f"{_SEARCH_ENGINE},simulations={level.simulations}",
    }[level.family]


def _ladder() -> Iterator[Bot]:
    """Yield the bots of the ladder: the lowest rungs have no character."""
    for level in LADDER:
        has_characters = level.number >= FIRST_WITH_CHARACTER
        for character in CHARACTERS if has_characters else ("",):
            yield Bot(
                stored_name(character, level),
                _engine_of(level),
                level=level.number,
                character=character,
                simulations=level.simulations,
                family=level.family,
                errs=level.temperature > 0,
            )


#: Bots beside the ladder, a line each (docs/bots.md).
_BESIDE: tuple[Bot, ...] = ()

#: Every bot of the house by its stored name, in the order in which they are offered.
BOTS: Mapping[str, Bot] = {bot.name: bot for bot in (*_ladder(), *_BESIDE)}
