"""Whoever is answered with games has been shown the last moves in them."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from games.actions.takebacks.mark_shown import READINGS, show_to


class ShownMiddleware:
    """Note for every answer which new moves it shows (`mark_shown`). No query where no move is ten seconds old."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; a page that shows a move which has been taken back meanwhile is made again."""
        return show_to(
            lambda: self.get_response(request),
            lambda: request.user.pk,
            # Whoever may not see a game is answered as if there were none.
            is_shown=lambda answer: answer.status_code != 404,
            readings=READINGS if request.method in {"GET", "HEAD"} else 1,
        )
