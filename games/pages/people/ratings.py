"""Ratings on pages: those of one person, and the lists of the strongest."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.base.access import Viewer
from games.base.apart import NOBODY, People, apart_from, blocked_by
from games.base.groups import membership_of
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.pages.groups.pages import NamedGroup
from games.queries.people.ratings import GroupRanks, RatingState, listed_families, moved_most, ratings_of, strongest
from games.ratings.families import FAMILIES
from games.ratings.scale import Strength
from games.values import Occupant
from games.words.groups import group_title
from games.words.ratings import moved_by_text, rating_family_name, rating_text

if TYPE_CHECKING:
    from games.models import Group, PlayerRating


@dataclass(frozen=True)
class OwnRating:
    """A rating of the person whose page it is: `rating` in words, as `strength` says."""

    family: str
    name: str
    rating: str
    strength: Strength
    games: int
    is_provisional: bool


@dataclass(frozen=True)
class RankView:
    """A person on a list, with their rank; `is_me` is the reader. 0 is the rank of whose rating is provisional.

    `change` is what yesterday's games did, with its sign, where the list is of those.
    """

    rank: int
    username: str
    name: str
    face: Face
    rating: str
    games: int
    is_me: bool
    change: str = ""


@dataclass(frozen=True)
class ListLink:
    """A list that can be chosen, by its address."""

    address: str
    name: str
    is_chosen: bool


@dataclass(frozen=True)
class RankingPage:
    """The strongest people of a family, or those who moved most; everybody's list or a group's; the lists there are.

    `own` is the reader's while it is provisional and not on the list.
    """

    name: str
    family: str
    group: NamedGroup | None
    periods: tuple[ListLink, ...]
    families: tuple[ListLink, ...]
    rows: tuple[RankView, ...]
    is_of_movers: bool
    own: OwnRating | None


def own_ratings(user_id: int) -> tuple[OwnRating, ...]:
    """Return the ratings of a person as their page shows them. One query."""
    return tuple(map(_own, ratings_of(user_id)))


def _own(state: RatingState) -> OwnRating:
    return OwnRating(
        state.family,
        rating_family_name(state.family),
        rating_text(*state.strength),
        state.strength,
        state.games,
        state.is_provisional,
    )


#: How far back the last rated game of a listed person may lie, by key, and what the list is called.
PERIODS: Mapping[str, tuple[timedelta | None, str | Promise]] = {
    "": (None, _("Everyone")),
    "year": (timedelta(days=365), _("Last 12 months")),
    "month": (timedelta(days=30), _("Last 30 days")),
}
#: The key of the list of those whose ratings moved most yesterday.
YESTERDAY = "yesterday"
#: All lists of a family, by key, and what each is called.
LISTS: Mapping[str, str | Promise] = {
    **{key: name for key, (_back, name) in PERIODS.items()},
    YESTERDAY: _("Moved most yesterday"),
}


def ranking_page(family: str, viewer: Viewer, period: str = "", group: str = "") -> RankingPage:
    """Return the list of a family, of a group's members where one is given; without one, the first that has anybody.

    Those whom the reader has blocked are left out, and their ranks with them. A `period` that is neither `YESTERDAY`
    nor one of `PERIODS` is any time. Six queries at most; for a group one more, and those of `apart_from`.

    Raises:
        NotFound: there is no such family, the site has no ratings, or the reader is no member of the group.

    """
    check_family(family or FAMILIES[0])
    among = group_ranks(viewer, group) if group else None
    there = listed_families(among)
    chosen = family or next(iter(there), FAMILIES[0])
    key = period if period in LISTS else ""
    rows = _movers(chosen, viewer, among) if key == YESTERDAY else _ranks(chosen, viewer, key, among)
    return RankingPage(
        name=rating_family_name(chosen),
        family=chosen,
        group=_named(among.group) if among else None,
        periods=_periods(_address(chosen, group), key),
        families=tuple(
            ListLink(_address(each, group), rating_family_name(each), each == chosen)
            for each in FAMILIES
            if each in there or each == chosen
        ),
        rows=rows,
        is_of_movers=key == YESTERDAY,
        own=None if group or any(row.is_me for row in rows) else _provisional(viewer, chosen),
    )


def _periods(address: str, chosen: str) -> tuple[ListLink, ...]:
    return tuple(
        ListLink(address + (f"?since={each}" if each else ""), str(name), each == chosen)
        for each, name in LISTS.items()
    )


def _provisional(viewer: Viewer, family: str) -> OwnRating | None:
    """Return the reader's rating of a family while it is provisional. One query, none for a visitor."""
    mine = [state for state in ratings_of(viewer.pk) if state.family == family] if viewer.pk else []
    return _own(mine[0]) if mine and mine[0].is_provisional else None


def _named(group: "Group") -> NamedGroup:
    return NamedGroup(group.slug, group_title(group.name, Occupant.of(group.owner) if group.owner else Occupant()))


def group_ranks(viewer: Viewer, group: str) -> GroupRanks:
    """Return whose ratings the lists of a group are of, for one of its members. Raises: NotFound."""
    return GroupRanks(membership_of(viewer, group).group, apart_from(viewer))


def left_out_for(viewer: Viewer, among: GroupRanks | None) -> People:
    """Return whom a list leaves out for its reader. No query for the list of a group, of whose people it is asked."""
    return blocked_by(viewer) if among is None else NOBODY


def since_of(period: str, now: datetime) -> datetime | None:
    """Return from when on people of a list have played, by the key of `PERIODS`; None for any time."""
    back, _name = PERIODS.get(period, PERIODS[""])
    return now - back if back else None


def yesterday(now: datetime) -> tuple[datetime, datetime]:
    """Return when yesterday began and ended, by universal time."""
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=1), today


def _address(family: str, group: str) -> str:
    return reverse("group-ratings-of", args=[group, family]) if group else reverse("ratings-of", args=[family])


def _ranks(family: str, viewer: Viewer, period: str, among: GroupRanks | None) -> tuple[RankView, ...]:
    rows, left_out = strongest(family, since_of(period, timezone.now()), among), left_out_for(viewer, among)
    return tuple(
        _rank(rank if row.is_listed else 0, row, viewer)
        for rank, row in enumerate(rows, 1)
        if row.user_id not in left_out
    )


def _movers(family: str, viewer: Viewer, among: GroupRanks | None) -> tuple[RankView, ...]:
    rows, left_out = moved_most(family, *yesterday(timezone.now()), among), left_out_for(viewer, among)
    return tuple(
        replace(_rank(rank, row, viewer), change=moved_by_text(change))
        for rank, (row, change) in enumerate(rows, 1)
        if row.user_id not in left_out
    )


def _rank(rank: int, row: "PlayerRating", viewer: Viewer) -> RankView:
    return RankView(
        rank,
        row.user.username,
        row.user.shown_name,
        face(Occupant.of(row.user)),
        rating_text(*row.strength),
        row.games,
        row.user_id == viewer.pk,
    )


NO_LIST = _("There is no such list of ratings.")


def check_family(family: str) -> None:
    """Refuse what is no family of variants. Raises: NotFound, also where the site has no ratings."""
    if not settings.RATINGS or family not in FAMILIES:
        raise NotFound(NO_LIST)
