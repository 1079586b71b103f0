"""Ratings on pages: those of one person, and the lists of the strongest."""

from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from games.base.access import Viewer
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.queries.people.ratings import RatingState, listed_families, ratings_of, strongest
from games.ratings.families import FAMILIES
from games.ratings.scale import Strength
from games.values import Occupant
from games.words.ratings import rating_family_name, rating_text


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
class RankingPage:
    """The strongest people of a family, and the lists there are. `own` is the reader's while it is provisional."""

    name: str
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


def ranking_page(family: str, viewer: Viewer) -> RankingPage:
    """Return the list of a family; without one, the first that has anybody. Three queries.

    Raises:
        NotFound: there is no such family, or the site has no ratings.

    """
    if family or not settings.RATINGS:
        check_family(family)
    there = listed_families()
    chosen = family or next(iter(there), FAMILIES[0])
    rows = strongest(chosen)
    mine = [state for state in ratings_of(viewer.pk) if state.family == chosen] if viewer.pk else []
    links = [each for each in FAMILIES if each in there or each == chosen]
    return RankingPage(
        name=rating_family_name(chosen),
        families=tuple(FamilyLink(each, rating_family_name(each), each == chosen) for each in links),
        rows=tuple(
            RankView(
                rank,
                row.user.username,
                row.user.shown_name,
                face(Occupant.of(row.user)),
                rating_text(*row.strength),
                row.games,
                row.user_id == viewer.pk,
            )
            for rank, row in enumerate(rows, 1)
        ),
        own=_own(mine[0]) if mine and mine[0].is_provisional else None,
    )


NO_LIST = _("There is no such list of ratings.")


def check_family(family: str) -> None:
    """Refuse what is no family of variants. Raises: NotFound, also where the site has no ratings."""
    if not settings.RATINGS or family not in FAMILIES:
        raise NotFound(NO_LIST)
