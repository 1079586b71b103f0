"""Leave every table when an account is closed, and the words of others as well."""

from datetime import datetime
from functools import partial, reduce
from operator import or_
from typing import Any

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.db.models.expressions import RawSQL

from accounts import names
from accounts.database.deletions import delete_rows, deletions
from accounts.models import User
from accounts.personal.held import rows_that_go
from games.base import access, counters
from games.base.personal import GAMES
from games.base.terms import MAX_NAME
from games.base.text import MAX_TITLE
from games.models import (
    MAX_COMMENT,
    MAX_MESSAGE,
    Companion,
    Decision,
    Game,
    Group,
    Membership,
    Player,
    PlayerReport,
    Reason,
    StandingTable,
    Status,
    Study,
    StudyComment,
    StudyEditor,
    TalkMessage,
)
from games.rules.records import change_texts
from games.table import changes, lifecycle, moves, pauses, seats
from games.table.groups import membership
from games.table.people import editing

#: What goes with the person as it is, by the list of what is kept about people.
OWN_ROWS = deletions(rows_that_go(GAMES))


def leave_what_waits(user: User, *, now: datetime | None = None) -> None:
    """Leave the user's groups and the tables that have not begun, each in a transaction of its own, before the account
    is closed: so that no one waits for all of it at once. Again changes nothing. Notices that others may write in
    studies of the user's, which go, count as read.

    What comes in between is left by `retire_everywhere`.
    """
    for pk in sorted(Membership.objects.filter(person=user).values_list("group", flat=True)):
        _leave_group_alone(user, pk, now)
    waiting = Player.objects.filter(Q(user=user) | Q(invitee=user), is_going=True).order_by().values("game")
    tables = Game.objects.filter(Q(creator=user) | Q(pk__in=waiting), status=Status.OPEN)
    for pk in list(tables.order_by("pk").values_list("pk", flat=True)):
        _leave_table(user, pk, now)
    if StudyEditor.objects.filter(study__owner=user, is_new=True).exists():
        _count_as_told(user)


@transaction.atomic
def _count_as_told(user: User) -> None:
    studies = Study.objects.filter(owner=user, has_editors=True)
    if told := editing.lock_untold(user, studies):
        StudyEditor.objects.filter(study__in=studies.values("pk"), person__in=told).update(is_new=False)
        editing.count_notices(told)


@transaction.atomic
def _leave_group_alone(user: User, pk: int, now: datetime | None) -> None:
    list(User.objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))
    _leave_group(user, pk, moves.moment(now))


@transaction.atomic
def _leave_table(user: User, pk: int, now: datetime | None) -> None:
    list(User.objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))
    with counters.together():
        for game in access.games_to_close(Game.objects.filter(pk=pk)):
            at = moves.moment(now)
            if game.status == Status.OPEN:
                _close_open(game, user, at)
                _forget_name(game, user, at)


@transaction.atomic
def retire_everywhere(user: User, *, now: datetime | None = None) -> None:
    """Retire the user's running games, leave or cancel open tables, and drop invitations; finished games stay.
    No table that the user opened keeps a name with the user's in it. From other tables at which the user sat, and from
    tables and studies of the people that the user has played with, the name is taken out where it is a word of its own.
    What other people write is not searched: they do not know the user, and all games of the site would have to be read.

    The user is locked first, as everywhere, so that none of their notices is announced while they go; then the groups
    that they leave, so that what they own passes on; then the games in the order of their numbers, so that two closing
    accounts cannot wait for each other. The people that the user has played with are forgotten, the user's notices, and
    what else is the user's alone, the names of those who played at the user's device among it.
    """
    list(User.objects.select_for_update(no_key=True).filter(pk=user.pk).values_list("pk"))
    _leave_groups(user, moves.moment(now))
    going = Player.objects.filter(is_going=True).order_by().values("game")
    opened = Game.objects.filter(creator=user, status__in=(Status.OPEN, Status.RUNNING)).values("pk")
    touched = opened.union(going.filter(user=user), going.filter(invitee=user), *_named_tables(user))
    with counters.together():
        games = access.games_to_close(Game.objects.filter(pk__in=touched))
        # Asked for when they are locked: what follows in a game comes after all that others have done there.
        at = moves.moment(now)
        for game in games:
            _close(game, user, at)
            _forget_name(game, user, at)
        counters.forget_ratings(user.pk)
        # Words before counters, as where a moderator hides them.
        _change_studies(user)
        _change_messages(user)
    # All games in which these rows could be written are locked by now.
    counters.forget_companions(user.pk)
    Player.objects.filter(game__creator=user, is_local=True).exclude(local_name="").update(local_name="")
    Player.objects.filter(user=user).exclude(plan={}).update(plan={}, is_planning=False)
    _forget_cases(user)
    delete_rows(user.pk, OWN_ROWS)


