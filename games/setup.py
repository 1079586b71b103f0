"""What a new table is to be: who sits where, which variant, how much time. Checked without the database."""

import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import names
from games.clock import TimeControl
from games.errors import BadRequest
from games.rules.errors import RulesError, UnknownVariant
from games.rules.variants import get_variant

DAYS_A_MOVE: tuple[int, ...] = (1, 2, 3, 5, 7, 14)
MAX_NAME = 40
#: The longest title of a study.
MAX_TITLE = 80
MAX_SEED = 2**63

SeatKind = Literal["me", "open", "link", "named", "bot"]
KINDS: tuple[SeatKind, ...] = ("me", "open", "link", "named", "bot")

# Characters that would let a name pretend to be something else on the page: controls, surrogates, text direction.
_HIDDEN = {"Cc", "Cs"}
_DIRECTION = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_offered_bots: list[str] = []


@dataclass(frozen=True, kw_only=True)
class SeatSetup:
    """Who is to sit in one seat. `username` belongs to `named`, `bot` and `seed` to `bot`; no seed means any seed."""

    kind: SeatKind
    username: str = ""
    bot: str = ""
    seed: int | None = None


@dataclass(frozen=True, kw_only=True)
class GameSetup:
    """A table before it exists.

    `variant` is a whole id, with size and seed where the family has them. `colours` are chosen, one for each seat,
    where the variant leaves them to choose. `scoring` is one of the variant's ways, empty for the first. A game that
    begins paused is one of bots alone.
    """

    variant: str
    seats: tuple[SeatSetup, ...]
    colours: tuple[str, ...] = ()
    scoring: str = ""
    name: str = ""
    is_public: bool = True
    declares_passes: bool = False
    allows_hints: bool = True
    time: TimeControl = field(default_factory=TimeControl)
    is_shuffled: bool = True
    is_paused: bool = False


def offer_bots(names: Iterable[str]) -> None:
    """Say which engines may be seated from now on. Called once at start: this room does not know the bots' room."""
    _offered_bots[:] = names


def offered_bots() -> Collection[str]:
    """Return the names of the engines that may be seated."""
    return tuple(_offered_bots)


def check_setup(setup: GameSetup) -> None:
    """Refuse a setup that makes no sense, whoever asks.

    Not checked: whether the people named exist and may be invited (`games.actions.create_game`).

    Raises:
        BadRequest: `field` is variant, seats, colours, scoring, time, name or `seats-<number>`.

    """
    _check_variant(setup)
    _check_scoring(setup)
    _check_seats(setup.seats)
    if setup.is_paused and any(seat.kind != "bot" for seat in setup.seats):
        raise _refuse("seats", _("Only a game of bots can begin paused."))
    _check_time(setup.time)
    _check_name(setup.name)


def _refuse(field: str, sentence: str | Promise) -> BadRequest:
    return BadRequest(sentence, field=field)


def _check_variant(setup: GameSetup) -> None:
    try:
        variant = get_variant(setup.variant)
    except UnknownVariant:
        raise _refuse("variant", _("There is no such variant. Choose one from the list.")) from None
    if len(setup.seats) != variant.seats:
        raise _refuse(
            "seats",
            ngettext("This variant has %(n)d seat.", "This variant has %(n)d seats.", variant.seats)
            % {"n": variant.seats},
        )
    try:
        variant.seat_colours(setup.colours or None)
    except RulesError:
        sentence = (
            _("Choose a different colour for each player.")
            if variant.choosable_colours
            else _("In this variant the colours are not chosen.")
        )
        raise _refuse("colours", sentence) from None


def _check_scoring(setup: GameSetup) -> None:
    if setup.scoring and setup.scoring not in get_variant(setup.variant).scorings:
        raise _refuse("scoring", _("This variant is not scored in that way. Choose one from the list."))


def _check_seats(seats: tuple[SeatSetup, ...]) -> None:
    if [seat.kind for seat in seats].count("me") > 1:
        raise _refuse("seats", _("You can take one seat only."))
    named = [folded(seat.username) for seat in seats if seat.kind == "named"]
    if len(named) != len(set(named)):
        raise _refuse("seats", _("Each player can be invited to one seat only."))
    for number, seat in enumerate(seats):
        sentence = _fault(seat)
        if sentence:
            raise _refuse(f"seats-{number}", sentence)


def _fault(seat: SeatSetup) -> str | Promise:
    """Return what is wrong with one seat taken by itself; empty if nothing is."""
    if seat.kind not in KINDS:
        return _("Choose who sits here.")
    if (seat.kind == "named") != bool(seat.username):
        return _("Name the player to invite here.")
    if seat.kind == "bot" and seat.bot not in _offered_bots:
        return _("There is no such bot. Choose one from the list.")
    if seat.kind != "bot" and (seat.bot or seat.seed is not None):
        return _("Only a bot's seat has a kind of bot.")
    if seat.seed is not None and not 0 <= seat.seed < MAX_SEED:
        return _("The seed is a number from 0 to 9,223,372,036,854,775,807.")
    return ""


def folded(username: str) -> str:
    """Return what all spellings of one name have in common."""
    return names.normalise(username).casefold()


def _check_time(time: TimeControl) -> None:
    offered = [TimeControl(), *(TimeControl.days_a_move(days) for days in DAYS_A_MOVE)]
    if time not in offered:
        raise _refuse("time", _("Choose a time per move from the list."))


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME:
        raise _refuse("name", _("The name of a game has at most 40 characters."))
    if any(unicodedata.category(character) in _HIDDEN or character in _DIRECTION for character in name):
        raise _refuse("name", _("The name of a game is one line of plain text."))


def plain(text: str, most: int = MAX_TITLE) -> str:
    """Return what of a text from outside can stand in a line: nothing invisible, nothing that turns the text around."""
    return " ".join("".join(character for character in text if character.isprintable()).split())[:most]
