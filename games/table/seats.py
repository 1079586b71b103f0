"""The steps that everything before the start shares: taking a seat, leaving it, announcing it."""

import secrets
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import access, apart, children, counters
from games.base.setup import MAX_SEED
from games.errors import BadRequest, NotSeated, SeatTaken, TooMany, WrongStatus
from games.models import Access, Change, Game, Occasion, Player, RemovalReason, Status, TableChange
from games.queries.tables.reliability import reliability_of
from games.roster.offered import offered_bots
from games.roster.sides import better_seat
from games.rules.variants import get_variant
from games.table import changes, lifecycle

MAX_GAMES = 40
#: A bot that is to choose its side does so in this time, or has the better one by measured worth.
CHOOSES_FOR = timedelta(minutes=1)
#: At most this many tables of one person wait in the lobby, or in a group: it belongs to everyone.
MAX_LISTED = 3
#: How long a table that was cancelled says so to those who have its link.
KEPT_CANCELLED = timedelta(days=7)


def any_seed() -> int:
    """Return a seed for a bot that no one can guess."""
    return secrets.randbelow(MAX_SEED)


def lock_person(user: User, *, may_be_suspended: bool = False) -> User:
    """Return the person's row, locked until the transaction ends, before any game is locked.

    So no one passes the limit by asking twice at once, and no one sits down while the account is being closed.

    Raises:
        NotSeated: the account is closed, or suspended (`suspended`) and may not be.

    """
    person = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first()
    if person is None:
        raise NotSeated(_("This account is closed."), code="account-closed")
    if person.is_suspended and not may_be_suspended:
        raise NotSeated(_("This account is suspended."), code="suspended")
    return person


def check_open(game: Game) -> None:
    """Refuse unless the table waits for players.

    Raises:
        WrongStatus: it has started, is over, or was cancelled.

    """
    if game.status == Status.CANCELLED:
        raise WrongStatus(_("This table was cancelled."), code="cancelled")
    if game.status != Status.OPEN:
        raise WrongStatus(_("The game has already started."), code="started")


def check_limit(user: User) -> None:
    """Refuse one more table to a person who has as many as allowed; the person's row is locked. One query.

    Raises:
        TooMany: 40 tables are open or running.

    """
    opened = Game.objects.filter(creator=user, status__in=(Status.OPEN, Status.RUNNING)).values("pk")
    seated = Player.objects.filter(user=user, is_going=True, retired="").order_by().values("game")
    if opened.union(seated).count() >= MAX_GAMES:
        raise TooMany(
            _("You already have 40 games in progress. Finish one before you start another."), retry_after=3600
        )


def check_listed(user: User) -> None:
    """Refuse one more table in the lobby to a person who has as many there as allowed; the row is locked. One query.

    The tables of bot accounts count with those of their operator.

    Raises:
        TooMany: 3 public tables of this person wait for players.

    """
    payer = user.operator_id or user.pk
    if Game.objects.filter(creator__in=User.answering(payer), status=Status.OPEN, is_listed=True).count() >= MAX_LISTED:
        raise TooMany(
            _("Three of your tables are already waiting in the lobby. Cancel one before you open another."),
            retry_after=3600,
        )


def check_listed_in(group: int, person: User) -> None:
    """Refuse one more table that waits in a group to a person who has as many there as allowed: it belongs to everyone.

    The person's row is locked. The tables of bot accounts count with those of their operator. One query.

    Raises: TooMany.
    """
    payer = person.operator_id or person.pk
    waiting = Game.objects.filter(group=group, status=Status.OPEN, creator__in=User.answering(payer))
    if waiting.count() >= MAX_LISTED:
        sentence = _("Three of your tables are already waiting in this group. Cancel one before you open another.")
        raise TooMany(sentence, retry_after=3600)


def seat_for(game: Game, user: User, seat: int | None, token: str, colour: str = "") -> Player:
    """Return the empty seat that this user may take: the one asked for, by its number or a colour, else the best.

    Where players choose, any of their seats will do for a colour: `choose_colour` follows. At a table of people from
    whom the user is kept apart no seat is theirs; nothing tells that from a table whose seats are kept for others.

    Raises:
        SeatTaken: none is left for this user, or the one asked for is not.
        WrongStatus: a colour is asked for, and the seats were drawn.

    """
    if colour and game.is_shuffled:
        access.check_choice(game)
    may_sit = _seats_for(game, user, token)
    own = [player for player in may_sit if player.invitee_id == user.pk]
    if may_sit and not own and game.changes.filter(change=Change.REMOVED, person=user).exists():
        raise SeatTaken(_("The player who opened this table has removed you from it."), code="removed")
    choice = [player for player in own or may_sit if _is_asked_for(game, player, seat, colour)]
    if not choice:
        raise SeatTaken(_("You cannot take this seat. Look at the table again.") if may_sit else NO_SEAT)
    return min(choice, key=lambda player: (player.access != Access.LINK, player.seat))


