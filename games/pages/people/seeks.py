"""Standing seeks: a person's own, as the lobby, their games and a page of its own show them; and a form for one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext

from accounts.models import User
from games.base.setup import WAITS
from games.queries.tables.seeks import MOST_SOUGHT, SOUGHT, SOUGHT_TIMES, SeekState, is_sought_rated, seeks_of
from games.words import clocks
from games.words.seeks import lines as seeks
from games.words.table_changes import hours_text, minutes_text

#: What the form begins with.
USUAL: Mapping[str, str] = {"variant": "blockyou-4", "pace": "normal", "number": "3", "wait": "0", "rated": "yes"}
HOUR_MINUTES = 60


@dataclass(frozen=True)
class SeekRow:
    """A standing seek in words, with what its buttons send; `fewer` and `more` are 0 where that is not possible.

    `number` is how many games are wanted, sent again where a seek that rests is to go on.
    """

    pk: int
    title: str
    line: str
    state: str
    rest: str
    sent: Mapping[str, str]
    number: int
    fewer: int
    more: int
    goes_on: bool


@dataclass(frozen=True)
class SeeksPage:
    """The page of a person's standing seeks, with the choices of the form and what was chosen."""

    rows: Sequence[SeekRow]
    boards: Sequence[tuple[str, str]]
    paces: Sequence[tuple[str, str]]
    numbers: Sequence[str]
    waits: Sequence[tuple[str, str]]
    chosen: Mapping[str, str]
    has_ratings: bool = field(default_factory=lambda: settings.RATINGS)


def may_seek(user: object) -> bool:
    """Return whether standing seeks are for this reader: a person with an account, no child and no bot."""
    return isinstance(user, User) and not (user.is_guest or user.is_bot or user.is_child)


def seek_rows(user: User, now: datetime) -> list[SeekRow]:
    """Return the standing seeks of a person. One query, and four more where there are any."""
    return [_row(state) for state in seeks_of(user, now)]


def seeks_page(user: User, now: datetime, typed: Mapping[str, str] | None = None) -> SeeksPage:
    """Return the page of a person's standing seeks; `typed` is what a form was refused with. Five queries at most."""
    return SeeksPage(
        rows=seek_rows(user, now),
        boards=[(kind, seeks.seek_title(kind)) for kind in SOUGHT],
        paces=[(key, _pace_text(key)) for key in SOUGHT_TIMES],
        numbers=[str(number) for number in range(1, MOST_SOUGHT + 1)],
        waits=[(str(wait), _wait_text(wait)) for wait in WAITS],
        chosen=USUAL
        if typed is None
        else {**USUAL, "rated": "", **{name: typed[name] for name in USUAL if name in typed}},
    )


def _row(state: SeekState) -> SeekRow:
    seek = state.seek
    return SeekRow(
        pk=seek.pk,
        title=seeks.seek_title(seek.variant),
        line=seeks.seek_line(seek.pace, seek.number, seek.wait, is_rated=is_sought_rated(seek)),
        state=seeks.state_line(state.running, state.waiting),
        rest=seeks.rest_line(state.rest, state.until),
        sent={
            "variant": seek.variant,
            "pace": seek.pace,
            "wait": str(seek.wait),
            **({"rated": "yes"} if seek.is_rated else {}),
        },
        number=seek.number,
        fewer=seek.number - 1,
        more=seek.number + 1 if seek.number < MOST_SOUGHT else 0,
        goes_on=state.rest in ("left", "late", "idle", "evening"),
    )


def _pace_text(pace: str) -> str:
    if pace not in clocks.PACE_NAMES:
        return gettext("No limit")
    return f"{clocks.PACE_NAMES[pace]} ({clocks.time_name(SOUGHT_TIMES[pace])})"


def _wait_text(minutes: int) -> str:
    if not minutes:
        return gettext("Never")
    return minutes_text(minutes) if minutes < HOUR_MINUTES else hours_text(minutes // HOUR_MINUTES)
