"""Keep the placements that a worker has found for a player."""

from collections.abc import Sequence

from games.findings import RatedPlacement
from games.models import Advice


def keep_advice(player_id: int, number: int, choices: Sequence[RatedPlacement]) -> bool:
    """Keep what was found for that move; return False if meanwhile something else was asked for. One query.

    No choices say that nothing could be found.
    """
    asked = Advice.objects.filter(player=player_id, number=number, choices__isnull=True)
    return bool(asked.update(choices=[choice.to_json() for choice in choices]))