def _leave_groups(user: User, now: datetime) -> None:
    """Leave every group, and take the user's name out of those of their groups and of their companions'.

    One that the user owned keeps no name with theirs in it ("Anna's family"); in others the word is taken out.
    """
    parts = map(names.longest_plain, user.all_names)
    named = reduce(
        or_, [Q(name__icontains=part) | Q(standing_table__terms__name__icontains=part) for part in parts], Q()
    )
    known = Group.objects.filter(named, pk__in=_of_companions(user, Group, "owner")).values_list("pk", flat=True)
    for pk in sorted({*known, *Membership.objects.filter(person=user).values_list("group", flat=True)}):
        _leave_group(user, pk, now)


def _leave_group(user: User, pk: int, now: datetime) -> None:
    """Leave a group, if the user is a member, and take the user's name out of it."""
    # Asked for when it is locked: it may just have ended, and has no members then.
    membership.lock_group(pk)
    group = Group.objects.get(pk=pk)
    own = Membership.objects.filter(group=group, person=user).first()
    is_own = group.owner_id == user.pk
    if own is not None:
        own.group = group
        membership.drop_member(own, now)
    _forget_name_of_standing(user, group, is_own=is_own)
    name = _kept_name(user, group.name, is_own=is_own)
    if name != group.name:
        group.name = name
        group.save(update_fields=["name"])


def _forget_name_of_standing(user: User, group: Group, *, is_own: bool) -> None:
    """Take the user's name out of what the next tables of a group are called, as out of the group's own."""
    for standing in StandingTable.objects.select_for_update(no_key=True).filter(group=group):
        standing.terms["name"] = _kept_name(user, standing.terms.get("name", ""), is_own=is_own)
        standing.save(update_fields=["terms"])


def _kept_name(user: User, name: str, *, is_own: bool) -> str:
    """Return what is left of the name of a table or group: nothing of the user's own with their name in it."""
    if not is_own:
        return _without_names(user, name)[:MAX_NAME]
    return "" if any(each.casefold() in name.casefold() for each in user.all_names) else name


def _forget_cases(user: User) -> None:
    """Take away the words of the user's reports and of decisions about them; what else goes, the list says."""
    # In the order of their numbers, as a moderator closes them.
    reports = PlayerReport.objects.filter(Q(person=user) | Q(reporter=user))
    if list(reports.select_for_update(no_key=True).order_by("pk").values_list("pk")):
        PlayerReport.objects.filter(reporter=user).update(words="")
    Decision.objects.filter(person=user).update(words="", shown="")


def _forget_name(game: Game, user: User, now: datetime) -> None:
    """Take away the name of the user's own table that has theirs in it ("Anna's birthday"); in others, the word."""
    name = _kept_name(user, game.name, is_own=game.creator_id == user.pk)
    if name != game.name:
        game.name = name
        game.save(update_fields=["name"])
        changes.grow(game, now)


def _change_studies(user: User) -> None:
    """Take the user's name out of what companions study, and those in whose studies the user writes or has written:
    titles, players, details and comments; and out of what others have written there.

    The user's own studies, and those with comments of theirs, which go with the account, are locked in the same order.
    """
    parts = [names.longest_plain(name) for name in user.all_names]
    named = reduce(or_, [Q(title__icontains=part) | Q(record__icontains=part) for part in parts])
    told = reduce(or_, [Q(text__icontains=part) for part in parts])
    own = {*Study.objects.filter(owner=user).values_list("pk", flat=True)}
    written = {*StudyComment.objects.filter(author=user).values_list("study", flat=True)}
    written |= {*StudyEditor.objects.filter(person=user).values_list("study", flat=True)}
    theirs = _of_companions(user, Study, "owner")
    of_known = Study.objects.filter(Q(pk__in=theirs) | Q(pk__in=written)).exclude(owner=user)
    kept = {*of_known.filter(named).values_list("pk", flat=True)}
    # What can be undone may have the name in it, in whatever form it is stored.
    undone = {*of_known.exclude(changes={}).values_list("pk", flat=True)}
    of_them = StudyComment.objects.filter(told, study__in=theirs)
    commented = {*of_them.values_list("study", flat=True)}
    for pk in sorted(kept | own | written | commented | undone):
        # None if its owner has just thrown it away.
        for study in Study.objects.select_for_update(no_key=True).filter(pk=pk):
            if pk in kept:
                study.title = _without_names(user, study.title)[:MAX_TITLE]
                study.record = change_texts(study.record, partial(_without_names, user))
                study.changes = {}
                # Who has read the record with the name in it does not write it again.
                study.edition += 1
                study.save(update_fields=["title", "record", "changes", "edition"])
            elif pk in undone:
                study.changes = {}
                study.save(update_fields=["changes"])
            if pk not in own:
                _forget_name_in_comments(study, user, told)


