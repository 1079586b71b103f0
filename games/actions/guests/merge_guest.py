"""Merge a guest into the account of the same person."""

import time
from collections import Counter
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.database import lots
from accounts.erasure import close_account
from accounts.models import User
from games import events
from games.base import access, apart, counters
from games.base.groups import MAX_GROUPS
from games.base.merging import (
    Merging,
    begin_merging,
    end_merging,
    merging_of,
    next_field,
    put_off_merging,
    reassign_at_once,
    reassign_lot,
)
from games.errors import TooMany, WrongStatus
from games.models import (
    WATCHED,
    Access,
    BlockedPerson,
    FollowedPerson,
    Game,
    GameChannel,
    GroupChannel,
    Membership,
    MutedPerson,
    Notification,
    Player,
    PlayerReport,
    Reported,
    Status,
    Study,
    TallyKey,
)
from games.queries.guests.merging import shared_tables
from games.queries.notices.notices import unread_number
from games.table import changes
from games.table.groups import membership
from games.table.moves import moment
from games.table.people import parting, relations
from games.table.seats import MAX_GAMES
from games.table.studies.creating import MAX_STUDIES

MANY_GAMES = _("Together you have more than 40 games in progress. Nothing has been brought along: finish some first.")
MANY_STUDIES = _("Together you have more than 500 studies. Nothing has been brought along: delete some first.")
MANY_GROUPS = _("Together you belong to more than 20 groups. Nothing has been brought along: leave some first.")
MANY_PEOPLE = _(
    "Together you have a list of more than 1,000 people. Nothing has been brought along: take some off it first."
)
SEATED = _(
    "Both of you sit at the table {table}, and one person cannot have two seats. Nothing has been brought along: go "
    "back to the guest and leave the table, or play it to its end."
)
PLAYED = _(
    "You have played against this guest at the table {table}, and one person cannot have two seats. Nothing has been "
    "brought along: the games stay with the guest, to whom you can go back."
)


def merge_guest(guest: User, member: User, *, now: datetime | None = None) -> bool:
    """Give the member all that a guest has played, written and decided, and close the guest; return whether so.

    Return False for a guest who has been merged already, or has become a member, and for a child, whose games
    are all sheltered. What counts and what does not is said by the list (`games.base.merging`). Whoever meets the guest
    meets the member from then on.

    It takes many transactions, none of which grows with what the guest has. The first refuses, or brings the games that
    are not over, the groups, the blocks and what moderators have decided along, and from then on nobody acts as the
    guest. The others bring the rest, some rows at a time, each with what is counted of it; then the guest is closed.
    What breaks off in between is gone on with by the sweep, or by who asks again (`finish_merge`).

    Raises:
        WrongStatus: both sit at one table (`both-seated`); nothing has changed.
        TooMany: together they have more than one person may; nothing has changed.

    """
    # Of games that are over this does not change any more: it is asked where no one waits.
    found = User.objects.in_bulk([guest.pk, member.pk])
    if _can_be_merged(found.get(guest.pk), found[member.pk]):
        _check_apart(guest, member)
    at = moment(now)
    is_begun = _begin(guest, member, at)
    finish_merge(guest, at)
    return is_begun


def finish_merge(guest: User, now: datetime) -> bool:
    """Bring along what is left of a guest who is being merged, and close the guest; return whether it was so.

    Each step puts off when the sweep goes on with it. Where the account was closed meanwhile, what is left goes with
    the guest.
    """
    merging = merging_of(guest.pk)
    if merging is None:
        return False
    began = time.monotonic()
    while _take_step(merging, now + timedelta(seconds=time.monotonic() - began)):
        pass
    while _forget_companions(merging):
        pass
    close_account(guest)
    end_merging(guest.pk)
    return True


def _take_step(merging: Merging, now: datetime) -> bool:
    """Bring the next rows along, seats at games that are over first; return whether there may be more.

    There are none for an account that is closed by now.
    """
    games = _next_games(merging)
    with transaction.atomic():
        people = _locked(merging, games)
        left, own = people[merging.guest], people[merging.member]
        if left.erased_at is not None or not own.is_active:
            return False
        put_off_merging(merging.guest, now)
        if games:
            return _bring_seats(left, own, games)
        return _bring_tables(left, own) or _bring_rows(left, own)


