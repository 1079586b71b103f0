"""The games of one person: whose turn, which wait, which have just ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Player, Status
from games.queries import cards
from games.queries.cards import GameCard
from games.queries.pages import ListPage, cut

#: How many games a section shows before it asks to be opened.
SHORT = 12
RECENT = 5

MY_TURN = Q(game__status=Status.RUNNING, game__turn_seat=F("seat"))
SITTING = Q(retired="")
RUNNING = Q(game__status=Status.RUNNING)

SECTIONS = {
    "turn": MY_TURN & SITTING,
    "waiting": RUNNING & ~MY_TURN,
    "open": Q(game__status=Status.OPEN),
    "finished": Q(game__status=Status.FINISHED),
    # One seat stands for a game of bots.
    "bots": Q(game__status__in=(Status.RUNNING, Status.FINISHED), seat=0) & ~Q(bot=""),
}
TITLES: dict[str, str | Promise] = {
    "turn": _("Your turn"),
    "waiting": _("Waiting for others"),
    "open": _("Invitations and open tables"),
    "finished": _("Just finished"),
    "bots": _("Games of bots"),
}
_SOONEST = (F("game__deadline").asc(nulls_last=True), "game__turn_since", "game_id")
_NEWEST = ("-game__changed_at", "-game_id")
ORDERS = {
    "turn": _SOONEST,
    "waiting": _SOONEST,
    "open": _NEWEST,
    "finished": ("-game__finished_at", "-game_id"),
    "bots": _NEWEST,
}


@dataclass(frozen=True)
class Section:
    """One heading of the page and the first of its games; `has_more` if there are others."""

    key: str
    title: str | Promise
    count: int
    rows: Sequence[GameCard]
    has_more: bool


@dataclass(frozen=True)
class MyGames:
    """The page of one person's games; sections without games are left out. `only` is the one section shown in pages."""

    sections: Sequence[Section] = ()
    only: Section | None = None
    page: ListPage[GameCard] | None = None


@dataclass(frozen=True)
class _Reader:
    user: User
    now: datetime = field(default_factory=timezone.now)

    def seats(self, key: str) -> QuerySet[Player]:
        """Return this person's seats, or invitations, in the games of a section; a bot's where nobody else sits."""
        mine = Q(user=self.user) if key != "open" else Q(user=self.user) | Q(invitee=self.user, user=None)
        seats = self._of_bots() if key == "bots" else Player.objects.filter(mine)
        return seats.filter(SECTIONS[key]).select_related("game").order_by(*ORDERS[key])

    def _of_bots(self) -> QuerySet[Player]:
        people = Player.objects.filter(game=OuterRef("game"), bot="")
        return Player.objects.filter(~Exists(people), game__creator=self.user)

    def counts(self) -> dict[str, int]:
        """Return how many games each section has (three queries)."""
        keys = ("turn", "waiting", "finished")
        found = Player.objects.filter(user=self.user).aggregate(**{key: Count("pk", SECTIONS[key]) for key in keys})
        return {**found, **{key: self.seats(key).count() for key in ("open", "bots")}}

    def shower(self, key: str) -> Callable[[Player], GameCard]:
        """Return what makes a row of the section out of a seat."""
        if key in ("turn", "waiting"):
            return lambda seat: cards.running_card(seat.game, self.user.pk, self.now)
        if key == "bots":
            return self._watched
        if key == "open":
            return lambda seat: cards.waiting_card(seat.game, self.user.pk)
        return lambda seat: cards.finished_card(seat.game, self.user.pk)

    def _watched(self, seat: Player) -> GameCard:
        if seat.game.status == Status.RUNNING:
            return cards.running_card(seat.game, self.user.pk, self.now)
        return cards.finished_card(seat.game, self.user.pk)


def my_games(user: User) -> MyGames:
    """Return the games of this person by section: mine first, the nearest deadline first (9 queries)."""
    reader = _Reader(user)
    counts = reader.counts()
    seats = {key: list(reader.seats(key)[: _room(key)]) if counts[key] else [] for key in SECTIONS}
    cards.load_players([seat.game for rows in seats.values() for seat in rows])
    sections = (_section(reader, key, counts[key], seats[key]) for key in SECTIONS if counts[key])
    return MyGames(sections=tuple(sections))


def my_section(user: User, key: str, page: int) -> MyGames:
    """Return one section of this person's games in pages (3 queries). An unknown section is the first one."""
    reader, key = _Reader(user), key if key in SECTIONS else "turn"
    seats = reader.seats(key)
    rows = cut(seats, page, seats.count(), partial(_show, reader, key))
    return MyGames(only=Section(key, TITLES[key], rows.count, (), has_more=False), page=rows)


def count_waiting(user: User) -> int:
    """Return in how many running games it is this person's turn (one query)."""
    return Player.objects.filter(MY_TURN & SITTING, user=user).count()


def _room(key: str) -> int:
    return RECENT if key in ("finished", "bots") else SHORT


def _section(reader: _Reader, key: str, count: int, seats: Sequence[Player]) -> Section:
    rows = tuple(map(reader.shower(key), seats))
    return Section(key, TITLES[key], count, rows, has_more=count > len(rows))


def _show(reader: _Reader, key: str, seats: list[Player]) -> tuple[GameCard, ...]:
    cards.load_players([seat.game for seat in seats])
    return tuple(map(reader.shower(key), seats))
