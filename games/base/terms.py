"""The terms of a table, declared once.

A setup asks for them, a row of `Game` stores each in the column of its name, its details, the API and a rematch take
them over; and whoever opened the table may change those that are `_editable` before the start. So a new term is a field
of `Terms` and a column; then a field of the form, and words for it.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import astuple, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts import names
from games.base.text import is_plain
from games.clock import INCREMENTS, INITIALS, LARGEST_CAP, MINUTE, TimeControl
from games.errors import BadRequest
from games.values import Change

if TYPE_CHECKING:
    from games.models import Game

#: The bots that may take the turns which players miss, from the weakest; all are quick. The usual one, and how pages
#: say that there is none.
USUAL_STAND_IN, NO_STAND_IN = "sage-4", "none"
STAND_INS = ("greedy", USUAL_STAND_IN, "sage-6")

#: Seconds that bots may be told to wait before each of their moves.
BOT_PAUSES: tuple[int, ...] = (0, 2, 5, 10)

#: Hours after which bots may take seats that are still empty; 0 for never.
FILL_AFTER: tuple[int, ...] = (0, 1, 6, 12, 24, 48, 72)
#: Minutes after which they may, where somebody wants to play soon.
FILL_SOON: tuple[int, ...] = (0, 5, 15, 30)

#: What part of their turns, in percent, players may be asked to make in time; 0 for nothing. It is known from so many
#: turns on: who has fewer is new, and welcome.
RELIABILITIES: tuple[int, ...] = (0, 70, 80, 90, 95)
KNOWN_FROM = 10

DAYS_A_MOVE: tuple[int, ...] = (1, 2, 3, 5, 7, 14)
MAX_NAME = 40

#: What leads elsewhere, or looks as if it did: two parts of two letters or more with a full stop between them.
_ADDRESS = re.compile(r"\w:/|\bwww[.\u3002]|[^\W_][\w-]+[.\u3002][^\W\d_]{2,}", re.IGNORECASE)


def _editable(change: Change) -> dict[str, Change]:
    """Return what says that a term can be changed before the start; its players are told so by such a change."""
    return {"change": change}


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What players agree on by sitting down: each field is a column of `Game`, but for `time`, which is four.

    `scoring` is one of the variant's ways, empty for the first. Where nothing is said of advice by engines, only a
    person who plays bots alone may ask for it; and where nothing is said of it, bots explain their moves during the
    game only if they have one person against them at most; a public game is rated unless an engine may suggest moves or
    explain them before the end, though never one with a single person; and moves can be taken back unless it is rated
    or a seat is open to anyone.
    Without `allows_texts` its players say ready phrases alone, whoever they are. Bots wait `bot_pause` seconds before
    each of their moves. A game that begins paused is one of bots alone. Who takes a free seat has made at least
    `min_reliability` percent of their turns in time, is new, or was invited by name. `stand_in` is the bot that takes
    missed turns at a table for more than two, empty for none. The seats are chosen by the players until the start
    (`lets_choose`), or else drawn (`is_shuffled`), as they are too where no one is awaited who could choose; or they
    stay as they are.
    """

    scoring: str = ""
    name: str = field(default="", metadata=_editable(Change.NAME))
    is_public: bool = field(default=True, metadata=_editable(Change.PRIVACY))
    is_rated: bool | None = None
    declares_passes: bool = False
    allows_hints: bool = True
    allows_advice: bool | None = None
    allows_explanations: bool | None = None
    allows_takebacks: bool | None = None
    allows_texts: bool = True
    bot_pause: int = 0
    is_paused: bool = False
    min_reliability: int = 0
    stand_in: str = field(default=USUAL_STAND_IN, metadata=_editable(Change.STAND_IN))
    time: TimeControl = field(default_factory=TimeControl, metadata=_editable(Change.TIME))
    is_shuffled: bool = True
    lets_choose: bool = field(default=False, metadata=_editable(Change.CHOOSING))


@dataclass(frozen=True, kw_only=True)
class AgreedTerms(Terms):
    """The terms of a table that is there: nothing is left open."""

    # A field without a default, where that of `Terms` would be taken over.
    is_rated: bool = field()
    allows_advice: bool = field()
    allows_explanations: bool = field()
    allows_takebacks: bool = field()


@dataclass(frozen=True, kw_only=True)
class TableTerms(Terms):
    """The terms that a table is to have from now on. Those that are not `EDITABLE` stay as they are, whatever it says.

    `fill_after` says after how many hours from now bots take the seats that are empty then, and `fill_bot` which; 0 for
    never, None leaves that as it is.
    """

    fill_after: int | None = None
    fill_bot: str = ""

    @classmethod
    def of(cls, game: "Game", **changed: Any) -> "TableTerms":
        """Return the terms of a table with these changes."""
        return cls(**{**terms_of(game), **changed})


