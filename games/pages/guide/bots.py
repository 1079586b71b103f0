"""The public pages about the bots: the ladder of all of them, and a page for each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from games.errors import NotFound
from games.pages.board.faces import Face, bot_face
from games.queries.lists.results import bot_record
from games.roster.entries import CHARACTERS, Bot, character_and_level
from games.roster.measured import measured_bots
from games.roster.offered import offered_bots
from games.rules import VARIANTS
from games.words import ladder, names
from games.words.characters import TEXTS, description_of
from games.words.sentences import score_text
from games.words.thoughts import family_name

if TYPE_CHECKING:
    from games.models import BotRecord


#: The bot that all others are measured against: its rating is set (`games.arena.ratings`).
ANCHOR = "greedy"


@dataclass(frozen=True)
class BotLink:
    """A link to a bot: its stored name, its title on the ladder, its full name, and its face."""

    name: str
    title: str
    label: str
    face: Face


@dataclass(frozen=True)
class RungView:
    """A rung of the ladder: its title, what it is like to play against, what its strength comes from, and its bots."""

    title: str
    like: str
    line: str
    bots: tuple[BotLink, ...]


@dataclass(frozen=True)
class CharacterView:
    """A character: what it is called, what it likes, and its face."""

    title: str
    description: str
    face: Face


@dataclass(frozen=True)
class RatingView:
    """The measured strength of a bot on one board, with the bounds of the measurement."""

    variant: str
    rating: str
    low: str
    high: str
    games: int


@dataclass(frozen=True)
class BotPage:
    """A bot. `like` says what it is like to play against, empty beside the ladder; `description` how it plays.

    `line` says what its strength comes from, where `description` does not; `query` asks for a table.
    `strength` is empty beside the ladder, `simulations` for an engine that simulates none. `is_anchor` says that its
    rating is set and that of others measured.
    """

    name: str
    title: str
    face: Face
    strength: str
    like: str
    description: str
    line: str
    family: str
    simulations: str
    ratings: tuple[RatingView, ...]
    is_anchor: bool
    record: "BotRecord"
    query: str


def rung_views() -> tuple[RungView, ...]:
    """Return the ladder, from its lowest rung."""
    return tuple(
        RungView(rung.title, rung.like, rung.line, tuple(map(_link, rung.bots))) for rung in ladder.rungs().values()
    )


def character_views() -> tuple[CharacterView, ...]:
    """Return the characters that some bot has."""
    found = {known[0]: bot for bot in offered_bots().values() if (known := character_and_level(bot.name))}
    return tuple(
        CharacterView(str(TEXTS[name].title), description_of(found[name]), bot_face(found[name].name))
        for name in CHARACTERS
        if name in found
    )


def _link(bot: Bot) -> BotLink:
    character = character_and_level(bot.name)
    label = names.bot_name(bot.name)
    return BotLink(bot.name, str(TEXTS[character[0]].title) if character else label, label, bot_face(bot.name))


def bot_page(name: str) -> BotPage:
    """Return a bot's page. One query.

    Raises:
        NotFound: no bot of this stored name can be seated.

    """
    bot = offered_bots().get(name)
    if bot is None:
        raise NotFound(_("There is no such bot. Choose one from the list of bots."))
    rung, character = ladder.rung_with(bot), character_and_level(name)
    asked = {"variant": "blockyou-2", "seat-1": "bot", "seat-1-strength": rung.key}
    return BotPage(
        name=name,
        title=names.bot_name(name),
        face=bot_face(name),
        strength="" if rung.level is None else rung.title,
        like="" if rung.level is None else rung.like,
        description=description_of(bot),
        line=rung.line if character else "",
        family=family_name(bot.family or bot.name),
        simulations=number_format(bot.simulations, force_grouping=True) if bot.simulations else "",
        ratings=tuple(_ratings(name)),
        is_anchor=name == ANCHOR,
        record=bot_record(name),
        query=urlencode(asked | ({"seat-1-character": character[0]} if character else {})),
    )


def _ratings(name: str) -> list[RatingView]:
    found = measured_bots()
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
