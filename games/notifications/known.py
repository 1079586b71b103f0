"""What a player knows already, or is about to be told: of one turn no two messages go by one channel."""

from datetime import datetime

from games.models import Move, Notification, Occasion, Player
from games.notifications.channels.base import Channel
from games.notifications.kinds import wants
from games.notifications.looking import looking_at
from games.queries.turns import next_number


def knows_turn(player: Player, number: int, now: datetime) -> bool:
    """Whether the player looks at the game, has just moved, or has been notified of this very turn.

    A turn can change its number: another seat's retirement takes one.
    """
    if player.user_id in looking_at(player.game_id, now):
        return True
    last = Move.objects.filter(game=player.game, is_automatic=False).last()
    if last is not None and last.seat == player.seat:
        return True
    earlier = Notification.objects.filter(user=player.user_id, game=player.game, occasion=Occasion.TURN)
    return earlier.filter(created_at__gte=player.game.turn_since).exclude(event=number).exists()


def is_told_by_turn(resumed: Notification, channel: Channel, now: datetime) -> bool:
    """Return whether the notice of the person's own turn says by this channel that a pause is over, in its stead.

    That notice may be stored already, or be about to. A turn of which they were notified before the pause has no other.
    """
    game = resumed.game
    if game.turn_user_id != resumed.user_id or not wants(resumed.user, Occasion.TURN, channel.name):
        return False
    turns = Notification.objects.filter(user=resumed.user_id, game=game, occasion=Occasion.TURN)
    if turns.filter(created_at__gte=resumed.created_at).exists():
        return True
    number = next_number(game)
    if not game.is_notice_due or turns.filter(event=number).exists():
        return False
    return not knows_turn(next(one for one in game.players.all() if one.seat == game.turn_seat), number, now)
