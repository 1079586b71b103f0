"""The people that a person has blocked or muted, as their own pages show them."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.utils import timezone

from accounts.models import User
from games.pages.board.faces import Face, face
from games.pages.lists.paging import ListPage, list_page
from games.queries.people.blocking import avoided_by, count_avoided
from games.values import Occupant
from games.words import moments
from games.words.moments import When


@dataclass(frozen=True)
class BlockedView:
    """A person on the list; `name` is what is shown, `username` what addresses are made of."""

    username: str
    name: str
    face: Face
    when: When | None


def avoided_people(user: User, name: str, number: int) -> ListPage[BlockedView]:
    """Return a page of the list `blocked` or `muted` of this person, the last first. Two queries."""
    return list_page(partial(avoided_by, user, name), number, count_avoided(user, name), _views)


def _views(found: list[tuple[User, datetime]]) -> list[BlockedView]:
    now = timezone.now()
    return [
        BlockedView(other.username, other.shown_name, face(Occupant.of(other)), moments.when(made_at, now))
        for other, made_at in found
    ]
