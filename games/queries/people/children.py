"""What a guardian sees of a child: the games it plays, and whom it may meet or wants to."""

from collections import Counter
from collections.abc import Iterable, Mapping

from accounts.models import User
from games.models import AllowedPerson, Game, Player
from games.queries.people.going import going_keys


def childs_people(child: User) -> list[AllowedPerson]:
    """Return whom a child may meet, and whom it has asked for, by their names. One query."""
    rows = AllowedPerson.objects.filter(child=child, other__is_active=True)
    return list(rows.select_related("other").order_by("other__name_key"))


def people_asked_for(children: Iterable[User]) -> Mapping[int, int]:
    """Return for how many people each of these children has asked who wait for an answer, by its key. One query, none
    for no child.
    """
    keys = [child.pk for child in children]
    if not keys:
        return {}
    rows = AllowedPerson.objects.filter(child__in=keys, allowed_at=None, other__is_active=True)
    return Counter(rows.values_list("child", flat=True))


def going_games(child: User) -> list[Game]:
    """Return the games and tables at which a child sits or is invited, the latest change first. Two queries."""
    seats = Player.objects.filter(pk__in=going_keys(child)).select_related("game")
    return [seat.game for seat in seats.order_by("-game__changed_at", "-game_id")]
