"""Ratings on pages: those of one person, and the lists of the strongest."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.base.access import Viewer
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.queries.people.ratings import RatingState, listed_families, ratings_of, strongest
from games.ratings.families import FAMILIES
from games.ratings.scale import Strength
from games.values import Occupant
from games.words.ratings import rating_family_name, rating_text

if TYPE_CHECKING:
    from games.models import PlayerRating


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
    """A person on a list, with their rank; `is_me` is the reader."""

    rank: int
    username: str
    name: str
    face: Face
    rating: str
    games: int
    is_me: bool


@dataclass(frozen=True)
class FamilyLink:
    """A list that can be chosen."""

    family: str
    name: str
    is_chosen: bool


@dataclass(frozen=True)
class PeriodLink:
    """From when on a listed person has to have finished a rated game: the key of the period, empty for any time."""

    key: str
    name: str
    is_chosen: bool


@dataclass(frozen=True)
class RankingPage:
    """The strongest people of a family, and the lists there are. `own` is the reader's while it is provisional."""

    name: str
    family: str
    periods: tuple[PeriodLink, ...]
    families: tuple[FamilyLink, ...]
    rows: tuple[RankView, ...]
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


def ranking_page(family: str, viewer: Viewer, period: str = "") -> RankingPage:
    """Return the list of a family; without one, the first that has anybody. Three queries.

    A `period` that is none of `PERIODS` is any time.

    Raises:
        NotFound: there is no such family, or the site has no ratings.

    """
    check_family(family or FAMILIES[0])
    there = listed_families()
    chosen = family or next(iter(there), FAMILIES[0])
    back, _name = PERIODS.get(period, PERIODS[""])
    rows = strongest(chosen, timezone.now() - back if back else None)
    mine = [state for state in ratings_of(viewer.pk) if state.family == chosen] if viewer.pk else []
    links = [each for each in FAMILIES if each in there or each == chosen]
    return RankingPage(
        name=rating_family_name(chosen),
        family=chosen,
        periods=tuple(PeriodLink(key, str(name), PERIODS[key][0] == back) for key, (_back, name) in PERIODS.items()),
        families=tuple(FamilyLink(each, rating_family_name(each), each == chosen) for each in links),
        rows=tuple(_ranked(rank, row, viewer) for rank, row in enumerate(rows, 1)),
        own=_own(mine[0]) if mine and mine[0].is_provisional else None,
    )


def _ranked(rank: int, row: "PlayerRating", viewer: Viewer) -> RankView:
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
