"""The chat to which the news of a game are posted."""

from django.http import HttpRequest
from django.utils import timezone

from accounts import limits
from accounts.doors import person
from games.actions.people.agree_to_chat import agree_to_chat as _agree_to_chat
from games.actions.people.set_chat import remove_chat as _remove_chat
from games.actions.people.set_chat import set_chat as _set_chat
from games.api.door import CHATTING
from games.api.endpoints.answers import doing, responses, router
from games.api.hosting import ChatAnswer, ChatOut, ChatWish
from games.base import access
from games.table.counting import WEBHOOKS_AN_HOUR


@router.get(
    "games/{slug}/webhook",
    auth=CHATTING,
    response=responses(ChatOut, 404),
    url_name="api-game-webhook",
    tags=["tables"],
)
def show_chat(request: HttpRequest, slug: str) -> ChatOut:
    """Show the chat to which a game that you play in is to be posted, and who has yet to agree."""
    game = access.game_to_view(person(request), slug)
    access.check_member(person(request), game)
    return ChatOut.of(game)


@doing("games/{slug}/webhook", "api-game-webhook", CHATTING, "tables", 409)
def set_chat(request: HttpRequest, slug: str, wish: ChatWish) -> None:
    """Have the news of a game that you play in posted to your group's chat, by the address of its webhook.

    Nothing is posted before all the people at the table have agreed.
    """
    user = person(request)
    limits.count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    _set_chat(user, slug, wish.address.strip(), now=timezone.now())


@doing("games/{slug}/webhook/agree", "api-game-webhook-agree", CHATTING, "tables", 409)
def agree_to_chat(request: HttpRequest, slug: str, answer: ChatAnswer) -> None:
    """Agree that a game that you play in is posted to this chat; it begins when all have agreed."""
    user = person(request)
    limits.count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    _agree_to_chat(user, slug, chat=answer.chat, now=timezone.now())


@doing("games/{slug}/webhook/stop", "api-game-webhook-stop", CHATTING, "tables")
def remove_chat(request: HttpRequest, slug: str) -> None:
    """Post nothing about the game: every player at the table may say no, before the first message or later."""
    user = person(request)
    limits.count_use(f"webhook:{user.pk}", WEBHOOKS_AN_HOUR, 3600)
    _remove_chat(user, slug, now=timezone.now())
