"""The first page of a child: with whom it can play, and the bots."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from games.base.children import allowed_for
from games.pages.board.faces import Face, face
from games.pages.lists.challenges import Challenge, bots_to_play, person_to_invite
from games.pages.people.profile import named_player
from games.values import Occupant


@dataclass(frozen=True)
class ChildHome:
    """With whom a child can play: the people whom it may meet, and bots."""

    people: Sequence[Challenge]
    bots: Sequence[Challenge]


def child_home(child: User, strength: str) -> ChildHome:
    """Return the first page of a child. Two queries."""
    return ChildHome([person_to_invite(each) for each in allowed_for(child)], bots_to_play(strength))


@dataclass(frozen=True)
class ChildsOther:
    """Somebody whom a child may meet, or the child itself: then there is nobody to invite."""

    name: str
    face: Face
    invites: str


def child_other(child: User, username: str) -> ChildsOther:
    """Return what a child sees of a person. Two queries.

    Raises: NotFound where the child may not meet them.
    """
    other = named_player(username, child)
    return ChildsOther(other.shown_name, face(Occupant.of(other)), "" if other.pk == child.pk else other.username)
