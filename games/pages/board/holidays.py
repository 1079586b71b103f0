"""The holidays that count in a game, as pages list them."""

from collections.abc import Iterable, Sequence

from games.pages.board.table import PlayerView
from games.values import HolidayFact
from games.words.happenings.gifts import away_line


def holiday_lines(holidays: Iterable[HolidayFact], players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return a sentence for each of these holidays, the latest first."""
    latest_first = sorted(holidays, key=lambda one: one.begins_at, reverse=True)
    return tuple(away_line(_called(players[one.seat]), one.begins_at, one.ends_at) for one in latest_first)


def _called(player: PlayerView) -> str:
    return "" if player.is_you else player.name
