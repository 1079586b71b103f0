"""A player's public page: finished public games and their totals."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.children import is_of_family
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.pages.lists.cards import GameCard
from games.pages.lists.finished import finished_rows
from games.pages.lists.game_pages import CardPage, PageCursor, game_page
from games.pages.people.ratings import OwnRating, own_ratings
from games.pages.people.year import YearView, year_view
from games.queries.lists.finished import visible_games
from games.queries.people.circle import scores_with, total
from games.queries.people.known import player_called, player_seen
from games.queries.people.tallies import results_sum
from games.queries.tables.reliability import Reliability, reliability_of
from games.values import Occupant, SeatResult
from games.words import clocks
from games.words.moments import Here, here
from games.words.names import kind_name
from games.words.scores import score_against, score_by_board


@dataclass(frozen=True)
class KindView:
    """How the finished games of a person on one board, with one number of players, ended."""

    name: str
    wins: int
    ties: int
    losses: int

    @property
    def games(self) -> int:
        """Return how many there are."""
        return self.wins + self.ties + self.losses

    @property
    def bar(self) -> tuple[tuple[str, int, int], ...]:
        """Return the bar's parts: result, beginning and length, of a hundred units in all."""
        ends = [round(100 * part / self.games) for part in (self.wins, self.wins + self.ties, self.games)]
        parts = zip(("won", "tied", "lost"), [0, *ends], ends, strict=False)
        return tuple((result, begin, end - begin) for result, begin, end in parts if end > begin)


@dataclass(frozen=True)
class HabitsView:
    """How far others can rely on a player: the part of turns made in time in percent, how long a reply usually takes.

    Of the latest `games` that ended, `finished` were played to the end.
    """

    share: int
    usual: str
    games: int
    finished: int


@dataclass(frozen=True)
class Profile:
    """A player and the finished games that the viewer may see; the totals count these games only.

    `username` is the name without what is said beside it. `operator` is the name of the person whose bot this is, empty
    for a person.

    `is_blocked` says that the viewer has blocked them; who was blocked sees the page as before. `is_friend` says that
    the viewer follows them, and they follow back. `here` is there if the viewer may know when they were here.

    `habits` are there once there are enough turns, and count private games too.

    The year counts public games only for other people. `kinds` are the results by board, that of most games first.
    `between` is the score of the reader and this player, of all games that both have finished, private ones included.
    """

    username: str
    name: str
    operator: str
    face: Face
    since: datetime
    is_guest: bool
    is_me: bool
    may_be_invited: bool
    may_be_blocked: bool
    is_blocked: bool
    is_muted: bool
    is_followed: bool
    is_friend: bool
    here: Here | None
    games: int
    wins: int
    ties: int
    losses: int
    page: CardPage[GameCard]
    year: YearView | None
    kinds: tuple[KindView, ...]
    ratings: tuple[OwnRating, ...]
    habits: HabitsView | None
    between: "BetweenView | None"


@dataclass(frozen=True)
class BetweenView:
    """How the games of the reader and another person ended: the score in words, then a line a board."""

    score: str
    boards: tuple[str, ...]


def profile(username: str, viewer: User | AnonymousUser, cursor: PageCursor) -> Profile:
    """Return a player's page (at most 14 queries, 8 for one's own).

    Private games are shown, and counted, only to those who played in them.

    Raises:
        NotFound: there is no account of this name, or it has been closed.

    """
    seen = player_seen(username, viewer)
    if seen is None:
        raise NotFound(NO_PLAYER)
    user = seen.user
    lists, found = visible_games(user, viewer)
    counts: Counter[str] = Counter()
    for (_kind, result), number in found.items():
        counts[result] += number
    games, show = results_sum(counts), partial(finished_rows, user.pk, is_mine=user.pk == viewer.pk)
    return Profile(
        username=user.username,
        name=user.shown_name,
        operator=user.operator.username if user.operator else "",
        face=face(Occupant.of(user)),
        since=user.date_joined,
        is_guest=user.is_guest,
        is_me=user.pk == viewer.pk,
        may_be_invited=isinstance(viewer, User) and not viewer.is_guest and not user.is_guest and not seen.is_blocked,
        may_be_blocked=isinstance(viewer, User) and _payer(viewer) != _payer(user) and not is_of_family(viewer, user),
        is_blocked=seen.is_blocked,
        is_muted=seen.is_muted,
        is_followed=seen.is_followed,
        is_friend=seen.is_friend,
        here=here(user.last_here, timezone.now()),
        games=games,
        # Scores of different boards and ways of scoring have no common sum: only results are counted.
        wins=counts[SeatResult.WON],
        ties=counts[SeatResult.TIED],
        losses=counts[SeatResult.LOST],
        page=game_page(lists, cursor, games, show),
        year=year_view(lists, timezone.now()),
        kinds=_kinds(found),
        ratings=own_ratings(user.pk),
        habits=_habits(reliability_of(user.pk)),
        between=_between(user, viewer),
    )


def _between(user: User, viewer: User | AnonymousUser) -> BetweenView | None:
    """Return the score of two people who have finished games together. One query where another person looks."""
    if not isinstance(viewer, User) or viewer.pk == user.pk:
        return None
    scores = scores_with(viewer, {user.pk}).get(user.pk, {})
    if not scores:
        return None
    most = sorted(scores.items(), key=lambda each: (-each[1].games, each[0]))
    boards = tuple(score_by_board(found, kind_name(variant)) for variant, found in most)
    return BetweenView(score_against(total(scores), user.shown_name), boards)


def _habits(found: Reliability) -> HabitsView | None:
    if not found.is_known:
        return None
    usual = clocks.usual_time(int(found.usual.total_seconds()))
    return HabitsView(share=found.share, usual=usual, games=found.games, finished=found.finished)


NO_PLAYER = _("There is no player with this name.")


def _payer(user: User) -> int:
    return user.operator_id or user.pk


def named_player(username: str, viewer: User | AnonymousUser) -> User:
    """Return the player of this name, or who had it before another, with the operator of a bot.

    As far as the viewer may know of them.

    As many queries as `player_called`.

    Raises:
        NotFound: there is no account of this name, or it has been closed.

    """
    user = player_called(username, viewer)
    if user is None:
        raise NotFound(NO_PLAYER)
    return user


def _kinds(found: Counter[tuple[str, str]]) -> tuple[KindView, ...]:
    """Return the results by variant, that of most games first."""
    views = [
        KindView(
            kind_name(kind), *(found[kind, result] for result in (SeatResult.WON, SeatResult.TIED, SeatResult.LOST))
        )
        for kind in sorted({kind for kind, _result in found})
    ]
    return tuple(sorted((view for view in views if view.games), key=lambda view: -view.games))
