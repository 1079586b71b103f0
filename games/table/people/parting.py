"""The steps by which two sides part who are to meet no more: at tables that wait, and in notices of these."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import QuerySet

from accounts.models import User
from games.base import access, apart
from games.models import Game, Notification, Occasion, Player, Status, StudyEditor
from games.queries.notices.notices import unread_number
from games.table import seats

#: What is said of a person before a game; of running games all is said as before.
BEFORE_THE_START = (
    *(Occasion.INVITED, Occasion.REMATCH, Occasion.JOINED, Occasion.LEFT, Occasion.DECLINED),
    *(Occasion.CANCELLED, Occasion.REMOVED, Occasion.GROUP_TABLE),
)


def part_before_the_start(ours: apart.People, theirs: apart.People, now: datetime, *, theirs_go: bool = False) -> None:
    """Part two sides, whose rows are locked, at all tables that wait; no notice of one waits for the other.

    From a table of one of ours the others are taken away, from one of theirs ours go. From that of a third person ours
    go where one of theirs sits; if `theirs_go`, theirs do, invited ones too. Within `counters.together`.
    """
    for game in access.games_to_close(_waiting_with(ours, theirs)):
        _part(game, ours, theirs, now, theirs_go=theirs_go)
    _forget_notices(ours, theirs)


def _waiting_with(ours: apart.People, theirs: apart.People) -> QuerySet[Game]:
    """Return the tables waiting for players at which one of each side sits, is invited, or that they have opened."""
    return Game.objects.filter(pk__in=_waiting(ours)).filter(pk__in=_waiting(theirs))


def _waiting(people: apart.People) -> list[int]:
    seated = Player.objects.filter(is_going=True, game__status=Status.OPEN).order_by()
    opened = Game.objects.filter(creator__in=people, status=Status.OPEN).order_by().values_list("pk", flat=True)
    games = seated.values_list("game", flat=True)
    return list(opened.union(games.filter(user__in=people), games.filter(invitee__in=people)))


def _part(game: Game, ours: apart.People, theirs: apart.People, now: datetime, *, theirs_go: bool) -> None:
    players = list(game.players.all())
    if game.status != Status.OPEN:
        return
    if game.creator_id in ours:
        for player in _of(players, theirs):
            seats.withdraw(game, player, now)
    elif theirs_go and game.creator_id not in theirs:
        for player in _of(players, theirs):
            seats.vacate(game, player, now)
    elif game.creator_id in theirs or any(player.user_id in theirs for player in players):
        for player in _of(players, ours):
            seats.vacate(game, player, now)


def _of(players: Iterable[Player], people: apart.People) -> list[Player]:
    return [player for player in players if player.user_id in people or player.invitee_id in people]


def _forget_notices(ours: apart.People, theirs: apart.People) -> None:
    for readers, spoken_of in ((ours, theirs), (theirs, ours)):
        said = Notification.objects.filter(user__in=readers, other__in=spoken_of, occasion__in=BEFORE_THE_START)
        said.delete()
        StudyEditor.objects.filter(person__in=readers, study__owner__in=spoken_of).delete()
    read = User.objects.filter(pk__in=ours | theirs, unread_notices__gt=0)
    read.update(unread_notices=unread_number())
