"""What everybody may know of the bots: the ladder of them all, and a page for each."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlencode

from django.db.models import Count, Exists, OuterRef, Q
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from games.bots import registry
from games.bots.registry import Bot, engines
from games.errors import NotFound
from games.models import Game, Player, Status
from games.queries import ladder, names
from games.queries.cards import score_text
from games.queries.characters import CHARACTERS, known
from games.queries.thoughts import family_name
from games.rules import VARIANTS

#: How strong the bots were measured to be: written by `python -m games.arena`, by variant and stored name.
RATINGS = Path(registry.__file__).with_name("ratings.json")


#: The bot that all others are measured against: its rating is set (`games.arena.ratings`).
ANCHOR = "greedy"

#: By variant and bot: its rating, the bounds between which that lies, and the games that tell it.
Ratings: TypeAlias = Mapping[str, Mapping[str, Mapping[str, int]]]


@dataclass(frozen=True)
class BotLink:
    """A bot to go to: its stored name, what it is called here, and what it is called everywhere."""

    name: str
    title: str
    label: str


@dataclass(frozen=True)
class RungView:
    """A rung of the ladder: what it is called, what its strength comes from, and who stands on it."""

    title: str
    line: str
    bots: tuple[BotLink, ...]


@dataclass(frozen=True)
class CharacterView:
    """A character: what it is called, and what it likes."""

    title: str
    description: str


@dataclass(frozen=True)
class RatingView:
    """How strong a bot was measured to be on one board, and between which bounds that lies."""

    variant: str
    rating: str
    low: str
    high: str
    games: int


@dataclass(frozen=True)
class Record:
    """How a bot fared in finished games with people: whether it won, they did, both at once, or another bot."""

    games: int
    wins: int
    ties: int
    losses: int
    others: int


@dataclass(frozen=True)
class BotPage:
    """A bot. `line` says what its strength comes from, where `description` does not; `query` asks for a table.

    `strength` is empty beside the ladder. `is_anchor` says that its rating is set and that of others measured.
    """

    name: str
    title: str
    strength: str
    description: str
    line: str
    family: str
    simulations: str
    ratings: tuple[RatingView, ...]
    is_anchor: bool
    record: Record
    query: str


def rung_views() -> tuple[RungView, ...]:
    """Return the ladder, from its lowest rung."""
    return tuple(RungView(rung.title, rung.line, tuple(map(_link, rung.bots))) for rung in ladder.rungs().values())


def character_views() -> tuple[CharacterView, ...]:
    """Return the characters that some bot has."""
    found = {told[0]: bot for bot in engines().values() if (told := known(bot.name))}
    return tuple(
        CharacterView(str(CHARACTERS[name].title), str(found[name].description)) for name in CHARACTERS if name in found
    )


def _link(bot: Bot) -> BotLink:
    character = known(bot.name)
    label = names.bot_name(bot.name)
    return BotLink(bot.name, str(CHARACTERS[character[0]].title) if character else label, label)


def bot_page(name: str) -> BotPage:
    """Return a bot's page. One query.

    Raises:
        NotFound: no bot of this stored name can be seated.

    """
    bot = engines().get(name)
    if bot is None:
        raise NotFound(_("There is no such bot. Those that there are stand on the page of bots."))
    rung, character = ladder.rung_with(bot), known(name)
    asked = {"variant": "blockyou-2", "seat-1": "bot", "seat-1-strength": rung.key}
    return BotPage(
        name=name,
        title=names.bot_name(name),
        strength="" if rung.level is None else rung.title,
        description=str(bot.description),
        line=rung.line if character else "",
        family=family_name(bot.family or bot.name),
        simulations=number_format(bot.simulations, force_grouping=True),
        ratings=tuple(_ratings(name)),
        is_anchor=name == ANCHOR,
        record=_record(name),
        query=urlencode(asked | ({"seat-1-character": character[0]} if character else {})),
    )


def _ratings(name: str) -> list[RatingView]:
    found = _measured(RATINGS)
    return [
        RatingView(
            variant=names.variant_name(variant),
            rating=score_text(rating["rating"]),
            low=score_text(rating["low"]),
            high=score_text(rating["high"]),
            games=rating["games"],
        )
        for variant in VARIANTS
        if (rating := found.get(variant, {}).get(name))
    ]


@cache
def _measured(path: Path) -> Ratings:
    found: Ratings = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def _record(name: str) -> Record:
    """Count a bot's finished games with people: each once, however many seats it had. One query."""
    seats = Player.objects.filter(game=OuterRef("pk"))
    own, people = seats.filter(bot=name), seats.filter(user__isnull=False)
    has_won, person_has = Exists(own.filter(is_winner=True)), Exists(people.filter(is_winner=True))
    games = Game.objects.filter(Exists(own), Exists(people), status=Status.FINISHED)
    counted = games.annotate(has_won=has_won, person_has=person_has).aggregate(
        games=Count("pk"),
        wins=Count("pk", Q(has_won=True, person_has=False)),
        ties=Count("pk", Q(has_won=True, person_has=True)),
        losses=Count("pk", Q(has_won=False, person_has=True)),
        others=Count("pk", Q(has_won=False, person_has=False)),
    )
    return Record(**counted)
