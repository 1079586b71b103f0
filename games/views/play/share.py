"""Games to pass on: as a picture, as an animation, and as a board in a page of another site."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from accounts import limits
from games.drawing.raster.animation import gif
from games.drawing.raster.picture import png
from games.drawing.raster.shared_game import SharedGame
from games.pages.replay.page import replay_page
from games.pages.replay.share import shared_animation, shared_picture
from games.pages.waiting.picture import shared_invitation
from games.views.analysis.replay import move_number
from games.views.play.play import link_token

#: How many of each are drawn within a minute for one person, or for one address without a login.
PICTURES_A_MINUTE, ANIMATIONS_A_MINUTE = 60, 10


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the game after `?move=N` moves as a PNG, by default after the last."""
    game = shared_picture(request.user, slug, link_token(request), move_number(request))
    return _drawn(request, game, "png", png, PICTURES_A_MINUTE)


@require_safe
def invitation_picture(request: HttpRequest, token: str) -> HttpResponse:
    """Return a table that waits for players as a PNG, for those who are sent its link, and for no search engine."""
    response = _drawn(request, shared_invitation(token), "png", png, PICTURES_A_MINUTE)
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
def animation(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the game so far as a GIF that shows it piece by piece."""
    return _drawn(request, shared_animation(request.user, slug, link_token(request)), "gif", gif, ANIMATIONS_A_MINUTE)


@require_safe
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the replay without the rest of the site; other sites may have it in a frame if the game is public."""
    page = replay_page(request.user, slug, link_token(request), move_number(request), is_shared=True)
    response = render(request, "games/embed/page.html", {"page": page})
    return _for_any_frame(response) if page.is_public else response


def _drawn(
    request: HttpRequest, game: SharedGame, suffix: str, draw: Callable[[SharedGame], bytes], limit: int
) -> HttpResponse:
    # The tag comes back weakened where the answer was made smaller on its way.
    response: HttpResponse | None = get_conditional_response(request, etag=game.tag)
    if response is None:
        limits.count_use(f"{suffix}:{limits.requester(request)}", limit, 60)
        response = HttpResponse(draw(game), content_type=f"image/{suffix}")
        response["Content-Disposition"] = f'inline; filename="{game.name}.{suffix}"'
    response["ETag"] = game.tag
    # It may become private, so no copy is used without asking.
    response["Cache-Control"] = "private, no-cache"
    return _for_any_page(response) if game.is_public else response


def _for_any_page(response: HttpResponse) -> HttpResponse:
    """Allow pages of other sites to show what everybody may see."""
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _for_any_frame(response: HttpResponse) -> HttpResponse:
    """Allow pages of other sites to frame this one: there is nothing on it that a stolen click could do."""
    response.xframe_options_exempt = True
    response._csp_replace = {"frame-ancestors": ["*"]}  # type: ignore[attr-defined]  # how django-csp's says it
    return _for_any_page(response)
