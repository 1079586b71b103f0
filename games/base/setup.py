"""What a new table is to be: who sits where, which variant, how much time. Checked without the database."""

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import names
from games.clock import INCREMENTS, INITIALS, LARGEST_CAP, MINUTE, TimeControl
from games.errors import BadRequest
from games.lines.matching import lines_of
from games.roster.entries import LEAST_SIMULATIONS, TOP
from games.roster.offered import most_seconds, most_simulations, offered_bots
from games.rules.errors import RulesError, UnknownVariant
from games.rules.variants import Variant, get_variant

#: The bots that may take the turns which players miss, from the weakest; all are quick. The usual one, and how pages
#: say that there is none.
USUAL_STAND_IN, NO_STAND_IN = "sage-4", "none"
STAND_INS = ("greedy", USUAL_STAND_IN, "sage-6")

#: What leads elsewhere, or looks as if it did: two parts of two letters or more with a full stop between them.
_ADDRESS = re.compile(r"\w:/|\bwww[.\u3002]|[^\W_][\w-]+[.\u3002][^\W\d_]{2,}", re.IGNORECASE)

#: Seconds that bots may be told to wait before each of their moves.
BOT_PAUSES: tuple[int, ...] = (0, 2, 5, 10)

#: Hours after which bots may take seats that are still empty; 0 for never.
FILL_AFTER: tuple[int, ...] = (0, 1, 6, 12, 24, 48, 72)

DAYS_A_MOVE: tuple[int, ...] = (1, 2, 3, 5, 7, 14)
MAX_NAME = 40
#: The longest title of a study.
MAX_TITLE = 80
MAX_SEED = 2**63

SeatKind = Literal["me", "open", "link", "named", "bot"]
KINDS: tuple[SeatKind, ...] = ("me", "open", "link", "named", "bot")

# Characters that are not seen, or would let a name pretend to be something else on the page: controls, formats such as
# text direction, surrogates, unassigned and private ones, line ends.
_HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
#: Joins letters of some scripts, and the parts of some pictures.
_JOINERS = frozenset("\u200c\u200d")
# Letters and signs that are drawn as nothing: fillers of Hangul, the empty Braille cell.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")


@dataclass(frozen=True, kw_only=True)
class SeatSetup:
    """Who is to sit in one seat. `username` belongs to `named`; `bot` and all that follows it to `bot`.

    No seed means any seed. `opening` is the key of the named opening that the bot is to begin with, empty for any.
    `simulations` is how many games the bot simulates before each move, None for as many as its level does; or it
    simulates games for so many `seconds`.
    """

    kind: SeatKind
    username: str = ""
    bot: str = ""
    seed: int | None = None
    opening: str = ""
    simulations: int | None = None
    seconds: int | None = None


@dataclass(frozen=True, kw_only=True)
class TableTerms:
    """What can be changed at a table before the start.

    `stand_in` is as in `GameSetup`. `fill_after` says after how many hours from now bots take the seats that are empty
    then, and `fill_bot` which; 0 for never, None leaves that as it is. `lets_choose` says whether the players choose
    their seats; None leaves that as it is.
    """

    name: str
    is_public: bool
    time: TimeControl
    stand_in: str
    fill_after: int | None = None
    fill_bot: str = ""
    lets_choose: bool | None = None


@dataclass(frozen=True, kw_only=True)
class GameSetup:
    """A table before it exists.

    `variant` is a whole id, with size and seed where the family has them. `colours` are chosen, one for each seat,
    where the variant leaves them to choose. The seats are chosen by the players until the start (`lets_choose`), or
    else drawn (`is_shuffled`), as they are too where no one is awaited who could choose; or they stay as they are.
    `scoring` is one of the variant's ways, empty for the first. Where nothing is said of advice by engines, only a
    person who plays bots alone may ask for it; and where nothing is said of it, bots explain their moves during the
    game only if they have one person against them at most. A game that begins paused is one of bots alone. `stand_in`
    is the bot that takes missed turns at a table for more than two, empty for none. Bots wait `bot_pause` seconds
    before each of their moves.
    """

    variant: str
    seats: tuple[SeatSetup, ...]
    colours: tuple[str, ...] = ()
    scoring: str = ""
    name: str = ""
    is_public: bool = True
    declares_passes: bool = False
    allows_hints: bool = True
    allows_advice: bool | None = None
    allows_explanations: bool | None = None
    bot_pause: int = 0
    time: TimeControl = field(default_factory=TimeControl)
    is_shuffled: bool = True
    lets_choose: bool = False
    is_paused: bool = False
    stand_in: str = USUAL_STAND_IN

    @property
    def is_advised(self) -> bool:
        """Return whether engines advise the players."""
        return self.allows_hints and (self._people < 2 if self.allows_advice is None else self.allows_advice)

    @property
    def is_explained(self) -> bool:
        """Return whether bots explain their moves while the game goes on."""
        return self._people < 2 if self.allows_explanations is None else self.allows_explanations

    @property
    def _people(self) -> int:
        return sum(seat.kind != "bot" for seat in self.seats)