def _forget_name_in_comments(study: Study, user: User, told: Q) -> None:
    """Take the user's name out of what others have written in a study, which is locked."""
    for comment in StudyComment.objects.filter(told, study=study).exclude(author=user).order_by("pk"):
        comment.text = _without_names(user, comment.text)[:MAX_COMMENT]
        comment.save(update_fields=["text"])


def _change_messages(user: User) -> None:
    """Take away what the user wrote at tables, and the user's name where others wrote it there.

    A ready phrase is no text of theirs: it stays, said by a closed account.
    """
    parts = map(names.longest_plain, user.all_names)
    named = reduce(or_, [Q(text__icontains=part) for part in parts])
    seated = Player.objects.filter(user=user).order_by().values("game")
    lines = TalkMessage.objects.filter(named, game__in=seated).exclude(text="").exclude(author=user)
    for pk in list(lines.order_by("pk").values_list("pk", flat=True)):
        # Its author's account may just have been closed, and its text with it.
        for message in TalkMessage.objects.select_for_update(no_key=True).filter(pk=pk):
            message.text = _without_names(user, message.text)[:MAX_MESSAGE]
            message.save(update_fields=["text"])
    TalkMessage.objects.filter(author=user).update(author=None, text="")


def _without_names(user: User, text: str) -> str:
    # The longer first: one may be part of the other.
    return reduce(lambda left, name: names.without(name, left), sorted(user.all_names, key=len, reverse=True), text)


def _of_companions(user: User, model: type[Model], owner: str) -> RawSQL:
    """Return the keys of the rows of companions, whose the field `owner` names, as a statement within another.

    The companions come first, as `CROSS JOIN` says to SQLite and to no other: where a few people own very many rows, it
    takes "owned by one of these" for true of most, and reads the whole table.
    """
    companions, rows = Companion._meta.db_table, model._meta.db_table
    column = model._meta.get_field(owner).column  # type: ignore[union-attr]  # of a field of its own table
    # Tables and columns are named by us, the key is put in by the database.
    return RawSQL(  # noqa: S611
        f"SELECT theirs.id FROM {companions} mine CROSS JOIN {rows} theirs"  # noqa: S608
        f" WHERE mine.user_id = %s AND theirs.{column} = mine.other_id",
        [user.pk],
    )


def _named_tables(user: User) -> list[QuerySet[Game, Any]]:
    """Return the tables that may have the user's name in theirs: own ones, those with a seat of theirs, companions'."""
    parts = map(names.longest_plain, user.all_names)
    has_name = reduce(or_, [Q(name__icontains=part) for part in parts])
    named = Game.objects.filter(has_name).exclude(name="")
    seated = Player.objects.filter(user=user).order_by().values("game")
    whose = (Q(creator=user), Q(pk__in=seated), Q(pk__in=_of_companions(user, Game, "creator")))
    return [named.filter(one).order_by().values("pk") for one in whose]


def _close(game: Game, user: User, now: datetime) -> None:
    if game.status == Status.OPEN:
        _close_open(game, user, now)
        return
    if game.is_paused and access.can_control(user, game):
        # No other person could resume the bots.
        pauses.resume_bots(game, now)
    player = access.seat_of(game, user)
    while game.status == Status.RUNNING and player is not None and not player.retired:
        lifecycle.retire(game, moves.load_moves(game), player, Reason.RESIGNED, None, now)
        # At one device all who sit there go with the person who opened the table.
        player = access.seat_of(game, user) if game.is_on_one_device else None


def _close_open(game: Game, user: User, now: datetime) -> None:
    if game.creator_id == user.pk:
        seats.cancel_table(game, now)
        return
    for player in game.players.all():
        if user.pk in (player.user_id, player.invitee_id):
            seats.vacate(game, player, now)
