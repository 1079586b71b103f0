"""What a new table is to be: who sits where, which variant, how much time. Checked without the database."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import names
from games.base.terms import FILL_AFTER, FILL_SOON, PLAIN_TERMS, AgreedTerms, Terms, check_terms
from games.errors import BadRequest
from games.lines.matching import lines_of
from games.roster.entries import LEAST_SIMULATIONS, TOP
from games.roster.offered import most_seconds, most_simulations, offered_bots
from games.roster.sides import even_pairs, pair_named_by, pairs_to_name
from games.rules.errors import RulesError, UnknownVariant
from games.rules.variants import Variant, get_variant, named_id

MAX_SEED = 2**63

#: After how many minutes bots may take the seats that are empty; 0 for never.
WAITS: tuple[int, ...] = (*FILL_SOON, *(60 * hours for hours in FILL_AFTER if hours))

SeatKind = Literal["me", "open", "link", "named", "bot", "local"]
KINDS: tuple[SeatKind, ...] = ("me", "open", "link", "named", "bot", "local")


@dataclass(frozen=True, kw_only=True)
class SeatSetup:
    """Who is to sit in one seat. `username` belongs to `named`; `bot` and all that follows it to `bot`.

    Who is `local` has no account and sits at the device of whoever opens the table; there `local_name` is what they are
    called, and `me` too, empty for "Player 2".

    No seed means any seed. `opening` is the key of the named opening that the bot is to begin with, empty for any.
    `simulations` is how many games the bot simulates before each move, None for as many as its level does; or it
    simulates games for so many `seconds`.
    """

    kind: SeatKind
    username: str = ""
    local_name: str = ""
    bot: str = ""
    seed: int | None = None
    opening: str = ""
    simulations: int | None = None
    seconds: int | None = None


@dataclass(frozen=True, kw_only=True)
class GameSetup(Terms):
    """A table before it exists.

    `variant` is a whole id, with size and seed where the family has them. `colours` are chosen, one for each seat,
    where the variant leaves them to choose. With `bot_names_pieces` the bot of a table of one person and one bot names
    the opening pieces, which the id leaves out then, and the person chooses the side. After so many hours,
    `fill_after`, or so many minutes, `fill_soon`, bots of the stored name `fill_bot` take the seats that are empty
    then; 0 of both for never.
    """

    variant: str
    seats: tuple[SeatSetup, ...]
    colours: tuple[str, ...] = ()
    bot_names_pieces: bool = False
    fill_after: int = 0
    fill_soon: int = 0
    fill_bot: str = ""

    @property
    def filled_in(self) -> timedelta:
        """Return after which time bots take the empty seats; none for never."""
        return timedelta(hours=self.fill_after, minutes=self.fill_soon)

    @property
    def is_on_one_device(self) -> bool:
        """Whether people without accounts sit there, at the device of whoever opens the table."""
        return any(seat.kind == "local" for seat in self.seats)

    @property
    def is_alone(self) -> bool:
        """Whether at most one person sits there."""
        return sum(seat.kind != "bot" for seat in self.seats) < 2

    @property
    def is_to_be_rated(self) -> bool:
        """Whether the game is rated: where nothing is said, a public one is in which no engine helps before the end."""
        is_helped = self.allows_advice or self.allows_explanations
        is_rated = _or_usual(self.is_rated, self.is_public and not is_helped)
        return bool(is_rated and settings.RATINGS) and not (self.seats and self.is_alone)

    def among_members(self) -> "GameSetup":
        """Return the table as one of a group: public to no one, and among friends, for open seats are its members'."""
        private = replace(self, is_public=False)
        return replace(private, allows_takebacks=_or_usual(self.allows_takebacks, not private.is_to_be_rated))

    def agreed(self) -> AgreedTerms:
        """Return the terms with which the table opens: what was left open is settled."""
        kinds = [seat.kind for seat in self.seats]
        asked = {name: getattr(self, name) for name in PLAIN_TERMS}
        # Where the pieces are named by one player, the other chooses the side.
        names_pieces = bool(get_variant(self.variant).named_pieces) and {*kinds} != {"bot"}
        lets_choose = self.lets_choose or names_pieces
        settled = {
            "scoring": self.scoring or get_variant(self.variant).scorings[0],
            "name": self.name.strip(),
            "allows_advice": self.allows_hints and _or_usual(self.allows_advice, self.is_alone),
            "is_rated": self.is_to_be_rated,
            "allows_explanations": not self.is_to_be_rated and _or_usual(self.allows_explanations, self.is_alone),
            "allows_takebacks": _or_usual(self.allows_takebacks, "open" not in kinds and not self.is_to_be_rated),
            "is_shuffled": self.is_shuffled and not lets_choose,
            "lets_choose": lets_choose,
            "time": replace(self.time, rests_weekends=self.time.rests_weekends and self.time.allows_rests),
        }
        return AgreedTerms(**asked | settled)