def _seats_for(game: Game, user: User, token: str) -> list[Player]:
    if apart.is_kept_from(game, user):
        return []
    is_open = access.opens_seats(user, game, token)
    return [player for player in game.players.all() if _may_sit(player, user, is_open)]


def check_reliable(game: Game, player: Player, user: User) -> None:
    """Refuse a free seat to a person who makes fewer of their turns in time than the table asks for.

    Who is new has made too few to tell, and may sit; so may who was invited by name. Two queries at a table that asks
    for it, none at others.

    Raises:
        NotSeated: `unreliable`, with what is asked for and what the person has.

    """
    if not game.min_reliability or player.invitee_id == user.pk or game.creator_id == user.pk:
        return
    found = reliability_of(user.pk)
    if found.is_known and found.share < game.min_reliability:
        sentence = _(
            "This table is for players who make at least %(asked)d%% of their turns in time. You made %(share)d%% "
            "of your last %(turns)d. Play a few games in time, then try again, or choose another table."
        )
        values = {"asked": game.min_reliability, "share": found.share, "turns": found.turns}
        raise NotSeated(sentence % values, code="unreliable")


SAME_PERSON = _(
    "This game is rated, and a bot account counts as the person who runs it: one person has one seat. Open a "
    "table that is not rated to play against your own bot."
)


def check_one_person(game: Game, user: User) -> None:
    """Refuse a seat at a rated table to whoever has one there by another account that is known to be theirs.

    That is so of a bot account and who answers for it, and of two bot accounts of one person. No query.

    Raises:
        NotSeated: `same-person`.

    """
    others = [player.user for player in game.players.all() if player.user_id not in (None, user.pk)]
    if game.is_rated and (user.operator_id or user.pk) in {each.operator_id or each.pk for each in others if each}:
        raise NotSeated(SAME_PERSON, code="same-person")


def is_one_person_twice(players: Iterable[Player]) -> bool:
    """Return whether one person has two of these seats by accounts that are known to be theirs. No query."""
    payers = [player.user.operator_id or player.user.pk for player in players if player.user is not None]
    return len(payers) > len({*payers})


def _is_asked_for(game: Game, player: Player, seat: int | None, colour: str) -> bool:
    """Whether this seat will do for a number and a colour, of which either may be absent."""
    if seat not in (None, player.seat):
        return False
    return not colour or game.lets_choose or colour in _colours_of(game)[player.seat]


def _colours_of(game: Game) -> tuple[tuple[str, ...], ...]:
    return get_variant(game.variant).seat_colours(game.colours or None)


def choose_colour(game: Game, player: Player, colour: str) -> bool:
    """Give the player the free seat of this colour, or this colour if no seat has it; return whether that is a change.

    The seat that the player had, and the place at the table that was kept there for another, exchange their numbers.
    Where the host or a bot has named the opening pieces, the player may take their side too. The caller announces it.

    Raises:
        BadRequest: the table has no such colour.
        SeatTaken: another player or a bot has it.

    Rule: R10

    """
    variant, colours = get_variant(game.variant), _colours_of(game)
    other = next((each for each in game.players.all() if colour in colours[each.seat]), None)
    if other is None:
        if not variant.choosable_colours or colour not in variant.colours:
            raise BadRequest(_("Choose a colour from the list."), field="colour")
        game.colours = [colour if seat == player.seat else own for seat, (own,) in enumerate(colours)]
        game.save(update_fields=["colours"])
        return True
    if other.pk == player.pk:
        return False
    if (other.user_id or other.bot) and other.seat != game.namer:
        raise SeatTaken(_("Another player has just chosen this. Choose again from what is free."))
    _renumber(player, other)
    return True


NO_SEAT = _("There is no free seat for you at this table.")


def _may_sit(player: Player, user: User, is_open: bool) -> bool:
    """Whether the seat is empty and meant for this user; `is_open` opens link seats, and all of a private game."""
    if player.user_id is not None or player.bot:
        return False
    if player.access == Access.NAMED:
        return player.invitee_id == user.pk
    return is_open or (player.access == Access.OPEN and player.game.is_public)


def seat_numbered(game: Game, seat: int | None) -> Player:
    """Return the seat of that number, from 0.

    Raises:
        BadRequest: there is none.

    """
    for player in game.players.all():
        if player.seat == seat:
            return player
    raise BadRequest(_("There is no such seat. Look at the table again."), field="seat")


