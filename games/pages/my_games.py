"""The games of one person: invitations, their turn, waiting for others, just finished."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial

from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import WATCHED, Game, Player, Status
from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.pages.lists.finished import results_sum
from games.pages.lists.game_pages import CardPage, Lists, PagePlace, game_page
from games.pages.lists.paging import ListPage, list_page
from games.queries.going import GOING, ORDERS, going_keys, seats_in
from games.queries.put_away import put_away
from games.queries.tallies import finished_counts

#: The number of games that a section shows until it is opened.
SHORT = 12
RECENT = 5

TITLES: dict[str, str | Promise] = {
    "invited": _("Invitations"),
    "turn": _("Your turn"),
    "waiting": _("Waiting for others"),
    "open": _("Your open tables"),
    "finished": _("Just finished"),
    "bots": _("Games between bots"),
    "away": _("Put away"),
}
#: The sections that grow for ever, and the time that the latest of them comes first by.
TIMES = {"finished": "ended_at", "bots": "game__changed_at"}


@dataclass(frozen=True)
class GamesSection:
    """One heading of the page and the first of its games; `has_more` if there are others."""

    key: str
    title: str | Promise
    count: int
    rows: Sequence[GameCard]
    has_more: bool


@dataclass(frozen=True)
class MyGames:
    """The page of one person's games; sections without games are left out. `only` is the one section shown in pages."""

    sections: Sequence[GamesSection] = ()
    only: GamesSection | None = None
    page: ListPage[GameCard] | CardPage[GameCard] | None = None


@dataclass(frozen=True)
class _Reader:
    user: User
    now: datetime = field(default_factory=timezone.now)

    def seats(self, key: str) -> QuerySet[Player]:
        """Return this person's seats, or invitations, in the games of a section; a bot's in games of bots alone."""
        if key in ORDERS:
            return seats_in(key, self.user, self.now, self.going)
        seats = {
            "finished": Player.objects.filter(user=self.user, ended_at__isnull=False),
            # One seat stands for a game of bots.
            "bots": Player.objects.filter(seat=0, game__creator=self.user, game__is_of_bots=True),
        }
        return seats[key].select_related("game")

    @cached_property
    def going(self) -> list[int]:
        """Return the keys of the person's seats and invitations at tables that wait or play. One query."""
        return going_keys(self.user)

    def lists(self, key: str) -> Lists:
        """Return a section that grows for ever, to be shown in pages."""
        return Lists([self.seats(key)], TIMES[key])

    def first(self, key: str) -> list[Player]:
        """Return the first seats of a section (one query)."""
        if key in TIMES:
            return self.lists(key).take(RECENT)
        return list(self.seats(key).order_by(*ORDERS[key])[:SHORT])

    def counts(self) -> dict[str, int]:
        """Return how many games each section has (three queries)."""
        ended = finished_counts(self.user.pk)
        counted = {key: Count("pk", condition(self.user, self.now)) for key, condition in GOING.items()}
        going = Player.objects.filter(pk__in=self.going).aggregate(**counted)
        return {**going, "finished": results_sum(ended), "bots": ended[WATCHED]}

    def shower(self, key: str) -> Callable[[Player], GameCard]:
        """Return the function that makes a row of the section from a seat."""
        if key in ("turn", "waiting", "away"):
            return lambda seat: cards.running_card(seat.game, self.user.pk, self.now)
        if key == "bots":
            return self._watched
        if key in ("invited", "open"):
            return lambda seat: cards.waiting_card(seat.game, self.user.pk, self.now)
        return lambda seat: cards.finished_card(seat.game, self.user.pk)

    def _watched(self, seat: Player) -> GameCard:
        if seat.game.status == Status.RUNNING:
            return cards.running_card(seat.game, self.user.pk, self.now)
        return cards.finished_card(seat.game, self.user.pk)


def my_games_page(user: User) -> MyGames:
    """Return the games of this person by section: what needs them first, the nearest deadline first (10 queries)."""
    reader = _Reader(user)
    counts = reader.counts()
    seats = {key: reader.first(key) if counts[key] else [] for key in TITLES}
    cards.load_players([seat.game for rows in seats.values() for seat in rows])
    sections = (_section(reader, key, counts[key], seats[key]) for key in TITLES if counts[key])
    return MyGames(sections=tuple(sections))


def my_section(user: User, key: str, number: int, place: PagePlace) -> MyGames:
    """Return one section of this person's games in pages (3 queries). An unknown section is that of their turns.

    `place` is that of the page in a section that grows for ever, `number` that in another one.
    """
    reader, key = _Reader(user), key if key in TITLES else "turn"
    show = partial(_show, reader, key)
    rows: ListPage[GameCard] | CardPage[GameCard]
    if key in TIMES:
        counts = finished_counts(user.pk)
        rows = game_page(reader.lists(key), place, counts[WATCHED] if key == "bots" else results_sum(counts), show)
    else:
        seats = reader.seats(key).order_by(*ORDERS[key])
        rows = list_page(seats, number, seats.count(), show)
    return MyGames(only=GamesSection(key, TITLES[key], rows.count, (), has_more=False), page=rows)


def count_waiting(user: User) -> int:
    """Return how many games and invitations wait for this person, without those put away (one query)."""
    turns = Game.objects.filter(turn_user=user).exclude(pk__in=put_away(user, timezone.now()).values("pk"))
    invitations = Player.objects.filter(invitee=user, user=None, is_going=True).order_by().values("game")
    return turns.order_by().values("pk").union(invitations).count()


def _section(reader: _Reader, key: str, count: int, seats: Sequence[Player]) -> GamesSection:
    rows = tuple(map(reader.shower(key), seats))
    return GamesSection(key, TITLES[key], count, rows, has_more=count > len(rows))


def _show(reader: _Reader, key: str, seats: list[Player]) -> tuple[GameCard, ...]:
    cards.load_players([seat.game for seat in seats])
    return tuple(map(reader.shower(key), seats))
