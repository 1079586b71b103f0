"""Webhooks of tables, and the messages that wait for them."""

from datetime import datetime

from games.models import Webhook, WebhookPost


def webhook_of(game_id: int) -> Webhook | None:
    """Return the webhook of a game with its owner, None if it has none. One query."""
    return Webhook.objects.filter(game=game_id).select_related("owner").first()


def posts_of(game_id: int) -> list[tuple[int, int]]:
    """Return each message about a game that waits to be sent, and how many tries have begun. One query."""
    waiting = WebhookPost.objects.filter(webhook__game=game_id, due_at__isnull=False, tries=0)
    return list(waiting.order_by("pk").values_list("pk", "tries"))


def posts_due(before: datetime) -> set[tuple[int, int]]:
    """Return each message that should have been sent before a moment, and how many tries have begun. One query."""
    return set(WebhookPost.objects.filter(due_at__lt=before).values_list("pk", "tries"))
