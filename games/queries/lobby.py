"""The open tables that anybody may join."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from games.models import Access, Game, Player, Status
from games.queries import boards, cards, names
from games.queries.pages import ListPage, cut
from games.queries.thumbnails import Thumbnail


@dataclass(frozen=True)
class TableRow:
    """One open table of the lobby. `special` is what is not as usual at it."""

    slug: str
    title: str
    host: str
    people: str
    seats: str
    about: str
    special: tuple[str, ...]
    is_mine: bool
    thumb: Thumbnail


def lobby(user: User | AnonymousUser, page: int) -> ListPage[TableRow]:
    """Return the public tables with a seat free for anyone, the newest first (3 queries)."""
    tables = _open_tables()
    return cut(tables, page, tables.count(), partial(_rows, user.pk))


def _open_tables() -> QuerySet[Game]:
    free = Player.objects.filter(game=OuterRef("pk"), user=None, bot="", access=Access.OPEN)
    public = Game.objects.filter(status=Status.OPEN, is_public=True)
    return public.filter(Exists(free)).select_related("creator").order_by("-created_at", "-pk")


def _rows(user_id: int | None, games: list[Game]) -> Sequence[TableRow]:
    cards.load_players(games)
    return tuple(_row(game, user_id) for game in games)


def _row(game: Game, user_id: int | None) -> TableRow:
    players = list(game.players.all())
    taken = [player for player in players if player.user or player.bot]
    return TableRow(
        slug=game.slug,
        title=game.name or names.table_of(game.creator.username),
        host=game.creator.username,
        people=names.company(taken, None),
        seats=names.seats_taken(len(taken), len(players)),
        about=cards.about(game, names.time_name(game.time_initial)),
        special=tuple(_special(game)),
        is_mine=user_id is not None and user_id in [player.user_id for player in players],
        thumb=cards.picture(game),
    )


def _special(game: Game) -> Iterator[str]:
    if scoring := boards.unusual_scoring(game.variant, game.scoring):
        yield scoring
    if game.declares_passes:
        yield gettext("declared passes")
    if not game.allows_hints:
        yield gettext("no hints")
