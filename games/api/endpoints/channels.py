"""The channel to which the news of a game are posted, once all at the table agree."""

from django.http import HttpRequest
from django.utils import timezone

from accounts.doors import person
from games.actions.notices.agree_to_channel import agree_to_channel as _agree_to_channel
from games.actions.notices.set_game_channel import remove_game_channel as _remove_game_channel
from games.actions.notices.set_game_channel import set_game_channel as _set_game_channel
from games.api.door import POSTING
from games.api.endpoints.answers import doing, responses, router
from games.api.hosting import ChannelAnswer, ChannelOut, ChannelRequest
from games.base import access
from games.table.counting import count_channel


@router.get(
    "games/{slug}/webhook",
    auth=POSTING,
    response=responses(ChannelOut, 404),
    url_name="api-game-webhook",
    tags=["tables"],
)
def show_game_channel(request: HttpRequest, slug: str) -> ChannelOut:
    """Show the channel to which a game that you play in is to be posted, and who has yet to agree."""
    game = access.game_to_view(person(request), slug)
    access.check_member(person(request), game)
    return ChannelOut.of(game)


@doing("games/{slug}/webhook", "api-game-webhook", POSTING, "tables", 409)
def set_game_channel(request: HttpRequest, slug: str, wish: ChannelRequest) -> None:
    """Post the news of a game that you play in to your group's channel, by the address of its webhook.

    Nothing is posted before all the people at the table have agreed.
    """
    user = person(request)
    count_channel(user)
    _set_game_channel(user, slug, wish.address.strip(), now=timezone.now())


@doing("games/{slug}/webhook/agree", "api-game-webhook-agree", POSTING, "tables", 409)
def agree_to_channel(request: HttpRequest, slug: str, answer: ChannelAnswer) -> None:
    """Agree that a game that you play in is posted to this channel; it begins when all have agreed."""
    user = person(request)
    count_channel(user)
    _agree_to_channel(user, slug, channel=answer.channel, now=timezone.now())


@doing("games/{slug}/webhook/stop", "api-game-webhook-stop", POSTING, "tables")
def remove_game_channel(request: HttpRequest, slug: str) -> None:
    """Post nothing about the game: every player at the table may say no, before the first message or later."""
    user = person(request)
    count_channel(user)
    _remove_game_channel(user, slug, now=timezone.now())