#: The terms that can be changed before the start, and what tells of it.
EDITABLE: Mapping[str, Change] = {each.name: each.metadata["change"] for each in fields(Terms) if each.metadata}
#: The terms that are one column each, and the columns of the time.
PLAIN_TERMS = tuple(each.name for each in fields(Terms) if each.name != "time")
TIME_COLUMNS = ("time_initial", "time_increment", "time_cap", "rests_weekends")
#: The terms that are numbers, with what is usual. Forms and addresses call them by their names, too.
NUMBERS: Mapping[str, int] = {each.name: getattr(Terms, each.name) for each in fields(Terms) if each.type is int}


def terms_of(game: "Game") -> dict[str, Any]:
    """Return what was agreed at a table, by the names of the terms."""
    return {**{name: getattr(game, name) for name in PLAIN_TERMS}, "time": game.time_control}


def columns_of(terms: Terms, names: Collection[str] = (*PLAIN_TERMS, "time")) -> dict[str, Any]:
    """Return what is agreed, all of it or these terms alone, by the names of the columns."""
    time = dict(zip(TIME_COLUMNS, astuple(terms.time), strict=True)) if "time" in names else {}
    return {name: getattr(terms, name) for name in PLAIN_TERMS if name in names} | time


def is_rated_here(terms: "Game | AgreedTerms") -> bool:
    """Return whether a game counts for ratings: none does where the host wants none."""
    return bool(terms.is_rated and settings.RATINGS)


def explains_in_play(terms: "Game | AgreedTerms") -> bool:
    """Return whether bots explain their moves before the game is over: in none that is rated, as no engine helps."""
    return terms.allows_explanations and not terms.is_rated


def kept_terms(terms: Terms) -> dict[str, Any]:
    """Return what is agreed as it can be kept as JSON, for tables that are opened later."""
    return {**{name: getattr(terms, name) for name in PLAIN_TERMS}, "time": list(astuple(terms.time))}


def terms_kept(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was kept so, by the names of the terms; a term that is newer is as it usually is."""
    return {name: kept[name] for name in PLAIN_TERMS if name in kept} | {"time": TimeControl(*kept["time"])}


def check_terms(terms: Terms) -> None:
    """Refuse terms that make no sense, at whatever table.

    Raises:
        BadRequest: `field` is bot_pause, min_reliability, time, initial, increment, cap, stand_in or name.

    """
    if terms.bot_pause not in BOT_PAUSES:
        raise BadRequest(_("Choose from the list how long bots wait."), field="bot_pause")
    _check_time(terms.time)
    if terms.min_reliability not in RELIABILITIES:
        raise BadRequest(_("Choose from the list how reliable players must be."), field="min_reliability")
    if terms.stand_in not in ("", *STAND_INS):
        raise BadRequest(_("There is no such bot. Choose one from the list."), field="stand_in")
    _check_name(terms.name)


def _check_time(time: TimeControl) -> None:
    initial, increment, cap = time.initial, time.increment, time.cap
    if initial is None and increment is None and cap is None:
        return
    if initial is None or increment is None or cap is None or any(span % MINUTE for span in (initial, increment, cap)):
        raise BadRequest(_("Choose a time from the list."), field="time")
    if not INITIALS[0] <= initial <= INITIALS[1]:
        raise BadRequest(_("Each player can begin with 5 minutes to 30 days."), field="initial")
    if not INCREMENTS[0] <= increment <= INCREMENTS[1]:
        raise BadRequest(_("Each move can add 1 minute to 14 days."), field="increment")
    if not max(initial, increment) <= cap <= LARGEST_CAP:
        sentence = _("A clock's maximum must be at least as long as each of the other two times, and at most 60 days.")
        raise BadRequest(sentence, field="cap")


def leads_elsewhere(name: str) -> bool:
    """Return whether there is an address in a name, or what looks like one."""
    return _ADDRESS.search(unicodedata.normalize("NFKC", name)) is not None


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME:
        raise BadRequest(_("The name of a table can have at most 40 characters."), field="name")
    if not is_plain(name):
        raise BadRequest(_("The name of a table must be one line of plain text."), field="name")
    if leads_elsewhere(name):
        sentence = _("The name of a table cannot contain an address. Leave it out, and put a space after a full stop.")
        raise BadRequest(sentence, field="name", code="name-address")
    if names.is_insult(name):
        raise BadRequest(_("This name may insult others. Choose another one."), field="name", code="name-insult")
