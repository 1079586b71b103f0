"""Tables that one tap opens: for a friend or several, against bots, for anyone; on the board that was chosen last."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.setup import GameSetup, SeatSetup, as_usual
from games.base.terms import FILL_AFTER, FILL_SOON
from games.clock import TimeControl
from games.errors import BadRequest
from games.forms.table import DEFAULT_VARIANT
from games.forms.times import control_asked
from games.pages.waiting.create import LastTable
from games.rules import VARIANTS
from games.rules.variants import SIZED, Variant, sized_id
from games.rules.variants.codingame import DEFAULT_SIZE, SEEDS
from games.words import boards, clocks, ladder, names
from games.words.table_changes import hours_text, minutes_text

FRIEND, BOTS, ANYONE = "friend", "bots", "anyone"
#: The table that was opened last, once more.
AGAIN = "again"
#: What each is called, and what happens next.
TEXTS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    FRIEND: (_("Play with a friend"), _("You get a link and a QR code to share. No account needed.")),
    BOTS: (_("Play bots"), _("The game starts at once.")),
    ANYONE: (_("Play anyone"), _("The lobby lists your table until it is full.")),
}
#: For more friends than one: how many players there are, by key.
FRIENDS: Mapping[str, int] = {"friends-3": 3, "friends-4": 4}
ME = SeatSetup(kind="me")
#: Beside the fields of the form: the variant that an address asks for.
ASKED = "asked"


@dataclass(frozen=True)
class Preset:
    """A table to open with one tap.

    `line` says what happens next, `terms` on which board, and at what pace or against which bots.
    """

    key: str
    title: str
    line: str
    terms: str


def presets(last: Mapping[str, str], strength: str) -> list[Preset]:
    """Return the tables to offer to a person who filled in the form of a new table like this the last time.

    `strength` is the key of the bots' level where the last table had no bot.
    """
    return [
        Preset(key, str(title), str(line), " · ".join(_terms(key, last, strength)))
        for key, (title, line) in TEXTS.items()
    ]


def again_preset(last: LastTable) -> list[Preset]:
    """Return the last table as one to open again; nothing where it cannot be."""
    if not last.again:
        return []
    variant = _variant_id(VARIANTS[last.again["variant"]], last.again, seed=0)
    terms = names.variant_name(variant), clocks.pace_name(control_asked(last.again))
    return [Preset(AGAIN, gettext("As last time"), " · ".join(last.seats), " · ".join(terms))]


def board_asked(variant: str) -> dict[str, str]:
    """Return a variant that is asked for itself, as what was chosen last; nothing if there is no such variant."""
    return {"variant": variant, ASKED: variant} if variant in VARIANTS else {}


def usual_strength(last: Mapping[str, str], liked: str) -> str:
    """Return the key of the bots' level that every page begins with: that of the last table, else the one liked."""
    return _rung(last, liked).key


def _terms(key: str, last: Mapping[str, str], strength: str) -> tuple[str, str]:
    where = names.variant_name(_variant_id(_variant(key, last), last, seed=0))
    if key == BOTS:
        return where, gettext("level %(level)s") % {"level": _rung(last, strength).title}
    return where, clocks.pace_name(control_asked(last))


def preset_setup(key: str, last: Mapping[str, str], strength: str, fill_after: str = "") -> GameSetup:
    """Return the table of that key; at one for anyone bots take the seats that are empty after a time.

    Raises:
        BadRequest: there is none of that key.

    """
    if key not in TEXTS and key not in FRIENDS:
        raise BadRequest(_("Choose a friend, bots or anyone."), field="preset")
    variant = _variant(key, last)
    others = {
        FRIEND: lambda: (SeatSetup(kind="link"),) * (variant.seats - 1),
        BOTS: lambda: tuple(
            SeatSetup(kind="bot", bot=name) for name in _rung(last, strength).bots_for(variant.seats - 1)
        ),
        ANYONE: lambda: (SeatSetup(kind="open"),) * (variant.seats - 1),
    }
    others |= dict.fromkeys(FRIENDS, others[FRIEND])
    soon, hours = _waited(fill_after) if key == ANYONE else (0, 0)
    setup = GameSetup(
        variant=_variant_id(variant, last, seed=secrets.choice(SEEDS)),
        seats=(ME, *others[key]()),
        is_public=key == ANYONE,
        fill_after=hours,
        fill_soon=soon,
        fill_bot=_rung(last, strength).bots_for(1)[0],
        time=TimeControl() if key == BOTS else control_asked(last),
    )
    return as_usual(setup)


def _waited(sent: str) -> tuple[int, int]:
    """Return the minutes or the hours that somebody chose to wait for bots: "5m", "6"."""
    number = sent.removesuffix("m")
    if not (number.isascii() and number.isdigit() and len(number) < len("1000")):
        return 0, 0
    return (0, int(sent)) if number == sent else (int(number), 0)


def waits() -> list[tuple[str, str]]:
    """Return what there is to choose from: what is sent for it, and what it is called."""
    soon = [(f"{minutes}m", minutes_text(minutes)) for minutes in FILL_SOON if minutes]
    never, *later = [(str(hours), hours_text(hours)) for hours in FILL_AFTER]
    return [never, *soon, *later]


def _variant(key: str, last: Mapping[str, str]) -> Variant:
    """Return the variant asked for; else that of the last board for the fewest players, against bots for the most.

    For several friends it is that of the last board for so many, or of the usual one where it has none.
    """
    if key in FRIENDS:
        found = [last.get(ASKED, ""), last.get("variant", DEFAULT_VARIANT), DEFAULT_VARIANT]
        boards_found = [boards.boards()[boards.board_key(variant)] for variant in found if variant]
        return next(each for board in boards_found for each in board if each.seats == FRIENDS[key])
    if ASKED in last:
        return VARIANTS[last[ASKED]]
    board = boards.boards()[boards.board_key(last.get("variant", DEFAULT_VARIANT))]
    return (max if key == BOTS else min)(board, key=lambda variant: variant.seats)


def _variant_id(variant: Variant, last: Mapping[str, str], seed: int) -> str:
    if variant.family not in SIZED:
        return variant.id
    return sized_id(variant.family, int(last.get("size", DEFAULT_SIZE)), seed)


def _rung(last: Mapping[str, str], strength: str) -> ladder.Rung:
    found = [value for name, value in last.items() if name.endswith("-strength")]
    return ladder.rung_of(found[0] if found else strength)
