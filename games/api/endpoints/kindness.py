"""Time that players give each other."""

from django.http import HttpRequest

from accounts.doors import person
from games.actions.kindness.give_day import give_day as _give_day
from games.api import schemas
from games.api.door import PLAYING
from games.api.endpoints.answers import game_now, responses, router


@router.post(
    "games/{slug}/give-day",
    auth=PLAYING,
    response=responses(schemas.GameOut, 404, 409),
    url_name="api-give-day",
    tags=["pauses"],
)
def give_day(request: HttpRequest, slug: str, gift: schemas.GivingDay) -> schemas.GameOut:
    """Give the player whose turn it is one more day, as each other player may once in a game."""
    _give_day(person(request), slug, number=gift.number)
    return game_now(request, slug)
