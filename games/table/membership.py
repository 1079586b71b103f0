"""The steps of joining and leaving a group."""

from datetime import datetime

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access
from games.base.groups import MAX_GROUPS, MAX_MEMBERS
from games.errors import NotFound, NotSeated, TooMany
from games.models import Game, Group, Membership, StandingTable, Status
from games.models.game import new_token
from games.table import seats, standing


def lock_group(group: int) -> None:
    """Lock the group of this key until the transaction ends, after people and before games. One query."""
    list(Group.objects.select_for_update(no_key=True).filter(pk=group))


def member_in(group: Group, person: User) -> Membership:
    """Return this person's place in a group, which is locked. One query.

    Raises: NotFound.
    """
    found = Membership.objects.filter(group=group, person=person).first()
    if found is None:
        raise NotFound(_("There is no such member in this group. Look at its page again."))
    found.group = group
    return found


def check_human(person: User) -> None:
    """Refuse a bot account: the person who answers for it belongs to groups, and invites it to tables by its name.

    Raises: NotSeated (`bot-group`).
    """
    if person.is_bot:
        raise NotSeated(_("Bot accounts belong to no groups. Invite the bot to a table by its name."), code="bot-group")


def check_owns(person: User) -> None:
    """Refuse a guest as the owner of a group: their account lasts as long as a browser remembers it.

    Raises: NotSeated (`guest-group`).
    """
    if person.is_guest:
        sentence = _("A guest cannot own a group. A guest who saves their games with a name and a password can.")
        raise NotSeated(sentence, code="guest-group")


def check_groups(person: User) -> None:
    """Refuse one more group to a person who belongs to as many as allowed; the person's row is locked. One query.

    Raises: TooMany.
    """
    if Membership.objects.filter(person=person).count() >= MAX_GROUPS:
        sentence = _("You belong to 20 groups already. Leave one of them before you join or make another.")
        raise TooMany(sentence, retry_after=3600)


def add_member(group: Group, person: User, now: datetime) -> Membership:
    """Return the new place of this person in a group, which is locked. Two queries.

    Raises: TooMany where the group is full.
    """
    if Membership.objects.filter(group=group).count() >= MAX_MEMBERS:
        sentence = _("This group has 200 members already. Ask its owner to make another one.")
        raise TooMany(sentence, retry_after=3600)
    return Membership.objects.create(group=group, person=person, joined_at=now)


def drop_member(own: Membership, now: datetime) -> None:
    """Take a person out of a group, which is locked; what the owner had passes on, and a group of no one ends.

    The next owner is the keeper who has belonged to it for longest, else the member who has; guests come last. The
    standing table goes on under their name. Six queries at most.
    """
    group = own.group
    was_owner = group.owner_id == own.person_id
    own.delete()
    if was_owner:
        others = Membership.objects.filter(group=group)
        heir = others.order_by("person__is_guest", "-is_keeper", "joined_at", "pk").first()
        pass_on(group, heir)
        if heir is not None:
            standing.call_for_another(group, own.person_id, now)


def pass_on(group: Group, heir: Membership | None) -> None:
    """Give a group, which is locked, to another of its members; without one it has ended. Two queries."""
    if heir is None:
        end_group(group)
        return
    group.owner_id = heir.person_id
    group.save(update_fields=["owner"])


def end_group(group: Group) -> None:
    """End a group, which is locked: it has no members, no name and no link that leads to it. Three queries.

    Its games stay with those who sit there.
    """
    StandingTable.objects.filter(group=group).delete()
    Membership.objects.filter(group=group).delete()
    group.owner, group.name, group.invite_token = None, "", new_token()
    group.save(update_fields=["owner", "name", "invite_token"])


def leave_waiting_tables(group: Group, person: User, now: datetime, *, is_removed: bool = False) -> None:
    """Take a person from the tables of a group that wait for players, and cancel those that they have opened.

    The group is locked; the games are from here on. Three queries where there are none.
    """
    waiting = Game.objects.filter(group=group, status=Status.OPEN)
    theirs = waiting.filter(Q(creator=person) | Q(players__user=person) | Q(players__invitee=person))
    # Games are locked by their numbers, so none of them twice.
    for game in access.games_to_close(waiting.filter(pk__in=theirs.order_by().values("pk"))):
        _leave(game, person, now, is_removed=is_removed)


def _leave(game: Game, person: User, now: datetime, *, is_removed: bool) -> None:
    if game.status != Status.OPEN:
        return
    if game.creator_id == person.pk:
        seats.cancel_table(game, now)
        return
    for player in [each for each in game.players.all() if person.pk in (each.user_id, each.invitee_id)]:
        (seats.withdraw if is_removed else seats.vacate)(game, player, now)