def _next_games(merging: Merging) -> list[int]:
    """Return the next games at which the guest sits. One query.

    Where the member sits too, which none can be while both are apart, the guest's seat stays the guest's.
    """
    beside = Player.objects.filter(game=OuterRef("game"), user=merging.member)
    seats = Player.objects.filter(~Exists(beside), user=merging.guest).order_by("pk")
    return list(seats.values_list("game", flat=True)[: lots.ROWS_A_TRANSACTION])


def _locked(merging: Merging, games: Collection[int] = ()) -> dict[int, User]:
    """Return both, locked, with all who sit at these games: none of them is closed while it is counted who played with
    whom. So two that are at work come one after the other, too. One query, two with games.
    """
    seats = Player.objects.filter(game__in=games, user__isnull=False).order_by()
    known = {*merging, *(seats.values_list("user", flat=True) if games else ())}
    people = User.objects.select_for_update(no_key=True).filter(pk__in=known).order_by("pk")
    return {person.pk: person for person in people}


def _bring_seats(guest: User, member: User, games: Collection[int]) -> bool:
    """Bring seats at games that are over along, and what is counted of them; return that there may be more.

    Two may be at work: what the other has brought until both accounts were locked is not counted again.
    """
    list(Game.objects.select_for_update(no_key=True).filter(pk__in=games).order_by("pk").values_list("pk"))
    seats = Player.objects.filter(user=guest, game__in=games)
    left = list(seats.order_by().values_list("game", flat=True))
    with counters.together():
        _count_seats(guest, member, left)
        seats.update(user=member)
        counters.touch({guest.pk, member.pk})
    return True


def _count_seats(guest: User, member: User, games: Collection[int]) -> None:
    """Count the guest's seats at these games, which are locked, as the member's. One query, and those of counters."""
    ended = Player.objects.filter(user=guest, game__in=games, ended_at__isnull=False).order_by()
    kinds = Counter(ended.values_list("variant", "result", "is_public"))
    for owner, sign in ((guest, -1), (member, 1)):
        counters.tally({TallyKey(owner.pk, *kind): sign * number for kind, number in kinds.items()})
    counters.join_games(member.pk, games)


def _bring_tables(guest: User, member: User) -> bool:
    """Bring the next tables that the guest has opened along, counted where bots play; return whether there were any."""
    tables = Game.objects.select_for_update(no_key=True).filter(creator=guest).order_by("pk")
    found = list(tables.values_list("pk", "is_of_bots")[: lots.ROWS_A_TRANSACTION])
    if not found:
        return False
    with counters.together():
        _count_watched(guest, member, sum(is_of_bots for _pk, is_of_bots in found))
        counters.touch({guest.pk, member.pk})
    Game.objects.filter(pk__in=[pk for pk, _is_of_bots in found]).update(creator=member)
    return True


def _bring_rows(guest: User, member: User) -> bool:
    """Bring the next rows of another kind along; return whether there were any."""
    each = next_field(guest.pk)
    if each is None:
        PlayerReport.objects.filter(reporter=member, person=member).delete()
        _keep_decisions(guest, member)
        return False
    reassign_lot(each, guest.pk, member.pk)
    if each.model is Notification:
        User.objects.filter(pk=member.pk).update(unread_notices=unread_number())
    return True


def _count_watched(guest: User, member: User, number: int) -> None:
    for owner, change in ((guest, -number), (member, number)):
        counters.tally({TallyKey(owner.pk, "", WATCHED, is_public=False): change})


@transaction.atomic
def _forget_companions(merging: Merging) -> bool:
    """Forget the next of those with whom the guest has played; return whether there were any. Then nothing is left."""
    _locked(merging)
    if counters.forget_companion_lot(merging.guest):
        return True
    if not Player.objects.filter(user=merging.guest).exists():
        counters.drop_tallies(merging.guest)
    return False


