"""The rows of finished games."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from accounts.models import User
from games.base.apart import apart_from
from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.queries.people.seated import load_players
from games.queries.tables.repeating import games_to_repeat

if TYPE_CHECKING:
    from games.models import Player


def finished_rows(user_id: int | None, seats: "list[Player]", *, is_mine: bool = True) -> Sequence[GameCard]:
    """Return the rows of these seats' games as this person, or another one, sees them (two queries)."""
    load_players([seat.game for seat in seats])
    return tuple(cards.finished_card(seat.game, user_id, is_mine=is_mine) for seat in seats)


def own_finished_rows(user: User, seats: "list[Player]") -> Sequence[GameCard]:
    """Return the rows of this person's own finished games, which can be played again by the same group.

    Two queries, and those of `games_to_repeat` and `apart_from`.
    """
    games = [seat.game for seat in seats]
    load_players(games)
    again = games_to_repeat(user, games, apart_from(user))
    return tuple(cards.finished_card(game, user.pk, may_repeat=game.pk in again) for game in games)