def check_setup(setup: GameSetup) -> None:
    """Refuse a setup that makes no sense.

    Not checked: whether the people named exist and may be invited (`games.actions.tables.create_game`).

    Raises:
        BadRequest: `field` is variant, seats, colours, scoring, bot_pause, time, initial, increment, cap, stand_in,
            name or `seats-<number>`.

    """
    _check_variant(setup)
    _check_scoring(setup)
    _check_seats(setup.seats, get_variant(setup.variant))
    if setup.is_paused and any(seat.kind != "bot" for seat in setup.seats):
        raise _refuse("seats", _("Only games between bots can start paused."))
    if setup.bot_pause not in BOT_PAUSES:
        raise _refuse("bot_pause", _("Choose from the list how long bots wait."))
    check_terms(setup.name, setup.time, setup.stand_in)


def check_terms(name: str, time: TimeControl, stand_in: str) -> None:
    """Refuse what makes no sense of the terms of a table that can be changed before the start.

    Raises:
        BadRequest: `field` is time, initial, increment, cap, stand_in or name.

    """
    _check_time(time)
    if stand_in not in ("", *STAND_INS):
        raise _refuse("stand_in", _("There is no such bot. Choose one from the list."))
    _check_name(name)


def _refuse(field: str, sentence: str | Promise) -> BadRequest:
    return BadRequest(sentence, field=field)


def check_bot(name: str, field: str) -> None:
    """Refuse a bot that cannot be seated.

    Raises:
        BadRequest: there is none of that name.

    """
    if name not in offered_bots():
        raise _refuse(field, _("There is no such bot. Choose one from the list."))


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
            else _("The colours cannot be chosen in this variant.")
        )
        raise _refuse("colours", sentence) from None


def _check_scoring(setup: GameSetup) -> None:
    if setup.scoring and setup.scoring not in get_variant(setup.variant).scorings:
        raise _refuse("scoring", _("This variant cannot be scored that way. Choose a way from the list."))


def _check_seats(seats: tuple[SeatSetup, ...], variant: Variant) -> None:
    if [seat.kind for seat in seats].count("me") > 1:
        raise _refuse("seats", _("You can take only one seat."))
    named = [folded(seat.username) for seat in seats if seat.kind == "named"]
    if len(named) != len(set(named)):
        raise _refuse("seats", _("Each player can be invited to only one seat."))
    for number, seat in enumerate(seats):
        sentence = _fault(seat) or _fault_of_opening(seat, variant) or _fault_of_thinking(seat)
        if sentence:
            raise _refuse(f"seats-{number}", sentence)


def _fault(seat: SeatSetup) -> str | Promise:
    """Return what is wrong with one seat taken by itself; empty if nothing is."""
    if seat.kind not in KINDS:
        return _("Choose who sits here.")
    if (seat.kind == "named") != bool(seat.username):
        return _("Enter the name of the player to invite.")
    if seat.kind == "bot" and seat.bot not in offered_bots():
        return _("There is no such bot. Choose one from the list.")
    if seat.kind != "bot" and (seat.bot or seat.opening or (seat.seed, seat.simulations, seat.seconds) != (None,) * 3):
        return _("A bot, an opening or a seed needs a bot's seat.")
    if seat.seed is not None and not 0 <= seat.seed < MAX_SEED:
        return _("The seed must be a number from 0 to 9,223,372,036,854,775,807.")
    return ""


