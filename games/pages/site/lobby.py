"""The open tables that anyone may join, and running games to watch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from games.base.apart import People
from games.base.terms import explains_in_play, is_rated_here
from games.drawing.thumbnails import Thumbnail
from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.pages.lists.paging import OpenPage, open_page
from games.pages.lists.seat_links import SeatLink, seat_links
from games.queries.people.seated import load_hosts, load_players
from games.queries.tables.open_tables import games_to_see, latest_finished, listed_tables
from games.queries.tables.table import leaves_choice
from games.rules.variants import get_variant
from games.values import Occupant
from games.words import boards, clocks, deadlines, moments, names
from games.words.moments import When

if TYPE_CHECKING:
    from games.models import Game

#: How many running games are shown.
SHOWN_GAMES = 12
#: How many games that ended lately are shown below them.
REPLAYED = 4


@dataclass(frozen=True)
class TableRow:
    """One open table of the lobby: `length` is about how long it takes, `special` that it is rated and what is unusual.

    `opened` says when it was. `is_mine` says that the reader has a seat there, `is_invited` that one is kept for them.
    `has_choice` says that a player who sits down chooses a colour, on the table's page.
    """

    slug: str
    title: str
    host: SeatLink
    people: tuple[SeatLink, ...]
    seats: str
    about: str
    length: str
    special: tuple[str, ...]
    is_mine: bool
    is_invited: bool
    has_choice: bool
    thumb: Thumbnail
    opened: When | None


def lobby_page(user: User | AnonymousUser, apart: People, page: int) -> OpenPage[TableRow]:
    """Return the public tables with a seat free for anyone, the newest first.

    Here and below nothing is shown of the people `apart`, from whom the reader is kept apart. Three queries, one more
    where a host has no seat at the table.
    """
    return open_page(partial(listed_tables, apart), page, partial(_rows, user.pk))


def games_to_watch(
    user: User | AnonymousUser, apart: People, now: datetime | None = None, *, most: int = SHOWN_GAMES
) -> Sequence[GameCard]:
    """Return running public games in which this person has no seat, the latest move first (at most 3 queries)."""
    found = games_to_see(user, apart, most)
    load_players(found)
    return _watched(found, user, now or timezone.now())


def games_beside(user: User | AnonymousUser, apart: People) -> tuple[Sequence[GameCard], Sequence[GameCard]]:
    """Return games to watch as `games_to_watch`, and the public games that ended last (at most 4 queries)."""
    found, ended = games_to_see(user, apart, SHOWN_GAMES), latest_finished(apart, REPLAYED)
    load_players([*found, *ended])
    return _watched(found, user, timezone.now()), tuple(cards.finished_card(game, None) for game in ended)


def _watched(found: "list[Game]", user: User | AnonymousUser, now: datetime) -> Sequence[GameCard]:
    shown = (cards.running_card(game, user.pk, now) for game in found)
    # How long the players still have is their business.
    return tuple(replace(card, figure="", deadline=None) for card in shown)


def _rows(user_id: int | None, games: "list[Game]") -> Sequence[TableRow]:
    load_players(games)
    load_hosts(games)
    now = timezone.now()
    return tuple(_row(game, user_id, now) for game in games)


def _row(game: "Game", user_id: int | None, now: datetime) -> TableRow:
    players = list(game.players.all())
    taken = [player for player in players if player.user or player.bot]
    bots = [player for player in players if player.bot]
    host = Occupant.of(game.creator)
    return TableRow(
        slug=game.slug,
        title=game.name or names.unnamed_table(host, is_mine=game.creator_id == user_id),
        host=_host(game),
        people=seat_links(game, user_id),
        seats=names.seats_taken(len(taken), len(players)),
        about=cards.about_line(game, clocks.pace_name(game.time_control)),
        length=deadlines.game_length(get_variant(game.variant), game.time_control, len(players) - len(bots)),
        special=tuple(_special(game)),
        is_mine=user_id is not None and user_id in [player.user_id for player in players],
        is_invited=user_id is not None and user_id in [each.invitee_id for each in players if each not in taken],
        has_choice=leaves_choice(game),
        thumb=cards.game_thumbnail(game),
        opened=moments.when(game.created_at, now),
    )


def _host(game: "Game") -> SeatLink:
    creator = game.creator
    return SeatLink(creator.shown_name, names.page_of(Occupant.of(creator)))


def _special(game: "Game") -> Iterator[str]:
    if is_rated_here(game):
        yield gettext("rated")
    if scoring := boards.unusual_scoring(game.variant, game.scoring):
        yield scoring
    if game.declares_passes:
        yield gettext("manual passes")
    if not game.allows_hints:
        yield gettext("no hints")
    elif game.allows_advice:
        yield gettext("an engine may suggest moves")
    if game.min_reliability:
        yield gettext("at least %(share)d%% of turns in time") % {"share": game.min_reliability}
    if game.allows_takebacks:
        yield gettext("moves can be taken back")
    if explains_in_play(game):
        yield gettext("bots explain their moves")
