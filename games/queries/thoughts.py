"""What bots thought at their moves, told once the game is over."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.bots.registry import engines
from games.models import Game, Status, Thought
from games.queries import ladder, sentences
from games.queries.characters import known
from games.rules.records import Thinking
from games.rules.variants import SIZED, get_variant

#: How a placement was chosen, by the family of the engine.
FAMILIES: dict[str, str | Promise] = {
    "random": _("by lot"),
    "greedy": _("greedy"),
    "prior": _("at a glance"),
    "search": _("tree search"),
    "fallback": _("in place of the bot, which failed"),
}


def family_name(family: str) -> str:
    """Return how an engine of this family chooses, in a few words; the title of its bot where there are none."""
    if family in FAMILIES:
        return str(FAMILIES[family])
    return next((str(bot.title) for bot in engines().values() if family == (bot.family or bot.name)), family)


@dataclass(frozen=True)
class Cost:
    """What all thoughts of a game took: how many there were, their simulations, and milliseconds of CPU."""

    moves: int
    simulations: int
    milliseconds: int


def cost_of(game_id: int) -> Cost:
    """Return what the bots of a game have taken so far. One query."""
    sums = {name: Coalesce(Sum(name), 0) for name in ("simulations", "milliseconds")}
    return Cost(**Thought.objects.filter(move__game=game_id).aggregate(moves=Count("pk"), **sums))


def thoughts_of(game: Game) -> Mapping[int, Thinking]:
    """Return what was thought at each move of a finished game that a bot thought about. One query if bots played.

    While the game goes on nobody is told.
    """
    if game.status != Status.FINISHED or not any(player.bot for player in game.players.all()):
        return {}
    rows = Thought.objects.filter(move__game=game)
    columns = ("move__number", "engine", "level", "simulations", "milliseconds", "value")
    return {number: Thinking(*row) for number, *row in rows.values_list(*columns)}


def told(thoughts: Mapping[int, Thinking]) -> Mapping[int, str]:
    """Return thoughts by move in words."""
    return {number: _told(thought) for number, thought in thoughts.items()}


def _told(thought: Thinking) -> str:
    counted = ngettext("%(n)s simulation", "%(n)s simulations", thought.simulations) % {
        "n": number_format(thought.simulations, force_grouping=True)
    }
    value = thought.value
    parts = [
        family_name(thought.engine),
        gettext("level %(level)d") % {"level": thought.level} if thought.level or thought.engine in FAMILIES else "",
        counted if thought.simulations else "",
        _time(thought.milliseconds),
        "" if value is None else gettext("chance %(chance)s") % {"chance": sentences.percent(round(100 * value))},
    ]
    return " · ".join(filter(None, parts))


def _time(milliseconds: int) -> str:
    if milliseconds < 1000:
        time = gettext("%(n)d ms") % {"n": milliseconds}
    else:
        time = gettext("%(n)s s") % {"n": number_format(milliseconds / 1000, 1)}
    # On a narrow screen a line is not to end between a number and its unit.
    return time.replace(" ", "\N{NO-BREAK SPACE}")


def repeat_query(game: Game) -> str:
    """Return what asks for a new table at which the same bots play the same game, once a game of bots is over.

    Empty where people sit, for they do not repeat themselves, and where a bot can no longer be seated.
    """
    players = list(game.players.all())
    if game.status != Status.FINISHED or not all(ladder.bot_named(player.bot) for player in players):
        return ""
    asked = {**_table_of(game), "is_shuffled": "", "is_paused": "on"}
    for player in players:
        asked |= _seat(player.seat, player.bot, player.bot_seed)
    return urlencode(asked)


def _table_of(game: Game) -> dict[str, str]:
    variant = get_variant(game.variant)
    asked = {"variant": variant.family, "scoring": game.scoring}
    asked |= {f"seat-{seat}-colour": colour for seat, colour in enumerate(game.colours)}
    if variant.family in SIZED:
        asked |= {"size": str(variant.width), "seed": game.variant.rpartition(":")[2] if ":" in game.variant else "0"}
    return asked


def _seat(seat: int, bot: str, seed: int) -> dict[str, str]:
    character = known(bot)
    asked = {"": "bot", "-strength": str(character[1]) if character else bot, "-seed": str(seed)}
    asked |= {"-character": character[0]} if character else {}
    return {f"seat-{seat}{part}": text for part, text in asked.items()}