def take(game: Game, player: Player, user: User, now: datetime) -> None:
    """Seat the user, start the game if that was the last seat, and tell it after commit.

    Raises:
        NotSeated: someone there is a child who may not meet the user, or the other way round (`child-company`).

    """
    children.check_company(game, user)
    player.user, player.joined_at, player.unread_messages = user, now, None
    player.save(update_fields=["user", "joined_at", "unread_messages"])
    with counters.together():
        changes.grow(game, now)
        events.publish(events.SeatsChanged(**changes.about(game)))
        if not lifecycle.start_if_full(game, now):
            _record(game, Occasion.JOINED, now, user.pk)
        # After the start is told: what is told first is heard first, and pages do not wait for notices.
        changes.ask_about_channel(game, {user.pk}, now)


def vacate(game: Game, player: Player, now: datetime) -> None:
    """Empty a seat before the start and tell it after commit. A seat that was kept for a person is then for anyone."""
    former = (player.user_id or player.invitee_id or 0,)
    if player.user_id not in (None, game.creator_id):
        changes.forget_channel(game, player.user_id)
    occasion = Occasion.LEFT if player.user_id else Occasion.DECLINED
    # Invited by a third person: only so can a table have two who are kept apart.
    away = apart.apart_from(player.invitee) if player.invitee and not player.user_id else apart.NOBODY
    _empty(player)
    changes.grow(game, now, former)
    events.publish(events.SeatsChanged(**changes.about(game), former=former))
    _record(game, occasion, now, former[0], away)


def withdraw(game: Game, player: Player, now: datetime) -> None:
    """Empty a seat before the start, of a person whom the host does not want to meet any more, and tell the table.

    The person is not notified; if they sat there, they find that they were removed, as always without a word of why.
    """
    person = player.user_id or player.invitee_id or 0
    if player.user_id is not None:
        note_change(game, Change.REMOVED, now, {"reason": RemovalReason.OTHER}, person)
        changes.forget_channel(game, person)
    _empty(player)
    tell_seats(game, now, (person,))


def _record(game: Game, occasion: Occasion, now: datetime, person: int, away: apart.People = apart.NOBODY) -> None:
    """Store for the others at the table what this person did, but not for those `away`. They may do so again."""
    told = changes.people_at(game) - {person} - away
    changes.record(game, occasion, told, now, event=_event(now), other=person)


def note_change(
    game: Game, change: Change, now: datetime, values: Mapping[str, object] | None = None, person: int | None = None
) -> None:
    """Store what the person who opened the table has changed, for those who sit there to read."""
    TableChange.objects.create(game=game, change=change, values=values or {}, person_id=person, changed_at=now)


def clear_seat(game: Game, player: Player, reason: RemovalReason, now: datetime) -> None:
    """Empty a seat before the start against the will of its person, who is given the reason, or of its bot.

    A seat that was kept for a person is then for anyone. It is announced after commit.
    """
    person = player.user_id or player.invitee_id
    if person is None:
        note_change(game, Change.BOT_REMOVED, now)
        if game.offers_sides and bot_to_choose(game) is player:
            game.fill_at, game.fill_bot = None, ""
            game.save(update_fields=["fill_at", "fill_bot"])
    else:
        note_change(game, Change.REMOVED, now, {"reason": reason}, person)
        changes.forget_channel(game, person)
    _empty(player)
    tell_seats(game, now, (person,) if person else ())
    told = {person} if person else set()
    changes.record(game, Occasion.REMOVED, told, now, event=_event(now), other=game.creator_id, detail=reason)


def exchange(game: Game, one: Player, other: Player, now: datetime) -> None:
    """Exchange two seats before the start and tell it after commit. From then on the seats are not random."""
    seats = sorted((one.seat, other.seat))
    _renumber(one, other)
    game.is_shuffled = False
    game.save(update_fields=["is_shuffled"])
    note_change(game, Change.SWAPPED, now, {"seats": seats})
    tell_seats(game, now)


def _renumber(one: Player, other: Player) -> None:
    first, second = one.seat, other.seat
    for player, seat in ((one, _ASIDE), (other, first), (one, second)):
        # One by one: no two may have the same number at any moment.
        player.seat = seat
        player.save(update_fields=["seat"])


def seat_bots(game: Game, bot: str, now: datetime) -> None:
    """Fill the empty seats with bots, which starts the game, and tell it after commit. Invitations end.

    A game with one person alone is not rated then.
    """
    former: set[int] = set()
    free = [player for player in game.players.all() if player.user_id is None and not player.bot]
    if game.offers_sides and len(free) == 1:
        _take_better(game, free[0])
    for player in game.players.all():
        if player in free:
            former.update(key for key in (player.invitee_id,) if key is not None)
            player.access, player.invitee = Access.OPEN, None
            player.bot, player.bot_seed, player.joined_at = bot, any_seed(), now
            player.save(update_fields=["access", "invitee", "bot", "bot_seed", "joined_at"])
    if game.is_rated and sum(player.user_id is not None for player in game.players.all()) < 2:
        # As a table that is opened for one person and bots.
        game.is_rated = False
        game.save(update_fields=["is_rated"])
    with counters.together():
        tell_seats(game, now, tuple(sorted(former)))
        if not (free and await_side(game, now)):
            lifecycle.start_if_full(game, now)