@transaction.atomic
def _begin(guest: User, member: User, at: datetime) -> bool:
    """Bring along what is not to wait, and return whether there is such a guest and member.

    Both are locked first, then the groups, then the games that are not over, from old to new; counters come last.
    """
    people = User.objects.select_for_update(no_key=True).filter(pk__in=(guest.pk, member.pk)).order_by("pk")
    found = {person.pk: person for person in people}
    left, own = found.get(guest.pk), found[member.pk]
    if left is None or not _can_be_merged(left, own):
        return False
    _check_apart(left, own, are_going=True)
    for group in sorted(Membership.objects.filter(person=left).values_list("group", flat=True)):
        membership.lock_group(group)
    _check_limits(left, own)
    sides = _sides(left, own)
    going = _going(left, own if sides[1] else None)
    with counters.together():
        games = access.games_to_close(going)
        # A table may have been joined by both until they were locked.
        _check_apart(left, own, are_going=True)
        if sides[1]:
            parting.part_before_the_start(*sides, at)
            games = access.games_to_close(_going(left))
        _clear_away(left, own)
        _keep_answers(left, own)
        keys, opened = [game.pk for game in games], [game for game in games if game.creator_id == left.pk]
        # One may have ended until it was locked.
        _count_seats(left, own, keys)
        reassign_at_once(left.pk, own.pk, keys)
        for game in games:
            _renew(game, left, own, at)
        _keep_decisions(left, own)
        _count_watched(left, own, sum(game.is_of_bots for game in opened))
        counters.touch({left.pk, own.pk})
    # Until the guest is closed, no one sits down, joins or merges as them.
    User.objects.filter(pk=left.pk).update(is_active=False)
    begin_merging(left.pk, own.pk, at)
    return True


def _can_be_merged(guest: User | None, member: User) -> bool:
    is_guest = guest is not None and guest.is_guest and guest.is_active
    return is_guest and member.is_active and not member.is_guest and not member.is_child


def _check_apart(guest: User, member: User, *, are_going: bool = False) -> None:
    """Refuse where both sit at one table, or at one that is not over: one person would have two of its seats."""
    tables = shared_tables(guest, member, are_going=are_going)
    if not tables:
        return
    sentence = SEATED if tables[0].is_going else PLAYED
    raise WrongStatus(format_lazy(sentence, table=tables[0].name), code="both-seated")


def _check_limits(guest: User, member: User) -> None:
    """Refuse where the member would have more than one person may. A query a limit that the guest adds to."""
    both = (guest, member)
    opened = Game.objects.filter(creator__in=both, status__in=(Status.OPEN, Status.RUNNING)).values("pk")
    seated = Player.objects.filter(user__in=both, is_going=True, retired="").order_by().values("game")
    studies, groups = Study.objects.filter(owner__in=both), Membership.objects.filter(person__in=both)
    counted: list[tuple[bool, QuerySet[Any, Any], int, Any]] = [
        (_going(guest).exists(), opened.union(seated), MAX_GAMES, MANY_GAMES),
        (studies.filter(owner=guest).exists(), studies, MAX_STUDIES, MANY_STUDIES),
        (groups.filter(person=guest).exists(), groups.order_by().values("group").distinct(), MAX_GROUPS, MANY_GROUPS),
    ]
    lists: list[type[Model]] = [FollowedPerson, MutedPerson, BlockedPerson]
    for model in lists:
        listed = model._default_manager.filter(person__in=both)
        others = listed.order_by().values("other").distinct()
        counted.append((listed.filter(person=guest).exists(), others, relations.LONGEST_LIST, MANY_PEOPLE))
    for adds, rows, most, sentence in counted:
        if adds and rows.count() > most:
            raise TooMany(sentence, retry_after=3600)


def _going(guest: User, member: User | None = None) -> QuerySet[Game]:
    """Return the games that are not over at which the guest sits, is invited, or that the guest has opened.

    With a member, also the tables that wait of the member and of who the member answers for.
    """
    going = (Status.OPEN, Status.RUNNING)
    seated = Player.objects.filter(Q(user=guest) | Q(invitee=guest), is_going=True).order_by().values("game")
    found = Q(creator=guest, status__in=going) | Q(pk__in=seated)
    if member is not None:
        ours = apart.with_all_answered_for(frozenset({member.pk}))
        waiting = Player.objects.filter(Q(user__in=ours) | Q(invitee__in=ours), is_going=True).order_by()
        found |= Q(creator__in=ours, status=Status.OPEN) | Q(pk__in=waiting.values("game"), status=Status.OPEN)
    return Game.objects.filter(found)


