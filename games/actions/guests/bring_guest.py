"""Bring what a guest has along into the account that the same person has."""

from datetime import datetime

from django.db import transaction
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.erasure import close_account
from accounts.models import User
from games import events
from games.base import access, counters
from games.base.brought import bring_rows
from games.errors import WrongStatus
from games.models import BlockedPerson, FollowedPerson, Game, Membership, Player, Status, Webhook
from games.queries.guests.brought import tables_of_both
from games.queries.notices.notices import unread_number
from games.table import changes, membership
from games.table.moves import moment

SEATED = _(
    "Both of you sit at the table {table}, and one person cannot have two seats. Nothing has been brought along: go "
    "back to the guest and leave the table, or play it to its end."
)
PLAYED = _(
    "You have played against this guest at the table {table}, and one person cannot have two seats. Nothing has been "
    "brought along: the games stay with the guest, to whom you can go back."
)


@transaction.atomic
def bring_guest(guest: User, member: User, *, now: datetime | None = None) -> bool:
    """Have all that a guest has played, written and decided be the member's, and close the guest; return whether so.

    Return False for a guest who has been brought along already, or has become a member, and for a child, whose games
    are all sheltered. What counts and what does not
    is said by the list (`games.base.brought`). Both are locked first, then the groups, then the games that are not
    over, from old to new; counters come last. Whoever meets the guest meets the member from then on.

    Raises:
        WrongStatus: both sit at one table (`both-seated`); nothing has changed.

    """
    people = User.objects.select_for_update(no_key=True).filter(pk__in=(guest.pk, member.pk)).order_by("pk")
    found = {person.pk: person for person in people}
    left, own = found.get(guest.pk), found[member.pk]
    if left is None or not left.is_guest or not left.is_active or own.is_guest or own.is_child or not own.is_active:
        return False
    _check_apart(left, own)
    for group in sorted(Membership.objects.filter(person=left).values_list("group", flat=True)):
        membership.lock_group(group)
    seated = Player.objects.filter(user=left, is_going=True).order_by().values("game")
    opened = Game.objects.filter(creator=left, status__in=(Status.OPEN, Status.RUNNING)).values("pk")
    at = moment(now)
    with counters.together():
        games = access.games_to_close(Game.objects.filter(pk__in=opened.union(seated)))
        # A table may have been joined by both until they were locked.
        _check_apart(left, own)
        bring_rows(left.pk, own.pk)
        for game in games:
            _renew(game, left, own, at)
        _keep_decisions(left, own)
        counters.bring_tallies(left.pk, own.pk)
        counters.touch({left.pk, own.pk})
    counters.bring_companions(left.pk, own)
    close_account(left)
    return True


def _check_apart(guest: User, member: User) -> None:
    """Refuse where both sit at one table: one person would have two of its seats."""
    tables = tables_of_both(guest, member)
    if not tables:
        return
    sentence = SEATED if tables[0].is_going else PLAYED
    raise WrongStatus(format_lazy(sentence, table=tables[0].name), code="both-seated")


def _renew(game: Game, guest: User, member: User, now: datetime) -> None:
    """Have a table that is not over know its new player: its chat's consent, its clock's rests, its open pages."""
    for chat in Webhook.objects.filter(game=game):
        if guest.pk in chat.agreed:
            chat.agreed = sorted({member.pk, *chat.agreed} - {guest.pk})
            chat.save(update_fields=["agreed"])
    if game.creator_id == guest.pk:
        game.creator = member
    if game.turn_user_id == guest.pk:
        game.turn_user = member
    for player in game.players.all():
        if player.user_id != guest.pk:
            continue
        player.user = member
        began = game.turn_since if game.time_control.allows_rests else None
        # The turn that runs keeps its deadline.
        if began is not None and player.note_quiet_hours(max(now, began), began):
            player.save(update_fields=["quiet_hours"])
    changes.grow(game, now, former=[guest.pk])
    events.publish(events.GameEvent(**changes.about(game)))


def _keep_decisions(guest: User, member: User) -> None:
    """Have what moderators have decided about the guest hold for the member, and blocks be known of."""
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
