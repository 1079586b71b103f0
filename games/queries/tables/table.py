"""A table before its game: what was agreed, who sits, and what the viewer may do."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Subquery

from games.base import access, apart
from games.base.talk import unread_by
from games.base.terms import AgreedTerms, terms_of
from games.clock import Still
from games.models import Access, Change, ChangeMade, Game, Group, Membership, Occupant, Player, Status, TableChange
from games.queries.tables.turns import next_number
from games.rules.variants import get_variant
from games.values import GivenDay, HolidayFact

#: At most this many changes at a table are listed on its page.
SHOWN_CHANGES = 5


@dataclass(frozen=True, kw_only=True)
class GameDetails(AgreedTerms):
    """What is the same for every viewer, before a game and in it: its terms and how far it has come.

    `name` is empty where none was given. `status` and `reason` are values of the models' choices. `number` is that of
    the move which is due, from 1. `version` grows with every visible change; at `pause_version` the game was last
    paused or resumed, `pauses` are those on which people have agreed, and `days` those that players have given.
    `absent_bot` is the stored name of the bot that takes missed turns, empty where a player who misses one is out of
    the game. At `expires_at` a table is cancelled that no one has joined by then. `is_posted` says that a channel is
    set for it, `is_of_group` that the members of a group see it and take its free seats, `is_sheltered` that a child is
    or was at it, `is_on_one_device` that its people share one. `given_moves` counts the first moves that were given, of
    the finished game with the slug `begun_from`; empty for a study.
    """

    slug: str
    variant: str
    absent_bot: str
    status: str
    reason: str
    version: int
    number: int
    pause_version: int
    pauses: tuple[Still, ...]
    days: tuple[GivenDay, ...]
    holidays: tuple[HolidayFact, ...]
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    changed_at: datetime
    expires_at: datetime | None
    is_posted: bool
    is_of_group: bool
    is_sheltered: bool
    is_on_one_device: bool
    given_moves: int
    begun_from: str

    @property
    def is_advised(self) -> bool:
        """Whether its players may ask an engine for good moves."""
        return self.allows_hints and self.allows_advice


@dataclass(frozen=True, kw_only=True)
class TableSeat:
    """One seat of a table: who has it or is invited, its colours, and who may take it (a value of `Access`).

    `is_offered` says that the viewer may take it.
    """

    seat: int
    occupant: Occupant
    is_viewer: bool
    colours: tuple[str, ...]
    access: str
    is_free: bool
    is_offered: bool


@dataclass(frozen=True, kw_only=True)
class SeatChoice:
    """Colours that may be chosen together: those of a seat, or one that no seat has yet. Any of them names the choice.

    `occupant` is empty where no one has them. `is_offered` says that the viewer may choose them, `is_viewer` that they
    have them.
    """

    colours: tuple[str, ...]
    occupant: Occupant
    is_offered: bool
    is_viewer: bool


@dataclass(frozen=True, kw_only=True)
class TableRights:
    """What the viewer may do at a table. The host is the person who opened it; an invitation is one by name.

    `is_choosing` says that only the host is awaited, to choose a side: a bot has named the opening pieces.
    """

    is_host: bool
    is_seated: bool
    is_invited: bool
    is_choosing: bool
    can_join: bool
    can_leave: bool
    can_cancel: bool
    can_share_link: bool


@dataclass(frozen=True)
class GroupOfTable:
    """The group of which a table is: what its address is made of, its name, empty without one, and its owner."""

    slug: str
    name: str
    owner: Occupant


@dataclass(frozen=True, kw_only=True)
class TableState:
    """A table as one viewer sees it: waiting for players, or cancelled; by its link also after the start.

    `host` opened it. `changes` are the last that the host has made, for those who sit there or are invited, the newest
    first. `choices` are there for a viewer who may choose their colours, in the order of play. `removal` is why the
    host has removed the viewer, empty where they have not. At `fill_at` bots of the stored name `fill_bot` take the
    seats that are empty. `token` is the secret of its link, empty if the viewer does not know it. `board` has a
    character for each cell, as `Game.board`, and is empty before the first move. `unread` counts what others have said
    at the table since the viewer last read it; None for a viewer who does not talk there. `group` is that of which the
    table is, for its members.
    """

    game: GameDetails
    host: Occupant
    token: str
    board: str
    seats: tuple[TableSeat, ...]
    choices: tuple[SeatChoice, ...]
    rights: TableRights
    changes: tuple[ChangeMade, ...]
    removal: str
    fill_at: datetime | None
    fill_bot: str
    unread: int | None
    group: GroupOfTable | None

    @property
    def is_open(self) -> bool:
        """Return whether the table waits for players."""
        return self.game.status == Status.OPEN


def table_state(game: Game, user: access.Viewer, token: str = "") -> TableState:
    """Return the table as this person sees it (one query where the players and the creator are fetched).

    For those who may sit down also the queries of `apart_from`; at a group's table three more at most.
    """
    removal, group = _removal(game, user), _group(game, user)
    offered = frozenset[int]() if removal else _offered(game, user, token)
    if offered and apart.is_kept_from(game, user):
        offered = frozenset()
    rights = _rights(game, user, offered)
    seats = _seats(game, user, offered)
    knows_token = not game.is_sheltered and (rights.is_host or rights.is_seated or access.holds_token(game, token))
    return TableState(
        game=replace(details_of(game), is_of_group=group is not None or _has_group(game)),
        host=Occupant.of(game.creator),
        token=game.invite_token if knows_token else "",
        board=game.board if game.move_count else "",
        seats=seats,
        choices=_choices(game, seats, rights),
        rights=rights,
        changes=_changes(game, rights) if game.status == Status.OPEN else (),
        removal=removal,
        fill_at=game.fill_at,
        fill_bot=game.fill_bot,
        unread=unread_by(game, user) if game.status == Status.OPEN else None,
        group=group,
    )


def _group(game: Game, user: access.Viewer) -> GroupOfTable | None:
    """Return the group of which a table is, None for who is no member. No query for a table that is of no group."""
    if game.group_id is None or user.pk is None:
        return None
    rows = Membership.objects.filter(group=game.group_id, person=user.pk).select_related("group__owner")
    group = next((row.group for row in rows), None)
    return GroupOfTable(group.slug, group.name, Occupant.of(group.owner)) if group and group.owner else None


def _has_group(game: Game) -> bool:
    """Return whether the table is of a group that has not ended. One query, none for a table that is of no group."""
    return game.group_id is not None and Group.objects.filter(pk=game.group_id, owner__isnull=False).exists()


def table_of_link(token: str) -> Game | None:
    """Return the table that the link with this secret leads to, with its creator; None without one. One query."""
    return Game.objects.select_related("creator").filter(invite_token=token, is_sheltered=False).first()


def last_opened(user: access.Viewer) -> list[Player]:
    """Return the seats of the table that this person opened last, with the game and who is invited. One query.

    A rematch does not count, nor a table on one device, which has a page of its own.
    """
    opened = (
        Game.objects.filter(creator=user.pk, rematch_of=None, is_on_one_device=False).order_by("-pk").values("pk")[:1]
    )
    return list(Player.objects.filter(game=Subquery(opened)).select_related("game", "invitee")) if user.pk else []


def _removal(game: Game, user: access.Viewer) -> str:
    """Return why the host has removed this person, empty if they have not, or have invited them since.

    One query for a person who may sit down, none for others.
    """
    if game.status != Status.OPEN or user.pk is None or _belongs(game, user):
        return ""
    rows = TableChange.objects.filter(game=game, person=user.pk, change=Change.REMOVED).order_by("-pk")
    row = rows.first()
    return row.made.reason if row else ""


def _belongs(game: Game, user: access.Viewer) -> bool:
    """Return whether the person has opened the table, sits there or is invited."""
    seats = (pk for player in game.players.all() for pk in (player.user_id, player.invitee_id))
    return user.pk in (game.creator_id, *seats)


def _changes(game: Game, rights: TableRights) -> tuple[ChangeMade, ...]:
    """Return what the host has changed. No query for those whom it does not concern."""
    if not (rights.is_host or rights.is_seated or rights.is_invited):
        return ()
    rows = TableChange.objects.filter(game=game).order_by("-pk")[:SHOWN_CHANGES]
    return tuple(row.made for row in rows)


def holidays_in(game: Game) -> tuple[HolidayFact, ...]:
    """Return the holidays that count in a game, seat after seat, from the oldest to the latest (needs the players)."""
    return tuple(
        HolidayFact(version, player.seat, datetime.fromisoformat(begins), datetime.fromisoformat(ends))
        for player in game.players.all()
        for version, begins, ends in player.holidays
    )


def details_of(game: Game) -> GameDetails:
    """Return what is the same for every viewer of a game."""
    return GameDetails(
        **terms_of(game),
        slug=game.slug,
        variant=game.variant,
        absent_bot=game.absent_bot,
        status=game.status,
        reason=game.reason,
        version=game.version,
        number=next_number(game),
        pause_version=game.pause_version,
        pauses=game.pause_spans,
        days=game.days_given,
        holidays=holidays_in(game),
        created_at=game.created_at,
        started_at=game.started_at,
        changed_at=game.changed_at,
        expires_at=game.expires_at,
        finished_at=game.finished_at,
        is_posted=game.is_posted,
        is_of_group=game.group_id is not None,
        is_sheltered=game.is_sheltered,
        is_on_one_device=game.is_on_one_device,
        given_moves=game.given_moves,
        begun_from=game.begun_from,
    )


def _seats(game: Game, user: access.Viewer, offered: Collection[int]) -> tuple[TableSeat, ...]:
    colours = get_variant(game.variant).seat_colours(game.colours or None)
    return tuple(
        TableSeat(
            seat=player.seat,
            occupant=player.occupant,
            is_viewer=user.pk is not None and player.user_id == user.pk,
            colours=colours[player.seat],
            access=player.access,
            is_free=_is_free(player),
            is_offered=player.seat in offered,
        )
        for player in game.players.all()
    )


def _choices(game: Game, seats: Sequence[TableSeat], rights: TableRights) -> tuple[SeatChoice, ...]:
    """Return what the viewer may choose from and what is taken, as `games.table.seats` decides it; nothing if only one.

    At a table where the seats were drawn, or one is kept for the viewer, there is nothing to choose.
    """
    found: list[SeatChoice] = []
    if game.lets_choose:
        found = _colours_to_choose(game, seats, rights)
    elif rights.can_join and not (game.is_shuffled or rights.is_invited):
        found = [_choice(seat, is_offered=seat.is_offered) for seat in seats]
    if sum(choice.is_offered or choice.is_viewer for choice in found) < 2:
        return ()
    variant = get_variant(game.variant)
    return tuple(sorted(found, key=lambda choice: variant.colours.index(choice.colours[0])))


def _colours_to_choose(game: Game, seats: Sequence[TableSeat], rights: TableRights) -> list[SeatChoice]:
    """Return the colours at a table whose players choose theirs, for one who sits there or may sit down.

    A seat that is kept for an invited player keeps no colour, nor does that of the host or the bot who has named the
    opening pieces.
    """
    if game.status != Status.OPEN or not (rights.can_join or rights.is_seated):
        return []
    namer = game.namer if rights.can_join else None
    return [
        *(_choice(seat, is_offered=seat.is_free or seat.seat == namer) for seat in seats),
        *(
            SeatChoice(colours=(colour,), occupant=Occupant(), is_offered=True, is_viewer=False)
            for colour in unused_colours(game)
        ),
    ]


def _choice(seat: TableSeat, *, is_offered: bool) -> SeatChoice:
    occupant = Occupant() if is_offered else seat.occupant
    return SeatChoice(colours=seat.colours, occupant=occupant, is_offered=is_offered, is_viewer=seat.is_viewer)


def leaves_choice(game: Game) -> bool:
    """Return whether a player who sits down at this table has colours to choose from (needs the players fetched)."""
    free = sum(_is_free(player) for player in game.players.all())
    choices = free + len(unused_colours(game)) + game.offers_sides
    return game.status == Status.OPEN and game.lets_choose and choices > 1


def unused_colours(game: Game) -> list[str]:
    """Return the colours that no seat has, where the variant leaves them to choose."""
    variant = get_variant(game.variant)
    if not variant.choosable_colours:
        return []
    used = {colour for (colour,) in variant.seat_colours(game.colours or None)}
    return [colour for colour in variant.colours if colour not in used]


def _is_free(player: Player) -> bool:
    return not player.is_taken


def _offered(game: Game, user: access.Viewer, token: str) -> frozenset[int]:
    """Return the numbers of the free seats that this person may take, as `games.table.seats` decides it."""
    if game.status != Status.OPEN or access.seat_of(game, user) is not None:
        return frozenset()
    free = [player for player in game.players.all() if _is_free(player)]
    is_open = access.opens_seats(user, game, token)
    return frozenset(player.seat for player in free if _may_take(game, player, user, is_open))


def _may_take(game: Game, player: Player, user: access.Viewer, is_open: bool) -> bool:
    if player.access == Access.NAMED:
        return user.pk is not None and player.invitee_id == user.pk
    return is_open or (player.access == Access.OPEN and game.is_public)


def _offers_side(game: Game, free: Collection[Player]) -> bool:
    """Return whether the table waits for one more person, who chooses a side by sitting down."""
    return game.status == Status.OPEN and len(free) == 1 and game.offers_sides


def _is_kept_for(user: access.Viewer, free: Collection[Player]) -> bool:
    return user.pk is not None and user.pk in [player.invitee_id for player in free]


def _rights(game: Game, user: access.Viewer, offered: Collection[int]) -> TableRights:
    """Return what this person may do; only at an open table there is anything to do."""
    is_open = game.status == Status.OPEN
    is_host = user.pk is not None and user.pk == game.creator_id
    is_seated = access.seat_of(game, user) is not None
    free = [player for player in game.players.all() if _is_free(player)]
    is_kept = not is_seated and _is_kept_for(user, free)
    is_choosing = is_host and is_kept and _offers_side(game, free)
    return TableRights(
        is_host=is_host,
        is_seated=is_seated,
        is_invited=is_kept and not is_host,
        is_choosing=is_choosing,
        can_join=bool(offered),
        can_leave=is_open and is_seated and not is_host,
        can_cancel=is_open and is_host,
        can_share_link=is_open and (is_seated or is_host) and not (game.is_sheltered or is_choosing),
    )
