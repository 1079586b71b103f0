"""What a guest would bring along into an account."""

from dataclasses import dataclass

from django.db.models import Q

from accounts.models import User
from games.models import Game, Note, Player, Status, Study


@dataclass(frozen=True)
class GuestThings:
    """How many games a guest plays or has played, and how many studies and notes they have."""

    games: int
    studies: int
    notes: int

    @property
    def is_nothing(self) -> bool:
        """Return whether there is nothing to bring along."""
        return not (self.games or self.studies or self.notes)


def guest_things(guest: User) -> GuestThings:
    """Return what a guest has. Three queries."""
    games = Game.objects.filter(Q(creator=guest) | Q(pk__in=Player.objects.filter(user=guest).values("game")))
    return GuestThings(
        games.count(), Study.objects.filter(owner=guest).count(), Note.objects.filter(user=guest).count()
    )


@dataclass(frozen=True)
class TableOfBoth:
    """A table at which both sit, by its name or else its slug, and whether it can still be left or played."""

    name: str
    is_going: bool


def tables_of_both(guest: User, member: User) -> list[TableOfBoth]:
    """Return the tables at which both sit, or where the one sits and the other is invited, those first that are not
    over. One query.
    """
    theirs, ours = (
        Player.objects.filter(Q(user=person) | Q(invitee=person)).order_by().values("game")
        for person in (guest, member)
    )
    both = Game.objects.filter(pk__in=theirs).filter(pk__in=ours).order_by("-pk")
    found = [
        TableOfBoth(name or slug, status in (Status.OPEN, Status.RUNNING))
        for name, slug, status in both.values_list("name", "slug", "status")
    ]
    return sorted(found, key=lambda table: not table.is_going)
