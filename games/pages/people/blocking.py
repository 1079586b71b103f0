"""The people that a person has blocked, as their own page shows them."""

from dataclasses import dataclass

from django.utils import timezone

from accounts.models import User
from games.pages.board.faces import Face, face
from games.queries.people.blocking import blocked_by
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


def blocked_people(user: User) -> tuple[BlockedView, ...]:
    """Return whom this person has blocked, the last first. One query."""
    now = timezone.now()
    return tuple(
        BlockedView(other.username, other.shown_name, face(Occupant.of(other)), moments.when(made_at, now))
        for other, made_at in blocked_by(user)
    )
