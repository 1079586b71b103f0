"""The days that players gave each other in a game and the holidays that count in it, as pages list them."""

from collections.abc import Iterable, Sequence

from games.pages.board.table import PlayerView
from games.values import GivenDay, HolidayFact
from games.words.happenings.gifts import away_line, day_line_of_move


def day_lines(days: Sequence[GivenDay], players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return a sentence for each of these days, the latest first: who gave it to whom, and for which move."""
    return tuple(
        day_line_of_move(_called(players[one.giver]), _called(players[one.seat]), one.move) for one in days[::-1]
    )


def holiday_lines(holidays: Iterable[HolidayFact], players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return a sentence for each of these holidays, the latest first."""
    latest_first = sorted(holidays, key=lambda one: one.begins_at, reverse=True)
    return tuple(away_line(_called(players[one.seat]), one.begins_at, one.ends_at) for one in latest_first)


def _called(player: PlayerView) -> str:
    return "" if player.is_you else player.name
