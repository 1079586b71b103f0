"""Whom a child may meet, and who knows of a child at all: the one place that answers. Nobody may who is not allowed.

A child's account has a guardian (`accounts.children`), who says by name with whom it plays; the guardian may always.
For everybody else there is no such person. A table of which a child is one is *sheltered*: private, without a name, a
link or words of one's own, for people who are all allowed, and for the eyes of those who sit there and the guardians.
`tests/reliability/matrix.txt` says of every address whether a child may use it.
"""

from collections.abc import Collection, Iterable, Sequence

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.errors import BadRequest, InvitationRefused, NotSeated
from games.models import AllowedPerson, Game, Player

COMPANY = _("Not everyone at this table may play with a child who is there. Its guardian says who may.")
NO_FREE_SEATS = _("At a table with a child, every seat is for a bot or for a person by name.")
NO_GROUPS = _("A child's account belongs to no group. Open a table for the child by name.")
NO_DEVICE = _("A child's account opens no table on one device. Open it with yours, and give the child a name there.")
ALONE_BY_NAME = _("A child meets people who are allowed by name. This is not part of a child's account.")


def may_meet(people: Iterable[User]) -> bool:
    """Return whether these people may sit at one table: each child among them may meet all others.

    No query without a child, else one.
    """
    return all(may_meet_at([list(people)]))


def may_meet_at(tables: Sequence[Collection[User]]) -> list[bool]:
    """Return of each of these tables whether its people may sit there together, as `may_meet`; as many queries."""
    everyone = {each.pk: each for people in tables for each in people}
    children = {each.pk for each in everyone.values() if each.is_child}
    if not children or len(everyone) < 2:
        return [True] * len(tables)
    allowed = set(_allowed().filter(child__in=children, other__in=everyone).values_list("child", "other"))
    return [
        all(
            other.pk in (child.pk, child.guardian_id) or (child.pk, other.pk) in allowed
            for child in people
            if child.is_child
            for other in people
        )
        for people in tables
    ]


def _allowed() -> QuerySet[AllowedPerson]:
    return AllowedPerson.objects.filter(allowed_at__isnull=False)


def is_of_family(one: User, other: User) -> bool:
    """Return whether one of the two is the other's guardian. No query."""
    return one.guardian_id == other.pk or other.guardian_id == one.pk


def is_hidden(person: User, viewer: User | AnonymousUser) -> bool:
    """Return whether there is no such person for this viewer: one of the two is a child who may not meet the other.

    No query for two grown-ups, else one.
    """
    if person.pk == viewer.pk:
        return False
    if not isinstance(viewer, User):
        return person.is_child
    return not may_meet((person, viewer))


def known_to(viewer: User | AnonymousUser, path: str = "") -> Q:
    """Return the condition that the person at this path, such as "other__", is no child of whom this viewer may not
    know. It is for lists that grown-ups read.
    """
    of_child = AllowedPerson.objects.filter(child=OuterRef(f"{path}pk"), other=viewer.pk, allowed_at__isnull=False)
    return Q(**{f"{path}guardian": None}) | Q(**{f"{path}guardian": viewer.pk}) | Q(Exists(of_child))


def allowed_for(child: User) -> list[User]:
    """Return with whom this child may play: its guardian, then the others by their names. Two queries."""
    others = User.objects.filter(pk__in=_allowed().filter(child=child).values("other"), is_active=True)
    return [*User.objects.filter(children=child, is_active=True), *others.order_by("name_key")]


def children_at(games: Collection[Game], guardians: Collection[User]) -> set[tuple[int, int]]:
    """Return the games at whose tables a child of these guardians sits, is invited or has opened it, and whose it is.

    Two queries, none for no game.
    """
    if not games or not guardians:
        return set()
    mine = User.objects.filter(guardian__in={each.pk for each in guardians}).values_list("pk", "guardian")
    whose = dict(mine)
    rows = Player.objects.filter(game__in={game.pk for game in games}) if whose else Player.objects.none()
    seated = [(game, pk) for game, *keys in rows.values_list("game", "user", "invitee") for pk in keys]
    opened = [(game.pk, game.creator_id) for game in games]
    found = ((game, whose.get(pk)) for game, pk in (*seated, *opened))
    return {(game, guardian) for game, guardian in found if guardian is not None}


def shelter(game: Game, seats: Collection[Player]) -> None:
    """Make a table sheltered that is not saved yet, where a child is one of its people. No query without a child.

    Raises:
        InvitationRefused: the people may not all meet (`child-company`).
        BadRequest: a seat is free for anyone (`child-seats`), or the table is one of a group (`child-group`).

    """
    people = {game.creator_id: game.creator}
    for player in seats:
        people |= {each.pk: each for each in (player.user, player.invitee) if each is not None}
    if not any(each.is_child for each in people.values()):
        return
    if game.is_on_one_device:
        raise BadRequest(NO_DEVICE, code="child-device")
    if game.group_id is not None:
        raise BadRequest(NO_GROUPS, code="child-group")
    if not may_meet(people.values()):
        raise InvitationRefused(COMPANY, code="child-company")
    for number, player in enumerate(seats):
        if player.user is None and player.invitee is None and not player.bot:
            raise BadRequest(NO_FREE_SEATS, field=f"seats-{number}", code="child-seats")
    game.is_sheltered = True
    game.is_public = game.is_rated = game.allows_texts = False
    game.name = ""


def check_company(game: Game, person: User) -> None:
    """Refuse a seat at a sheltered table to one whom a child there may not meet, and any other table to a child.

    No query at other tables, for grown-ups; else two.

    Raises:
        NotSeated: `child-company`.

    """
    if not game.is_sheltered and not person.is_child:
        return
    if not game.is_sheltered or not may_meet([person, *everyone_at(game)]):
        raise NotSeated(COMPANY, code="child-company")


def everyone_at(game: Game) -> list[User]:
    """Return who sits at a table, is invited there or has opened it. One query where the players are fetched."""
    keys = {pk for player in game.players.all() for pk in (player.user_id, player.invitee_id) if pk is not None}
    return list(User.objects.filter(pk__in=keys | {game.creator_id}))


def check_grown_up(*people: User) -> None:
    """Refuse what is not part of a child's account, if one of these people is a child. No query.

    Raises:
        NotSeated: `child`.

    """
    if any(each.is_child for each in people):
        raise NotSeated(ALONE_BY_NAME, code="child")