def _fault_of_opening(seat: SeatSetup, variant: Variant) -> str | Promise:
    """Return what is wrong with the opening that a bot is told to begin with; empty if nothing is."""
    if not seat.opening:
        return ""
    if seat.opening not in [line.key for line in lines_of(variant)]:
        return _("This opening does not belong to this board. Choose one from the list.")
    level = offered_bots()[seat.bot].level
    if level is None or level >= TOP:
        return _("This bot chooses its opening itself. Choose a lower level, or leave the opening to the bot.")
    return ""


def _fault_of_thinking(seat: SeatSetup) -> str | Promise:
    """Return what is wrong with how far a bot is told to think ahead; empty if nothing is."""
    if seat.simulations is not None and seat.seconds is not None:
        return _("Enter a number of games or of seconds, not both. Leave one of them empty.")
    return _fault_of_seconds(seat) if seat.simulations is None else _fault_of_simulations(seat)


def _fault_of_seconds(seat: SeatSetup) -> str | Promise:
    if seat.seconds is None:
        return ""
    most = most_seconds(offered_bots()[seat.bot])
    if not most:
        return _("This bot simulates no games. Choose a higher level, or leave the seconds empty.")
    if not 1 <= seat.seconds <= most:
        sentence = ngettext(
            "A bot of this level can think for %(most)d second before each move.",
            "A bot of this level can think for 1 to %(most)d seconds before each move.",
            most,
        )
        return sentence % {"most": most}
    return ""


def _fault_of_simulations(seat: SeatSetup) -> str | Promise:
    most = most_simulations(offered_bots()[seat.bot])
    if not most:
        return _("This bot simulates no games. Choose a higher level, or leave the number of games empty.")
    if not LEAST_SIMULATIONS <= (seat.simulations or 0) <= most:
        sentence = gettext("A bot of this level can simulate %(least)d to %(most)d games before each move.")
        return sentence % {"least": LEAST_SIMULATIONS, "most": most}
    return ""


def folded(username: str) -> str:
    """Return what all spellings of one name have in common."""
    return names.normalise(username).casefold()


def _check_time(time: TimeControl) -> None:
    initial, increment, cap = time.initial, time.increment, time.cap
    if initial is None and increment is None and cap is None:
        return
    if initial is None or increment is None or cap is None or any(span % MINUTE for span in (initial, increment, cap)):
        raise _refuse("time", _("Choose a time from the list."))
    if not INITIALS[0] <= initial <= INITIALS[1]:
        raise _refuse("initial", _("Each player can begin with 5 minutes to 30 days."))
    if not INCREMENTS[0] <= increment <= INCREMENTS[1]:
        raise _refuse("increment", _("Each move can add 1 minute to 14 days."))
    if not max(initial, increment) <= cap <= LARGEST_CAP:
        raise _refuse(
            "cap", _("A clock's maximum must be at least as long as each of the other two times, and at most 60 days.")
        )


def _check_name(name: str) -> None:
    if len(name) > MAX_NAME:
        raise _refuse("name", _("The name of a table can have at most 40 characters."))
    if any(map(_is_hidden, name)) or (name and not any(map(_is_seen, name))):
        raise _refuse("name", _("The name of a table must be one line of plain text."))
    if _ADDRESS.search(unicodedata.normalize("NFKC", name)):
        sentence = _("The name of a table cannot contain an address. Leave it out, and put a space after a full stop.")
        raise BadRequest(sentence, field="name", code="name-address")
    if names.is_insult(name):
        raise BadRequest(_("This name may insult others. Choose another one."), field="name", code="name-insult")


def _is_hidden(character: str) -> bool:
    if character in _JOINERS:
        return False
    return unicodedata.category(character) in _HIDDEN or character in _BLANK


def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS"


def plain(text: str, most: int = MAX_TITLE) -> str:
    """Return what of a text from outside can stand in a line: nothing invisible, nothing that turns the text around.

    Empty where nothing of it would be seen.
    """
    kept = "".join(character for character in text if character.isspace() or not _is_hidden(character))
    line = " ".join(kept.split())[:most]
    return line if any(map(_is_seen, line)) else ""
