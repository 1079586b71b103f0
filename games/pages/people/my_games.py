"""The games of one person: invitations, their turn, waiting for others, just finished."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.apart import NOBODY, People, apart_from
from games.base.children import allowed_for
from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.pages.lists.game_pages import CardPage, PageCursor, game_page
from games.pages.lists.paging import ListPage, list_page
from games.queries.lists.finished import own_finished, watched_games
from games.queries.lists.seats import Lists
from games.queries.people.going import count_in_list, counts_by_list, going_keys, seats_in_list
from games.queries.people.seated import load_players
from games.queries.people.tallies import finished_counts, results_sum
from games.queries.tables.repeating import games_to_repeat
from games.values import WATCHED, ScoreOfTwo, Status

if TYPE_CHECKING:
    from games.models import Game, Player

#: The number of games that a section shows until it is opened.
SECTION_SIZE = 12
RECENT_GAMES = 5

TITLES: dict[str, str | Promise] = {
    "invited": _("Invitations"),
    "turn": _("Your turn"),
    "waiting": _("Waiting for others"),
    "open": _("Your open tables"),
    "finished": _("Just finished"),
    "bots": _("Games between bots"),
    "away": _("Put away"),
}
#: The sections that grow for ever, and what finds a person's games of them.
ENDLESS: Mapping[str, Callable[[User], Lists]] = {"finished": own_finished, "bots": watched_games}


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
    """The page of one person's games; sections without games are left out. `only` is the one section shown in pages.

    `people` are those with accounts that the games are with, of games that ended first, and `scores` how it stands
    between each of them and the reader.
    """

    sections: Sequence[GamesSection] = ()
    only: GamesSection | None = None
    people: Sequence[User] = ()
    scores: Mapping[int, ScoreOfTwo] = field(default_factory=dict)
    page: ListPage[GameCard] | CardPage[GameCard] | None = None


@dataclass(frozen=True)
class _Reader:
    user: User
    now: datetime = field(default_factory=timezone.now)
    #: How it stands between the reader and those at their tables; filled when these are read.
    scores: dict[int, ScoreOfTwo] = field(default_factory=dict)
    #: The keys of the games that the same group can play again; filled with them.
    again: set[int] = field(default_factory=set)

    @cached_property
    def away(self) -> People:
        """Return from whom the person is kept apart; no one for a child, who meets only people it is allowed."""
        return NOBODY if self.user.is_child else apart_from(self.user)

    @cached_property
    def going(self) -> list[int]:
        """Return the keys of the person's seats and invitations at tables that wait or play. One query."""
        return going_keys(self.user)

    def load(self, games: "Sequence[Game]") -> None:
        """Fetch who plays these games, the score of each and the reader, and which the same group can play again.

        Two queries, and those of `games_to_repeat` and `apart_from`.
        """
        self.scores.update(load_players(games, self.user))
        self.again.update(games_to_repeat(self.user, games, self.away))

    def read(self, key: str, start: int, number: int) -> "list[Player]":
        """Return so many seats, or invitations, of a section that is never long, from that one on (one query)."""
        return seats_in_list(key, self.user, self.now, self.going, start, number)

    def first(self, key: str) -> "list[Player]":
        """Return the first seats of a section (one query); a bot's in games of bots alone."""
        return ENDLESS[key](self.user).take(RECENT_GAMES) if key in ENDLESS else self.read(key, 0, SECTION_SIZE)

    def counts(self) -> dict[str, int]:
        """Return how many games each section has (three queries)."""
        ended, going = finished_counts(self.user.pk), counts_by_list(self.user, self.now, self.going)
        return {**going, "finished": results_sum(ended), "bots": ended[WATCHED]}

    def shower(self, key: str) -> "Callable[[Player], GameCard]":
        """Return the function that makes a row of the section from a seat."""
        if key in ("turn", "waiting", "away"):
            return lambda seat: cards.running_card(seat.game, self.user.pk, self.now, self.scores)
        if key == "bots":
            return self._watched
        if key in ("invited", "open"):
            return lambda seat: cards.waiting_card(seat.game, self.user.pk, self.now, self.scores)
        return self._ended

    def _ended(self, seat: "Player") -> GameCard:
        may_repeat = seat.game_id in self.again
        return cards.finished_card(seat.game, self.user.pk, self.scores, may_repeat=may_repeat)

    def _watched(self, seat: "Player") -> GameCard:
        if seat.game.status == Status.RUNNING:
            return cards.running_card(seat.game, self.user.pk, self.now)
        return cards.finished_card(seat.game, self.user.pk)


def my_games_page(user: User) -> MyGames:
    """Return the games of this person by section: what needs them first, the nearest deadline first (10 queries)."""
    reader = _Reader(user)
    counts = reader.counts()
    seats = {key: reader.first(key) if counts[key] else [] for key in TITLES}
    reader.load([seat.game for rows in seats.values() for seat in rows])
    sections = (_section(reader, key, counts[key], seats[key]) for key in TITLES if counts[key])
    return MyGames(sections=tuple(sections), people=_people(reader, seats), scores=reader.scores)


def _people(reader: _Reader, seats: "Mapping[str, Sequence[Player]]") -> tuple[User, ...]:
    user = reader.user
    if user.is_guest:  # guests cannot invite
        return ()
    if user.is_child:
        return tuple(allowed_for(user))
    games = [seat.game for key in ("finished", "turn", "waiting") for seat in seats[key]]
    people = (player.user for game in games for player in game.players.all())
    away = {user.pk, *reader.away}
    found = {each.pk: each for each in people if each and each.is_active and not each.is_guest and each.pk not in away}
    return tuple(found.values())


def my_section(user: User, key: str, number: int, cursor: PageCursor) -> MyGames:
    """Return one section of this person's games in pages (3 queries). An unknown section is that of their turns.

    `cursor` is that of the page in a section that grows for ever, `number` that in another one.
    """
    reader, key = _Reader(user), key if key in TITLES else "turn"
    show = partial(_show, reader, key)
    rows: ListPage[GameCard] | CardPage[GameCard]
    if key in ENDLESS:
        counts = finished_counts(user.pk)
        rows = game_page(ENDLESS[key](user), cursor, counts[WATCHED] if key == "bots" else results_sum(counts), show)
    else:
        rows = list_page(partial(reader.read, key), number, count_in_list(key, user, reader.now, reader.going), show)
    return MyGames(only=GamesSection(key, TITLES[key], rows.count, (), has_more=False), page=rows)


def _section(reader: _Reader, key: str, count: int, seats: "Sequence[Player]") -> GamesSection:
    rows = tuple(map(reader.shower(key), seats))
    return GamesSection(key, TITLES[key], count, rows, has_more=count > len(rows))


def _show(reader: _Reader, key: str, seats: "list[Player]") -> tuple[GameCard, ...]:
    reader.load([seat.game for seat in seats])
    return tuple(map(reader.shower(key), seats))
