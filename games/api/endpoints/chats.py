"""The chat to which the news of a game are posted."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import limits
from accounts.doors import person
from games.actions.people.set_chat import remove_chat as _remove_chat
from games.actions.people.set_chat import set_chat as _set_chat
from games.api.door import CHATTING
from games.api.endpoints.answers import responses, router
from games.api.hosting import ChatWish
from games.table.counting import WEBHOOKS_AN_HOUR


@router.post(
    "games/{slug}/webhook",
    auth=CHATTING,
    response=responses(None, 404, 409),
    url_name="api-game-webhook",
    tags=["tables"],
)
def set_chat(request: HttpRequest, slug: str, wish: ChatWish) -> HttpResponse:
    """Have the news of a game that you play in posted to your group's chat, by the address of its webhook."""
    user = person(request)
    limits.count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    _set_chat(user, slug, wish.address.strip(), now=timezone.now())
    return HttpResponse(status=204)


@router.post(
    "games/{slug}/webhook/stop",
    auth=CHATTING,
    response=responses(None, 404),
    url_name="api-game-webhook-stop",
    tags=["tables"],
)
def remove_chat(request: HttpRequest, slug: str) -> HttpResponse:
    """Post nothing about the game any more; every player at the table may end it."""
    user = person(request)
    limits.count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    _remove_chat(user, slug)
    return HttpResponse(status=204)
