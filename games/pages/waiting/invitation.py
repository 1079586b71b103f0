"""A table before its game in words: who sits, who is missing, and what was agreed."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.base import access
from games.base.terms import is_rated_here
from games.drawing.thumbnails import Thumbnail, thumbnail
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.pages.lists import cards
from games.queries.people.ratings import ratings_beside
from games.queries.people.seated import load_players
from games.queries.play.players import near_side
from games.queries.tables.table import (
    GameDetails,
    SeatChoice,
    TableRights,
    TableSeat,
    TableState,
    table_of_link,
    table_state,
)
from games.ratings.families import rating_family
from games.rules.variants import get_variant
from games.values import Access, ChangeMade, Reason, Status
from games.words import boards, clocks, deadlines, ladder, moments, names, sentences, table_changes
from games.words.groups import group_title
from games.words.happenings import absences
from games.words.moments import When
from games.words.ratings import rating_beside


@dataclass(frozen=True)
class SeatView:
    """One seat, counted from 0. `note` says who may take it while it is free.

    `address` is that of the player's or bot's own page. `rating` is for a reader who wants it, else empty.
    """

    number: int
    name: str
    address: str
    colours: tuple[str, ...]
    colour_names: str
    note: str
    is_free: bool
    is_mine: bool
    is_bot: bool
    face: Face
    rating: str


@dataclass(frozen=True)
class OptionView:
    """Colours to choose, named by one of them. `line` says where they start, and who has them, if they are taken."""

    value: str
    colours: tuple[str, ...]
    name: str
    line: str
    is_offered: bool
    is_mine: bool


@dataclass(frozen=True)
class ChoiceView:
    """What the viewer chooses from: as a list of radio buttons, with or without one for no preference."""

    title: str
    has_any: bool
    options: tuple[OptionView, ...]


@dataclass(frozen=True)
class ChangeView:
    """What the host has changed at the table, and when."""

    text: str
    when: When | None


@dataclass(frozen=True)
class FillView:
    """How bots take the free seats now: what the button says and does, and the levels to choose from, with the `usual`
    one.
    """

    button: str
    help: str
    levels: tuple[tuple[str, str], ...]
    usual: str


@dataclass(frozen=True, kw_only=True)
class WaitingTable:
    """A table that waits for players, in words. `board` is the key of its board, `terms` are what was agreed.

    `changes` are the last that the host has made, the newest first; `bots_later` says when bots take the empty seats,
    if they do; `removal` says why the host has removed the viewer. `choice` is there for a viewer who may choose their
    colours. `kept_for` says for whom the free seats are, where each is kept for an invited player or a child is at the
    table; empty where the link helps anyone to a seat. `advice` says what is left to a person who holds the link
    and can take no seat; empty for all others. `fill` is there for a child who has opened the table: others do that
    where they change theirs.
    """

    state: TableState
    title: str
    variant: str
    board: str
    terms: tuple[str, ...]
    missing: str
    kept_for: str
    advice: str
    fill: FillView | None
    thumb: Thumbnail
    seats: tuple[SeatView, ...]
    choice: ChoiceView | None
    changes: tuple[ChangeView, ...]
    bots_later: str
    removal: str
    opened: When | None
    cancelled: When | None

    @property
    def has_room(self) -> bool:
        """Return whether a seat is free; else a bot is choosing its side."""
        return _count_free(self.state) > 0

    @property
    def closes_at(self) -> datetime | None:
        """Return when the table is cancelled if no one joins it, for those who wait at it."""
        return self.state.game.expires_at if self.has_room and (self.rights.is_host or self.rights.is_seated) else None

    @property
    def host(self) -> str:
        """Return what the player who opened the table is called."""
        return names.person_name(self.state.host)

    @property
    def invites(self) -> str:
        """Return who invites to which board, how fast, and who sits there, as a link to the table is told elsewhere."""
        facts = {"name": self.host, "board": self.variant, "time": clocks.pace_name(self.state.game.time)}
        # Short, for in a list "Sage, level 4" would read like two of it.
        called = names.seat_names((seat.occupant for seat in self.state.seats), is_short=True)
        seated = [name for name, seat in zip(called, self.state.seats, strict=True) if not seat.is_free]
        told = (
            gettext("%(name)s invites you: %(board)s, %(time)s.") % facts,
            gettext("At the table: %(names)s.") % {"names": sentences.listed(seated)} if seated else "",
            waiting_for(_count_free(self.state)) if self.has_room else "",
        )
        return " ".join(filter(None, told))

    @property
    def is_cancelled(self) -> bool:
        """Return whether the table is closed for good, without a game."""
        return self.state.game.status == Status.CANCELLED

    @property
    def can_be_reported(self) -> bool:
        """Return whether the viewer finds this table without a link, and someone else has opened it or sits there."""
        game, rights = self.state.game, self.rights
        is_seen = game.is_public or rights.is_host or rights.is_seated or rights.is_invited or bool(self.group)
        others = (seat for seat in self.state.seats if seat.occupant.username and not seat.is_viewer)
        return is_seen and (not rights.is_host or any(others))

    @property
    def has_expired(self) -> bool:
        """Return whether it was closed because no one joined it."""
        return self.state.game.reason == Reason.EXPIRED

    @property
    def can_watch(self) -> bool:
        """Return whether the viewer may look on at a game that has begun without them."""
        return self.state.game.is_public and self.state.game.status in (Status.RUNNING, Status.FINISHED)

    @property
    def group(self) -> str:
        """Return what the group is called of which the table is, for its members; empty for all others."""
        found = self.state.group
        return group_title(found.name, found.owner) if found else ""

    @property
    def rights(self) -> TableRights:
        """Return what the viewer may do."""
        return self.state.rights


def invitation_page(user: User | AnonymousUser, token: str) -> WaitingTable:
    """Return the table that the link with this token leads to (2 queries).

    Raises:
        NotFound: there is none.

    """
    game = table_of_link(token) if is_token(token) else None
    if game is None:
        raise NotFound(access.NO_GAME)
    load_players([game])
    return waiting_table(table_state(game, user, token), user)


def is_token(token: str) -> bool:
    """Return whether this could be the secret of a link."""
    return 0 < len(token) <= 32 and token.isascii() and token.isprintable()


def waiting_table(state: TableState, reader: User | AnonymousUser) -> WaitingTable:
    """Return a table in words. One query for a reader who wants ratings beside names."""
    game, called = state.game, names.seat_names(seat.occupant for seat in state.seats)
    rated = ratings_beside(reader, (seat.occupant.account for seat in state.seats), rating_family(game.variant))
    return WaitingTable(
        state=state,
        title=game.name or names.unnamed_table(state.host, is_mine=state.rights.is_host),
        variant=names.variant_name(game.variant),
        board=boards.board_key(game.variant),
        terms=(_time(state), *boards.table_facts(game.variant, game.scoring, *_terms(state))),
        missing=_missing(state) if state.is_open else _closed(game),
        kept_for=_kept_for(state),
        advice=_advice(state),
        fill=_fill(state) if isinstance(reader, User) and reader.is_child and state.rights.can_cancel else None,
        thumb=_thumb(state),
        seats=tuple(
            _seat(state, seat, name, rating_beside(rated.get(seat.occupant.account or 0)))
            for seat, name in zip(state.seats, called, strict=True)
        ),
        choice=_choice(state),
        changes=tuple(_change(change) for change in state.changes),
        bots_later=_bots_later(state),
        removal=table_changes.reason_text(state.removal) if state.removal else "",
        opened=moments.when(game.created_at, timezone.now()),
        cancelled=moments.when(game.changed_at, timezone.now()) if game.status == Status.CANCELLED else None,
    )


def fill_line(free: int) -> str:
    """Return what the button says that has bots take so many free seats."""
    return ngettext("Fill the empty seat with a bot", "Fill %(n)d empty seats with bots", free) % {"n": free}


def fill_help(state: TableState) -> str:
    """Return what that button does."""
    does = gettext("The game starts at once. Invitations to these seats are withdrawn.")
    return f"{does} {gettext('Without another player it is not rated.')}" if _would_be_alone(state) else does


def _would_be_alone(state: TableState) -> bool:
    """Return whether bots in all free seats would leave one person at a table that is to be rated."""
    people = sum(not seat.is_free and not seat.occupant.bot for seat in state.seats)
    return people <= 1 and is_rated_here(state.game)


def _fill(state: TableState) -> FillView:
    levels = tuple((rung.key, rung.title) for rung in ladder.rungs().values())
    free = sum(seat.is_free for seat in state.seats)
    return FillView(fill_line(free), fill_help(state), levels, ladder.rung_of("").key)


def _change(change: ChangeMade) -> ChangeView:
    text = table_changes.change_text(change)
    return ChangeView(text, moments.when(change.moment, timezone.now()))


def _bots_later(state: TableState) -> str:
    """Return when bots take the seats that are still empty, in the reader's time zone, and what that does to a game
    that is to be rated.
    """
    if state.fill_at is None or not _count_free(state):
        return ""
    when = gettext("%(bot)s takes the seats that are still empty on %(moment)s.") % {
        "bot": names.bot_name(state.fill_bot),
        "moment": deadlines.exact(state.fill_at),
    }
    if not _would_be_alone(state):
        return when
    return f"{when} {gettext('If no one else has joined by then, the game will not be rated.')}"


def _time(state: TableState) -> str:
    """Return what was agreed about time, and while the table waits about how long the game takes."""
    game, people = state.game, sum(not seat.occupant.bot for seat in state.seats)
    if not state.is_open:
        return gettext("Time: %(time)s.") % {"time": clocks.time_name(game.time)}
    length = deadlines.game_length(get_variant(game.variant), game.time, people)
    return gettext("Time: %(time)s · %(length)s.") % {"time": clocks.time_name(game.time), "length": length}


def _thumb(state: TableState) -> Thumbnail:
    """Return the board, small; before the first move, which seats are taken."""
    if state.board:
        variant, own = get_variant(state.game.variant), [seat.colours for seat in state.seats if seat.is_viewer]
        return thumbnail(state.board, variant.id, near_side(variant, own[0] if own else ()))
    return cards.seats_thumbnail(state.game.variant, [(seat.colours, not seat.is_free) for seat in state.seats])


def _seat(state: TableState, seat: TableSeat, name: str, rating: str) -> SeatView:
    game, occupant = state.game, seat.occupant
    notes = {
        Access.OPEN.value: _open_to(game),
        Access.LINK.value: gettext("by invitation link"),
        Access.NAMED.value: gettext("kept for you") if seat.is_offered else gettext("has not answered yet"),
    }
    colours = sentences.listed([sentences.colour(code) for code in seat.colours])
    return SeatView(
        number=seat.seat,
        name=name,
        address=reverse("player", args=[occupant.invitee]) if occupant.invitee else names.page_of(occupant),
        colours=seat.colours,
        colour_names=colours,
        note=notes[seat.access] if seat.is_free and state.is_open else "",
        is_free=seat.is_free,
        is_mine=seat.is_viewer,
        is_bot=bool(occupant.bot),
        face=face(seat.occupant),
        rating=rating,
    )


def _open_to(game: GameDetails) -> str:
    if game.is_of_group:
        return gettext("open to members of the group")
    if game.is_sheltered:
        return gettext("no one is invited")
    return gettext("open to anyone") if game.is_public else gettext("by invitation link")


def _choice(state: TableState) -> ChoiceView | None:
    """Return what the viewer may choose from, None where that is nothing."""
    if not state.choices:
        return None
    several = len(state.choices[0].colours) > 1
    title = gettext("Choose your colours") if several else gettext("Choose your colour")
    return ChoiceView(
        title=gettext("Choose your side") if get_variant(state.game.variant).named_pieces else title,
        has_any=not state.rights.is_seated,
        options=tuple(_option(state.game.variant, choice) for choice in state.choices),
    )


def _option(variant: str, choice: SeatChoice) -> OptionView:
    places = [boards.where(get_variant(variant), code) for code in choice.colours]
    if opens := get_variant(variant).named_pieces and get_variant(variant).openers[choice.colours[0]][0]:
        places.append(gettext("opens with %(piece)s") % {"piece": sentences.piece_called(opens)})
    return OptionView(
        value=choice.colours[0],
        colours=choice.colours,
        name=sentences.listed([sentences.colour(code) for code in choice.colours]),
        line=" · ".join(filter(None, [*dict.fromkeys(places), _note(choice)])),
        is_offered=choice.is_offered,
        is_mine=choice.is_viewer,
    )


def _note(choice: SeatChoice) -> str:
    if choice.is_viewer:
        return gettext("yours for now")
    if choice.is_offered:
        return ""
    if choice.occupant.invitee:
        return gettext("kept for %(name)s") % {"name": names.person_name(choice.occupant)}
    return gettext("taken by %(name)s") % {"name": names.occupant_name(choice.occupant)}


def _kept_for(state: TableState) -> str:
    free = [seat for seat in state.seats if seat.is_free]
    if not state.is_open or not free or state.rights.is_choosing:
        return ""
    if any(seat.access != Access.NAMED for seat in free):
        return _left_free(state) if state.game.is_sheltered else ""
    listed = sentences.listed([names.person_name(seat.occupant) for seat in free])
    return ngettext(
        "The free seat is kept for %(names)s, who finds the invitation in “My games”. No one else can take it, so "
        "there is no link to send.",
        "The free seats are kept for %(names)s, who find the invitation in “My games”. No one else can take them, so "
        "there is no link to send.",
        len(free),
    ) % {"names": listed}


def _left_free(state: TableState) -> str:
    """Return what is left to those at a sheltered table at which a person who was invited by name is no longer."""
    found = gettext("At a table with a child every seat is for a person by name, and not every free seat is now.")
    if not state.rights.is_host:
        return found
    return f"{found} {gettext('Fill the free seats with bots, or cancel this table and open another one.')}"


def _advice(state: TableState) -> str:
    rights, game = state.rights, state.game
    if state.removal or rights.can_join or rights.is_seated or rights.is_host:
        return ""
    if state.is_open and any(seat.is_free and seat.access != Access.NAMED for seat in state.seats):
        return gettext("There is no free seat for you at this table. You can open a table of your own.")
    if state.is_open:
        return gettext("The free seats are kept for players invited by name. You can open a table of your own.")
    if game.status == Status.CANCELLED:
        return gettext("You can open a table of your own and invite %(name)s.") % {
            "name": names.person_name(state.host)
        }
    if game.is_public:
        return gettext("Every seat is already taken. You can watch, or open a table of your own.")
    return gettext(
        "Every seat is already taken, and only the players can watch. Ask %(name)s for a link to another table, or "
        "open one of your own."
    ) % {"name": names.person_name(state.host)}


def _terms(state: TableState) -> tuple[str, ...]:
    game, people = state.game, sum(not seat.occupant.bot for seat in state.seats)
    return (
        boards.given_fact(game.given_moves),
        *boards.terms_facts(game, people, len(state.seats) - people),
        absences.table_rule(len(state.seats), game.absent_bot) if game.time.runs_among(people) else "",
        gettext("Players press Pass themselves.")
        if game.declares_passes
        else gettext("Blocked colours pass automatically."),
        _watchers(game),
    )


def _watchers(game: GameDetails) -> str:
    if game.is_public:
        return gettext("Everyone can watch.")
    return (
        gettext("Only members of its group can watch.") if game.is_of_group else gettext("Only the players can watch.")
    )


def waiting_for(count: int) -> str:
    """Return how many players are missing, as a sentence."""
    return ngettext("Waiting for %(n)d more player.", "Waiting for %(n)d more players.", count) % {"n": count}


def _missing(state: TableState) -> str:
    bots = [names.occupant_name(seat.occupant) for seat in state.seats if seat.occupant.bot]
    if state.rights.is_choosing:
        sentence = gettext("%(bot)s has named the opening pieces. Choose your side, and the game starts.")
        return sentence % {"bot": sentences.listed(bots)}
    if count := _count_free(state):
        return waiting_for(count) + " " + gettext("The game starts when every seat is taken.")
    return gettext("%(bot)s is choosing a side. Then the game starts.") % {"bot": sentences.listed(bots)}


def _count_free(state: TableState) -> int:
    return sum(seat.is_free for seat in state.seats)


def _closed(game: GameDetails) -> str:
    if game.status == Status.CANCELLED:
        if game.reason == Reason.EXPIRED:
            return gettext("This table was closed because no one joined it for two weeks.")
        if game.reason == Reason.VOID:
            if get_variant(game.variant).seats > 2:
                return gettext("This game does not count: no player made a move in time.")
            return gettext("This game does not count: a player's time ran out before both had made a move.")
        return gettext("This table was cancelled.")
    return gettext("This game has already started.")