def await_side(game: Game, now: datetime) -> bool:
    """Ask a job to choose a bot's side after commit, before the game begins; return whether there is one to choose.

    So it is at a full table whose host named the opening pieces and sits opposite a bot that can search. The bot has
    the better side by measured worth meanwhile, with which the game begins at `fill_at` if no job has chosen by then.
    """
    bot = bot_to_choose(game)
    if bot is None:
        return False
    game.fill_at, game.fill_bot = now + CHOOSES_FOR, bot.bot
    game.save(update_fields=["fill_at", "fill_bot"])
    events.publish(events.SideDue(game_id=game.pk))
    return True


def bot_to_choose(game: Game) -> Player | None:
    """Return the seat of the bot that is to choose its side at an open table, if one is (needs the players fetched)."""
    players = list(game.players.all())
    if game.status != Status.OPEN or not game.offers_sides or not all(player.is_taken for player in players):
        return None
    bots = [player for player in players if player.bot]
    searches = [player for player in bots if (found := offered_bots().get(player.bot)) and found.most_simulations]
    is_of_host = any(player.user_id == game.creator_id for player in players)
    return searches[0] if searches and len(bots) == 1 and is_of_host else None


def start_on_side(game: Game, bot: Player, seat: int, now: datetime) -> None:
    """Give the bot the seat that it has chosen at a full table, start the game, and tell it after commit."""
    if bot.seat != seat:
        _renumber(bot, next(each for each in game.players.all() if each is not bot))
    with counters.together():
        tell_seats(game, now)
        lifecycle.start_if_full(game, now, seen_since=now - CHOOSES_FOR)


def _take_better(game: Game, player: Player) -> None:
    """Give a bot that is to take this seat the better side, where the host, who sits opposite, named the pieces."""
    seat = better_seat(get_variant(game.variant))
    other = next(each for each in game.players.all() if each is not player)
    if player.seat != seat and other.user_id == game.creator_id:
        _renumber(player, other)


#: The number of a seat while another takes its own.
_ASIDE = 100


def _empty(player: Player) -> None:
    if player.access == Access.NAMED:
        player.access, player.invitee = Access.OPEN, None
    player.user = player.joined_at = player.unread_messages = None
    player.bot = player.bot_opening = ""
    player.bot_simulations = player.bot_seconds = None
    told = ["bot", "bot_opening", "bot_simulations", "bot_seconds"]
    player.save(update_fields=["access", "invitee", "user", "joined_at", "unread_messages", *told])


def tell_seats(game: Game, now: datetime, former: tuple[int, ...] = ()) -> None:
    """Save that the table's seats have changed and tell it after commit; `former` are the accounts that have left."""
    prefetch_related_objects([game], Prefetch("players", Player.objects.select_related("user", "invitee")))
    changes.grow(game, now, former)
    events.publish(events.SeatsChanged(**changes.about(game), former=former))


def _event(now: datetime) -> int:
    return int(now.timestamp() * 1000)


def cancel_table(game: Game, now: datetime, reason: str = "") -> None:
    """Give the open table up and tell it after commit. If it was a rematch, another may be asked for.

    `reason` is a value of `games.models.Reason` where the site does it.

    The finished game before it is locked, as `lock_before` does.
    """
    before = game.rematch_of
    with counters.together():
        # While it is still open: the lobby has to notice that it is not any more.
        changes.grow(game, now)
        game.status, game.reason, game.rematch_of = Status.CANCELLED, reason, None
        changes.stop_waiting(game)
        game.dropped_at = now + KEPT_CANCELLED
        game.save(
            update_fields=[
                *("status", "reason", "rematch_of", "expires_at", "is_listed", "fill_at", "fill_bot", "dropped_at")
            ]
        )
        # Not through the game, which would then have to read its players again.
        Player.objects.filter(game=game).update(is_going=False, unread_messages=None)
        for player in game.players.all():
            player.is_going, player.unread_messages = False, None
        changes.forget_channel(game)
        events.publish(events.GameCancelled(**changes.about(game)))
        if before is not None:
            changes.grow(before, now)
            events.publish(events.RematchCancelled(**changes.about(before)))
        told = changes.people_at(game) - (set() if reason else {game.creator_id})
        changes.record(game, Occasion.CANCELLED, told, now, other=None if reason else game.creator_id)


def lock_before(slug: str) -> None:
    """Lock the finished game that this table is a rematch of, if it is one: always the older of two games first."""
    if access.SLUG.fullmatch(slug):
        list(Game.objects.select_for_update(no_key=True, of=("self",)).filter(rematch__slug=slug))
