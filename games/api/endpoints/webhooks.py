"""Webhooks: a program hears what happens without asking, and without a line that stays open."""

from django.http import HttpRequest
from django.utils import timezone

from accounts import limits
from accounts.doors import person
from games.actions.notices.add_webhook import NO_WEBHOOK
from games.actions.notices.add_webhook import add_webhook as _add_webhook
from games.actions.notices.add_webhook import remove_webhook as _remove_webhook
from games.api.door import SENDING
from games.api.endpoints.answers import doing, responses, router
from games.api.webhooks import NewWebhook, WebhookOut, WebhookRequest
from games.errors import NotFound
from games.queries.notices.webhooks import receiver_of_token, receivers_of_token
from games.table.counting import RECEIVER_TESTS_AN_HOUR, RECEIVERS_AN_HOUR, payer_of
from games.tasks import enqueue_test_event


@router.get("webhooks", auth=SENDING, response=responses(list[WebhookOut]), url_name="api-webhooks", tags=["webhooks"])
def list_webhooks(request: HttpRequest) -> list[WebhookOut]:
    """List the webhooks that were set up with this token."""
    return [WebhookOut.of(each) for each in receivers_of_token(request.auth.pk)]  # type: ignore[attr-defined]


@router.post("webhooks", auth=SENDING, response=responses(NewWebhook, 409), url_name="api-webhooks", tags=["webhooks"])
def add_webhook(request: HttpRequest, wish: WebhookRequest) -> NewWebhook:
    """Send what happens in your games to an address from now on. The webhook is deleted with the token.

    The answer holds the secret that signs what is sent; it is not shown again.
    """
    user = person(request)
    limits.count_use(f"receivers:{payer_of(user)}", RECEIVERS_AN_HOUR, 3600)
    token: int = request.auth.pk  # type: ignore[attr-defined]
    return NewWebhook.of(_add_webhook(user, wish.address.strip(), token=token, now=timezone.now()))


@doing("webhooks/{webhook}/delete", "api-webhook-delete", SENDING, "webhooks")
def remove_webhook(request: HttpRequest, webhook: int) -> None:
    """Send nothing any more to a webhook that was set up with this token."""
    token: int = request.auth.pk  # type: ignore[attr-defined]
    if not _remove_webhook(person(request), webhook, token=token):
        raise NotFound(NO_WEBHOOK)


@doing("webhooks/{webhook}/test", "api-webhook-test", SENDING, "webhooks")
def try_webhook(request: HttpRequest, webhook: int) -> None:
    """Send a message of the type `test`; the list says how it went. If it is accepted, the webhook is on again."""
    found = receiver_of_token(request.auth.pk, webhook)  # type: ignore[attr-defined]
    if found is None:
        raise NotFound(NO_WEBHOOK)
    limits.count_use(f"receiver-test:{payer_of(person(request))}", RECEIVER_TESTS_AN_HOUR, 3600)
    enqueue_test_event(found.pk)
