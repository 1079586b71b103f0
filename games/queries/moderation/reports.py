"""What a person may report, and what they are told of it and of themselves."""

from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import F, Q

from accounts.models import User
from games.base.access import Viewer
from games.models import Appeal, Decision, Game, Measure, PlayerReport

#: How many rows each list of a person's own page shows.
SHOWN_ROWS = 50
#: For so long after a decision there is an appeal.
APPEAL_WITHIN = timedelta(days=183)


def people_reportable(game: Game, user: Viewer) -> list[User]:
    """Return who sits at a table, or has opened it, but for the user and their bots: first those who sit there.

    No query where the players are fetched with their people, and one for a creator who does not sit there.
    """
    seated = [player.user for player in game.players.all() if player.user is not None and player.user.is_active]
    if game.creator_id not in {each.pk for each in seated}:
        seated += User.objects.filter(pk=game.creator_id, is_active=True)
    own = {user.pk, getattr(user, "operator_id", None)} - {None}
    return [each for each in seated if not own & {each.pk, each.operator_id}]


def decisions_told_to(reader: User) -> list[Decision]:
    """Return the measures that moderators have taken about a person and about the children whose guardian they are.

    With whom each is about, the latest first. One query.
    """
    people = User.objects.filter(pk=reader.pk).values("pk")
    children = User.objects.filter(guardian=reader.pk).order_by().values("pk")
    found = Decision.objects.filter(person__in=people.union(children, all=True)).exclude(measure=Measure.NONE)
    return list(found.select_related("person", "appeal", "lifted_by").order_by("-pk")[:SHOWN_ROWS])


def decisions_of(keys: Collection[int]) -> list[Decision]:
    """Return the decisions of these keys with whom they are about and the guardian of a child, in order. One query."""
    return list(Decision.objects.filter(pk__in=keys).select_related("person__guardian", "lifts").order_by("pk"))


def refused_appeal(key: int) -> Appeal | None:
    """Return the appeal of that key with the decision and whom it is about, None if it is gone. One query."""
    return Appeal.objects.select_related("decision__person__guardian").filter(pk=key).first()


def suspension_of(person: User, now: datetime) -> Decision | None:
    """Return the decision by which a person is suspended for the longest, None without one. One query."""
    holds = Q(measure=Measure.SUSPEND, until__gt=now) | Q(measure=Measure.BAN)
    found = Decision.objects.filter(holds, person=person, lifted_by=None).select_related("appeal", "lifted_by")
    return found.order_by(F("until").desc(nulls_first=True), "pk").first()


def reports_by(person: User) -> list[PlayerReport]:
    """Return what a person has reported, the latest first, with what became of it. One query."""
    return list(PlayerReport.objects.filter(reporter=person).order_by("-pk")[:SHOWN_ROWS])
