"""What every visible change of a table grows and tells: version, lists, notices, posts and events."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from games import events
from games.base import counters
from games.models import Access, ChannelPost, Game, GameChannel, ListVersion, Notification, Occasion, Player, Status
from games.queries.tables.turns import is_turn_planned, next_number

#: An open table is cancelled when no one has joined or left it for so long.
OPEN_FOR = timedelta(days=14)


def users_of(game: Game) -> tuple[int, ...]:
    """Return the accounts whose lists the game is in: seated, invited, or its creator."""
    seats = (pk for player in game.players.all() for pk in (player.user_id, player.invitee_id))
    return tuple(sorted({game.creator_id, *(pk for pk in seats if pk is not None)}))


def lists_of(game: Game) -> set[int]:
    """Return the owners of the lists that the game is in: its people, its group, the lobby while it waits in public."""
    is_listed = game.is_public and game.status == Status.OPEN
    groups = [] if game.group_id is None else [ListVersion.of_group(game.group_id)]
    return {*users_of(game), *groups, *([ListVersion.LOBBY] if is_listed else [])}


def about(game: Game) -> events.About:
    """Return what every event says about its game."""
    return {
        "game_id": game.pk,
        "slug": game.slug,
        "version": game.version,
        "is_public": game.is_public,
        "users": users_of(game),
        "group": game.group_id,
    }


def due_turn(game: Game) -> events.DueTurn | None:
    """Return the turn that is due in a game and who takes it, None while no one is to move or its bots are paused."""
    player = next((player for player in game.players.all() if player.seat == game.turn_seat), None)
    if player is None or game.is_paused:
        return None
    bot = player.bot or (game.absent_bot if player.is_away else "")
    number = next_number(game)
    return events.DueTurn(player.pk, number, bot, game.bot_pause, is_turn_planned(game, player))


def grow(game: Game, now: datetime, former: Iterable[int] = ()) -> None:
    """Save that something visible has changed: the next version of the game and of the lists it is in.

    `former` are the accounts that have just left it.
    """
    game.version += 1
    game.changed_at = now
    keep_waiting(game, game.players.all(), now)
    game.save(update_fields=["version", "changed_at", "expires_at", "is_listed"])
    counters.touch({*lists_of(game), *former})


def keep_waiting(game: Game, players: Iterable[Player], now: datetime) -> None:
    """Work out how long an open table waits from now on, and whether the lobby shows it: a seat is free for anyone."""
    if game.status == Status.OPEN:
        game.expires_at = now + OPEN_FOR
        game.is_listed = game.is_public and any(map(_is_for_anyone, players))


def stop_waiting(game: Game) -> None:
    """Note that a table has started or was cancelled."""
    game.expires_at, game.is_listed = None, False
    game.fill_at, game.fill_bot = None, ""


def _is_for_anyone(player: Player) -> bool:
    return not player.is_taken and player.access == Access.OPEN


def record(
    game: Game,
    occasion: Occasion,
    people: Iterable[int],
    now: datetime,
    *,
    event: int = 0,
    other: int | None = None,
    detail: str = "",
) -> None:
    """Store what these people are to be notified of, and tell it after commit. One insert, none for no one.

    Of a table on one device no one is.

    `event` tells one such event of the game from the next, `other` is the person who caused it, `detail` is a code of
    what is said beside.
    """
    if game.is_on_one_device:
        # All who play are where it is played.
        return
    if Notification.objects.record(occasion, game, people, now, event=event, other=other, detail=detail):
        events.publish(events.NoticesRecorded(game_id=game.pk))


def post_turn(game: Game, now: datetime) -> None:
    """Store that the game's channel is to hear whose turn it is, if it is a person's."""
    if game.turn_user_id is not None:
        post_occasion(game, Occasion.TURN, now, event=next_number(game))


def post_occasion(game: Game, occasion: Occasion, now: datetime, event: int = 0) -> None:
    """Store that the game's channel is to hear of it, and tell it after commit. No query without one."""
    if game.is_posted:
        ChannelPost.objects.record(game, people_at(game), occasion, event, now)
        events.publish(events.PostsRecorded(game_id=game.pk))


def post_now(game: Game, now: datetime) -> None:
    """Store that the game's channel is to hear how a running game stands, if no one is waited for any more."""
    if game.status == Status.RUNNING:
        if game.move_count == game.given_moves:
            post_occasion(game, Occasion.STARTED, now)
        post_turn(game, now)


def ask_about_channel(game: Game, people: Collection[int], now: datetime) -> None:
    """Notify those of these people who have yet to agree to the game's channel, each once. No query without a channel.

    Where it is the channel of a group, and one of them has said no to that for all tables, the game has none any more.
    """
    channel = GameChannel.objects.filter(game=game).select_related("group_channel").first() if game.is_posted else None
    if channel is None:
        return
    if channel.group_channel is not None and not {*people}.isdisjoint(channel.group_channel.refused):
        forget_channel(game)
    else:
        asked = [person.pk for person in channel.waits_for(people)]
        record(game, Occasion.POSTING, asked, now, other=None if channel.group_channel_id else channel.owner_id)


def tell_of_channel(game: Game, now: datetime) -> None:
    """Save that the channel of a game, or who has agreed to it, has changed, and tell it after commit."""
    grow(game, now)
    events.publish(events.ChannelChanged(**about(game)))


def tell_of_message(game: Game, now: datetime) -> None:
    """Save that something was said at the table, and tell it after commit.

    A move names its number and not this version, so nobody's move is refused. What is said keeps no table open for
    longer, and is no news for the lobby: a game that is over keeps its place among those that ended lately.
    """
    game.version += 1
    if game.status != Status.FINISHED:
        game.changed_at = now
    game.save(update_fields=["version", "changed_at"])
    counters.touch(users_of(game))
    events.publish(events.MessageSent(**about(game)))


def tell_pages(game: Game) -> None:
    """Save that something was said that no list shows, and tell the game's pages after commit: among those who watch,
    or by a reaction.
    """
    game.version += 1
    game.save(update_fields=["version"])
    facts: events.About = {**about(game), "users": ()}
    events.publish(events.MessageSent(**facts))


def forget_channel(game: Game, owner: int | None = None) -> None:
    """Post nothing about a game any more, or nothing to the address that one person has set for it.

    No query without a channel.
    """
    if game.is_posted:
        channels = GameChannel.objects.filter(game=game)
        (channels if owner is None else channels.filter(owner=owner, group_channel=None)).delete()
        game.is_posted = owner is not None and channels.exists()
        game.save(update_fields=["is_posted"])


def people_at(game: Game) -> set[int]:
    """Return the people at a table: those who sit there, and the one who opened it."""
    return {game.creator_id, *people_seated(game.players.all())}


def people_seated(players: Iterable[Player]) -> set[int]:
    """Return the accounts of those of these players who are people."""
    return {player.user_id for player in players if player.user_id is not None}
