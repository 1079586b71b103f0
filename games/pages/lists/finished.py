"""The rows of finished games."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.queries.people.seated import load_players

if TYPE_CHECKING:
    from games.models import Player


def finished_rows(user_id: int | None, seats: "list[Player]", *, is_mine: bool = True) -> Sequence[GameCard]:
    """Return the rows of these seats' games as this person, or another one, sees them (two queries)."""
    load_players([seat.game for seat in seats])
    return tuple(cards.finished_card(seat.game, user_id, is_mine=is_mine) for seat in seats)
