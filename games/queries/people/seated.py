"""Who sits at many games at once."""

from collections.abc import Sequence

from django.db.models import prefetch_related_objects

from accounts.models import User
from games.models import Game


def load_players(games: Sequence[Game]) -> None:
    """Fetch the players of all these games, and their users, in two queries: each person is read once."""
    prefetch_related_objects(list(games), "players")
    seats = [player for game in games for player in game.players.all()]
    people = User.objects.in_bulk({pk for seat in seats for pk in (seat.user_id, seat.invitee_id) if pk is not None})
    for seat in seats:
        seat.user, seat.invitee = people.get(seat.user_id or 0), people.get(seat.invitee_id or 0)


def load_hosts(games: Sequence[Game]) -> None:
    """Give each game its creator (needs the players' users fetched). One query, none where all of them have seats."""
    hosts = {player.user.pk: player.user for game in games for player in game.players.all() if player.user}
    hosts |= User.objects.in_bulk({game.creator_id for game in games} - hosts.keys())
    for game in games:
        game.creator = hosts[game.creator_id]
