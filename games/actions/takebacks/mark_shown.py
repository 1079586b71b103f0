"""Note that a person is shown games: who has just placed in one can take nothing back alone any more."""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from django.utils import timezone

from games.models import Game
from games.models.reading import noting_reads
from games.queries.play.takebacks import hidden_until

Shown = TypeVar("Shown")

#: So often is read again what has changed meanwhile; whoever is that unlucky is shown it as it is.
READINGS = 3


def mark_shown(person: int | None, games: Iterable[Game], *, now: datetime) -> bool:
    """Note that a person, None for a visitor, is shown these games as they were read. A query for each new move.

    Return False if one of those moves may have been taken back since: then the games are to be read again. At the same
    instant either this is written or the move is taken back, whichever comes first at the row of the game.
    """
    fresh = {game.pk: game.alone_until for game in games if hidden_until(game, person, now)}
    # One by one, so that no two rows are ever locked by one statement in an order of its own.
    count = 0
    for pk, until in sorted(fresh.items()):
        count += Game.objects.filter(pk=pk, alone_until=until).update(alone_until=None, alone_person=None)
    return count == len(fresh)


def show_to(
    read: Callable[[], Shown],
    person: Callable[[], int | None],
    *,
    is_shown: Callable[[Shown], bool] = lambda _shown: True,
    readings: int = READINGS,
) -> Shown:
    """Return what `read` makes of games for a person, and note that this person is shown them (`mark_shown`).

    What shows a move that has been taken back meanwhile is read again, up to so many times. `person` is asked only
    where a game was read that has a new move; `is_shown` says whether the answer shows anything.
    """
    while True:
        with noting_reads() as games:
            shown = read()
        readings -= 1
        if not (games and is_shown(shown)) or mark_shown(person(), games, now=timezone.now()) or readings < 1:
            return shown
