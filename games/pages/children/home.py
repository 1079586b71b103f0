"""The first page of a child: with whom it can play, and the bots."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from games.base.children import allowed_for
from games.pages.lists.challenges import Challenge, bots_to_play, person_to_invite


@dataclass(frozen=True)
class ChildHome:
    """With whom a child can play: the people whom it may meet, and bots."""

    people: Sequence[Challenge]
    bots: Sequence[Challenge]


def child_home(child: User, strength: str) -> ChildHome:
    """Return the first page of a child. Two queries."""
    return ChildHome([person_to_invite(each) for each in allowed_for(child)], bots_to_play(strength))
