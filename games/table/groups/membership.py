"""The steps of joining and leaving a group."""

from datetime import datetime

from django.db.models import Case, Q, Value, When
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import access, apart, children
from games.base.groups import MAX_GROUPS, MAX_MEMBERS
from games.errors import NotFound, NotSeated, TooMany
from games.models import Game, Group, Membership, StandingTable, Status
from games.models.game import new_token
from games.table import changes, seats
from games.table.groups import standing
from games.table.notices.channels import drop_channel, forget_answers


def lock_group(group: int) -> None:
    """Lock the group of this key until the transaction ends, after people and before games. One query."""
    list(Group.objects.select_for_update(no_key=True).filter(pk=group))


def lock_with_owner(user: User, slug: str) -> tuple[User, User | None]:
    """Return a person and the owner of the group of that slug, None without one, both locked before the group is.

    Whether the group still is that owner's is known once it is locked. Three queries.

    Raises:
        NotSeated: the person's account is closed, or suspended.

    """
    groups = Group.objects.filter(slug=slug) if access.SLUG.fullmatch(slug) else Group.objects.none()
    owner = groups.values_list("owner", flat=True).first()
    both = [pk for pk in (user.pk, owner) if pk is not None]
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=both, is_active=True)
    found = {each.pk: each for each in rows.order_by("pk")}
    return seats.lock_person(user), found.get(owner) if owner is not None else None


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
    """Refuse a child's account, and that of a bot, whose operator belongs to groups and invites it to tables by name.

    Raises: NotSeated (`bot-group`).
    """
    children.check_grown_up(person)
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

    The next owner is the keeper who has belonged to it for longest, else the member who has; guests come after them,
    and last those who are suspended, who could do nothing with it. The standing table goes on under their name. Nine
    queries at most, two for others.
    """
    group = own.group
    was_owner = group.owner_id == own.person_id
    own.delete()
    forget_answers(group, own.person_id)
    if was_owner:
        others = Membership.objects.filter(group=group)
        is_away = Case(When(person__suspended_until__gt=now, then=Value(True)), default=Value(False))
        heir = others.order_by(is_away, "person__is_guest", "-is_keeper", "joined_at", "pk").first()
        pass_on(group, heir)
    if group.owner_id is not None:
        # Who has handed the group on may still have opened the table that waits.
        standing.call_for_another(group, own.person_id, now)


def pass_on(group: Group, heir: Membership | None) -> None:
    """Give a group, which is locked, to another of its members; without one it has ended. Two queries."""
    if heir is None:
        end_group(group)
        return
    group.owner_id = heir.person_id
    group.save(update_fields=["owner"])


def end_group(group: Group) -> None:
    """End a group, which is locked: it has no members and no name, and its link leads nowhere. Five queries.

    Its games stay with those who sit there.
    """
    StandingTable.objects.filter(group=group).delete()
    drop_channel(group)
    Membership.objects.filter(group=group).delete()
    group.owner, group.name = None, ""
    group.save(update_fields=["owner", "name"])


def renew_link(group: Group) -> None:
    """Give a group, which is locked, another link. One query, after games are locked.

    The secret is a key of the row: it is changed when everyone has committed who opens a table of the group meanwhile.
    """
    group.invite_token = new_token()
    group.save(update_fields=["invite_token"])


def leave_waiting_tables(group: Group, person: User, now: datetime) -> None:
    """Take a person from the tables of a group that wait for players, and cancel those that they have opened.

    So it is with the bots that they answer for. The group is locked; the games are from here on. Four queries where
    there are none.
    """
    people = apart.with_their_bots(frozenset({person.pk}))
    waiting = Game.objects.filter(group=group, status=Status.OPEN)
    theirs = waiting.filter(Q(creator__in=people) | Q(players__user__in=people) | Q(players__invitee__in=people))
    # Games are locked by their numbers, so none of them twice.
    for game in access.games_to_close(waiting.filter(pk__in=theirs.order_by().values("pk"))):
        _leave(game, people, now)


def shut_waiting_tables(group: Group, person: User, now: datetime) -> None:
    """Take a person who is removed from the tables of a group that wait, as above, and renew the links of the others.

    They may know each of them: every member sees these tables, and who sits down reads the link.
    """
    people = apart.with_their_bots(frozenset({person.pk}))
    for game in access.games_to_close(Game.objects.filter(group=group, status=Status.OPEN)):
        _leave(game, people, now, is_removed=True)
        if game.status == Status.OPEN:
            game.invite_token = new_token()
            game.save(update_fields=["invite_token"])
            changes.grow(game, now)
            events.publish(events.TermsChanged(**changes.about(game)))


def _leave(game: Game, people: apart.People, now: datetime, *, is_removed: bool = False) -> None:
    if game.status != Status.OPEN:
        return
    if game.creator_id in people:
        seats.cancel_table(game, now)
        return
    for player in [each for each in game.players.all() if each.user_id in people or each.invitee_id in people]:
        (seats.withdraw if is_removed else seats.vacate)(game, player, now)
