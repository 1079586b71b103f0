"""The people who wait for background jobs."""

from collections import defaultdict
from collections.abc import Collection

from games.models import Game, Player, Review


def people_of_games(games: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by game the users who sit in it, or who opened it where only bots sit. Two queries at most."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    seated = Player.objects.filter(game__in=games, user__isnull=False, retired="").order_by()
    for game, user in seated.values_list("game_id", "user_id") if games else ():
        found[game].add(user)
    rest = {*games} - {*found}
    for game, user in Game.objects.filter(pk__in=rest).values_list("pk", "creator_id") if rest else ():
        found[game].add(user)
    return {game: frozenset(users) for game, users in found.items()}


def people_of_seats(players: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by player who sits in the seat. One query, none for none."""
    rows = Player.objects.filter(pk__in=players, user__isnull=False).order_by() if players else Player.objects.none()
    return {player: frozenset([user]) for player, user in rows.values_list("pk", "user_id")}


def people_of_reviews(reviews: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by review who asked for it. One query, none for none."""
    rows = Review.objects.filter(pk__in=reviews, asked_by__isnull=False) if reviews else Review.objects.none()
    return {review: frozenset([user]) for review, user in rows.values_list("pk", "asked_by_id")}
