"""Have nothing to do with another person any more."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games.base import access, apart, counters
from games.models import BlockedPerson, FollowedPerson, Game, Notification, Occasion, Player, Status
from games.queries.notices.notices import unread_number
from games.table import company, seats
from games.table.moves import moment

#: What is said of a person before a game; of running games all is said as before.
BEFORE_THE_START = (
    *(Occasion.INVITED, Occasion.REMATCH, Occasion.JOINED, Occasion.LEFT, Occasion.DECLINED),
    Occasion.GROUP_TABLE,
    *(Occasion.CANCELLED, Occasion.REMOVED),
)


@transaction.atomic
def block_person(user: User, username: str, *, now: datetime | None = None) -> User:
    """Keep these two apart from now on, with the bots that they answer for; return the other. Twice is once.

    Running games go on. At tables that wait both ways part: from the user's own the other is taken away, from all
    others the user goes. Neither follows the other any more. The other is told nothing, and no notice of one waits for
    the other.

    Raises:
        NotFound: there is no player of this name.
        BadRequest: it is the user, or a bot of theirs.
        TooMany: the user has blocked as many as one may.

    """
    other = company.other_person(user, username)
    person = company.lock_people(user, other)
    company.check_number(BlockedPerson, person, other)
    unread = {**company.unread_lines(person, other), **company.unread_lines(other, person)}
    BlockedPerson.objects.get_or_create(person=person, other=other, defaults={"made_at": moment(now)})
    User.objects.filter(pk__in=(person.pk, other.pk)).update(is_kept_apart=True)
    ours, theirs = (apart.with_their_bots(frozenset({each.pk})) for each in (person, other))
    with counters.together():
        for game in access.games_to_close(_waiting_with(ours, theirs)):
            _part(game, ours, theirs, moment(now))
        _forget_notices(ours, theirs)
        for followers, followed in ((ours, theirs), (theirs, ours)):
            FollowedPerson.objects.filter(person__in=followers, other__in=followed).delete()
        counters.touch({*ours, *theirs})
    company.forget_unread(unread)
    return other


def _waiting_with(ours: apart.People, theirs: apart.People) -> QuerySet[Game]:
    """Return the tables waiting for players at which one of each side sits, is invited, or that they have opened."""
    return Game.objects.filter(pk__in=_waiting(ours)).filter(pk__in=_waiting(theirs))


def _waiting(people: apart.People) -> list[int]:
    seated = Player.objects.filter(is_going=True, game__status=Status.OPEN).order_by()
    opened = Game.objects.filter(creator__in=people, status=Status.OPEN).order_by().values_list("pk", flat=True)
    games = seated.values_list("game", flat=True)
    return list(opened.union(games.filter(user__in=people), games.filter(invitee__in=people)))


def _part(game: Game, ours: apart.People, theirs: apart.People, now: datetime) -> None:
    players = list(game.players.all())
    if game.status != Status.OPEN:
        return
    if game.creator_id in ours:
        for player in _of(players, theirs):
            seats.withdraw(game, player, now)
    elif game.creator_id in theirs or any(player.user_id in theirs for player in players):
        for player in _of(players, ours):
            seats.vacate(game, player, now)


def _of(players: Iterable[Player], people: apart.People) -> list[Player]:
    return [player for player in players if player.user_id in people or player.invitee_id in people]


def _forget_notices(ours: apart.People, theirs: apart.People) -> None:
    for readers, spoken_of in ((ours, theirs), (theirs, ours)):
        said = Notification.objects.filter(user__in=readers, other__in=spoken_of, occasion__in=BEFORE_THE_START)
        said.delete()
    read = User.objects.filter(pk__in=ours | theirs, unread_notices__gt=0)
    read.update(unread_notices=unread_number())
