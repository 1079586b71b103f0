"""The people who wait for background jobs."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from games.models import DailyDigest, Delivery, Game, Player, PushSubscription, Review, Webhook, WebhookPost


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


def people_of_deliveries(deliveries: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by message about a game to whom it goes. One query, none for none."""
    rows = Delivery.objects.filter(pk__in=deliveries) if deliveries else Delivery.objects.none()
    return _by_key(rows.values_list("pk", "notification__user"))


def people_of_digests(digests: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by summary to whom it goes. One query, none for none."""
    rows = DailyDigest.objects.filter(pk__in=digests) if digests else DailyDigest.objects.none()
    return _by_key(rows.values_list("pk", "user"))


def people_of_posts(posts: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by message to a chat who has set its address. One query, none for none."""
    rows = WebhookPost.objects.filter(pk__in=posts) if posts else WebhookPost.objects.none()
    return _by_key(rows.values_list("pk", "webhook__owner"))


def people_of_webhooks(webhooks: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by webhook of a table who has set its address. One query, none for none."""
    rows = Webhook.objects.filter(pk__in=webhooks) if webhooks else Webhook.objects.none()
    return _by_key(rows.values_list("pk", "owner"))


def people_of_devices(devices: Collection[int]) -> dict[int, frozenset[int]]:
    """Return by device whose it is. One query, none for none."""
    rows = PushSubscription.objects.filter(pk__in=devices) if devices else PushSubscription.objects.none()
    return _by_key(rows.values_list("pk", "user"))


def _by_key(pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    return {key: frozenset([user]) for key, user in pairs}
