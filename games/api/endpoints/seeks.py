"""Standing seeks: what you always want to play."""

from django.http import HttpRequest
from django.utils import timezone

from accounts.doors import person
from games.actions.seeks.drop_seek import drop_seek as _drop_seek
from games.actions.seeks.set_seek import set_seek as _set_seek
from games.api.door import READING, SITTING
from games.api.endpoints.answers import doing, responses, router
from games.api.schemas import SeekOut, SeekRequest
from games.queries.tables.seeks import seeks_of
from games.table.counting import count_seek


@router.get("seeks", auth=READING, response=responses(list[SeekOut]), url_name="api-seeks", tags=["you"])
def list_seeks(request: HttpRequest) -> list[SeekOut]:
    """List your standing seeks: what you always want to play, and how far that is so."""
    return [SeekOut.of(state) for state in seeks_of(person(request), timezone.now())]


@router.post("seeks", auth=SITTING, response=responses(list[SeekOut]), url_name="api-seeks", tags=["you"])
def set_seek(request: HttpRequest, wish: SeekRequest) -> list[SeekOut]:
    """Keep up to so many games of a kind under way: the site seats you. The same kind again changes its number."""
    user = person(request)
    count_seek(user)
    _set_seek(
        user,
        variant=wish.variant,
        pace=wish.pace,
        is_rated=wish.rated,
        number=wish.number,
        wait=wish.bots_after,
    )
    return [SeekOut.of(state) for state in seeks_of(user, timezone.now())]


@doing("seeks/{seek}/stop", "api-seek-stop", SITTING, "you")
def drop_seek(request: HttpRequest, seek: int) -> None:
    """End a standing seek of yours; games that are under way go on."""
    user = person(request)
    count_seek(user)
    _drop_seek(user, seek)
