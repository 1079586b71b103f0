"""Versions of lists, and which games have changed: what open pages are compared with."""

from datetime import datetime

from django.db.models import Count, Max, Q, QuerySet, Sum

from games.events import GameEvent
from games.models import Game, Player, Status


def lists_version(user_pk: int) -> str:
    """Return a text that differs whenever any of the person's games has changed. One query.

    Finished games count too: otherwise a game that began and ended unseen would leave no trace.
    """
    own = Player.objects.filter(Q(user=user_pk) | Q(invitee=user_pk)).values("game")
    return _version(Game.objects.filter(Q(creator=user_pk) | Q(pk__in=own)))


def lobby_version() -> str:
    """Return a text that differs whenever the list of open tables has changed. One query."""
    return _version(Game.objects.filter(status=Status.OPEN, is_public=True))


def _version(games: QuerySet[Game]) -> str:
    found = games.aggregate(number=Count("pk"), total=Sum("version"), latest=Max("pk"))
    return f"{found['number']}.{found['total'] or 0}.{found['latest'] or 0}"


def changed_after(moment: datetime) -> list[tuple[datetime, GameEvent]]:
    """Return every game changed after a moment as the event that says so, with its time. Two queries, one if none."""
    fields = ("pk", "slug", "version", "is_public", "creator_id", "changed_at")
    games = list(Game.objects.filter(changed_at__gt=moment).values_list(*fields))
    users: dict[int, set[int]] = {pk: {creator} for pk, _slug, _version, _public, creator, _at in games}
    if games:
        seats = Player.objects.filter(game__in=users).values_list("game_id", "user_id", "invitee_id")
        for pk, *concerned in seats:
            users[pk].update(one for one in concerned if one is not None)
    return [
        (at, GameEvent(game_id=pk, slug=slug, version=version, is_public=public, users=tuple(sorted(users[pk]))))
        for pk, slug, version, public, _creator, at in games
    ]
