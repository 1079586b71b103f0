"""Players and bots."""

from django.http import HttpRequest
from ninja import Query

from games.api.door import LOOKING
from games.api.endpoints.answers import PUBLIC, responses, router
from games.api.finished import FinishedPage, Paging, finished_page
from games.api.people import BotOut, PlayerOut, player_out
from games.pages.people.profile import named_player
from games.queries.lists.finished import visible_games
from games.roster.offered import offered_bots


@router.get("bots", auth=LOOKING, response=responses(list[BotOut]), url_name="api-bots", tags=["players", PUBLIC])
def list_bots(request: HttpRequest) -> list[BotOut]:
    """List the bots that can be seated, from the weakest."""
    return [BotOut.of(bot) for bot in offered_bots().values()]


@router.get(
    "players/{name}",
    auth=LOOKING,
    response=responses(PlayerOut, 404),
    url_name="api-player",
    tags=["players", PUBLIC],
)
def show_player(request: HttpRequest, name: str) -> PlayerOut:
    """Show a player: how their finished games ended that you may see."""
    return player_out(request.user, name)


@router.get(
    "players/{name}/games",
    auth=LOOKING,
    response=responses(FinishedPage, 404),
    url_name="api-player-games",
    tags=["players", PUBLIC],
)
def list_games_of_player(request: HttpRequest, name: str, paging: Query[Paging]) -> FinishedPage:
    """List the finished games of a player that you may see, the latest first; `me` is the player's seat."""
    lists, _counts = visible_games(named_player(name), request.user)
    return finished_page(lists, paging.cursor, paging.limit)
