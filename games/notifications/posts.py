"""Posting to a table's channel what happens in its game: Discord, Slack, and what takes the same bodies (Matrix)."""

import json
import logging
import re
from datetime import datetime
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.db.models import Prefetch
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.outbox import Outbox, write_down
from games import events
from games.base.positions import placed_by_seat
from games.models import ChannelPost, Game, GameChannel, GroupChannel, Notification, Occasion, Player, Status
from games.notifications.messages import as_read_by
from games.notifications.outgoing import RETRY_PAUSES, ServiceAnswer, is_given_up, post_json
from games.queries.play.takebacks import hidden_until
from games.queries.tables.turns import next_number
from games.words.names import game_title, names_by_seat, variant_name
from games.words.sentences import colour, listed, placed_text

logger = logging.getLogger(__name__)

POST_OUTBOX = Outbox(ChannelPost, *RETRY_PAUSES)

#: Hosts whose channels read Discord's bodies, and Slack's; all others are sent what Slack reads, which most understand.
DISCORD, SLACK = ("discord.com", "discordapp.com"), ("slack.com",)


def deliver_post(post_id: int, tries: int, *, now: datetime) -> bool:
    """Post a message of which that many tries have begun, if it is still news; return whether it was taken now.

    Safe to repeat and to run twice at once: the worker that counts the try posts. Only a worker killed between posting
    and writing that down leads to a second message.
    """
    players = Prefetch("channel__game__players", Player.objects.select_related("user", "invitee"))
    post = (
        POST_OUTBOX.find(post_id, tries)
        .select_related("channel__game", "channel__owner", "channel__group_channel")
        .prefetch_related(players)
        .first()
    )
    if post is None:
        return False
    channel = post.channel
    # A move that its player can still take back alone is no news yet.
    if until := hidden_until(channel.game, None, now):
        POST_OUTBOX.put_off(post_id, tries, until)
        return False
    if not POST_OUTBOX.claim(post_id, tries, now):
        return False
    if not _is_news(post, channel.game):
        POST_OUTBOX.close(post_id)
        return False
    with as_read_by(channel.owner):
        text = channel_text if channel.group_channel_id else post_text
        answer = _hand_over(channel, text(channel.game, post.occasion), now)
    _settle(post, answer, now)
    return answer.is_taken


def send_test_post(channel_id: int) -> bool:
    """Post a message that shows whether messages arrive, and tells of no game; return whether the channel took it."""
    channel = GameChannel.objects.filter(pk=channel_id).select_related("owner").first()
    if channel is None:
        return False
    with as_read_by(channel.owner):
        text = gettext("Messages about your game will arrive here.")
        return _hand_over(channel, text, timezone.now()).is_taken


def _is_news(post: ChannelPost, game: Game) -> bool:
    if post.channel.stopped_at is not None:
        return False
    if post.occasion == Occasion.TURN:
        return game.status == Status.RUNNING and next_number(game) == post.event
    # A table of a group may have filled, or been cancelled, before its post.
    return post.occasion != Occasion.GROUP_TABLE or game.status == Status.OPEN


def _hand_over(channel: GameChannel, text: str, now: datetime) -> ServiceAnswer:
    headers = {"Content-Type": "application/json; charset=utf-8"}
    answer = post_json(channel.address, body_of(channel.address, text), headers, now=now, unreachable=410)
    write_down(partial(GameChannel.objects.filter(pk=channel.pk).update, answer=answer.status, answered_at=now))
    return answer


@transaction.atomic
def _settle(post: ChannelPost, answer: ServiceAnswer, now: datetime) -> None:
    """Write down how a try went; what goes on failing is given up, and after the last message the address goes."""
    channel = post.channel
    failing_since = channel.failing_since or now
    if answer.is_taken:
        write_down(partial(POST_OUTBOX.close, post.pk, now))
        GameChannel.objects.filter(pk=channel.pk).update(failing_since=None)
    elif answer.is_gone or is_given_up(failing_since, now):
        _give_up(channel, now)
    else:
        logger.warning("A channel answered %s to a message; it is tried again.", answer.status or "nothing")
        GameChannel.objects.filter(pk=channel.pk).update(failing_since=failing_since)
        POST_OUTBOX.put_off(post.pk, post.tries + 1, now + max(POST_OUTBOX.pause_after(post.tries), answer.rest))
        return
    if post.occasion == Occasion.OVER:
        Game.objects.filter(pk=channel.game_id).update(is_posted=False)
        channel.delete()


def _give_up(channel: GameChannel, now: datetime) -> None:
    """Post nothing any more, and notify the person who has set the address. The channel of a group gets no more."""
    GroupChannel.objects.filter(game_channels=channel, stopped_at=None).update(stopped_at=now)
    GameChannel.objects.filter(pk=channel.pk).update(stopped_at=now)
    ChannelPost.objects.filter(channel=channel, due_at__isnull=False).update(due_at=None)
    Notification.objects.record(Occasion.CHANNEL_STOPPED, channel.game, [channel.owner_id], now, event=channel.pk)
    events.publish(events.NoticesRecorded(game_id=channel.game_id))


def body_of(address: str, text: str) -> bytes:
    """Return the body of a post to a channel: JSON. Nothing in the text mentions anyone or links to elsewhere."""
    host = urlsplit(address).hostname or ""
    if _is_at(host, DISCORD):
        # What Discord would make bold, a link or a mention of is escaped, so that it stays as it is.
        lines = [
            line if line.startswith("http") else re.sub(r"([\\*_~`|>\[\]()#@<:-])", r"\\\1", line)
            for line in text.splitlines()
        ]
        return json.dumps({"content": "\n".join(lines), "allowed_mentions": {"parse": []}}).encode()
    if _is_at(host, SLACK):
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return json.dumps({"text": text}).encode()


def _is_at(host: str, sites: tuple[str, ...]) -> bool:
    return any(host == site or host.endswith(f".{site}") for site in sites)


def post_text(game: Game, occasion: str) -> str:
    """Return what is posted of a game, the link in the last line. Of a private game no one's name, and no table's."""
    title = (game.name or game_title(game, None)) if game.is_public else variant_name(game.variant)
    if occasion == Occasion.OVER:
        line = gettext("Game over: %(title)s") % {"title": title}
    elif occasion == Occasion.STARTED:
        line = gettext("Game started: %(title)s") % {"title": title}
    else:
        line = gettext("%(player)s to play: %(title)s") % {"player": _mover(game), "title": title}
    return f"{line}\n{settings.PUBLIC_URL}{reverse('game', args=[game.slug])}"


def channel_text(game: Game, occasion: str) -> str:
    """Return what the channel of a group is told of a table: that it waits, or who played and how much each placed.

    All who have played have agreed to that.
    """
    if occasion == Occasion.OVER:
        called = names_by_seat(game.players.all())
        players = sorted(game.players.all(), key=lambda player: (player.place or len(called), player.seat))
        cells = placed_by_seat(game)
        told = [
            gettext("%(name)s %(score)s") % {"name": called[player.seat], "score": placed_text(*cells[player.seat])}
            for player in players
        ]
        values = {"title": variant_name(game.variant), "listed": listed(told)}
        line = gettext("Game over: %(title)s. %(listed)s.") % values
    else:
        line = gettext("A table is open: %(title)s") % {"title": variant_name(game.variant)}
    return f"{line}\n{settings.PUBLIC_URL}{reverse('game', args=[game.slug])}"


def _mover(game: Game) -> str:
    called = names_by_seat(game.players.all())
    if not game.is_public or game.turn_seat not in called:
        return colour(game.turn_colour)
    return called[game.turn_seat]
