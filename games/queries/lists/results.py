"""How bots, and people who followed a named opening, have fared in finished games."""

from collections.abc import Mapping

from games.models import BotRecord, OpeningRecord, Player
from games.queries.people.seated import load_players


def bot_record(bot: str) -> BotRecord:
    """Return the results of a bot by its stored name; those of one that has not played are 0. One query."""
    return BotRecord.objects.filter(pk=bot).first() or BotRecord(bot=bot)


def opening_records() -> Mapping[str, OpeningRecord]:
    """Return by key the results of every opening that was played. One query."""
    return OpeningRecord.objects.in_bulk()


def opening_record(key: str) -> OpeningRecord:
    """Return the results of the opening of this key; those of one that was never played are 0. One query."""
    return OpeningRecord.objects.filter(pk=key).first() or OpeningRecord(opening=key)


def latest_openers(key: str, number: int) -> list[Player]:
    """Return the people's seats that opened so in the latest public games, with everybody who played in these.

    Of the latest `number` seats the games are taken. Three queries, one where there are none.
    """
    seats = Player.objects.filter(opening=key, user__isnull=False, ended_at__isnull=False, is_public=True)
    latest = list(seats.select_related("game").order_by("-ended_at", "-game_id")[:number])
    games = {seat.game_id: seat.game for seat in latest}
    load_players(list(games.values()))
    return [
        player
        for game in games.values()
        for player in game.players.all()
        if player.opening == key and player.user_id is not None
    ]
