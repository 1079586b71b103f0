"""A table before the game: who sits, who is missing, and what the person looking may do about it."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games import access
from games.errors import NotFound
from games.models import Access, Game, Player, Status
from games.queries import boards, cards, names
from games.queries.thumbnails import Thumbnail
from games.rules.variants import get_variant


@dataclass(frozen=True)
class SeatView:
    """One seat. `note` says who may take it while it is free; `address` is that of a player's or bot's own page."""

    number: int
    name: str
    address: str
    colours: tuple[str, ...]
    note: str
    is_free: bool
    is_mine: bool


@dataclass(frozen=True, kw_only=True)
class Standing:
    """How the person looking stands to a table: what they know, who they are there, and what they may do.

    `token` is the link's secret, empty for whoever does not know it.
    """

    token: str
    shares_link: bool
    is_seated: bool
    is_invited: bool
    may_join: bool
    may_leave: bool
    may_cancel: bool


@dataclass(frozen=True, kw_only=True)
class WaitingTable(Standing):
    """A table that waits for players. `board` is the key of its board, `facts` what is special about it."""

    slug: str
    title: str
    host: str
    variant: str
    board: str
    facts: tuple[str, ...]
    about: str
    passes: str
    visibility: str
    missing: str
    is_open: bool
    thumb: Thumbnail
    seats: tuple[SeatView, ...]


def invitation(user: User | AnonymousUser, token: str) -> WaitingTable:
    """Return the table that the link with this token leads to (2 queries).

    Raises:
        NotFound: there is none.

    """
    game = Game.objects.select_related("creator").filter(invite_token=token).first() if is_token(token) else None
    if game is None:
        raise NotFound(access.NO_GAME)
    cards.load_players([game])
    return waiting_table(game, user, token)


def is_token(token: str) -> bool:
    """Return whether this could be the secret of a link."""
    return 0 < len(token) <= 32 and token.isascii() and token.isprintable()


def waiting_table(game: Game, user: User | AnonymousUser, token: str = "") -> WaitingTable:
    """Return the table as this person sees it (no query where the players and the creator are fetched)."""
    is_open = game.status == Status.OPEN
    return WaitingTable(
        **vars(_standing(game, user, token)),
        slug=game.slug,
        title=game.name or names.table_of(game.creator.username),
        host=game.creator.username,
        variant=names.variant_name(game.variant),
        board=boards.board_key(game.variant),
        facts=tuple(boards.table_facts(game.variant, game.scoring, allows_hints=game.allows_hints)),
        about=names.time_name(game.time_initial),
        passes=_passes(game),
        visibility=gettext("everybody may watch") if game.is_public else gettext("only the players may watch"),
        missing=_missing(len(_empty(game))) if is_open else _closed(game),
        is_open=is_open,
        thumb=cards.picture(game),
        seats=tuple(_seat(game, player, user.pk) for player in game.players.all()),
    )


def _empty(game: Game) -> list[Player]:
    """Return the seats that nobody has taken."""
    return [player for player in game.players.all() if _is_free(player)]


def _is_free(player: Player) -> bool:
    return not (player.user_id or player.bot)


def _standing(game: Game, user: User | AnonymousUser, token: str) -> Standing:
    """Return who this person is at the table; only at an open one is there anything to do."""
    is_open, has_token = game.status == Status.OPEN, access.holds_token(game, token)
    is_host = user.pk is not None and user.pk == game.creator_id
    is_seated = access.seat_of(game, user) is not None
    is_invited = not is_seated and _is_asked(game, user)
    is_known = is_seated or is_host
    return Standing(
        token=game.invite_token if is_known or has_token else "",
        shares_link=is_open and is_known,
        is_seated=is_seated,
        is_invited=is_invited,
        may_join=is_open and not is_seated and (is_invited or _has_seat(game, has_token)),
        may_leave=is_open and is_seated and not is_host,
        may_cancel=is_open and is_host,
    )


def _is_asked(game: Game, user: User | AnonymousUser) -> bool:
    """Return whether a seat is kept for this person by name."""
    return user.pk is not None and user.pk in [player.invitee_id for player in _empty(game)]


def _has_seat(game: Game, has_token: bool) -> bool:
    """Return whether somebody who was not asked by name may sit down."""
    if has_token:
        return any(player.access != Access.NAMED for player in _empty(game))
    return game.is_public and any(player.access == Access.OPEN for player in _empty(game))


def _seat(game: Game, player: Player, user_id: int | None) -> SeatView:
    is_free = _is_free(player)
    notes = {
        Access.OPEN.value: gettext("anyone may take it") if game.is_public else gettext("whoever has the link"),
        Access.LINK.value: gettext("whoever has the link"),
        Access.NAMED.value: gettext("has not answered yet"),
    }
    return SeatView(
        number=player.seat + 1,
        name=names.player_name(player),
        address=names.page_of(player),
        colours=get_variant(game.variant).seat_colours(game.colours or None)[player.seat],
        note=notes[player.access] if is_free else "",
        is_free=is_free,
        is_mine=user_id is not None and player.user_id == user_id,
    )


def _passes(game: Game) -> str:
    if game.declares_passes:
        return gettext("each player presses Pass")
    return gettext("blocked colours pass by themselves")


def _missing(count: int) -> str:
    text = ngettext("Waiting for %(n)d more player.", "Waiting for %(n)d more players.", count) % {"n": count}
    return text + " " + gettext("The game starts when every seat is taken.")


def _closed(game: Game) -> str:
    if game.status == Status.CANCELLED:
        return gettext("This table was given up.")
    return gettext("This game has already started.")
