"""Note a person's quiet hours in the games they play."""

from datetime import datetime

from django.db import transaction

from games.base import access
from games.models import Game, Player, Status
from games.table import moves


@transaction.atomic
def keep_quiet_hours(user_id: int, *, now: datetime | None = None) -> None:
    """Note what the person's quiet hours are from their next turn on, in every running game whose clocks stand still.

    The turn that runs keeps its deadline. Games are locked from old to new, after the person.
    """
    seated = Player.objects.filter(user=user_id, is_going=True, retired="").order_by().values("game")
    running = Game.objects.filter(pk__in=seated, status=Status.RUNNING).order_by("pk")
    for slug in list(running.values_list("slug", flat=True)):
        _note(slug, user_id, moves.moment(now))


def _note(slug: str, user_id: int, now: datetime) -> None:
    game = access.game_to_close(slug)
    player = next(player for player in game.players.all() if player.user_id == user_id)
    if game.turn_since is None or not game.time_control.allows_rests:
        return
    # Another server's clock may be ahead: what is changed during a turn never counts for it.
    at = max(now, game.turn_since)
    if player.note_quiet_hours(at, game.turn_since):
        player.save(update_fields=["quiet_hours"])
