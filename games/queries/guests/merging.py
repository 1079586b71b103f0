"""What merging a guest into an account would move."""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from games.models import (
    BlockedPerson,
    FollowedPerson,
    Game,
    Membership,
    MutedPerson,
    Note,
    Player,
    Status,
    Study,
)


@dataclass(frozen=True)
class GuestData:
    """How many games a guest plays or has played, and how many studies and notes they have.

    `has_more` says whether there is anything else: groups, invitations, people followed, muted or blocked.
    """

    games: int
    studies: int
    notes: int
    has_more: bool = False

    @property
    def is_nothing(self) -> bool:
        """Return whether there is nothing to move."""
        return not (self.games or self.studies or self.notes or self.has_more)


def guest_data(guest: User) -> GuestData:
    """Return what a guest has. Three queries, and one more for who has none of these."""
    games = Game.objects.filter(Q(creator=guest) | Q(pk__in=Player.objects.filter(user=guest).values("game")))
    found = GuestData(games.count(), Study.objects.filter(owner=guest).count(), Note.objects.filter(user=guest).count())
    return replace(found, has_more=_has_more(guest)) if found.is_nothing else found


def _has_more(guest: User) -> bool:
    lists: list[QuerySet[Any]] = [
        rows.objects.filter(person=guest) for rows in (FollowedPerson, MutedPerson, BlockedPerson, Membership)
    ]
    # A block by another holds for the account too.
    lists += [BlockedPerson.objects.filter(other=guest), Player.objects.filter(invitee=guest, is_going=True)]
    first, *others = (rows.order_by().values("pk") for rows in lists)
    return first.union(*others).exists()


@dataclass(frozen=True)
class SharedTable:
    """A table at which both sit, by its name or else its slug, and whether it can still be left or played."""

    name: str
    is_going: bool


def shared_tables(guest: User, member: User, *, are_going: bool = False) -> list[SharedTable]:
    """Return the tables at which both sit, or where the one sits and the other is invited, those first that are not
    over, or, if `are_going`, these alone. Tables that were cancelled are none, nor does a bot that the member answers
    for sit for the member: people play against their own bots too. One query.
    """
    seats = Player.objects.filter(is_going=True) if are_going else Player.objects.all()
    theirs, ours = (
        seats.filter(Q(user=person) | Q(invitee=person)).order_by().values("game") for person in (guest, member)
    )
    both = Game.objects.filter(pk__in=theirs).filter(pk__in=ours).exclude(status=Status.CANCELLED).order_by("-pk")
    found = [
        SharedTable(name or slug, status in (Status.OPEN, Status.RUNNING))
        for name, slug, status in both.values_list("name", "slug", "status")
    ]
    return sorted(found, key=lambda table: not table.is_going)