def _sides(guest: User, member: User) -> tuple[apart.People, apart.People]:
    """Return the two with all whom they answer for, and all from whom one of the two is kept apart."""
    both = (guest.pk, member.pk)
    rows = BlockedPerson.objects.order_by()
    theirs = rows.filter(person__in=both).values_list("other", flat=True)
    away = frozenset(theirs.union(rows.filter(other__in=both).values_list("person", flat=True))).difference(both)
    ours = apart.with_all_answered_for(frozenset(both))
    return ours, apart.with_all_answered_for(away) - ours


def _clear_away(guest: User, member: User) -> None:
    """Take away what the account is not to have of the guest: seats at cancelled tables where the member has one too,
    and reports of the name, which goes.
    """
    own = Player.objects.filter(Q(user=member) | Q(invitee=member)).order_by().values("game")
    beside = Player.objects.filter(game__status=Status.CANCELLED, game__in=own)
    beside.filter(user=guest).update(user=None, joined_at=None, unread_messages=None)
    beside.filter(invitee=guest).update(invitee=None, access=Access.OPEN)
    PlayerReport.objects.filter(person=guest, kind=Reported.NAME).delete()


def _renew(game: Game, guest: User, member: User, now: datetime) -> None:
    """Update a table that is not over for its new player: its channel's consent, its clock's rests, its open pages."""
    for channel in GameChannel.objects.filter(game=game):
        if guest.pk in channel.agreed:
            channel.agreed = sorted({member.pk, *channel.agreed} - {guest.pk})
            channel.save(update_fields=["agreed"])
    if game.creator_id == guest.pk:
        game.creator = member
    if game.turn_user_id == guest.pk:
        game.turn_user = member
    for player in game.players.all():
        if player.invitee_id == guest.pk:
            player.invitee = member
        if player.user_id != guest.pk:
            continue
        player.user = member
        began = game.turn_since if game.time_control.allows_rests else None
        # The turn that runs keeps its deadline.
        if began is not None and player.note_quiet_hours(max(now, began), began):
            player.save(update_fields=["quiet_hours"])
    changes.grow(game, now, former=[guest.pk])
    events.publish(events.GameEvent(**changes.about(game)))


def _keep_answers(guest: User, member: User) -> None:
    """Transfer the guest's answers about the channels of groups to the member; a no counts more than a yes."""
    for channel in GroupChannel.objects.filter(group__memberships__person=guest):
        no = {guest.pk, member.pk} & {*channel.refused}
        yes = {guest.pk, member.pk} & {*channel.agreed}
        if guest.pk not in no | yes:
            continue
        both = {guest.pk, member.pk}
        channel.refused = sorted({*channel.refused} - both | ({member.pk} if no else set()))
        channel.agreed = sorted({*channel.agreed} - both | ({member.pk} if yes and not no else set()))
        channel.save(update_fields=["agreed", "refused"])


def _keep_decisions(guest: User, member: User) -> None:
    """Apply what moderators have decided about the guest to the member, and note whom either has blocked."""
    member.silenced_until = _later(guest.silenced_until, member.silenced_until)
    member.suspended_until = _later(guest.suspended_until, member.suspended_until)
    member.has_decisions = member.has_decisions or guest.has_decisions
    blocks = BlockedPerson.objects.filter(person=member) | BlockedPerson.objects.filter(other=member)
    pairs = list(blocks.values_list("person", "other"))
    member.is_kept_apart = member.is_kept_apart or bool(pairs)
    apart = {pk for pair in pairs for pk in pair} - {member.pk}
    FollowedPerson.objects.filter(person=member, other__in=apart).delete()
    FollowedPerson.objects.filter(other=member, person__in=apart).delete()
    member.save(update_fields=["silenced_until", "suspended_until", "has_decisions", "is_kept_apart"])
    User.objects.filter(pk=member.pk).update(unread_notices=unread_number())


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((each for each in (one, other) if each is not None), default=None)