def is_usually_public(kinds: Collection[str]) -> bool:
    """Return whether everyone may watch a table with such seats, where nothing is said: not one for friends alone."""
    return "open" in kinds or not {"named", "link"} & {*kinds}


def _or_usual(asked: bool | None, usual: bool) -> bool:
    return usual if asked is None else asked


def as_usual(setup: GameSetup) -> GameSetup:
    """Return a table as it is where nothing else is said: a rated one with pieces that leave both sides about even.

    So it is on boards where pieces were measured, so that no rating depends on who began.
    """
    pairs = even_pairs(setup.variant)
    if not pairs or not setup.agreed().is_rated:
        return setup
    return replace(setup, variant=named_id(setup.variant, secrets.choice(pairs)))


def with_pieces_of_bot(setup: GameSetup) -> GameSetup:
    """Return a table that was checked with the opening pieces that its bot names by its seed, drawn where it has none.

    They are looked up, so that no write and no page waits for a search. Other tables are returned as they are.
    """
    if not setup.bot_names_pieces:
        return setup
    seed = next(seat.seed for seat in setup.seats if seat.kind == "bot")
    seed = secrets.randbelow(MAX_SEED) if seed is None else seed
    seats = tuple(replace(seat, seed=seed) if seat.kind == "bot" else seat for seat in setup.seats)
    return replace(setup, variant=named_id(setup.variant, pair_named_by(setup.variant, seed)), seats=seats)


def check_setup(setup: GameSetup) -> None:
    """Refuse a setup that makes no sense.

    Not checked: whether the people named exist and may be invited (`games.actions.tables.create_game`).

    Raises:
        BadRequest: `field` is variant, seats, colours, scoring, `seats-<number>`, bot_names_pieces, fill_after,
            fill_bot, or as `check_terms` says.

    """
    _check_variant(setup)
    _check_scoring(setup)
    _check_seats(setup.seats, get_variant(setup.variant))
    if setup.bot_names_pieces:
        _check_pieces_of_bot(setup)
    if setup.is_on_one_device:
        _check_one_device(setup)
    if setup.is_paused and any(seat.kind != "bot" for seat in setup.seats):
        raise _refuse("seats", _("Only games between bots can start paused."))
    if setup.is_rated and setup.allows_hints and setup.allows_advice:
        raise _refuse("rated", _("No engine may suggest moves in a rated game. Choose one of the two."))
    if setup.is_rated and setup.allows_explanations:
        sentence = _("Bots do not explain their moves during a rated game. Let them do so once it is over.")
        raise _refuse("rated", sentence)
    if setup.fill_after not in FILL_AFTER or setup.fill_soon not in FILL_SOON:
        raise _refuse("fill_after", _("Choose a time from the list."))
    if setup.filled_in:
        check_bot(setup.fill_bot, "fill_bot")
    check_terms(setup)


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
    if not {*variant.named_pieces} <= {*variant.opening_pieces}:
        sentence = _("On this board one of the named pieces covers no start cell. Choose another one.")
        raise _refuse("variant", sentence)
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
        sentence = _fault(seat) or _fault_of_name(seat) or _fault_of_opening(seat, variant) or _fault_of_thinking(seat)
        if sentence:
            raise _refuse(f"seats-{number}", sentence)


def _check_pieces_of_bot(setup: GameSetup) -> None:
    """Refuse that a bot names the opening pieces where they are named, where it cannot, or where no one chooses."""
    if get_variant(setup.variant).named_pieces:
        sentence = _("You have named the opening pieces yourself. Leave them out if the bot is to name them.")
        raise _refuse("bot_names_pieces", sentence)
    if not pairs_to_name(setup.variant):
        raise _refuse("bot_names_pieces", _("Bots do not name opening pieces on this board. Choose something else."))
    if sorted(seat.kind for seat in setup.seats) != ["bot", "me"]:
        sentence = _("A bot names the opening pieces if you play against it. Give it one seat, and take the other.")
        raise _refuse("bot_names_pieces", sentence)


def _check_one_device(setup: GameSetup) -> None:
    """Refuse people elsewhere, a clock and an audience at a table whose people sit at one device."""
    if [seat.kind for seat in setup.seats if seat.kind not in ("local", "bot")] != ["me"]:
        raise _refuse("seats", _("Only you, the others at this device and bots can sit at a table on one device."))
    if setup.is_public or setup.is_rated or not setup.time.is_unlimited:
        raise _refuse("seats", _("A table on one device is private and has no clock, and is not rated."))
    called = [folded(seat.local_name) for seat in setup.seats if seat.local_name]
    if len(called) != len(set(called)):
        raise _refuse("seats", _("Two players have the same name. Give them different ones."))


def _fault_of_name(seat: SeatSetup) -> str | Promise:
    """Return what is wrong with what a person without an account is to be called; empty if nothing is."""
    if not seat.local_name:
        return ""
    if seat.kind not in ("me", "local"):
        return _("Choose who sits here.")
    try:
        names.check(names.normalise(seat.local_name))
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


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
