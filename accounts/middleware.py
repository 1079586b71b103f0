"""What every request of a person needs: their words, a session that slides, and an answer to "too often"."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation

from accounts import traditions
from accounts.limits import LimitReached
from accounts.models import User
from accounts.sessions import slide
from accounts.views import too_many


class PersonMiddleware(LocaleMiddleware):
    """Django's locale middleware with the person's own language first. It stands after authentication.

    It also keeps the session: once a day the year starts again, at the price of one write that day. Anonymous visitors
    without a cookie cost no query.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language and the names of the colours, and slide the session."""
        super().process_request(request)
        traditions.activate(traditions.USUAL)
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, User):
            return
        slide(request.session)
        traditions.activate(request.user.colour_names)
        if request.user.language in dict(settings.LANGUAGES):
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Forget the names of the colours: whoever runs in this thread next has names of their own."""
        traditions.activate(traditions.USUAL)
        return super().process_response(request, response)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 429 for a limit that was reached anywhere."""
        return too_many(request, exception.retry_after) if isinstance(exception, LimitReached) else None
