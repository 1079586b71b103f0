"""The page on which the person who opened a table changes it before the start."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from games.base import access
from games.base.terms import NO_STAND_IN, NUMBERS, TableTerms
from games.pages.waiting.create import CHOOSE, SET, asked_time
from games.pages.waiting.invitation import SeatView, fill_help, fill_line, waiting_table
from games.queries.tables.table import table_state


@dataclass(frozen=True)
class EditSeat:
    """One seat, and what can be done with it.

    `removes` is what the button that empties it does, `short` what stands on it; both are empty where there is nothing
    to remove. `needs_reason` where a person is removed. `swaps` is what the button says that exchanges it with the next
    seat, empty for the last.
    """

    view: SeatView
    removes: str
    short: str
    needs_reason: bool
    swaps: str

    @property
    def number(self) -> int:
        """Return the number of the seat, from 0."""
        return self.view.number

    @property
    def next(self) -> int:
        """Return the number of the seat after it."""
        return self.view.number + 1


@dataclass(frozen=True)
class EditPage:
    """A table that waits, as its host changes it: what is `agreed`, and `asked` by the names of the form's fields.

    `bots_later` says when bots take the empty seats, if they do, `fills` what the button says that lets them do it now,
    `fills_help` what that does.
    `people` is how many seats no bot has: in those that are empty people are expected.
    """

    slug: str
    title: str
    variant: str
    agreed: TableTerms
    asked: Mapping[str, str]
    bots_later: str
    fills: str
    fills_help: str
    people: int
    is_of_group: bool
    seats: tuple[EditSeat, ...]


def edit_page(user: access.Viewer, slug: str) -> EditPage:
    """Return the page (three queries).

    Raises:
        NotFound, NotSeated, WrongStatus: the table is not there, not this person's, or does not wait any more.

    """
    game = access.table_to_edit(user, slug)
    table = waiting_table(table_state(game, user), user)
    asked = {
        **{name: str(getattr(game, name)) for name in ("name", *NUMBERS)},
        **asked_time(game.time_control),
        "is_public": "yes" if game.is_public else "no",
        "stand_in": game.stand_in or NO_STAND_IN,
        "dealing": CHOOSE if game.lets_choose else SET,
    }
    return EditPage(
        slug=game.slug,
        title=table.title,
        variant=game.variant,
        agreed=TableTerms.of(game),
        asked=asked,
        bots_later=table.bots_later,
        fills=fill_line(sum(seat.is_free for seat in table.seats)),
        fills_help=fill_help(table.state),
        people=sum(not seat.is_bot for seat in table.seats),
        is_of_group=table.state.game.is_of_group,
        seats=tuple(
            _seat(seat, len(table.seats), is_own=known.occupant.account == user.pk)
            for seat, known in zip(table.seats, table.state.seats, strict=True)
        ),
    )


def _seat(seat: SeatView, count: int, *, is_own: bool) -> EditSeat:
    is_invited = seat.is_free and bool(seat.address)
    can_remove = not is_own and (is_invited or not seat.is_free)
    withdraws = gettext("Withdraw the invitation")
    text = withdraws if is_invited else gettext("Remove %(name)s") % {"name": seat.name}
    short = withdraws if is_invited else gettext("Remove")
    swaps = gettext("Swap with next: seats %(one)d and %(other)d") % {"one": seat.number + 1, "other": seat.number + 2}
    return EditSeat(
        view=seat,
        removes=text if can_remove else "",
        short=short if can_remove else "",
        needs_reason=can_remove and not seat.is_bot,
        swaps=swaps if seat.number + 1 < count else "",
    )
