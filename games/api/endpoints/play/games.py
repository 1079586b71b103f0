"""One game: what is to be seen of it, and what is legal."""

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.translation import gettext as _
from ninja import Query
from ninja.params.functions import Header

from games.api import schemas
from games.api.door import LOOKING
from games.api.endpoints.answers import PUBLIC, responses, router
from games.base import access
from games.base.tags import is_known_tag
from games.errors import BadRequest, WrongStatus
from games.queries.play.state import GameState, game_state, state_for, time_mark


@router.get(
    "games/{slug}",
    auth=LOOKING,
    response={**responses(schemas.GameOut, 404), 304: None},
    url_name="api-game",
    tags=["games", PUBLIC],
)
def show_game(
    request: HttpRequest,
    response: HttpResponse,
    slug: str,
    token: str = "",
    known: str = Header("", alias="If-None-Match"),
) -> schemas.GameOut | HttpResponse:
    """Show a game as you see it. `token` is the secret of an invitation link.

    The answer has an ETag. Send it as If-None-Match: while nothing has changed the answer is 304, without a body.
    """
    seen, now = access.game_to_view(request.user, slug, token), timezone.now()
    tag = f'"{seen.version}.{request.user.pk or 0}.{time_mark(seen, now)}"'
    # A compressed answer has a weak tag.
    if is_known_tag(known, tag):
        return HttpResponseNotModified(headers={"ETag": tag})
    response["ETag"] = tag
    return schemas.GameOut.of(state_for(seen, request.user, token, now))


@router.get(
    "games/{slug}/placements",
    auth=LOOKING,
    response=responses(schemas.Legal, 404, 409),
    exclude_none=True,
    url_name="api-placements",
    tags=["games", PUBLIC],
)
def list_placements(request: HttpRequest, slug: str, asked: Query[schemas.Asked]) -> schemas.Legal:
    """List the legal placements of a colour, by default of the one to play.

    `piece` names the only piece that is asked for. With `texts=true` they are written out too.
    """
    state = _running(request, slug)
    variant, colour = state.position.variant, asked.colour or (state.turn.colour if state.turn else "")
    if colour not in state.position.colours_in_play:
        raise BadRequest(_("This game has no such colour."), field="colour")
    ids = state.position.legal_ids(colour)
    if asked.piece or asked.texts:
        found = [(number, state.position.placement(number)) for number in ids]
        found = [(number, each) for number, each in found if asked.piece in ("", each.piece)]
        ids, texts = tuple(number for number, _each in found), [str(each) for _number, each in found]
    return schemas.Legal(
        variant=variant.id,
        number=state.game.number,
        colour=colour,
        ids=list(ids),
        placements=texts if asked.texts else None,
    )


def _running(request: HttpRequest, slug: str) -> GameState:
    state = game_state(request.user, slug)
    if not isinstance(state, GameState):
        raise WrongStatus(_("The game has not started yet."), code="not-started")
    if state.turn is None:
        raise WrongStatus(_("The game is over."), code="game-over")
    return state
