"""The pause on which the people at a table agree: who has asked, who has still to agree, and what a viewer may do."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from games.models import MOST_PAUSES, Game, Player, Status


@dataclass(frozen=True, kw_only=True)
class PauseState:
    """A pause of a game of people as one viewer sees it: none, asked for, or begun.

    `request` is the version at which it was asked for, 0 where it is not, and `wanted_by` are the seats that want it,
    the one that has asked first; `waits_for` have still to agree. `ends_at` is there once it has begun: when it ends at
    the latest. Those who may ask are refused by none but the others (`is_alone` says that there are none).
    """

    request: int
    wanted_by: tuple[int, ...]
    waits_for: tuple[int, ...]
    ends_at: datetime | None
    is_alone: bool
    can_ask: bool = False
    can_agree: bool = False
    can_drop: bool = False
    can_end: bool = False

    @property
    def is_on(self) -> bool:
        """Return whether the game is paused."""
        return self.ends_at is not None


def still_to_agree(game: Game, wanting: Collection[int], free: Collection[int]) -> tuple[int, ...]:
    """Return the seats of people without whom no pause begins; `free` are those who have left or are away.

    At one device people agree by word of mouth.
    """
    if game.is_on_one_device:
        return ()
    people = (player.seat for player in game.players.all() if player.user_id is not None)
    return tuple(seat for seat in people if seat not in wanting and seat not in free)


def pause_state(game: Game, me: Player | None) -> PauseState:
    """Return how it stands for the player in a seat, None for a spectator (needs the players fetched)."""
    asked = game.asked_pause
    wanted_by = asked.seats if asked else ()
    free = [player.seat for player in game.players.all() if player.retired or player.is_away]
    seen = PauseState(
        request=asked.version if asked else 0,
        wanted_by=wanted_by,
        waits_for=still_to_agree(game, wanted_by, free) if asked else (),
        ends_at=game.pause_ends_at,
        is_alone=me is not None and not still_to_agree(game, [me.seat], free),
    )
    if me is None or me.retired or game.status != Status.RUNNING:
        return seen
    return _as_player(seen, game, me.seat)


def _as_player(seen: PauseState, game: Game, seat: int) -> PauseState:
    """Return the state with what a player in the running game may do."""
    is_on, is_asked = game.paused_since is not None, bool(seen.wanted_by)
    return replace(
        seen,
        can_ask=not is_on and not is_asked and len(game.pauses) < MOST_PAUSES,
        can_agree=is_asked and seat not in seen.wanted_by,
        can_drop=is_asked,
        can_end=is_on,
    )
