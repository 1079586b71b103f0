"""The steps of a moderator's decision: who is locked for it, and what follows from a measure or from its end."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from accounts import names, naming
from accounts.models import FOR_GOOD, User
from accounts.signals import tell_sessions_ended, tell_tokens_ended
from games.base import access, apart, counters
from games.errors import NotFound
from games.models import (
    Audience,
    Decision,
    Game,
    Group,
    Measure,
    Player,
    PlayerReport,
    Reported,
    Status,
    Study,
    StudyComment,
    TalkMessage,
)
from games.queries.moderation.cases import may_handle
from games.table import changes, seats
from games.table.studies.naming import take_study_names

NO_CASE = _("There is no such case, or it is not yours to decide.")
DECIDED = _("Another moderator has just decided this case. Look at it again.")


def lock_for_case(moderator: User, person: int, others: Iterable[int] = ()) -> tuple[User, User, list[User]]:
    """Return the moderator, the person, and the bots that the person answers for, locked with the others and a
    child's guardian, before any game is.

    Raises: NotFound where the moderator may not handle cases of this person.
    """
    rows = User.objects.select_for_update(no_key=True)
    guardians = User.objects.filter(pk=person, guardian__isnull=False).values("guardian")
    concerned = Q(pk__in={moderator.pk, person, *others}) | Q(operator=person) | Q(pk__in=guardians)
    found = rows.filter(concerned).order_by("pk")
    locked = {row.pk: row for row in found}
    judge, about = locked.get(moderator.pk), locked.get(person)
    if judge is None or about is None or not about.is_active or not may_handle(judge, about):
        raise NotFound(NO_CASE)
    return judge, about, [row for row in locked.values() if row.operator_id == about.pk]


def told_of(about: User) -> set[int]:
    """Return who reads what is decided about a person: they themselves, and for a child also the guardian."""
    return {about.pk, about.guardian_id or about.pk}


def change_games(about: User, lines: Collection[int], now: datetime, *, leaves_tables: bool = False) -> None:
    """Hide these lines; have the person and their bots leave the tables that wait, if asked. Told after commit."""
    people = apart.with_their_bots(frozenset({about.pk})) if leaves_tables else apart.NOBODY
    spoken = TalkMessage.objects.filter(pk__in=lines).order_by().values("game")
    seated = Player.objects.filter(is_going=True, game__status=Status.OPEN).order_by().values("game")
    opened = Game.objects.filter(creator__in=people, status=Status.OPEN).order_by().values_list("pk", flat=True)
    touched = set(spoken.values_list("game", flat=True))
    if people:
        sitting = seated.values_list("game", flat=True)
        touched |= {*opened, *sitting.filter(user__in=people), *sitting.filter(invitee__in=people)}
    for game in access.games_to_close(Game.objects.filter(pk__in=touched)):
        _hide(game, lines, now)
        if game.status == Status.OPEN and people:
            _leave(game, people, now)


def lift(judge: User, people: Sequence[User], decision: Decision, words: str, now: datetime) -> Decision:
    """Take back a decision about the first of these people, who are locked with their bots, and what followed from it:
    a line or a comment is shown again, a person writes or comes in again unless another decision stands, and a name
    that was taken away may be chosen again.
    """
    about = people[0]
    same = {"person": about, "moderator": judge, "reason": decision.reason, "made_at": now}
    lifted = Decision.objects.create(measure=Measure.LIFT, words=words, lifts=decision, **same)
    if decision.measure == Measure.HIDE and decision.message is not None:
        with counters.together():
            show_line(decision.message, now)
    if decision.measure == Measure.HIDE and decision.comment_key is not None:
        show_comment(decision.comment_key)
    if decision.measure in (Measure.SILENCE, Measure.SUSPEND, Measure.BAN):
        settle_limits(about, now)
    if decision.measure == Measure.RENAME:
        give_names_back(people, decision.shown.split(", "))
    return lifted


def show_comment(comment: int) -> None:
    """Show a hidden comment in a study again."""
    rows = StudyComment.objects.filter(pk=comment)
    list(Study.objects.select_for_update(no_key=True).filter(pk__in=rows.values("study")).values_list("pk"))
    rows.update(is_hidden=False)


def change_studies(comments: Collection[int], names: Iterable[PlayerReport]) -> list[str]:
    """Hide these comments in studies, and take from studies what these reports say that they, or their variations, are
    called; return the names that were taken. Games are locked before, counters after this.

    Three queries, and one more for each study that loses a name.
    """
    reported = defaultdict[int, set[str]](set)
    for report in names:
        if report.study_key is not None:
            reported[report.study_key].add(report.shown)
    rows = StudyComment.objects.filter(pk__in=comments)
    touched = Study.objects.filter(Q(pk__in=rows.values("study")) | Q(pk__in=reported)).order_by("pk")
    locked = list(touched.select_for_update(no_key=True, of=("self",)).select_related("owner"))
    rows.update(is_hidden=True)
    return [name for study in locked for name in take_study_names(study, reported.get(study.pk, ()))]


def show_line(message: TalkMessage, now: datetime) -> None:
    """Show a hidden line again, and tell it after commit."""
    for game in access.games_to_close(Game.objects.filter(pk=message.game_id)):
        TalkMessage.objects.filter(pk=message.pk).update(is_hidden=False)
        _tell(game, message.audience, now)


def _hide(game: Game, lines: Collection[int], now: datetime) -> None:
    said = TalkMessage.objects.filter(pk__in=lines, game=game, is_hidden=False)
    audiences = set(said.values_list("audience", flat=True))
    said.update(is_hidden=True)
    for audience in audiences:
        _tell(game, audience, now)


def _tell(game: Game, audience: str, now: datetime) -> None:
    if audience == Audience.PLAYERS:
        changes.tell_of_message(game, now)
    else:
        changes.tell_pages(game)


def _leave(game: Game, people: apart.People, now: datetime) -> None:
    if game.creator_id in people:
        seats.cancel_table(game, now)
        return
    for player in game.players.all():
        if player.user_id in people or player.invitee_id in people:
            seats.vacate(game, player, now)


def settle_limits(person: User, now: datetime) -> None:
    """Write into the person's row, which is locked, until when their decisions that stand silence or suspend them.

    Who is suspended from now on is told so at every open page and program, after commit.
    """
    standing = Decision.objects.filter(Q(until__gt=now) | Q(measure=Measure.BAN), person=person, lifted_by=None)
    until = dict(standing.order_by().values_list("measure").annotate(last=Max("until")))
    suspended = FOR_GOOD if Measure.BAN in until else until.get(Measure.SUSPEND)
    limits = {"silenced_until": until.get(Measure.SILENCE), "suspended_until": suspended}
    User.objects.filter(pk=person.pk).update(**limits)
    if limits["suspended_until"] is not None:
        for key in User.answering(person.pk).values_list("pk", flat=True):
            tell_sessions_ended(key)
            tell_tokens_ended(key)


def take_group_names(reports: Iterable[PlayerReport]) -> list[str]:
    """Take from the groups that were reported the names that they had then, and return those. Before games are locked.

    A group without a name is called after its owner; what its keepers call it next is theirs to choose.
    """
    reported = {(report.thing, report.shown) for report in reports if report.kind == Reported.GROUP}
    keys = {int(thing.removeprefix("group-")) for thing, _shown in reported}
    taken = []
    for group in Group.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"):
        if (f"group-{group.pk}", group.name) in reported:
            taken.append(group.name)
            group.name = ""
            group.save(update_fields=["name"])
    return taken


def take_names(people: Iterable[User]) -> None:
    """Give these people, who are locked, neutral names. Nothing that counts games is locked after this."""
    for person in sorted(people, key=lambda each: each.pk):
        naming.replace_name(person)


def give_names_back(people: Iterable[User], names_taken: Collection[str]) -> None:
    """Allow these people, who are locked, the names that were taken from them again; nothing renames them."""
    keys = set(map(names.key, names_taken))
    for person in people:
        kept = [key for key in person.refused_names if key not in keys]
        if kept != person.refused_names:
            person.refused_names = kept
            person.save(update_fields=["refused_names"])
